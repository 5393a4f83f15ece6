"""Texts by the words they hold: most values hold a word of one field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from statistics import median
from typing import ClassVar

from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.closed_list import listed, plain, telling
from sfumato.columns.recognisers.code_system import hinted
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

FIRST = 20  # values by which a column that holds no such words is left at once
PARAGRAPH = 8  # words
_SENTENCE = re.compile(r"[a-zà-ÿα-ω)][.!?](?:\s|$)|\n")
_LISTED = re.compile(r"\d ?(?:mg|mcg|g|ml|unt|meq|hr|%)\b|\([a-z][a-z /-]+\)$", re.IGNORECASE)
MANY = 3
MOST = 200  # values that are looked at: a share of 200 is known to within 0.07
_WORD = re.compile(r"[^\W\d_]{2,}(?:['’][^\W\d_]+)?")
# Words that stand in sentences about somebody, and not in the texts of a list.
PROSE = hinted(
    "patient patients he she his her they their is was were are has had have reports reported denies since will "
    "should seen advised called today yesterday been told feels looks patient's der die das ist war wurde hat "
    "klagt seit le la el est sont etait se plaint depuis refiere desde ayer es fue tiene il e era ha da ontem "
    "vive heeft werd sinds geen jest byl ma od och har sedan var pt"
)


class TextWords(Recogniser):
    """Most values hold a word of one field. Sentences about somebody are left to free text."""

    role = Role.SENSITIVE
    hipaa = None
    needed = 0.5
    longest = 120

    file: ClassVar[str]
    plainly: ClassVar[float] = 0.93  # strength where nearly all of several texts hold such a word
    fewest: ClassVar[int] = 2  # different values, below which a word is an accident

    def matches(self, value: str) -> bool:
        return any(map(self.word, _WORD.findall(plain(value)))) or plain(value) in listed(self.file)

    def word(self, word: str) -> bool:
        """Whether a word belongs to the field."""
        return word in listed(self.file)

    def share(self, sample: Sequence[str]) -> float:
        """The share of values that hold such a word; 0 where they are sentences."""
        first = _worded(tuple(sample[:FIRST]))
        if not first or sum(map(self.matches, first)) < 0.3 * len(first):
            return 0.0
        values = telling(self.values(sample[:MOST]))
        if not values or sum(map(_prose, values)) > 0.3 * len(values):
            return 0.0
        return sum(map(self.matches, values)) / len(values)

    def weight(self, sample: Sequence[str], said: str) -> float:
        """Less where only half of the texts hold such a word, or where there is only one text."""
        values = telling(self.values(sample[:MOST]))
        matched = sum(map(self.matches, values))
        if matched < self.fewest and not self.named(said):
            return 0.6 * self.strength
        if matched >= MANY and matched >= 0.9 * len(values):
            return self.plainly
        return self.strength if matched >= 0.7 * len(values) or self.named(said) else self.strength - 0.1


@lru_cache(maxsize=256)
def _worded(values: tuple[str, ...]) -> tuple[str, ...]:
    """The first values that hold letters; every field asks for the same ones."""
    return tuple(value.strip() for value in values if any(map(str.isalpha, value[:100])))


def written(column: ColumnProfile) -> bool:
    """Whether people wrote the texts freely: mostly different, and long or sentences; not of a list.

    Drugs with their strengths and concepts with their kind in brackets are long as well, and of a list.
    """
    texts = [value.strip() for value in column.sample[:MOST]]
    if not texts or column.known < 0.5 * column.present:
        return False
    ended = sum(_SENTENCE.search(text) is not None for text in texts) >= 0.25 * len(texts)
    of_a_list = sum(_LISTED.search(text) is not None for text in texts) > 0.4 * len(texts)
    return ended or (median(len(text.split()) for text in texts) >= PARAGRAPH and not of_a_list)


def _prose(value: str) -> bool:
    """Whether a text is a sentence about somebody: two of its words are of such sentences."""
    return sum(word in PROSE for word in value.split()) >= 2


@cache
def endings(file: str) -> tuple[str, ...]:
    """The endings that only words of this field have."""
    return tuple(sorted(listed(file, "endings")))
