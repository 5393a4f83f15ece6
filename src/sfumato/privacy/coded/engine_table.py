"""A coded table that stays in its engine: where the different records are too many for memory, each look asks for them.

Only numbers come here: how many records are in classes that are too small at a node and, where that is not too many,
the leaves of these records. A search for levels that asks for nothing but the sizes of classes, and scores columns by
the leaves of whom it suppresses, needs no more; it takes the same looks, and finds the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.errors import UnplacedValues
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.lattice import Node
from sfumato.privacy.coded.table import CodedColumn, CodedTable
from sfumato.tables.engine import Table, listed

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real

NUMBER = 8  # bytes of a number in an array
PER_ROW = 4  # numbers of a row besides its codes: records, members, class, weight
SHORT = 2**15  # numbers below it have two bytes


def bytes_in_memory(rows: int, columns: int) -> int:
    """What the different records take in memory while they are searched: for each column a code and its place."""
    return rows * NUMBER * (2 * columns + PER_ROW)


@dataclass(frozen=True, eq=False)
class TableInEngine(CodedTable):
    """The different records of a dataset, as numbers that an engine holds.

    `held` has a row for each of them: `n` records, and `c{j}_{level}`, what column j becomes at a level.
    """

    held: Table | None = None
    different: int = 0

    @classmethod
    def of(cls, texts: Table, columns: tuple[CodedColumn, ...], hierarchies: Sequence[Hierarchy]) -> TableInEngine:
        """The different ones of records that are texts k1, k2, ...

        They are numbers before they are grouped, which takes a fraction of the room that texts take.
        """
        engine, each = texts.engine, range(len(columns))
        placed = [engine.load(_places(column, own)) for column, own in zip(columns, hierarchies, strict=True)]
        coded = engine.view(
            f"""
            SELECT {listed(f"m{j}.l0 AS c{j}" for j in each)} FROM {texts} AS record
            {_joined(f"m{j}.value IS NOT DISTINCT FROM record.k{j + 1}" for j in each)}""".format(*placed)
        )
        leaves = listed(f"c{j}" for j in each)
        grouped = engine.query(f"SELECT {leaves}, count(*) AS n FROM {coded} GROUP BY {leaves}")
        _require_places(texts, grouped, columns, placed)
        labels = (f"m{j}.l{level} AS c{j}_{level}" for j in each for level in _told_apart(columns[j]))
        held = engine.query(
            f"""
            SELECT {listed([*labels, "record.n"])} FROM {grouped} AS record
            {_joined(f"m{j}.l0 = record.c{j}" for j in each)}""".format(*placed)
        )
        different = grouped.count()
        engine.drop(grouped, *placed)
        nobody = np.zeros(0, dtype=np.int64)
        table = cls(
            columns=columns, codes=np.zeros((len(columns), 0), dtype=np.int64), records=nobody, members=nobody,
            values={}, one_record_each=True, held=held, different=different,
        )  # fmt: skip
        vars(table)["leaf_counts"] = table.leaves(f"{held}")
        return table

    @property
    def rows(self) -> int:
        return self.different

    @cached_property
    def total(self) -> int:
        first = self.columns[0]
        return int(self.leaf_counts[: first.width].sum())

    @property
    def source(self) -> Table:
        """Where the rows are."""
        assert self.held is not None
        return self.held

    def with_leaves_that_occur(self) -> TableInEngine:
        return self

    def at(self, levels: Node, least: int) -> ClassesInEngine:
        """The classes at a node: how many have `least` records and more, and how many records the others have."""
        small, kept = f"size < {least}", f"size >= {least}"
        lost, classes, smallest, largest = self.source.engine.fetch(f"""
            SELECT coalesce(sum(CASE WHEN {small} THEN size ELSE 0 END), 0), count(CASE WHEN {kept} THEN 1 END),
                   coalesce(min(CASE WHEN {kept} THEN size END), 0), coalesce(max(CASE WHEN {kept} THEN size END), 0)
            FROM ({self._classes(levels)}) AS class""")[0]
        return ClassesInEngine(
            table=self, levels=levels, ids=np.zeros(0, dtype=np.int64), space=0, least=least,
            lost=int(lost), classes=int(classes), ends=(int(smallest), int(largest)),
        )  # fmt: skip

    def leaves_in_small_classes(self, levels: Node, least: int) -> Real:
        """How many records of classes with fewer than `least` hold each leaf, in one line over all columns."""
        keys = self._keys(levels)
        same = " AND ".join(f"small.{key} = record.{key}" for key in keys) or "TRUE"
        return self.leaves(f"""
            (SELECT record.* FROM {self.source} AS record
             JOIN ({self._classes(levels)} HAVING sum(n) < {least}) AS small ON {same})""")

    def leaves(self, source: str) -> Real:
        """How many records of some rows, as SQL, hold each leaf, in one line over all columns."""
        places = [f"c{j}_0" for j in range(len(self.columns))]
        rows = self.source.engine.arrow(f"""
            SELECT {listed(places)}, CAST(sum(n) AS BIGINT) AS n FROM {source} AS counted
            GROUP BY GROUPING SETS ({listed(f"({place})" for place in places)})""")
        counts, n = np.zeros(self.width), np.asarray(rows["n"].to_numpy(), dtype=float)
        for place, start in zip(places, self.starts, strict=True):
            own = rows[place].is_valid().to_numpy(zero_copy_only=False)  # each row is of one column
            counts[start + rows[place].filter(pa.array(own)).to_numpy().astype(np.int64)] = n[own]
        return counts

    def _keys(self, levels: Node) -> list[str]:
        """What tells classes apart at a node: a column in which all have one label does not."""
        return [f"c{j}_{level}" for j, level in enumerate(levels) if level in _told_apart(self.columns[j])]

    def _classes(self, levels: Node) -> str:
        keys = self._keys(levels)
        by = f" GROUP BY {listed(keys)}" if keys else ""
        return f"SELECT {listed([*keys, 'sum(n) AS size'])} FROM {self.source}{by}"


@dataclass(frozen=True, eq=False)
class ClassesInEngine(CodedClasses):
    """The equivalence classes at one node, counted by the engine that holds the rows."""

    least: int = 1
    lost: int = 0  # records in classes that are too small
    classes: int = 0  # those that are not
    ends: tuple[int, int] = (0, 0)  # the records of the smallest and of the largest of them

    def leaves_of(self, classes: Flags) -> Real:
        """The leaves of the records in all classes that are too small: nobody asks for those of others."""
        assert isinstance(self.table, TableInEngine)
        return self.table.leaves_in_small_classes(self.levels, self.least)

    def sizes_of(self, classes: Flags) -> tuple[int, tuple[int, int]]:
        return self.classes, self.ends


def _told_apart(column: CodedColumn) -> list[int]:
    """The levels of a column at which not all values have one label, and the lowest."""
    return [level for level in range(column.height + 1) if not level or column.count(level) > 1]


def _places(column: CodedColumn, hierarchy: Hierarchy) -> pa.Table:
    """The values of a column, the missing one last, and the number of what each becomes at each level."""
    kinds = {level: pa.int16() if column.count(level) < SHORT else pa.int32() for level in _told_apart(column)}
    numbers = {0: np.arange(column.width), **{level: column.labels[level] for level in kinds if level}}
    values = pa.array([*hierarchy.values, None], pa.string())
    return pa.table({"value": values, **{f"l{level}": pa.array(numbers[level], kinds[level]) for level in kinds}})


def _joined(conditions: Iterable[str]) -> str:
    """Joins of tables m0, m1, ..., whose names are yet to be filled in."""
    return " ".join(f"LEFT JOIN {{{j}}} AS m{j} ON {condition}" for j, condition in enumerate(conditions))


def _require_places(texts: Table, grouped: Table, columns: Sequence[CodedColumn], placed: Sequence[Table]) -> None:
    """`UnplacedValues` where the hierarchy of a column lacks values."""
    lacking = listed(f"count(*) - count(c{j})" for j in range(len(columns)))
    for j, rows in enumerate(grouped.engine.fetch(f"SELECT {lacking} FROM {grouped}")[0]):
        if rows:
            values, records = grouped.engine.fetch(f"""
                SELECT count(DISTINCT record.k{j + 1}), count(*) FROM {texts} AS record
                LEFT JOIN {placed[j]} AS place ON place.value IS NOT DISTINCT FROM record.k{j + 1}
                WHERE place.l0 IS NULL""")[0]
            raise UnplacedValues(
                "its hierarchy lacks", values=int(values), records=int(records), column=columns[j].name
            )
