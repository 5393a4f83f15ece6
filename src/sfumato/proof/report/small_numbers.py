"""Masks: what a report shows instead of a small number of people.

A cell that is about few people points at them. Guidelines hide counts from 1 to 10 (CMS, 2024) and ask that they cannot
be worked out from what is shown beside them; 0 may be shown. What is hidden here: the size of a group of records or
persons within a table, and its share. What is not: how many records a table has, and what measures read (k, l, t, a
risk), for the report is about those.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.errors import PolicyError
from sfumato.show.sheet import number, percent

LEAST = 11  # records or persons: a group of fewer is not shown
HIDDEN = "hidden"
COUNTED = re.compile(
    r"\b(?P<n>\d{1,3}(?:[ \u00a0]\d{3})*|\d+)(?P<of> of [\d \u00a0]+)?(?P<noun> (?:more )?"
    r"(?:records?|persons?|people|subjects?|rows?|values?|cells?)\b)"
)


@dataclass(frozen=True)
class SmallNumberMask:
    """Groups of fewer than `least` are hidden, and so are those that all but a few belong to.

    >>> mask = SmallNumberMask()
    >>> mask.count(0), mask.count(7), mask.count(12), mask.count(995, of=1000)
    ('0', '<11', '12', '>989')
    >>> mask.share(0.004, 1000), mask.share(0.25, 1000), mask.share(0.995, 1000)
    ('<1.1 %', '25.0 %', '>98.9 %')
    """

    least: int = LEAST

    def __post_init__(self) -> None:
        if self.least < 1:
            raise PolicyError("The smallest group that may be shown is 1 or more: --mask 11.")

    def hides(self, n: float, of: float | None = None) -> bool:
        """Whether a group is too small to be shown, or leaves too few others; nobody is nobody."""
        return 0 < n < self.least or (of is not None and n > 0 and 0 < of - n < self.least)

    def count(self, n: int, of: int | None = None, within: int | None = None) -> str:
        """The size of a group, out of so many that everybody knows, and `within` a group that may be hidden itself."""
        if 0 < n < self.least:
            return f"<{self.least}"
        if self.hides(n, within):
            return HIDDEN
        return f">{number(of - self.least)}" if of is not None and self.hides(n, of) else number(n)

    def share(self, share: float | None, of: int, within: int | None = None) -> str:
        """The share of a group in so many, in per cent."""
        if share is None:
            return "-"
        n = round(share * of, 6)
        if 0 < n < self.least:
            return f"<{percent(min(self.least / of, 1.0))}"
        if self.hides(n, within):
            return HIDDEN
        return f">{percent(1 - self.least / of)}" if self.hides(n, of) else percent(share)

    def known(self, counts: Sequence[int], whole: int) -> tuple[int | None, ...]:
        """Growing counts of one whole, None where a difference between two that are shown would be a small group.

        >>> SmallNumberMask().known([40, 45, 60, 60, 98], 100)
        (40, None, 60, 60, None)
        """
        visible: list[int | None] = []
        last = 0
        for n in counts:
            visible.append(n if n == last or n - last >= self.least else None)
            last = visible[-1] if visible[-1] is not None else last
        while last and 0 < whole - last < self.least:
            visible = [None if n == last else n for n in visible]
            last = max((n for n in visible if n is not None), default=0)
        full = whole >= self.least  # everybody is no secret, unless they are few
        return tuple(whole if full and n == whole else shown for n, shown in zip(counts, visible, strict=True))

    def steps(self, counts: Sequence[int], whole: int) -> tuple[str, ...]:
        """The same as texts: a number, or where it lies.

        >>> SmallNumberMask().steps([40, 45, 60, 60, 98], 100)
        ('40', '<51', '60', '60', '>89')
        """
        return tuple(self._said(n, visible, low, whole) for n, visible, low in self._placed(counts, whole))

    def step_shares(self, counts: Sequence[int], whole: int) -> tuple[str, ...]:
        """The same as shares of the whole, in per cent."""
        texts = []
        for n, visible, low in self._placed(counts, whole):
            if visible is not None:
                texts.append(percent(visible / whole))
            elif n - low < self.least:
                texts.append(f"<{percent(min((low + self.least) / whole, 1.0))}")
            else:
                texts.append(f">{percent(1 - self.least / whole)}")
        return tuple(texts)

    def words(self, sentence: str) -> str:
        """A sentence whose small numbers of records or people are hidden.

        >>> SmallNumberMask().words("3 of 120 records lack a value, 14 records are of 1 person.")
        '<11 of 120 records lack a value, 14 records are of <11 persons.'
        """
        return COUNTED.sub(self._worded, sentence)

    def _worded(self, match: re.Match[str]) -> str:
        n = int(re.sub(r"\D", "", match["n"]))
        if not 0 < n < self.least:
            return match[0]
        noun = match["noun"] if match["of"] or match["noun"].endswith(("s", "people")) else f"{match['noun']}s"
        return f"<{self.least}{match['of'] or ''}{noun}"

    def _placed(self, counts: Sequence[int], whole: int) -> list[tuple[int, int | None, int]]:
        """Each count, what is shown of it, and the largest number shown that is not above it."""
        known = self.known(counts, whole)
        shown = [n for n in known if n is not None]
        return [(n, k, max((s for s in shown if s <= n), default=0)) for n, k in zip(counts, known, strict=True)]

    def _said(self, n: int, known: int | None, low: int, whole: int) -> str:
        if known is not None:
            return number(known)
        return f"<{number(low + self.least)}" if n - low < self.least else f">{number(max(whole - self.least, 0))}"
