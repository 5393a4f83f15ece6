"""Counted tuples: what partitioning works on, the different quasi-identifiers as codes, with their records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import EmptyTable, HierarchyError, SchemaError
from sfumato.hierarchies.hierarchy import TOP, Hierarchy
from sfumato.privacy.coded.distinct_rows import first_places, row_numbers
from sfumato.privacy.coded.table import CodedTable, added_up
from sfumato.search.deadline import in_time
from sfumato.search.local.value_cells import ValueCells

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.privacy.coded.arrays import Codes, Real, Whole

    Index = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, eq=False)
class TreeColumn:
    """A column with a hierarchy. Leaf codes are the lines of the hierarchy in their order; the last is missing.

    `nodes[level, leaf]` is the code of a label among the labels of its level, `labels[level]` are their names. The
    weight of a label is the share of the domain that it leaves open, as `Loss` reads it: (leaves - 1) / (domain - 1).

    >>> towns = Hierarchy((("Lyon", "France", "*"), ("Nice", "France", "*"), ("Bonn", "Germany", "*")))
    >>> tree = TreeColumn.of("town", towns)
    >>> tree.nodes.tolist(), tree.weights[1].tolist()
    ([[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 0, 0]], [0.5, 0.5, 0.0, 0.0])
    """

    name: str
    nodes: Codes
    labels: tuple[tuple[str | None, ...], ...]
    weights: Real  # by level and leaf

    @classmethod
    def of(cls, name: str, hierarchy: Hierarchy) -> TreeColumn:
        """The tree of a hierarchy."""
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

    @property
    def open(self) -> float:
        """What is open where nothing is said."""
        return float(self.weights[-1].max())

    def text(self, code: int) -> str | None:
        """How a value is written; None where it is missing."""
        return self.labels[0][int(self.nodes[0, code])]

    @cached_property
    def places(self) -> Codes:
        """Where each leaf stands when the leaves of every label stand together."""
        places = np.empty(self.leaves, dtype=np.int32)
        places[np.lexsort(self.nodes)] = np.arange(self.leaves, dtype=np.int32)
        return places

    def level_over(self, first: Index, last: Index) -> Whole:
        """The lowest level at which pairs of leaves have one label."""
        levels: Whole = (self.nodes[:, first] != self.nodes[:, last]).sum(axis=0, dtype="int64")
        return levels

    def weight(self, first: Index, last: Index) -> Real:
        """What the label over pairs of leaves leaves open."""
        weights: Real = self.weights[self.level_over(first, last), first]
        return weights


@dataclass(frozen=True, eq=False)
class OrderedColumn:
    """A column of numbers or dates that is cut anywhere. Codes are places among the sorted values; the last is missing.

    A label is an interval, and its weight the share of the values that occur which it leaves open, as `Loss` reads a
    column without a hierarchy. An interval cannot hold a missing value: together with others it becomes `*`, which
    leaves everything open. With `cells`, intervals begin and end where cells do, so that no end is somebody's value;
    without them they are [low, high] of values that occur, as papers print them: not for a release.

    >>> ages = OrderedColumn.of("age", ["40", "9.5", "21"])
    >>> ages.texts, ages.label(0, 1), ages.label(2, 2), ages.label(3, 3), ages.label(0, 3)
    (('9.5', '21', '40'), '[9.5, 21]', '40', None, '*')
    """

    name: str
    texts: tuple[str, ...]  # how each value is written, in the order of the values
    cells: ValueCells | None = None

    @classmethod
    def of(cls, name: str, texts: Sequence[str]) -> OrderedColumn:
        """The values that are written so, which are all numbers or all dates or times."""
        for number in (Decimal, datetime.fromisoformat):
            try:
                return cls(name, tuple(sorted(texts, key=lambda text: (number(text), text))))
            except (InvalidOperation, ValueError, TypeError):
                continue
        raise SchemaError(f"The values of the column {name!r} are neither numbers nor dates, and have no order.")

    @property
    def leaves(self) -> int:
        """How many codes there are, missing among them."""
        return len(self.texts) + 1

    @property
    def missing(self) -> int:
        """The code of a missing value."""
        return len(self.texts)

    @property
    def open(self) -> float:
        """What is open where nothing is said."""
        return 1.0

    def text(self, code: int) -> str | None:
        """How a value is written; None where it is missing."""
        return None if code == self.missing else self.texts[code]

    def weight(self, low: Index, high: Index) -> Real:
        """What intervals between codes leave open."""
        low, high = self.widened(low, high)
        share = (high - low) / max(len(self.texts) - 1, 1)
        return np.where(high < self.missing, share, np.where(low == self.missing, 0.0, 1.0))

    def widened(self, low: Index, high: Index) -> tuple[Index, Index]:
        """The first and the last code that the labels between codes stand for."""
        if self.cells is None:
            return low, high
        first, last = self._ends
        return first[low], last[high]

    @cached_property
    def _ends(self) -> tuple[Whole, Whole]:
        """By code: the first and the last of its cell. A missing value is a cell of its own."""
        assert self.cells is not None
        return np.append(self.cells.first, self.missing), np.append(self.cells.last, self.missing)

    def label(self, low: int, high: int) -> str | None:
        """What an interval is called."""
        if high == self.missing:
            return None if low == self.missing else TOP
        if self.cells is not None:
            return self.cells.label(low, high)
        return self.texts[low] if low == high else f"[{self.texts[low]}, {self.texts[high]}]"


@dataclass(frozen=True, eq=False)
class CountedTuples:
    """The different tuples of a condensed table; rows that differ in a sensitive value only are of one tuple."""

    columns: tuple[TreeColumn | OrderedColumn, ...]
    codes: Codes  # by tuple and column
    table: CodedTable
    owner: Whole  # the tuple of each row of the table

    def __post_init__(self) -> None:
        if len({column.name for column in self.columns}) < len(self.columns):
            raise SchemaError("Tuples need columns of different names.")
        if not self.codes.size:
            raise EmptyTable("There are no tuples to partition.")
        for column, codes in zip(self.columns, self.codes.T, strict=True):
            if codes.min() < 0 or codes.max() >= column.leaves:
                raise HierarchyError(f"Values of the column {column.name!r} have no place in its hierarchy or order.")

    @classmethod
    def of(cls, columns: Sequence[TreeColumn | OrderedColumn], codes: Index, table: CodedTable) -> CountedTuples:
        """The tuples of a table, given the codes of its rows by column."""
        owner = row_numbers([column.astype(np.int64) for column in codes])
        return cls(tuple(columns), np.ascontiguousarray(codes[:, first_places(owner)].T, dtype=np.int32), table, owner)

    @classmethod
    def of_condensed(
        cls,
        table: CodedTable,
        hierarchies: Mapping[str, Hierarchy],
        ordered: Sequence[str] = (),
        *,
        least: int | None = None,
    ) -> CountedTuples:
        """The tuples of a condensed table with the hierarchies it was condensed by; some columns as ordered values.

        With `least`, the intervals of ordered columns have ends that so many people lie at or beyond; without it the
        ends are values that occur (see `OrderedColumn`).
        """
        columns: list[TreeColumn | OrderedColumn] = []
        codes = []
        for column, leaves in zip(table.columns, table.codes, strict=True):
            in_time()
            hierarchy = hierarchies.get(column.name)
            if hierarchy is None or len(hierarchy.lines) + 1 != column.width:
                raise HierarchyError(f"Column {column.name!r} needs the hierarchy that the table was condensed by.")
            if column.name not in ordered:
                columns.append(TreeColumn.of(column.name, hierarchy))
                codes.append(leaves)
                continue
            values = {leaf: hierarchy.values[leaf] for leaf in np.unique(leaves).tolist() if leaf < column.width - 1}
            order = OrderedColumn.of(column.name, list(values.values()))
            columns.append(order)
            places = {text: place for place, text in enumerate(order.texts)}
            place_of = np.full(column.width, len(places), dtype=np.int64)
            place_of[list(values)] = [places[text] for text in values.values()]
            codes.append(place_of[leaves])
            if least is not None and order.texts:
                people = _people(table, codes[-1], len(order.texts))
                columns[-1] = replace(order, cells=ValueCells.of(order.texts, people, least))
        return cls.of(columns, np.stack(codes), table)

    def with_values(self) -> CountedTuples:
        """The same with ordered columns whose labels are the values that occur, where nothing has to be joined."""
        exact = (replace(c, cells=None) if isinstance(c, OrderedColumn) else c for c in self.columns)
        return replace(self, columns=tuple(exact))

    @cached_property
    def counts(self) -> Whole:
        """The records of each tuple."""
        counts: Whole = added_up(self.owner, self.table.weights, len(self.codes)).astype(np.int64)
        return counts

    def rows(self, places: Whole) -> tuple[Whole, Whole]:
        """The rows of the table that tuples have, one tuple after the other, and how many each has."""
        order, starts, lengths = self._runs
        return order[spread(starts[places], lengths[places])], lengths[places]

    @cached_property
    def _runs(self) -> tuple[Whole, Whole, Whole]:
        lengths = np.bincount(self.owner, minlength=len(self.codes))
        return np.argsort(self.owner, kind="stable"), np.cumsum(lengths) - lengths, lengths

    @property
    def records(self) -> int:
        """All of them."""
        return self.table.total


def _people(table: CodedTable, codes: Whole, count: int) -> list[int]:
    """How many people have each code: persons, where the subject is known, each of them at one code only."""
    once = table.members.copy()
    if table.persons is not None:
        several = np.flatnonzero(table.persons >= 0)
        order = several[np.argsort(codes[several], kind="stable")]
        _, first = np.unique(table.persons[order], return_index=True)
        once[several] = 0
        once[order[first]] = 1
    once = np.where(table.records > 0, once, 0)
    people: list[int] = np.bincount(codes, weights=once, minlength=count + 1)[:count].astype(int).tolist()
    return people


def spread(starts: Whole, lengths: Whole) -> Whole:
    """The numbers of runs, one after the other.

    >>> import numpy as np
    >>> spread(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    numbers: Whole = np.arange(total) - np.repeat(ends - lengths, lengths) + np.repeat(starts, lengths)
    return numbers
