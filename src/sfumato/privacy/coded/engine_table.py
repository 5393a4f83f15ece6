"""A coded table that stays in its engine: where the different records are too many for memory, each look asks for them.

Only numbers come here: how many records are in classes that are too small at a node and, where that is not too many,
the leaves of these records. A search for levels that asks for nothing but the sizes of classes, and scores columns by
the leaves of whom it suppresses, needs no more; it takes the same looks, and finds the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.errors import UnplacedValues
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.arrow_columns import numbers_from_arrow
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.lattice import Node
from sfumato.privacy.coded.packed_leaves import PackedColumn, PackedLeaves
from sfumato.privacy.coded.table import CodedColumn, CodedTable
from sfumato.tables.engine import Engine, Table, listed, literal

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole

NUMBER = 8  # bytes of a number in an array
PER_ROW = 4  # numbers of a row besides its codes: records, members, class, weight
LONG = 200  # values of a list: a longer one is joined rather than written out; chosen, as in plans


def bytes_in_memory(rows: int, columns: int) -> int:
    """What the different records take in memory while they are searched: for each column a code and its place."""
    return rows * NUMBER * (2 * columns + PER_ROW)


@dataclass(frozen=True, eq=False)
class TableInEngine(CodedTable):
    """The different records of a dataset, as numbers that an engine holds.

    `held` has a row for each of them: p0, p1, ..., which say its leaves (`PackedLeaves`), and `n` records.
    """

    held: Table | None = None
    packed: PackedLeaves = field(default_factory=lambda: PackedLeaves.of(()))
    different: int = 0

    @classmethod
    def of(cls, texts: Table, columns: tuple[CodedColumn, ...], hierarchies: Sequence[Hierarchy]) -> TableInEngine:
        """The different ones of records that are texts k1, k2, ...

        They are numbers before they are grouped, which takes a fraction of the room that texts take.
        """
        engine, packed = texts.engine, PackedLeaves.of(columns)
        own = zip(packed.columns, hierarchies, strict=True)
        places = [_Places.of(j, column, hierarchy, engine) for j, (column, hierarchy) in enumerate(own)]
        numbers = [
            f"{' + '.join(['CAST(0 AS BIGINT)', *(place.codes[i] for place in places if i in place.codes)])} AS p{i}"
            for i in range(packed.numbers)
        ]
        keys = listed(f"p{i}" for i in range(packed.numbers))
        held = engine.query(f"""
            SELECT {keys}, count(*) AS n
            FROM (SELECT {listed(numbers)} FROM {texts} AS record {" ".join(place.join for place in places)}) AS coded
            GROUP BY {keys}""")
        _require_places(texts, held, columns, places)
        nobody = np.zeros(0, dtype=np.int64)
        table = cls(
            columns=columns, codes=np.zeros((len(columns), 0), dtype=np.int64), records=nobody, members=nobody,
            values={}, one_record_each=True, held=held, packed=packed, different=held.count(),
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
        self.source.engine.drop(self.source)

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
        keys, engine = self._keys(levels), self.source.engine
        same = " AND ".join(f"small.g{i} = {key}" for i, key in enumerate(keys)) or "TRUE"
        numbers = [f"p{i}" for i in range(self.packed.numbers)]
        rows = f"""
            SELECT {listed([*numbers, "n"])} FROM {self.source} AS record
            JOIN ({self._classes(levels)} HAVING sum(n) < {least}) AS small ON {same}"""
        if records * NUMBER * (len(numbers) + 1) > (engine.memory or 0):
            return self.leaves(f"({rows})")
        brought = engine.arrow(rows)
        held = [numbers_from_arrow(brought[number]) for number in numbers]
        return self.packed.counted(held, numbers_from_arrow(brought["n"]).astype(float))

    def leaves(self, source: str) -> Real:
        """How many records of some rows, as SQL, hold each leaf, in one line over all columns."""
        engine, bits = self.source.engine, [column.codes[0][0] for column in self.packed.columns]
        selects = [
            f"SELECT {j} AS col, p{own.number} & {own.mask} AS code, CAST(sum(n) AS BIGINT) AS n "
            f"FROM {source} AS counted GROUP BY p{own.number} & {own.mask}"
            for j, own in enumerate(bits)
        ]
        # One after the other, since the engine would hold a table for each at once, unless each takes long to start.
        asked = [" UNION ALL ".join(selects)] if engine.waits else selects
        rows = pa.concat_tables(engine.arrow(sql) for sql in asked)
        col, code, n = (numbers_from_arrow(rows[name].cast("int64")) for name in ("col", "code", "n"))
        return np.concatenate(
            [
                column.counted({own.number: code[col == j]}, n[col == j].astype(float))
                for j, (own, column) in enumerate(zip(bits, self.packed.columns, strict=True))
            ]
        )

    def _keys(self, levels: Node) -> list[str]:
        """What tells classes apart at a node: a number of which no bit is left does not."""
        return [f"(p{i} & {mask})" for i, mask in enumerate(self.packed.masks(levels)) if mask]

    def _classes(self, levels: Node) -> str:
        keys = self._keys(levels)
        by = f" GROUP BY {listed(keys)}" if keys else ""
        named = [f"{key} AS g{i}" for i, key in enumerate(keys)]
        return f"SELECT {listed([*named, 'sum(n) AS size'])} FROM {self.source}{by}"


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


@dataclass(frozen=True)
class _Places:
    """What the values of a column add to each of the numbers, as SQL over a `record`: written out, or by a join.

    Each join takes megabytes however short its table is, so that a column of few values needs none.
    """

    text: str
    codes: Mapping[int, str]  # by number; null where a value has no place
    join: str

    @classmethod
    def of(cls, number: int, column: PackedColumn, hierarchy: Hierarchy, engine: Engine) -> _Places:
        values, text = hierarchy.values, f"record.k{number + 1}"
        added: dict[int, Whole] = {}
        for bits, code in column.codes:
            added[bits.number] = added.get(bits.number, 0) + (code << bits.first)
        if len(values) <= LONG:
            return cls(text, {i: _written(text, values, code) for i, code in added.items()}, "")
        codes = {f"b{i}": code for i, code in added.items()}
        table = engine.load(pa.table({"value": pa.array([*values, None], pa.string()), **codes}))
        join = f"LEFT JOIN {table} AS m{number} ON m{number}.value IS NOT DISTINCT FROM {text}"
        return cls(text, {i: f"m{number}.b{i}" for i in added}, join)


def _written(text: str, values: Sequence[str], codes: Whole) -> str:
    *known, missing = codes.tolist()
    cases = " ".join(f"WHEN {literal(value)} THEN {code}" for value, code in zip(values, known, strict=True))
    return f"CASE WHEN {text} IS NULL THEN {missing} ELSE {f'CASE {text} {cases} END' if cases else 'NULL'} END"


def _require_places(texts: Table, held: Table, columns: Sequence[CodedColumn], places: Sequence[_Places]) -> None:
    """`UnplacedValues` where the hierarchy of a column lacks values."""
    engine, lacking = texts.engine, " OR ".join(f"{name} IS NULL" for name in held.columns)
    if not engine.fetch(f"SELECT count(*) FROM {held} WHERE {lacking}")[0][0]:
        return
    for column, place in zip(columns, places, strict=True):
        code = next(iter(place.codes.values()))
        values, records = engine.fetch(f"""
            SELECT count(DISTINCT value), count(*)
            FROM (SELECT {place.text} AS value, {code} AS code FROM {texts} AS record {place.join}) AS placed
            WHERE code IS NULL""")[0]
        if records:
            raise UnplacedValues("its hierarchy lacks", values=int(values), records=int(records), column=column.name)
