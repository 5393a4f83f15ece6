"""Texts about diseases, symptoms, procedures and parts of the body."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sfumato.columns.recognisers.closed_list import listed, plain, telling
from sfumato.columns.recognisers.code_system import DIAGNOSES, PROCEDURES, hinted
from sfumato.columns.recognisers.text_words import MOST, TextWords, endings

# A department or a hospital is named after what it treats, and is a place all the same.
PLACES = hinted(
    "unit clinic center centre department dept ward institute service services hospital klinik zentrum abteilung "
    "station hopital unite servicio centro unidad reparto afdeling oddzial avdelning icu"
)
SHORTEST = 6  # letters of a word of which the ending tells
PHRASES = (
    "(disorder)", "(finding)", "(procedure)", "(situation)", "(regime/therapy)", "(morphologic abnormality)",
    "(body structure)", "(substance)", "(physical object)", "(event)", "(observable entity)", "(organism)", "(product)",
    "(qualifier value)", "(specimen)", "(medicinal product)", "(clinical drug)", "(assessment scale)",
    "(record artifact)", "(environment)", "(social concept)", "(context-dependent category)", "(navigational concept)",
)  # fmt: skip


class ClinicalText(TextWords):
    """Fracture of clavicle, Gastritis, Bluthochdruck, (disorder): words and endings of medicine in ten languages.

    Words of everyday (acute, bone, operation) count beside others, but do not make a column medical by themselves.
    """

    concept = "clinical texts"
    strength = 0.88
    file = "clinical"
    hints = (
        DIAGNOSES
        | PROCEDURES
        | hinted("symptom term decod llt hlt hlgt soc bodsys adverse event reaction allerg history anamnes body")
    )

    def matches(self, value: str) -> bool:
        words = frozenset(plain(value).split())
        return value.endswith(PHRASES) or (words.isdisjoint(PLACES) and super().matches(value))

    def word(self, word: str) -> bool:
        return medical_word(word)

    def share(self, sample: Sequence[str]) -> float:
        """The share of values with such a word; 0 where all of these words are of everyday."""
        share = super().share(sample)
        if share < self.needed:
            return 0.0
        values = telling(self.values(sample[:MOST]))
        plainly = sum(any(medical_word(w) and w not in listed("clinical", "weak") for w in v.split()) for v in values)
        phrases = sum(value.strip().endswith(PHRASES) for value in self.values(sample[:MOST]))
        return share if max(plainly, phrases) >= 0.25 * len(values) else 0.0


@lru_cache(maxsize=8192)
def medical_word(word: str) -> bool:
    """Whether a folded word is of medicine: listed, or with an ending that only such words have.

    >>> medical_word("appendicitis"), medical_word("fracture"), medical_word("geography"), medical_word("oklahoma")
    (True, True, False, False)
    """
    if word in listed("clinical"):
        return True
    if len(word) < SHORTEST or word in listed("clinical", "otherwise"):
        return False
    return word.endswith(endings("clinical"))
