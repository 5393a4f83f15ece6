"""The lattice: every combination of one level per quasi-identifier."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from sfumato.errors import PlanError, UnknownColumn

if TYPE_CHECKING:
    from sfumato.privacy.coded.table import CodedTable

Node = tuple[int, ...]  # a level for each column, in the order of the columns


@dataclass(frozen=True)
class Lattice:
    """The combinations of levels between the lowest and the highest that each column may have.

    >>> towns = Lattice(("town", "age"), (0, 1), (2, 3))
    >>> towns.size, towns.rank((2, 1))
    (9, (3, (2, 1)))
    """

    columns: tuple[str, ...]
    lowest: Node
    highest: Node

    @classmethod
    def of(cls, table: CodedTable, limits: Mapping[str, tuple[int, int]] | None = None) -> Lattice:
        """The lattice of a table, within the levels that are allowed for some of its columns."""
        limits, heights = limits or {}, {column.name: column.height for column in table.columns}
        for name, (low, high) in limits.items():
            if name not in heights:
                raise UnknownColumn(name, heights)
            if not 0 <= low <= high <= heights[name]:
                raise PlanError(f"Column {name!r} has levels 0 to {heights[name]}: choose limits within, lowest first.")
        ends = [limits.get(name, (0, height)) for name, height in heights.items()]
        return cls(tuple(heights), tuple(low for low, _ in ends), tuple(high for _, high in ends))

    @property
    def size(self) -> int:
        """How many nodes there are; a whole number of any size."""
        return math.prod(high - low + 1 for low, high in zip(self.lowest, self.highest, strict=True))

    def nodes(self) -> Iterator[Node]:
        """Every node, the lowest first."""
        yield from product(*(range(low, high + 1) for low, high in zip(self.lowest, self.highest, strict=True)))

    def above_lowest(self, node: Node) -> list[int]:
        """The columns that could come down from a node."""
        return [j for j, (level, low) in enumerate(zip(node, self.lowest, strict=True)) if level > low]

    def below_highest(self, node: Node) -> list[int]:
        """The columns that could go up from a node."""
        return [j for j, (level, high) in enumerate(zip(node, self.highest, strict=True)) if level < high]

    @staticmethod
    def rank(node: Node) -> tuple[int, Node]:
        """How nodes of the same score are told apart: fewer levels in all, then a lower one in the first column."""
        return sum(node), node


def moved(node: Node, column: int, by: int) -> Node:
    """The node that is so many levels higher in a column.

    >>> moved((2, 0, 1), 0, -1)
    (1, 0, 1)
    """
    return (*node[:column], node[column] + by, *node[column + 1 :])
