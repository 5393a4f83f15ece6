"""Names of hospitals, clinics and practices."""

from __future__ import annotations

from functools import cache

from sfumato.columns.recognisers.closed_list import listed, plain
from sfumato.columns.recognisers.code_system import hinted
from sfumato.columns.recognisers.text_words import TextWords
from sfumato.schema import Role


class FacilityName(TextWords):
    """Most values hold hospital, clinic, centre de santé, Klinikum, and a name beside it."""

    concept = "names of hospitals or practices"
    role = Role.QUASI
    strength = 0.82
    plainly = 0.85
    file = "facility"
    hints = hinted(
        "hospital facility clinic site center centre organi provider krankenhaus klinik hopital etablis ziekenhuis"
    )

    def matches(self, value: str) -> bool:
        text = plain(value)
        named = len(text.split()) >= 2
        return named and (super().matches(value) or any(f" {word} " in f" {text} " for word in _phrases()))


@cache
def _phrases() -> tuple[str, ...]:
    return tuple(word for word in listed("facility") if " " in word)
