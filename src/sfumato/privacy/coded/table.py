"""The coded table: the different records as whole numbers, with what every value becomes at each level.

A search through many combinations of levels groups the same records again and again. So they are grouped once in the
engine, by quasi-identifiers and the sensitive values that a policy reads, and come here as numbers: 30,162 records
of a census are 19,502 different ones, and 40 times as many records of the same people are no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.classes import Value
from sfumato.privacy.coded.distinct_rows import first_places
from sfumato.privacy.coded.kernels import kernels

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole

# Row keys stay below this. A key of 64 bits goes to 2**63; one bit is kept free, so that a key times the labels of one
# more column can be compared with the limit before it is computed.
KEY_LIMIT = 2**62
# Leaves of a column from which on those are left out of a search that do not occur. Below, nothing is gained by it.
MANY_LEAVES = 4096


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A quasi-identifier: what each of its leaves becomes at each level, and how many leaves a label stands for.

    Leaves are the lines of the hierarchy in their order, and a last one for the missing value. The domain is what the
    hierarchy lists; a missing value is none of it, and by itself stands for one.
    """

    name: str
    labels: tuple[Whole, ...]  # by level: the label of each leaf
    leaves: tuple[Whole, ...]  # by level: how many values each label stands for
    domain: int

    @classmethod
    def of(cls, name: str, hierarchy: Hierarchy) -> CodedColumn:
        """Number the labels of each level in the order of the lines."""
        labels, leaves = [], []
        for level in range(hierarchy.height + 1):
            known: dict[str | None, int] = {}
            coded = [known.setdefault(line[level], len(known)) for line in hierarchy.lines]
            missing = known.setdefault(hierarchy.missing[level], len(known))
            labels.append(np.array([*coded, missing], dtype=np.int64))
            leaves.append(np.maximum(np.bincount(np.array(coded, dtype=np.int64), minlength=len(known)), 1))
        return cls(name, tuple(labels), tuple(leaves), max(len(hierarchy.lines), 1))

    @property
    def height(self) -> int:
        """The top level."""
        return len(self.labels) - 1

    @property
    def width(self) -> int:
        """How many leaves there are, that of the missing value among them."""
        return len(self.labels[0])

    def count(self, level: int) -> int:
        """How many labels a level has."""
        return len(self.leaves[level])

    @cached_property
    def parts(self) -> tuple[tuple[Whole, int], ...]:
        """By level: the place of each leaf's label among those that are one a level higher, and the most places."""
        parts = []
        for lower, upper, count in zip(self.labels, self.labels[1:], map(len, self.leaves), strict=False):
            pairs, owner = np.unique(upper * count + lower, return_inverse=True)
            first = np.searchsorted(pairs // count, upper)
            places = owner.reshape(-1) - first
            parts.append((places, int(places.max()) + 1))
        return tuple(parts)

    def parts_below(self, level: int, above: int) -> tuple[Whole, int]:
        """The place of each leaf's label among those that are one at a level above it, and how many places there are.

        Where the two are levels apart, places follow from those in between: a few may stay empty.
        """
        places, count = self.parts[above - 1]
        for lower in range(above - 2, level - 1, -1):
            own, more = self.parts[lower]
            places, count = places * more + own, count * more
        return (places, count) if count < self.count(level) else (self.labels[level], self.count(level))

    @cached_property
    def breadths(self) -> tuple[float, ...]:
        """By level: the share of the domain that a label stands for, on average over the leaves."""
        return tuple(float(self.share(level).mean()) for level in range(self.height + 1))

    def only(self, leaves: Whole) -> CodedColumn:
        """The column with some of its leaves; what a label stands for, and the domain, stay what they are."""
        labels, sizes = [], []
        for own, size in zip(self.labels, self.leaves, strict=True):
            used = np.zeros(len(size), dtype=np.bool_)
            used[own.take(leaves)] = True
            labels.append((np.cumsum(used) - 1).take(own.take(leaves)))
            sizes.append(size[used])
        return replace(self, labels=tuple(labels), leaves=tuple(sizes))

    def share(self, level: int) -> Real:
        """The share of the domain that each leaf's label stands for at a level."""
        shares: Real = self.leaves[level][self.labels[level]] / self.domain
        return shares


@dataclass(frozen=True, eq=False)
class CodedValue:
    """A sensitive value as a measure reads it: the place in its order of what each row has, -1 where it has none."""

    codes: Whole
    shares: Real  # of everybody who has a value, by place
    numbers: Real | None  # by place, where the values are numbers
    lacking: int  # members who have no value


@dataclass(frozen=True, eq=False)
class CodedTable:
    """The different records of a dataset, as numbers.

    A row is a combination of quasi-identifiers and of the sensitive values that were asked for, in the order of the
    codes. With a subject column its members are persons, who add up as long as each is in one row only. Somebody who
    is in several has rows of their own with the person's number, and is counted once in every class
    (`members_by_class`). A table of the population adds rows without records for the combinations that only it has.
    """

    columns: tuple[CodedColumn, ...]
    codes: Whole  # of each column and row
    records: Whole  # of each row
    members: Whole  # of each row: persons where the subject is known, and records else
    values: Mapping[Value, CodedValue]
    one_record_each: bool = False  # whether the subject is not known, and every record is a member of its own
    persons: Whole | None = None  # of each row: the number of a person who is in several; -1 for all others
    population: Whole | None = None  # of each row: members of the population; None where there is no table of it
    residents: Whole | None = None  # as `persons`, of persons of the population
    # What was made of this table, or of which table this one was made; no part of what it is.
    _origin: tuple[CodedTable, Whole] | None = field(default=None, repr=False)
    _labels: dict[tuple[int, int], Whole] = field(default_factory=dict, repr=False)
    _steps: dict[tuple[int, int, int], tuple[Whole, int]] = field(default_factory=dict, repr=False)
    _squares: Real | None = field(default=None, repr=False)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.records)

    @cached_property
    def total(self) -> int:
        """How many records there are."""
        return int(self.records.sum())

    @cached_property
    def weights(self) -> Real:
        """The records of each row as real numbers, which add up fastest."""
        return self.records.astype(float)

    @cached_property
    def member_weights(self) -> Real:
        """The members of each row as real numbers."""
        return self.weights if self.one_record_each else self.members.astype(float)

    @property
    def origin(self) -> tuple[CodedTable, Whole | None]:
        """The table with all its rows, of which these were made, and one of them for each row; None: they are these."""
        return self._origin or (self, None)

    @cached_property
    def rolled_in_vain(self) -> list[tuple[int, ...]]:
        """Levels at which nearly all rows are different, as far as somebody has tried."""
        return []

    @cached_property
    def starts(self) -> Whole:
        """Where the leaves of each column begin when those of all columns stand in one line."""
        return np.cumsum([0, *(column.width for column in self.columns)])[:-1]

    @cached_property
    def width(self) -> int:
        """How many leaves all columns have together."""
        return sum(column.width for column in self.columns)

    @cached_property
    def slots(self) -> Whole:
        """The leaves of each row and column, in one line over all columns."""
        table, origins = self.origin
        if origins is not None:  # to take whole rows is several times as quick
            return table.slots.take(origins, axis=0)
        slots = np.empty((self.rows, len(self.columns)), dtype=np.int64)
        for j, start in enumerate(self.starts):  # one by one: all at once would take memory for them three times
            np.add(self.codes[j], start, out=slots[:, j])
        return slots

    def with_leaves_that_occur(self) -> CodedTable:
        """The same table without the leaves that nobody has, in columns that have very many.

        A hierarchy of all postal codes lists 100,000, of which a table has a fifth: to count them costs as much.
        """
        columns, codes = list(self.columns), self.codes
        for j, column in enumerate(self.columns):
            if column.width > MANY_LEAVES:
                held = np.bincount(self.codes[j], minlength=column.width) > 0
                columns[j] = column.only(np.flatnonzero(held))
                codes = codes.copy() if codes is self.codes else codes
                codes[j] = (np.cumsum(held) - 1).take(self.codes[j])
        return (
            self if codes is self.codes else replace(self, columns=tuple(columns), codes=codes, _labels={}, _steps={})
        )

    def labels(self, column: int, level: int) -> Whole:
        """The labels of all rows in a column at a level."""
        if (column, level) not in self._labels:
            self._labels[column, level] = self.columns[column].labels[level].take(self.codes[column])
        return self._labels[column, level]

    @cached_property
    def _occurring(self) -> tuple[Whole, ...]:
        """Of each column the leaves that rows have."""
        return tuple(np.flatnonzero(np.bincount(codes)) for codes in self.codes)

    def label_count(self, column: int, level: int) -> int:
        """How many different labels rows have in a column at a level."""
        return int(np.count_nonzero(np.bincount(self.columns[column].labels[level][self._occurring[column]])))

    def steps(self, column: int, level: int, above: int) -> tuple[Whole, int]:
        """The place of the label of all rows among those that are one at a level above, in as few bytes as it takes.

        Also how many places there are.
        """
        if (column, level, above) not in self._steps:
            places, count = self.columns[column].parts_below(level, above)
            steps = places.astype(np.min_scalar_type(count)).take(self.codes[column])
            self._steps[column, level, above] = steps, count
        return self._steps[column, level, above]

    @cached_property
    def leaf_counts(self) -> Real:
        """How many records hold each leaf, in one line over all columns."""
        own = zip(self.codes, self.columns, strict=True)
        return np.concatenate([added_up(codes, self.weights, column.width) for codes, column in own])

    @cached_property
    def label_bits(self) -> tuple[list[float], ...]:
        """By column and level: the bits that a record's label says, its entropy; 0 where all records have one label."""
        bits = []
        for column, start in zip(self.columns, self.starts, strict=True):
            leaves = self.leaf_counts[start : start + column.width]
            each = (np.bincount(labels, weights=leaves) / max(self.total, 1) for labels in column.labels)
            bits.append([-float((p * np.log2(np.where(p > 0, p, 1))).sum()) for p in each])
        return tuple(bits)

    def histogram(self, rows: Whole | None) -> Real:
        """How many records of some rows, or of all, hold each leaf, in one line over all columns."""
        return kernels(self.rows).histogram(self.slots, self.weights, rows, self.width)

    @cached_property
    def multiplicity(self) -> Real:
        """How many records share the quasi-identifiers of each row; 1 where none does."""
        if not self.values and self.persons is None and self.population is None:
            return self.weights
        return added_up(self.alike, self.weights, 1)[self.alike].clip(1)

    @cached_property
    def alike(self) -> Whole:
        """A number for each row that those with the same quasi-identifiers share, which stand together."""
        same = np.zeros(self.rows, dtype=np.int64)
        same[1:] = np.cumsum((np.diff(self.codes, axis=1) != 0).any(axis=0))
        return same

    def rolled(self, levels: Sequence[int], rows: Whole | None) -> tuple[CodedTable, Whole]:
        """Some rows, or all, of which those are one that have the same labels at these levels, and the new row of each.

        The leaf of such a row is any of its leaves: it is right for these levels and above only.
        """
        columns = ((codes if rows is None else codes.take(rows), count) for codes, count in self._told_apart_by(levels))
        owner = kernels(self.rows).numbered(row_keys(columns))  # by hashing: a sort would take several times as long
        first = first_places(owner)
        return self._merged(first if rows is None else rows.take(first), rows, owner), owner

    def _told_apart_by(self, levels: Sequence[int]) -> Iterator[tuple[Whole, int]]:
        """The columns in which rows that become one are the same: labels, sensitive values, persons."""
        for j, level in enumerate(levels):
            yield self.labels(j, level), self.columns[j].count(level)
        for value in self.values.values():
            yield value.codes + 1, len(value.shares) + 1
        for numbers in (self.persons, self.residents):
            if numbers is not None:
                yield numbers + 1, int(numbers.max(initial=-1)) + 2

    def _merged(self, examples: Whole, rows: Whole | None, owner: Whole) -> CodedTable:
        def added(numbers: Whole | Real) -> Real:
            each = numbers if rows is None else numbers.take(rows)
            return added_up(owner, each, len(examples))

        def counted(numbers: Whole, persons: Whole | None) -> Whole:
            members = added(numbers).astype(np.int64)
            return members if persons is None else np.where(persons >= 0, np.minimum(members, 1), members)

        persons, residents = (None if n is None else n.take(examples) for n in (self.persons, self.residents))
        records, (table, origins) = added(self.records).astype(np.int64), self.origin
        values = {value: replace(coded, codes=coded.codes.take(examples)) for value, coded in self.values.items()}
        return replace(
            self, codes=self.codes.take(examples, axis=1), records=records, values=values, persons=persons,
            members=records if self.one_record_each else counted(self.members, persons), residents=residents,
            population=None if self.population is None else counted(self.population, residents),
            _origin=(table, examples if origins is None else origins.take(examples)), _labels={}, _steps={},
            _squares=added(self.squares),
        )  # fmt: skip

    @cached_property
    def squares(self) -> Real:
        """The records of each row, each counted once for every record with its quasi-identifiers."""
        return self.weights * self.multiplicity if self._squares is None else self._squares


def added_up(owner: Whole, weights: Whole | Real, count: int) -> Real:
    """Weights, added up by owner: numbers from 0 on."""
    return kernels(len(owner)).added_up(owner, weights, count)


def row_keys(columns: Iterable[tuple[Whole, int]]) -> Whole:
    """A number for each row of some columns of codes, each with how many codes it could have.

    Rows have the same number where all their codes are the same, and numbers are in the order of the codes, the first
    column first. Where the numbers would no longer fit, those of the columns so far are replaced by their ranks.

    >>> row_keys([(np.array([1, 0, 1]), 2), (np.array([2, 2, 0]), 3)]).tolist()
    [5, 2, 3]
    """
    keys, space = np.zeros(1, dtype=np.int64), 1
    for codes, count in columns:
        if space * count >= KEY_LIMIT:
            different, keys = np.unique(keys, return_inverse=True)
            keys, space = keys.reshape(-1), len(different)
        keys = keys * count + codes
        space *= count
    return keys
