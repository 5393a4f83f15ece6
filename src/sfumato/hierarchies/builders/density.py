"""Density-adapted ranges: fine where people are many, coarse where they are few."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.profile import ColumnProfile
from sfumato.errors import HierarchyError
from sfumato.hierarchies.builder_interface import Builder, Offer
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import Counts
from sfumato.hierarchies.ranges import Ranges, Style, as_numbers, check_factor, check_whole, held_by_step, style_named


@dataclass(frozen=True)
class Density(Builder):
    """As many ranges as possible that each hold at least n records (`at_least`) (S3.22).

    From the lowest number on, values are gathered until a range holds n records; what is left over at the end joins
    the last range. So ranges are narrow where people are dense, and newborns and centenarians are merged with their
    neighbours. At each further level a range holds `factor` times as many. Edges are multiples of `width`: 1 for
    whole numbers, a thousandth of the extent, rounded, for others.

    >>> ages = {"0": 1, "40": 3, "41": 3, "42": 4, "97": 1}
    >>> Density(at_least=3).build(ages).labels(1)
    ('<41', '[41, 42)', '>=42')
    """

    plainly: ClassVar[str] = "narrow ranges where people are dense, wide ones where they are few"
    at_least: int = 10
    factor: int = 2
    width: float | None = None
    style: str = Style.BRACKETS

    def __post_init__(self) -> None:
        check_factor(self.factor)
        object.__setattr__(self, "style", style_named(self.style))
        if self.at_least < 1:
            raise HierarchyError("Each range must hold at least one record: at_least is 1 or more.")

    def formula(self, counts: Counts) -> Formula:
        check_whole(self.style, counts)
        held, needed = held_by_step(counts, self.width), self.at_least
        rows = []
        while len(held := _gathered(held, needed)) > 1:
            rows.append(as_numbers(list(held)[1:]))
            needed *= self.factor
        rows = [row for above, row in zip([(), *rows], rows, strict=False) if row != above]
        return Ranges(tuple(rows), self.style)

    def sql(self, value: str, level: int) -> str:
        raise self.unfitted()

    @classmethod
    def offer(cls, column: ColumnProfile) -> Offer | None:
        if not column.kind.numeric or column.known <= 2:
            return None
        return Offer(cls(), "It holds numbers: ranges are narrow where records are many, and hold 10 or more.", 0.4)


def _gathered(held: Mapping[float, int], needed: int) -> dict[float, int]:
    """Neighbours joined from below until each range holds enough; what is left over joins the last range."""
    ranges: list[list[float]] = []
    for edge, n in held.items():
        if ranges and ranges[-1][1] < needed:
            ranges[-1][1] += n
        else:
            ranges.append([edge, n])
    if len(ranges) > 1 and ranges[-1][1] < needed:
        ranges[-2][1] += ranges.pop()[1]
    return {edge: int(n) for edge, n in ranges}
