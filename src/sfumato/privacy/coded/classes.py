"""Equivalence classes as arrays: the rows of a coded table by what they become at a node of the lattice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.classes import Value
from sfumato.privacy.coded.kernels import SMALL_SPACE, SPARSE, kernels
from sfumato.privacy.coded.lattice import Node
from sfumato.privacy.coded.person_counts import members_by_class, once_each
from sfumato.privacy.coded.table import CodedTable, CodedValue, added_up

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole


# Numbers per row up to which classes may go without being renumbered; arrays by class are as long. On the census 1
# takes up to 40 % longer (renumbering at each column), 2, 4 and 8 are alike, and 16 takes up to 40 % longer where cells
# of classes by sensitive values are counted.
ROOMY = 4


@dataclass(frozen=True, eq=False)
class SensitiveCells:
    """How often each sensitive value occurs in each class: the cells above 0 of the table of classes by values.

    They stand by class, and then by the place of the value in its order.
    """

    owner: Whole  # the class of each cell
    value: Whole  # its place
    n: Real  # members
    first: Whole  # where the cells of each class that has any begin
    classes: Whole  # those classes
    mass: Real  # the values that members have together, of each class that has cells
    size: Real  # members who have a value: fewer than that where persons have several

    @property
    def counts(self) -> Whole:
        """How many different values each class has, of those that have any."""
        return np.diff(np.append(self.first, len(self.n)))

    @cached_property
    def q(self) -> Real:
        """The share of each cell within its class."""
        return self.n / np.repeat(self.mass, self.counts)


@dataclass(frozen=True, eq=False)
class SmallClasses:
    """The classes that have fewer records than are needed, and how many these have together."""

    least: int
    small: Flags
    records: int

    @property
    def others(self) -> int:
        """How many numbers of classes are left."""
        return len(self.small) - int(np.count_nonzero(self.small))


@dataclass(frozen=True, eq=False)
class CodedClasses:
    """The equivalence classes at one node: the rows and the class of each.

    Rows that are suppressed whatever happens may be left out. Classes are numbers below `space`, not all of which are
    used: numbering them anew at every node takes longer than to have some that are empty. A level of -1 leaves a column
    out.
    """

    table: CodedTable
    levels: Node
    ids: Whole  # the class of each row
    space: int
    rows: Whole | None = None  # those that are not left out; None where all are there
    whole: CodedClasses | None = None  # the classes with all rows, where some are without rows of theirs here

    @classmethod
    def at(cls, table: CodedTable, levels: Node) -> CodedClasses:
        """All rows of a table at a node."""
        start = cls(table, tuple(-1 for _ in levels), np.zeros(table.rows, dtype=np.int64), 1)
        return start.refined(levels)

    def refined(self, levels: Node) -> CodedClasses:
        """The same rows at a node that is below this one in some columns, and above it in none.

        Every class is split by the labels that its rows have there: its own number is the first digit of the number of
        each part. The rows are not grouped anew from the start.
        """
        ids, space, table, loops = self.packed.ids, self.packed.space, self.table, kernels(len(self.ids))
        changed = [j for j, (level, before) in enumerate(zip(levels, self.levels, strict=True)) if level != before]
        records = None
        for j in changed:
            column, level, above = table.columns[j], levels[j], self.levels[j]
            kept = above >= 0 and loops.keeps_steps
            if above < 0:
                places, count = column.labels[level], column.count(level)
            else:
                places, count = table.steps(j, level, above) if kept else column.parts_below(level, above)
            if count == 1:
                continue  # one label for everybody tells nobody apart
            if space * count > ROOMY * len(ids):
                ids, space = loops.packed(ids, space)
            split = ids, count, places, None if kept else table.codes[j], self.rows
            space *= count
            if j == changed[-1] and space <= ROOMY * len(ids) + SMALL_SPACE:
                ids, records = loops.counted(*split, weights=self.row_weights, space=space)
            else:
                ids = loops.refined(*split)
        if space > SPARSE * len(ids) + SMALL_SPACE:  # after a column of many labels: arrays by class would be as long
            ids, space = loops.packed(ids, space)  # nothing was counted then
        return CodedClasses(table, levels, ids, space, self.rows)._counted(records, self.row_weights)

    def _counted(self, records: Real | None, row_weights: Real) -> CodedClasses:
        """The same, which need not count again what was counted on the way here."""
        vars(self)["row_weights"] = row_weights
        if records is not None:
            vars(self)["records"] = records
        return self

    @cached_property
    def packed(self) -> CodedClasses:
        """The same, with numbers of classes that are all used."""
        records: Real | None = vars(self).get("records")
        if records is None or self.table.population is not None:  # which has rows without records
            ids, space = packed(self.ids, self.space)
            return self if space == self.space else replace(self, ids=ids, space=space)
        if records.all():
            return self
        ids, records = kernels(len(self.ids)).renumbered(self.ids, records)
        dense = CodedClasses(self.table, self.levels, ids, len(records), self.rows, self.whole)
        return dense._counted(records, self.row_weights)

    @cached_property
    def row_weights(self) -> Real:
        """The records of each row that is here."""
        return self.of_rows(self.table.weights)

    def without(self, classes: Flags) -> CodedClasses:
        """The rows that are in none of these classes."""
        return self.with_rows(np.flatnonzero(~classes.take(self.ids)))

    def with_rows(self, places: Whole) -> CodedClasses:
        """Some of the rows, by their places here, in the same classes."""
        return replace(self, ids=self.ids.take(places), rows=self.table_rows(places))

    def rolled(self, levels: Node) -> CodedClasses:
        """The same classes with fewer rows: those are one that are the same at levels below all that is looked at.

        No node that is not below these levels tells them apart, so that all counts stay what they are: the roll-up
        property of Incognito (LeFevre, DeWitt, Ramakrishnan 2005, SIGMOD, 49-60, section 3).
        """
        table, owner = self.table.rolled(levels, self.rows)
        ids = np.zeros(table.rows, dtype=np.int64)
        ids[owner] = self.ids
        return CodedClasses(table, self.levels, ids, self.space)

    def of_rows(self, numbers: Real) -> Real:
        """Numbers of the rows of the table, for the rows that are here."""
        return numbers if self.rows is None else numbers.take(self.rows)

    def added(self, numbers: Real) -> Real:
        """Numbers of the rows of the table, added up by class."""
        return added_up(self.ids, self.of_rows(numbers), self.space)

    @cached_property
    def records(self) -> Real:
        """How many records each class has; 0 where a number is not used."""
        return added_up(self.ids, self.row_weights, self.space)

    def smaller_than(self, least: int) -> SmallClasses:
        """The classes of fewer records; what was asked for last is asked for again at once."""
        known: SmallClasses | None = vars(self).get("few")
        if known is None or known.least != least:
            small = self.records < least
            known = SmallClasses(least, small, int(np.add.reduce(self.records * small)))
            vars(self)["few"] = known
        return known

    @cached_property
    def members(self) -> Real:
        """How many members each class has."""
        table = self.table
        if table.one_record_each:
            return self.records
        return members_by_class(self.ids, self.of_rows(table.member_weights), self._whose(table.persons), self.space)

    @cached_property
    def population(self) -> Real:
        """How many members of the population each class has; its own where there is no table of the population."""
        table = self.table
        if table.population is None:
            return self.members
        if self.whole is not None:
            origins = table.origin[1]
            rows = self.examples if origins is None else origins.take(self.examples)
            return self.whole.population.take(self.whole.ids.take(rows))
        weights = self.of_rows(table.population.astype(float))
        return members_by_class(self.ids, weights, self._whose(table.residents), self.space)

    @cached_property
    def absent(self) -> bool:
        """Whether the population has classes of which nobody is here."""
        if self.table.population is None:
            return False
        return bool((self.everything.population > 0).sum() > (self.members > 0).sum())

    @cached_property
    def everything(self) -> CodedClasses:
        """The classes with all rows of the table from which rows were left out or joined."""
        table, origins = self.table.origin
        if self.whole is not None:
            return self.whole
        return self if origins is None and self.rows is None else CodedClasses.at(table, self.levels)

    def coded(self, value: Value) -> CodedValue:
        """A sensitive value, with its shares of everybody.

        Persons who are in several rows count in each of their classes, so that shares depend on the classes.
        """
        coded = self.table.values[value]
        if self.table.persons is None:
            return coded
        cells = self.everything.cells(value)
        have = added_up(cells.value, cells.n, len(coded.shares))
        return replace(coded, shares=have / max(have.sum(), 1))

    def _whose(self, persons: Whole | None) -> Whole | None:
        return persons if persons is None or self.rows is None else persons.take(self.rows)

    @cached_property
    def examples(self) -> Whole:
        """A row of each class, by its number in the table; anything where a number is not used."""
        rows = np.zeros(self.space, dtype=np.int64)
        rows[self.ids] = np.arange(len(self.ids)) if self.rows is None else self.rows
        return rows

    def sizes_of(self, classes: Flags) -> tuple[int, tuple[int, int]]:
        """How many classes are flagged, and the records of the smallest and of the largest; zeros where none is."""
        sizes = self.records[classes]
        return len(sizes), (int(sizes.min()), int(sizes.max())) if len(sizes) else (0, 0)

    def rows_in(self, classes: Flags) -> Whole:
        """The rows in some classes, by their numbers in the table."""
        return self.table_rows(np.flatnonzero(classes.take(self.ids)))

    def leaves_of(self, classes: Flags) -> Real:
        """How many records of some classes hold each leaf, in one line over all columns."""
        table = self.table
        return kernels(table.rows).leaves_of(
            classes, self.ids, self.rows, slots=table.slots, weights=table.weights, width=table.width
        )

    def table_rows(self, places: Whole) -> Whole:
        """The numbers in the table of rows that are here, by their places here."""
        return places if self.rows is None else self.rows.take(places)

    def cells(self, value: Value) -> SensitiveCells:
        """How many members of each class have each sensitive value."""
        coded, table = self.table.values[value], self.table
        codes = coded.codes if self.rows is None else coded.codes.take(self.rows)
        weights, ids, width = self.of_rows(table.member_weights), self.ids, max(len(coded.shares), 1)
        whose = self._whose(table.persons)
        if coded.lacking or table.population is not None:
            have = np.flatnonzero(codes >= 0)
            codes, weights, ids = codes.take(have), weights.take(have), ids.take(have)
            whose = None if whose is None else whose.take(have)
        keys, n = ids * width + codes, weights
        if whose is not None:
            keys, n = once_each(keys, weights, whose)
        keys, n = _weighed(keys, self.space * width, n)
        owner = keys // width
        first = np.flatnonzero(np.diff(owner, prepend=-1))
        classes, mass = owner.take(first), np.add.reduceat(n, first) if len(first) else n
        size = mass if whose is None else members_by_class(ids, weights, whose, self.space).take(classes)
        return SensitiveCells(
            owner=owner, value=keys - owner * width, n=n, first=first, classes=classes, mass=mass, size=size
        )


def packed(ids: Whole, space: int) -> tuple[Whole, int]:
    """The same classes, numbered without gaps in the same order, and how many there are."""
    return kernels(len(ids)).packed(ids, space)


def _weighed(keys: Whole, space: int, weights: Real) -> tuple[Whole, Real]:
    """The different keys, ascending, and the weight of each."""
    if space <= ROOMY * len(keys) + SMALL_SPACE:
        sums = added_up(keys, weights, space)
        used = np.flatnonzero(sums)
        return used, sums.take(used)
    used, places = np.unique(keys, return_inverse=True)
    return used, added_up(places.reshape(-1), weights, len(used))
