"""Groups: neighbours in an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sfumato.errors import HierarchyError
from sfumato.hierarchies.builder_interface import Builder
from sfumato.hierarchies.formula import Formula, in_order
from sfumato.hierarchies.hierarchy import TOP, Counts, Hierarchy
from sfumato.hierarchies.lookup import Lookup
from sfumato.hierarchies.ranges import check_factor


@dataclass(frozen=True)
class Groups(Builder):
    """Values in an order, of which `size` neighbours become one group, and then `factor` groups one.

    `order` lists the values, lowest first; without it numbers go by size and texts by letter. A group is called by its
    first and its last value.

    >>> Groups(order=("mild", "moderate", "severe", "fatal")).build(["fatal", "mild", "moderate"]).lines[0]
    ('fatal', 'severe -- fatal', '*')
    """

    plainly: ClassVar[str] = "ordered values, neighbours merged"
    order: tuple[str, ...] = ()
    size: int = 2
    factor: int = 2

    def __post_init__(self) -> None:
        check_factor(self.factor)
        if self.size < 2:
            raise HierarchyError("A group has at least two neighbours: size is 2 or more.")
        if len(set(self.order)) != len(self.order):
            raise HierarchyError("The order must name each value once.")

    def formula(self, counts: Counts) -> Formula:
        order = self.order or tuple(in_order(counts))
        settings = {"kind": self.name(), "order": list(order), "size": self.size, "factor": self.factor}
        if not order:
            return Lookup(Hierarchy((), missing=(None, TOP)), settings)
        columns, size = [list(order)], self.size
        while size < len(order):
            columns.append(_labels(order, size))
            size *= self.factor
        return Lookup(Hierarchy(tuple(zip(*columns, [TOP] * len(order), strict=True))), settings)

    def sql(self, value: str, level: int) -> str:
        if not self.order:
            raise self.unfitted()
        return super().sql(value, level)


def _labels(order: Sequence[str], size: int) -> list[str]:
    """The group of each value, groups of one size but for the last."""
    labels: list[str] = []
    for start in range(0, len(order), size):
        group = order[start : start + size]
        labels += [group[0] if len(group) == 1 else f"{group[0]} -- {group[-1]}"] * len(group)
    return labels
