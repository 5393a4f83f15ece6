"""Values that are words of a short list: countries, marital states, severities."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import ClassVar

from sfumato.columns.lexicon.words import folded
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.packaged_data import packaged_yaml

MANY = 3  # different words that are all listed, and no accident
FIRST = 12  # values by which a column that holds no such words is left at once
_BETWEEN = re.compile(r"[\s_,;.\-–]+")
_AROUND = " \"'*?!:()[]"


@lru_cache(maxsize=8192)
def plain(value: str) -> str:
    """A value as it is looked up: folded, with one blank wherever something separates.

    >>> plain("  Never-Married "), plain("Self_employed"), plain("Männlich.")
    ('never married', 'self employed', 'mannlich')
    """
    return _BETWEEN.sub(" ", folded(value)).strip(_AROUND)


@cache
def listed(file: str, sort: str = "words") -> frozenset[str]:
    """The words of one list, all its languages together, as they are looked up."""
    said = packaged_yaml(__package__, f"lists/{file}.yaml").get(sort) or ""
    texts = said.values() if isinstance(said, dict) else [said]
    return frozenset(plain(word) for text in texts for word in text.split(",") if word.strip())


def telling(sample: Sequence[str]) -> list[str]:
    """The different values as they are looked up, without those that say nothing: unknown, other, not reported."""
    return [value for value in dict.fromkeys(map(plain, sample)) if value and value not in listed("silent")]


@cache
def _entries(file: str, sort: str) -> frozenset[str]:
    return listed(file, sort) | listed(file, "codes")


@lru_cache(maxsize=256)
def _first(values: tuple[str, ...]) -> tuple[str, ...]:
    """The first values as they are looked up; every list asks for the same ones."""
    return tuple(telling(values))


class ClosedList(Recogniser):
    """Nearly all values that say something are words of one list.

    Abbreviations of the list (`codes`) count only under a name that goes with them: M is male, married and metre. Words
    that mean other things as well (`also`: home, single, high) count beside one that does not.
    """

    hipaa = None
    needed = 0.8
    longest = 80

    file: ClassVar[str]
    sort: ClassVar[str] = "words"
    fewest: ClassVar[int] = 2  # different words, below which it needs a name that goes with them
    plainly: ClassVar[float] = 0.0  # strength where all of several words are listed, whatever the name says
    lone: ClassVar[float] = 0.6  # how much of the strength is left to a single word under no such name

    def matches(self, value: str) -> bool:
        return plain(value) in _entries(self.file, self.sort)

    def share(self, sample: Sequence[str]) -> float:
        """The share of listed words among those that say something."""
        first = _first(tuple(sample[:FIRST]))
        if first and not any(map(self.matches, first)):
            return 0.0
        values = telling(self.values(sample))
        return sum(map(self.matches, values)) / len(values) if values else 0.0

    def weight(self, sample: Sequence[str], said: str) -> float:
        """0 without a name that goes with them where only abbreviations are there, or words of several meanings."""
        values = telling(self.values(sample))
        words = [value for value in values if value in listed(self.file, self.sort)]
        certain = sum(value not in listed(self.file, "also") for value in words)
        if self.plainly and certain >= 2 and len(words) == len(values) >= MANY:
            return self.plainly
        if self.named(said):
            return self.strength
        if not certain or len(words) < self.needed * len(values):
            return 0.0
        strength = self.strength if self.unnamed is None else self.unnamed
        return strength if len(words) >= self.fewest else strength * self.lone
