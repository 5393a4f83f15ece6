"""Quantiles: ranges that hold about the same number of records."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from sfumato.errors import HierarchyError
from sfumato.hierarchies.builder_interface import Builder
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import Counts
from sfumato.hierarchies.ranges import Ranges, Style, as_numbers, check_whole, held_by_step, style_named, thinned


@dataclass(frozen=True)
class Quantiles(Builder):
    """Ranges of equal frequency: quartiles unless another number is asked for (S3.21).

    The edge between two ranges is put where the number of records below it comes nearest to their share. Records with
    the same value stay together, so that ranges may differ in size, and there may be fewer of them. Edges are
    multiples of `width`: 1 for whole numbers, a thousandth of the extent, rounded, for others.

    >>> Quantiles().build(["1", "2", "3", "4", "5", "6", "7", "8"]).labels(1)
    ('<3', '[3, 5)', '[5, 7)', '>=7')
    """

    plainly: ClassVar[str] = "ranges that hold about the same number of records each"
    groups: int = 4
    factor: int = 2
    width: float | None = None
    style: str = Style.BRACKETS

    def __post_init__(self) -> None:
        object.__setattr__(self, "style", style_named(self.style))
        if self.groups < 2:
            raise HierarchyError("Quantiles need at least two groups.")

    def formula(self, counts: Counts) -> Formula:
        check_whole(self.style, counts)
        held = held_by_step(counts, self.width)
        return Ranges(thinned(_cuts(held, self.groups), self.factor), self.style)

    def sql(self, value: str, level: int) -> str:
        raise self.unfitted()


def _cuts(held: dict[float, int], groups: int) -> tuple[float, ...]:
    """Where to cut: before the value that leaves the nearest to i / groups of the records below it."""
    edges, below = list(held)[1:], list(accumulate(held.values()))[:-1]
    records = sum(held.values())
    if not edges:
        return ()
    near = (min(range(len(edges)), key=lambda j: abs(below[j] - i * records / groups)) for i in range(1, groups))
    return as_numbers(edges[j] for j in sorted(set(near)))
