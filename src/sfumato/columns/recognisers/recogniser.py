"""What a recogniser is: one shape of values, and what a column of such values is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.lexicon.words import joined, words
from sfumato.schema import Role

LONG_HINT = 5  # letters of a word that is looked for within others: `smoker` in `nonsmoker`, but not `test` in `latest`


def spoken(*texts: str | None) -> str:
    """Names and labels as words between blanks, and each without blanks, for hints to be looked for.

    >>> spoken("ICD9_dgnsCode", None)
    ' icd 9 dgns code icd9dgnscode '
    """
    read = (f"{' '.join(words(text))} {joined(text)}" for text in texts if text)
    return f" {' '.join(read)} "


def _within(hint: str, said: str) -> bool:
    """Whether a word begins with the hint, or holds it where it is long enough to be no accident."""
    return hint in said if len(hint) >= LONG_HINT else f" {hint}" in said


class Recogniser(ABC):
    """One shape of values. To add one, write a subclass in one new file of `recognisers/`.

    `strength` is how far the shape alone decides: near 1 nothing else looks like this (an e-mail address),
    near 1/2 other things do (ten digits). Strengths and shares were set by hand on the development columns of
    docs/detection-quality.md, and judged on those held out.
    """

    concept: ClassVar[str]
    role: ClassVar[Role]
    hipaa: ClassVar[Hipaa | None]
    strength: ClassVar[float]
    needed: ClassVar[float] = 0.8  # share of the values that must match
    varied: ClassVar[float] = 0.0  # different values per record that the column must have
    only_for: ClassVar[str | None] = None  # read only when the name says this concept
    hints: ClassVar[frozenset[str]] = frozenset()  # words of a name or a label that go with such values
    unnamed: ClassVar[float | None] = None  # strength where none of the hints is there; None: the same as with one
    most: ClassVar[int] = 1000  # values that are looked at; fewer where each takes long
    longest: ClassVar[int] = 100  # letters of a value that may have this shape

    @abstractmethod
    def matches(self, value: str) -> bool:
        """Whether one value has this shape."""

    def share(self, sample: Sequence[str]) -> float:
        """How many of the values have this shape, from 0 to 1."""
        values = self.values(sample)
        return sum(map(self.matches, values)) / len(values) if values else 0.0

    def weight(self, sample: Sequence[str], said: str) -> float:
        """How far values of this shape decide under a name that says this (`spoken`); 0: nothing is said."""
        return self.strength if self.unnamed is None or self.named(said) else self.unnamed

    def named(self, said: str) -> bool:
        """Whether a name holds one of the hints: a short one as a word, a longer one begins a word or stands in one."""
        return any(f" {hint} " in said or (len(hint) >= 4 and _within(hint, said)) for hint in self.hints)

    def values(self, sample: Sequence[str]) -> list[str]:
        """The values that are looked at, stripped. One that is too long is left empty, which no shape is."""
        stripped = map(str.strip, sample[: self.most])
        return [value if len(value) <= self.longest else "" for value in stripped]
