"""A coded table that stays in its engine: where the different records are too many for memory, each look asks for them.

Only numbers come here: how many records are in classes that are too small at a node and, where that is not too many,
the leaves of these records. A search for levels that asks for nothing but the sizes of classes, and scores columns by
the leaves of whom it suppresses, needs no more; it takes the same looks, and finds the same.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from sfumato.tables.engine import Engine, Table, listed, literal

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real

NUMBER = 8  # bytes of a number in an array
PER_ROW = 4  # numbers of a row besides its codes: records, members, class, weight
LONG = 200  # values of a list: a longer one is joined rather than written out; chosen, as in plans


def bytes_in_memory(rows: int, columns: int) -> int:
    """What the different records take in memory while they are searched: for each column a code and its place."""
    return rows * NUMBER * (2 * columns + PER_ROW)


@dataclass(frozen=True, eq=False)
class TableInEngine(CodedTable):
    """The different records of a dataset, as numbers that an engine holds.

    `held` has a row for each of them: `n` records, and `c{j}_{level}`, what column j becomes at a level.
    """

    held: Table | None = None
    grouped: Table | None = None  # what `held` looks at
    different: int = 0

    @classmethod
    def of(cls, texts: Table, columns: tuple[CodedColumn, ...], hierarchies: Sequence[Hierarchy]) -> TableInEngine:
        """The different ones of records that are texts k1, k2, ...

        They are numbers before they are grouped, which takes a fraction of the room that texts take.
        """
        engine, each = texts.engine, range(len(columns))
        places = [
            _Places.of(j, column, own, engine) for j, (column, own) in enumerate(zip(columns, hierarchies, strict=True))
        ]
        joins = " ".join(
            place.join(f"m{j}.value IS NOT DISTINCT FROM record.k{j + 1}") for j, place in enumerate(places)
        )
        leaves = listed(f"c{j}" for j in each)
        grouped = engine.query(f"""
            SELECT {leaves}, count(*) AS n
            FROM (SELECT {listed(f"{places[j].leaf} AS c{j}" for j in each)} FROM {texts} AS record {joins}) AS coded
            GROUP BY {leaves}""")
        _require_places(texts, grouped, columns, hierarchies)
        labels = (
            f"{place.label(level)} AS c{j}_{level}"
            for j, place in enumerate(places)
            for level in _told_apart(columns[j])
        )
        joins = " ".join(place.join(f"m{j}.l0 = record.c{j}") for j, place in enumerate(places))
        # Labels are looked up at each look: a table of all of them, some fifty columns, would take what is to be saved.
        held = engine.view(f"SELECT {listed([*labels, 'record.n'])} FROM {grouped} AS record {joins}")
        nobody = np.zeros(0, dtype=np.int64)
        table = cls(
            columns=columns, codes=np.zeros((len(columns), 0), dtype=np.int64), records=nobody, members=nobody,
            values={}, one_record_each=True, held=held, grouped=grouped, different=grouped.count(),
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

    def forget(self) -> None:
        """Let go of the rows."""
        self.source.engine.drop(self.source, *([self.grouped] if self.grouped else []))

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

    def leaves_in_small_classes(self, levels: Node, least: int, records: int) -> Real:
        """How many records of classes with fewer than `least` hold each leaf, in one line over all columns.

        Where these records are few enough to be brought, they are counted here: it takes the engine a table for each
        column otherwise.
        """
        places, engine = listed(f"record.c{j}_0" for j in range(len(self.columns))), self.source.engine
        same = " AND ".join(f"small.{key} = record.{key}" for key in self._keys(levels)) or "TRUE"
        rows = f"""
            SELECT {places}, record.n FROM {self.source} AS record
            JOIN ({self._classes(levels)} HAVING sum(n) < {least}) AS small ON {same}"""
        if bytes_in_memory(records, len(self.columns)) > (engine.memory or 0):
            return self.leaves(f"({rows})")
        brought = engine.arrow(rows)
        n = brought["n"].to_numpy().astype(float)
        each = [
            np.bincount(brought[f"c{j}_0"].to_numpy(), weights=n, minlength=column.width)
            for j, column in enumerate(self.columns)
        ]
        return np.concatenate(each)

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
        return self.table.leaves_in_small_classes(self.levels, self.least, self.lost)

    def sizes_of(self, classes: Flags) -> tuple[int, tuple[int, int]]:
        return self.classes, self.ends


def _told_apart(column: CodedColumn) -> list[int]:
    """The levels of a column at which not all values have one label, and the lowest."""
    return [level for level in range(column.height + 1) if not level or column.count(level) > 1]


@dataclass(frozen=True)
class _Places:
    """What the values of a column become at each level, as SQL over a `record`: written out, or of a table to join.

    Each join takes megabytes however short its table is, so that a column of few values needs none.
    """

    number: int
    column: CodedColumn
    values: tuple[str, ...]
    table: Table | None

    @classmethod
    def of(cls, number: int, column: CodedColumn, hierarchy: Hierarchy, engine: Engine) -> _Places:
        values = tuple(hierarchy.values)
        if len(values) <= LONG:
            return cls(number, column, values, None)
        numbers = {"l0": np.arange(column.width)}
        numbers |= {f"l{level}": column.labels[level] for level in _told_apart(column) if level}
        texts = pa.array([*values, None], pa.string())
        return cls(number, column, values, engine.load(pa.table({"value": texts, **numbers})))

    @property
    def leaf(self) -> str:
        """The leaf of a text; null where it has no place."""
        if self.table:
            return f"m{self.number}.l0"
        text = f"record.k{self.number + 1}"
        cases = " ".join(f"WHEN {literal(value)} THEN {place}" for place, value in enumerate(self.values))
        return f"CASE WHEN {text} IS NULL THEN {len(self.values)} ELSE {_case(text, cases)} END"

    def label(self, level: int) -> str:
        """The label of a leaf at a level."""
        if self.table:
            return f"m{self.number}.l{level}"
        leaf = f"record.c{self.number}"
        if not level:
            return leaf
        labels = self.column.labels[level].tolist()
        return _case(leaf, " ".join(f"WHEN {place} THEN {label}" for place, label in enumerate(labels)))

    def join(self, condition: str) -> str:
        """What to join, by some condition."""
        return f"LEFT JOIN {self.table} AS m{self.number} ON {condition}" if self.table else ""


def _case(value: str, cases: str) -> str:
    return f"CASE {value} {cases} END" if cases else "NULL"


def _require_places(
    texts: Table, grouped: Table, columns: Sequence[CodedColumn], hierarchies: Sequence[Hierarchy]
) -> None:
    """`UnplacedValues` where the hierarchy of a column lacks values."""
    engine, lacking = texts.engine, listed(f"count(*) - count(c{j})" for j in range(len(columns)))
    for j, rows in enumerate(engine.fetch(f"SELECT {lacking} FROM {grouped}")[0]):
        if rows:
            place = _Places.of(j, columns[j], hierarchies[j], engine)
            values, records = engine.fetch(f"""
                SELECT count(DISTINCT k{j + 1}), count(*)
                FROM (SELECT record.k{j + 1}, {place.leaf} AS leaf FROM {texts} AS record
                      {place.join(f"m{j}.value IS NOT DISTINCT FROM record.k{j + 1}")}) AS placed
                WHERE leaf IS NULL""")[0]
            raise UnplacedValues(
                "its hierarchy lacks", values=int(values), records=int(records), column=columns[j].name
            )
