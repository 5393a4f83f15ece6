"""Priority: rare values are merged first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

from sfumato.columns.profile import ColumnProfile
from sfumato.errors import HierarchyError
from sfumato.hierarchies.builder_interface import Builder, Offer
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import Counts
from sfumato.tables.engine import listed, literal


@dataclass(frozen=True)
class Priority(Formula, Builder):
    """Values of fewer than n records (`at_least`) become `other`; at each further level n is `factor` times as large.

    Where those together are fewer than n records, the next rarest joins them. `kept` are the values that stay, for
    each level, and are found in the data unless they are given; so a rare value never stands in a plan, and one that
    comes later is among the others.

    >>> Priority(at_least=2).build({"asthma": 5, "flu": 3, "gout": 1, "lupus": 1}).lines[:3]
    (('asthma', 'asthma', 'asthma', '*'), ('flu', 'flu', 'other', '*'), ('gout', 'other', 'other', '*'))
    """

    plainly: ClassVar[str] = "categories, the rare ones merged first"
    at_least: int = 5
    factor: int = 2
    other: str = "other"
    kept: tuple[tuple[str, ...], ...] | None = None

    def __post_init__(self) -> None:
        if self.at_least < 1 or self.factor < 2:
            raise HierarchyError("Priority needs at_least of 1 or more, and a factor of 2 or more.")
        rows = tuple(tuple(map(str, row)) for row in self.kept or ())
        object.__setattr__(self, "kept", None if self.kept is None else rows)
        if any(not set(above) <= set(below) for below, above in pairwise(rows)):
            raise HierarchyError("What is kept at a level must be kept at the level below it too.")

    def formula(self, counts: Counts) -> Formula:
        return self if self.kept is not None else replace(self, kept=self._found(counts))

    @property
    def height(self) -> int:
        return len(self._kept) + 1

    def settled(self) -> dict[str, Any]:
        return self.settings()

    @classmethod
    def offer(cls, column: ColumnProfile) -> Offer:
        return Offer(cls(), "It holds categories: those of fewer than 5 records are merged first.", 0.1)

    def _found(self, counts: Counts) -> tuple[tuple[str, ...], ...]:
        """The values that stay, most frequent first, at each level until none is left."""
        ranked = sorted(((n, text) for text, n in counts.items() if text is not None), key=lambda v: (-v[0], v[1]))
        kept, rows, needed = [text for _, text in ranked], [], self.at_least
        while kept:
            fewer = self._staying(ranked, needed)
            if fewer and fewer != kept:
                rows.append(tuple(fewer))
            kept, needed = fewer, needed * self.factor
        return tuple(rows)

    def _staying(self, ranked: list[tuple[int, str]], needed: int) -> list[str]:
        staying = [text for n, text in ranked if n >= needed]
        merged = sum(n for n, _ in ranked[len(staying) :])
        while staying and 0 < merged < needed:
            staying.pop()
            merged += ranked[len(staying)][0]
        return staying

    def _label(self, text: str, level: int) -> str:
        return text if text in self._kept[level - 1] else self.other

    def _sql(self, value: str, level: int) -> str:
        text, kept = f"CAST({value} AS VARCHAR)", self._kept[level - 1]
        if not kept:
            return literal(self.other)
        return f"CASE WHEN {text} IN ({listed(map(literal, kept))}) THEN {text} ELSE {literal(self.other)} END"

    @property
    def _kept(self) -> tuple[tuple[str, ...], ...]:
        if self.kept is None:
            raise self.unfitted()
        return self.kept
