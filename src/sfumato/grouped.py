"""Grouped: the rows of a condensed table by what they become at a node of the lattice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.classes import Value
from sfumato.condensed import Condensed, added_up
from sfumato.kernels import kernels
from sfumato.lattice import Node

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Real = NDArray[np.float64]
    Marks = NDArray[np.bool_]

ROOMY = 4  # numbers per row that may be left unused before classes are numbered anew


@dataclass(frozen=True, eq=False)
class Cells:
    """The sensitive values that occur in each class, by class and then by place in their order."""

    owner: Whole  # the class of each cell
    value: Whole  # its place
    n: Real  # members
    first: Whole  # where the cells of each class that has any begin
    classes: Whole  # those classes
    mass: Real  # members who have a value, of each class that has cells

    @property
    def counts(self) -> Whole:
        """How many different values each class has, of those that have any."""
        import numpy as np

        return np.diff(np.append(self.first, len(self.n)))

    @cached_property
    def q(self) -> Real:
        """The share of each cell within its class."""
        import numpy as np

        return self.n / np.repeat(self.mass, self.counts)


@dataclass(frozen=True, eq=False)
class Grouped:
    """The rows and the class of each at one node; rows that are suppressed whatever happens may be left out.

    Classes are numbers below `space`, not all of which are used.
    """

    table: Condensed
    levels: Node
    ids: Whole
    space: int
    rows: Whole | None = None  # those that are not left out; None where all are there

    @classmethod
    def at(cls, table: Condensed, levels: Node) -> Grouped:
        """All rows of a table at a node."""
        import numpy as np

        start = cls(table, tuple(-1 for _ in levels), np.zeros(table.rows, dtype=np.int64), 1)
        return start.refined(levels)

    def refined(self, levels: Node) -> Grouped:
        """The same rows at a node that is below this one in some columns, and above it in none."""
        found = self.packed
        ids, space = found.ids, found.space
        for j, (level, before) in enumerate(zip(levels, self.levels, strict=True)):
            if level == before:
                continue
            column, step = self.table.columns[j], level + 1 == before
            places, count = column.parts[level] if step else (column.labels[level], column.count(level))
            if space * count > ROOMY * len(ids):
                ids, space = packed(ids, space)
            ids = kernels(len(ids)).refined(ids, count, places, self.table.codes[j], self.rows)
            space *= count
        return Grouped(self.table, levels, ids, space, self.rows)

    @cached_property
    def packed(self) -> Grouped:
        """The same, with numbers of classes that are all used."""
        ids, space = packed(self.ids, self.space)
        return self if space == self.space else replace(self, ids=ids, space=space)

    def without(self, classes: Marks) -> Grouped:
        """The rows that are in none of these classes."""
        import numpy as np

        kept = np.flatnonzero(~classes.take(self.ids))
        rows = kept if self.rows is None else self.rows.take(kept)
        return replace(self, ids=self.ids.take(kept), rows=rows)

    def rolled(self, levels: Node) -> Grouped:
        """The same classes with fewer rows: those are one that are the same at levels below all that is looked at."""
        import numpy as np

        table, owner = self.table.rolled(levels, self.rows)
        ids = np.zeros(table.rows, dtype=np.int64)
        ids[owner] = self.ids
        return Grouped(table, self.levels, ids, self.space)

    def of_rows(self, numbers: Real) -> Real:
        """Numbers of the rows of the table, for the rows that are here."""
        return numbers if self.rows is None else numbers.take(self.rows)

    def added(self, numbers: Real) -> Real:
        """Numbers of the rows of the table, added up by class."""
        return added_up(self.ids, self.of_rows(numbers), self.space)

    @cached_property
    def records(self) -> Real:
        """How many records each class has; 0 where a number is not used."""
        return self.added(self.table.weights)

    @cached_property
    def members(self) -> Real:
        """How many members each class has."""
        return self.records if self.table.members is self.table.records else self.added(self.table.member_weights)

    @cached_property
    def examples(self) -> Whole:
        """A row of each class, by its number in the table; anything where a number is not used."""
        import numpy as np

        found = np.zeros(self.space, dtype=np.int64)
        found[self.ids] = np.arange(len(self.ids)) if self.rows is None else self.rows
        return found

    def rows_in(self, classes: Marks) -> Whole:
        """The rows in some classes, by their numbers in the table."""
        import numpy as np

        found = np.flatnonzero(classes.take(self.ids))
        return found if self.rows is None else self.rows.take(found)

    def cells(self, value: Value) -> Cells:
        """How many members of each class have each sensitive value."""
        import numpy as np

        codes = self.table.values[value].codes
        codes = codes if self.rows is None else codes.take(self.rows)
        weights, ids, width = self.of_rows(self.table.member_weights), self.ids, len(self.table.values[value].shares)
        if self.table.values[value].lacking:
            have = np.flatnonzero(codes >= 0)
            codes, weights, ids = codes.take(have), weights.take(have), ids.take(have)
        keys, n = _counted(ids * max(width, 1) + codes, self.space * max(width, 1), weights)
        owner = keys // max(width, 1)
        first = np.flatnonzero(np.diff(owner, prepend=-1))
        mass = np.add.reduceat(n, first) if len(first) else n
        return Cells(owner, keys - owner * max(width, 1), n, first, owner.take(first), mass)


def packed(ids: Whole, space: int) -> tuple[Whole, int]:
    """The same classes, numbered without gaps in the same order, and how many there are."""
    return kernels(len(ids)).packed(ids, space)


def _counted(keys: Whole, space: int, weights: Real) -> tuple[Whole, Real]:
    """The different keys, ascending, and the weight of each."""
    import numpy as np

    if space <= ROOMY * len(keys) + 4096:
        found = added_up(keys, weights, space)
        used = np.flatnonzero(found)
        return used, found.take(used)
    used, places = np.unique(keys, return_inverse=True)
    return used, added_up(places.reshape(-1), weights, len(used))
