"""Counted tuples: what partitioning works on, the different quasi-identifiers as codes, with their records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sfumato.errors import EmptyTable, HierarchyError, SchemaError
from sfumato.hierarchy import TOP, Hierarchy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Codes = NDArray[np.int32]
    Index = NDArray[np.signedinteger[Any]]
    Real = NDArray[np.float64]
    Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Tree:
    """A column with a hierarchy. Leaf codes are the lines of the hierarchy in their order; the last is missing.

    `nodes[level, leaf]` is the code of a label among the labels of its level, `labels[level]` are their names. The
    weight of a label is the share of the domain that it leaves open, as `Loss` reads it: (leaves - 1) / (domain - 1).

    >>> towns = Tree.of("town", Hierarchy((("Lyon", "France", "*"), ("Nice", "France", "*"), ("Bonn", "Germany", "*"))))
    >>> towns.nodes.tolist(), towns.weights[1].tolist()
    ([[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 0, 0]], [0.5, 0.5, 0.0, 0.0])
    """

    name: str
    nodes: Codes
    labels: tuple[tuple[str | None, ...], ...]
    weights: Real  # by level and leaf

    @classmethod
    def of(cls, name: str, hierarchy: Hierarchy) -> Tree:
        """The tree of a hierarchy."""
        import numpy as np

        lines = (*hierarchy.lines, hierarchy.missing)
        domain, nodes, labels, weights = len(hierarchy.lines), [], [], []
        for level in range(hierarchy.height + 1):
            places: dict[str | None, int] = {}
            codes = np.array([places.setdefault(line[level], len(places)) for line in lines], dtype=np.int32)
            leaves = np.maximum(np.bincount(codes[:-1], minlength=len(places)), 1)
            nodes.append(codes)
            labels.append(tuple(places))
            weights.append((leaves[codes] - 1) / max(domain - 1, 1))
        return cls(name, np.stack(nodes), tuple(labels), np.stack(weights))

    @property
    def leaves(self) -> int:
        """How many codes there are, missing among them."""
        return int(self.nodes.shape[1])

    @property
    def height(self) -> int:
        """The top level."""
        return int(self.nodes.shape[0]) - 1

    @cached_property
    def places(self) -> Codes:
        """Where each leaf stands when the leaves of every label stand together."""
        import numpy as np

        found = np.empty(self.leaves, dtype=np.int32)
        found[np.lexsort(self.nodes)] = np.arange(self.leaves, dtype=np.int32)
        return found

    def level_over(self, first: Index, last: Index) -> Whole:
        """The lowest level at which pairs of leaves have one label."""
        found: Whole = (self.nodes[:, first] != self.nodes[:, last]).sum(axis=0, dtype="int64")
        return found

    def weight(self, first: Index, last: Index) -> Real:
        """What the label over pairs of leaves leaves open."""
        found: Real = self.weights[self.level_over(first, last), first]
        return found


@dataclass(frozen=True, eq=False)
class Order:
    """A column of numbers or dates without a hierarchy. Codes are places among the sorted values; the last is missing.

    A label is an interval [low, high] of values that occur, and its weight the share of these values that it leaves
    open, as `Loss` reads a column without a hierarchy. An interval cannot hold a missing value: together with others
    it becomes `*`, which leaves everything open.
    """

    name: str
    numbers: Real  # ascending, all different
    labels: tuple[str, ...] = ()  # how each number is written

    @property
    def leaves(self) -> int:
        """How many codes there are, missing among them."""
        return len(self.numbers) + 1

    @property
    def missing(self) -> int:
        """The code of a missing value."""
        return len(self.numbers)

    def weight(self, low: Index, high: Index) -> Real:
        """What intervals between codes leave open."""
        import numpy as np

        share = (high - low) / max(len(self.numbers) - 1, 1)
        return np.where(high < self.missing, share, np.where(low == self.missing, 0.0, 1.0))

    def label(self, low: int, high: int) -> str | None:
        """What an interval is called.

        >>> import numpy as np
        >>> ages = Order("age", np.array([21.0, 25.0, 40.0]))
        >>> ages.label(0, 1), ages.label(2, 2), ages.label(3, 3), ages.label(0, 3)
        ('[21, 25]', '40', None, '*')
        """
        if high == self.missing:
            return None if low == self.missing else TOP
        ends = [self.labels[i] if self.labels else f"{self.numbers[i]:.15g}" for i in (low, high)]
        return ends[0] if low == high else f"[{ends[0]}, {ends[1]}]"


@dataclass(frozen=True, eq=False)
class SensitiveCells:
    """How many records of a tuple have each value of one sensitive attribute, sorted by tuple; no row for no value."""

    name: str
    place: Whole  # the tuple
    value: Whole  # a code from 0 on
    n: Whole

    @cached_property
    def values(self) -> int:
        """The codes are below this."""
        return int(self.value.max(initial=-1)) + 1


@dataclass(frozen=True, eq=False)
class CountedTuples:
    """The different tuples of quasi-identifiers, how many records have each, and their sensitive values."""

    columns: tuple[Tree | Order, ...]
    codes: Codes  # by tuple and column
    counts: Whole
    sensitive: tuple[SensitiveCells, ...] = field(default=())

    def __post_init__(self) -> None:
        if self.codes.shape != (len(self.counts), len(self.columns)):
            raise SchemaError("Tuples need one code for each column, and one count.")
        if len({column.name for column in self.columns}) < len(self.columns):
            raise SchemaError("Tuples need columns of different names.")
        if not len(self.counts) or not len(self.columns):
            raise EmptyTable("There are no tuples to partition.")
        for column, codes in zip(self.columns, self.codes.T, strict=True):
            if codes.min() < 0 or codes.max() >= column.leaves:
                raise HierarchyError(f"Values of the column {column.name!r} have no place in its hierarchy or order.")
        if self.counts.min() < 1:
            raise SchemaError("Every tuple must have a record.")

    @classmethod
    def of(
        cls, columns: Sequence[Tree | Order], rows: Codes, sensitive: Sequence[tuple[str, Sequence[int | None]]] = ()
    ) -> CountedTuples:
        """The tuples of records, given as codes row by row, with the code of each sensitive value or None."""
        import numpy as np

        codes, place, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
        place = place.reshape(-1)
        cells = tuple(_cells(name, place, values) for name, values in sensitive)
        return cls(tuple(columns), codes.astype(np.int32), counts.astype(np.int64), cells)

    def mean_weights(self, j: int) -> Real:
        """What the labels of a column with a tree leave open on average, by level."""
        column = self.columns[j]
        assert isinstance(column, Tree)
        return column.weights[:, self.codes[:, j]] @ self.counts / self.records

    @property
    def records(self) -> int:
        """All of them."""
        return int(self.counts.sum())


def _cells(name: str, place: Whole, values: Sequence[int | None]) -> SensitiveCells:
    import numpy as np

    known = np.array([value is not None for value in values], dtype=np.bool_)
    value = np.array([value or 0 for value in values], dtype=np.int64)
    base = int(value.max(initial=0)) + 1
    keys, n = np.unique(place[known] * base + value[known], return_counts=True)
    return SensitiveCells(name, keys // base, keys % base, n.astype(np.int64))
