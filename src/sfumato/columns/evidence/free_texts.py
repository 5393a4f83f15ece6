"""Whether a column holds free text, which is direct until somebody has looked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.unique_identifier import made_up
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.columns.table_keys import tells_apart
from sfumato.schema import Role
from sfumato.tables.engine import Kind

READ = 400  # letters of a text that say whether it is one
LOOKED_AT = 200  # texts: the share of sentences among them is known to within 0.07
SENTENCES = 0.88  # what only people write: sentences, lines, many words
WORDS = 0.6  # several words, mostly different: titles and addresses are so too

PARAGRAPH = 8  # words: titles, diagnoses and addresses are shorter, in the middle

_ENDS = re.compile(r"[.!?;。！？·](?:\s|$)")  # where a sentence ends; a Greek one asks with a semicolon
_DOSE = re.compile(r"\d\s?(?:mg|mcg|µg|ug|g|ml|l|iu|ie|ui|unt|meq|mmol|%|hr|actuat)\b", re.IGNORECASE)
_TAG = re.compile(r"\([a-z][a-z /+]+\)$")  # `Fracture of arm (disorder)`: how SNOMED CT ends its names
# Writing that has a syllable or a word for a letter, with few spaces or none.
_DENSE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True)
class FreeTexts(Evidence):
    """Long texts of several words, mostly different: they may hold names and anything else, in any language.

    Sentences, line breaks and many words are written by people. Several words without any of these may be titles, so
    they weigh less. What recurs, or stands once beside each code of a list, describes the code and is none; nor are
    names of drugs with their strengths.

    Examples
    --------
    >>> notes = tuple(f"Seen on the ward, no complaints. Call {number} back." for number in range(30))
    >>> FreeTexts().of(ColumnProfile("x", Kind.TEXT, 30, 0, 30, 30, 30.0, 0, notes)).sentence
    '100% of the values are sentences, mostly different: free text, which may hold names.'
    """

    method = "free text"
    fewest: int = 4  # words
    letters: int = 20
    long: float = 0.4  # share of the values that must be
    different: float = 0.5  # values per record
    much: float = 0.1  # the same, for whole paragraphs: reports that find nothing say so in the same words

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        if column.kind is not Kind.TEXT or column.known < 3:
            return None
        texts = [value.strip()[:READ] for value in column.sample[:LOOKED_AT]]
        share = sum(map(self._long, texts)) / len(texts)
        if share < self.long or not self._varied(column, texts) or _about_things(texts):
            return None
        written = _share(_sentences, texts) >= 0.25 or median(map(_words, texts)) >= PARAGRAPH
        if not written and _describes(column, beside):
            return None
        what = "sentences" if written else "several words"
        sentence = f"{share:.0%} of the values are {what}, mostly different: free text, which may hold names."
        return Finding(self.method, Role.DIRECT, share, sentence, SENTENCES if written else WORDS)

    def _long(self, text: str) -> bool:
        if _DENSE.search(text[:20]):
            return (len(text) >= 15 and len(text.split()) >= self.fewest - 1) or len(text) >= self.letters * 2
        return len(text) >= self.letters and len(text.split()) >= self.fewest

    def _varied(self, column: ColumnProfile, texts: Sequence[str]) -> bool:
        paragraphs = median(map(len, texts)) >= 100
        return column.known >= (self.much if paragraphs else self.different) * column.present


def _words(text: str) -> int:
    """The words of a text; where a word says what takes two elsewhere, it counts for two."""
    return len(text.split()) * (2 if _DENSE.search(text[:20]) else 1)


def _sentences(text: str) -> bool:
    """Whether a text has a sentence that ends, or a line."""
    return "\n" in text or _ENDS.search(text.rstrip(")\"'")) is not None


def _about_things(texts: Sequence[str]) -> bool:
    """Whether the texts name drugs by their strength, or concepts by their kind, or are lists of codes."""
    return max(_share(check, texts) for check in (_dosed, _tagged, _codes)) > 0.4


def _dosed(text: str) -> bool:
    return _DOSE.search(text) is not None


def _tagged(text: str) -> bool:
    return _TAG.search(text) is not None


def _codes(text: str) -> bool:
    words = text.split()
    return sum(made_up(word) or sum(c.isdigit() for c in word) >= 2 for word in words) > 0.5 * len(words)


def _describes(column: ColumnProfile, beside: Surroundings) -> bool:
    """Whether each text stands for one entry of a list: the table is one, or a code beside has as many values."""
    if beside.of_a_list:
        return True
    coded = [other for other in beside.coded if other.name != column.name]
    if tells_apart(column) or column.known == column.present:
        return not beside.of_people and any(map(tells_apart, coded))
    return any(abs(other.known - column.known) <= 0.05 * column.known for other in coded)


def _share(check: Callable[[str], bool], texts: Sequence[str]) -> float:
    return sum(map(check, texts)) / len(texts)
