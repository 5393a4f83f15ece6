"""Equivalence classes: the one statistic that every privacy model reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sfumato.bins import Bins
from sfumato.engine import Engine, Table, listed, same
from sfumato.errors import UnknownColumn
from sfumato.neighbours import neighbours
from sfumato.schema import Missing

ALONE = "alone"  # the key that keeps a record with a missing value by itself


@dataclass(frozen=True)
class Value:
    """A sensitive attribute as a measure reads it: raw or in bins, with missing values left out or counted."""

    sensitive: str
    bins: tuple[float, ...] = ()
    count_missing: bool = False


@dataclass(frozen=True)
class EquivalenceClasses:
    """The records of a dataset, partitioned by equal values on the quasi-identifiers.

    Rows of `table`: one per class, with columns class_id, size (members: persons where the subject
    is known, records otherwise), records (rows), and the quasi-identifiers as k1, k2, ... in order;
    in here no column has a name that came with the data. A null is a value like any other, so no
    record is ever left out of the partition.

    Where a missing value is read as a wildcard, classes overlap: `overlap` says which classes count
    among the members of which.
    """

    records: Table
    keys: tuple[str, ...]
    sensitive: tuple[str, ...]
    orders: Mapping[str, tuple[str, ...]]
    persons: bool
    table: Table
    overlap: Table | None = None
    separator: str = "--"  # between the ends of an interval
    _held: dict[object, Table] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        records: Table,
        *,
        quasi_identifiers: Sequence[str],
        sensitive: Sequence[str] = (),
        orders: Mapping[str, tuple[str, ...]] | None = None,
        persons: bool = False,
        missing: Missing = Missing.OWN_VALUE,
        separator: str = "--",
    ) -> EquivalenceClasses:
        """Partition the records, which have the neutral names of `Dataset.records`."""
        keys = tuple(f"k{i}" for i in range(1, len(quasi_identifiers) + 1))
        if missing is Missing.NEVER_MATCHES:
            records, keys = _alone_where_missing(records, keys, persons=persons), (*keys, ALONE)
        column = None if persons else _first_nominal(records, len(sensitive))
        table, cells = _partitioned(records, keys, column) if column else (_formed(records, keys, persons=persons), None)
        classes = cls(records, keys, tuple(sensitive), orders or {}, persons, table, separator=separator)
        if column and cells:
            classes._held["own", Value(classes.sensitive[int(column[1:]) - 1])] = cells
        return classes._overlapping() if missing is Missing.WILDCARD else classes

    @property
    def engine(self) -> Engine:
        """Where the classes live."""
        return self.table.engine

    def number(self, sql: str) -> float | None:
        """The single number that a query answers; None where it answers nothing."""
        found = self.engine.fetch(sql)[0][0]
        return None if found is None else float(found)

    def members(self) -> Table:
        """One row per record: the class it is in, the person, and the sensitive values."""
        columns = [*(["record.person"] if self.persons else []), *(f"record.{v}" for v in self._values())]
        return self.held("members", lambda: f"""
            SELECT {listed(["CAST(class.class_id AS INTEGER) AS class_id", *columns])}
            FROM {self.records} AS record
            JOIN {self.table} AS class ON {same("record", "class", self.keys)}
        """)  # fmt: skip

    def cells(self, value: Value) -> Table:
        """How many members of each class have each value: columns class_id, value, n."""
        own = self.own_cells(value)
        if self.overlap is None:
            return own
        if self.persons:
            return self.held(("cells", value), lambda: self._counted(value, self._overlapping_members()))
        return self.held(("cells", value), lambda: f"""
            SELECT overlap.class_id, cell.value, CAST(sum(cell.n) AS BIGINT) AS n
            FROM {self.overlap} AS overlap
            JOIN {own} AS cell ON cell.class_id = overlap.member_id
            GROUP BY overlap.class_id, cell.value
        """)  # fmt: skip

    def own_cells(self, value: Value) -> Table:
        """The cells of each class by itself, before other classes are counted among its members."""
        if self._fine(value):
            return self.held(("own", value), lambda: self._counted(value, f"{self.members()}"))
        return self.held(("own", value), lambda: self._grouped_by_keys(value))

    def known(self, value: Value) -> Table:
        """How many members of each class have any value at all: columns class_id, size."""
        if not self.persons:
            return self.held(("known", value), lambda: f"""
                SELECT class_id, CAST(sum(n) AS BIGINT) AS size
                FROM {self.cells(value)} GROUP BY class_id""")  # fmt: skip
        source = f"{self.members()}" if self.overlap is None else self._overlapping_members()
        return self.held(("known", value), lambda: f"""
            SELECT class_id, {_members(persons=True)} AS size
            FROM {source} AS member WHERE {self._present(value)} GROUP BY class_id""")  # fmt: skip

    def distribution(self, value: Value) -> Table:
        """How a sensitive value is distributed within each class, and in the whole table.

        Columns: class_id, value, n (members with the value), size (members with any value),
        q (share within the class) and p (share within all). Shares add up to 1, also where a
        person has several values and so counts once for each.
        """
        return self.held(("distribution", value), lambda: f"""
            WITH mass AS (SELECT class_id, sum(n) AS n FROM {self.cells(value)} GROUP BY class_id),
                 whole AS (SELECT value, sum(n) AS n FROM {self.own_cells(value)} GROUP BY value),
                 everyone AS (SELECT sum(n) AS n FROM {self.own_cells(value)})
            SELECT cell.class_id, cell.value, cell.n, known.size,
                   CAST(cell.n AS DOUBLE) / CAST(mass.n AS DOUBLE) AS q,
                   CAST(whole.n AS DOUBLE) / CAST(everyone.n AS DOUBLE) AS p
            FROM {self.cells(value)} AS cell
            JOIN mass ON mass.class_id = cell.class_id
            JOIN {self.known(value)} AS known ON known.class_id = cell.class_id
            JOIN whole ON {same("whole", "cell", ["value"])}
            CROSS JOIN everyone
        """)  # fmt: skip

    def every_class(self, sql: str, *, otherwise: str) -> str:
        """A SELECT of class_id and reading, completed: classes that it lacks read `otherwise`."""
        return f"""
            SELECT class.class_id, coalesce(found.reading, {otherwise}) AS reading
            FROM {self.table} AS class LEFT JOIN ({sql}) AS found ON found.class_id = class.class_id"""

    def held(self, key: object, sql: Callable[[], str]) -> Table:
        """The result of a SELECT, computed once for these classes."""
        if key not in self._held:
            self._held[key] = self.engine.query(sql())
        return self._held[key]

    def release(self, *keys: object) -> None:
        """Let go of results that are not needed any more."""
        self.engine.drop(*(self._held.pop(key) for key in keys if key in self._held))

    def any_missing(self) -> bool:
        """Whether any record lacks a quasi-identifier."""
        lacking = " OR ".join(f"{key} IS NULL" for key in self.keys if key != ALONE)
        return bool(self.engine.fetch(f"SELECT count(*) FROM {self.table} WHERE {lacking}")[0][0])

    def column(self, sensitive: str) -> str:
        """The neutral name of a sensitive attribute: v1, v2, ..."""
        if sensitive not in self.sensitive:
            raise UnknownColumn(sensitive, self.sensitive)
        return f"v{self.sensitive.index(sensitive) + 1}"

    def read(self, value: Value) -> str:
        """A sensitive attribute as SQL: raw, or the bin it falls in."""
        column = self.column(value.sensitive)
        return self.bins(value).of(column) if value.bins else column

    def bins(self, value: Value) -> Bins:
        """The intervals that a sensitive attribute is read in."""
        return Bins(value.bins, self.separator)

    def _values(self) -> tuple[str, ...]:
        return tuple(self.column(name) for name in self.sensitive)

    def _fine(self, value: Value) -> bool:
        # A number has nearly as many cells as there are records: grouping it by the keys themselves
        # would copy the keys once per record, so it is grouped by the class number instead.
        return not value.bins and self.records.kinds[self.column(value.sensitive)].numeric

    def _present(self, value: Value) -> str:
        return "TRUE" if value.count_missing else f"{self.column(value.sensitive)} IS NOT NULL"

    def _counted(self, value: Value, source: str) -> str:
        return f"""
            SELECT class_id, {self.read(value)} AS value, {_members(persons=self.persons)} AS n
            FROM {source} AS member WHERE {self._present(value)} GROUP BY 1, 2"""

    def _grouped_by_keys(self, value: Value) -> str:
        return f"""
            WITH cell AS (
                SELECT {listed(self.keys)}, {self.read(value)} AS value, {_members(persons=self.persons)} AS n
                FROM {self.records} WHERE {self._present(value)}
                GROUP BY {listed(str(i) for i in range(1, len(self.keys) + 2))})
            SELECT class.class_id, cell.value, cell.n
            FROM cell JOIN {self.table} AS class ON {same("cell", "class", self.keys)}"""

    def _overlapping_members(self) -> str:
        return f"""(
            SELECT overlap.class_id, {listed(["person", *self._values()])}
            FROM {self.overlap} AS overlap
            JOIN {self.members()} AS own ON own.class_id = overlap.member_id)"""

    def _overlapping(self) -> EquivalenceClasses:
        own = {key: table for key, table in self._held.items() if isinstance(key, tuple) and key[0] == "own"}
        wide = replace(self, overlap=neighbours(self.table, self.keys), _held=own)
        source = f"{wide.overlap} AS overlap JOIN {self.table} AS own ON own.class_id = overlap.member_id"
        counted = f"SELECT overlap.class_id, CAST(sum(own.size) AS BIGINT) AS size FROM {source} GROUP BY 1"
        if self.persons:
            everybody = wide._overlapping_members()
            counted = f"SELECT class_id, {_members(persons=True)} AS size FROM {everybody} AS member GROUP BY 1"
        table = self.engine.query(f"""
            SELECT class.class_id, {listed(f"class.{key}" for key in self.keys)}, counted.size, class.records
            FROM {self.table} AS class JOIN ({counted}) AS counted ON counted.class_id = class.class_id
        """)
        return replace(wide, table=table)


def _members(*, persons: bool) -> str:
    # A row without a subject is somebody too: each counts as a person of its own.
    return "(count(DISTINCT person) + count(*) - count(person))" if persons else "count(*)"


def _alone_where_missing(records: Table, keys: Sequence[str], *, persons: bool) -> Table:
    numbered = records.engine.numbered(f"SELECT * FROM {records}", number="row")
    any_missing = " OR ".join(f"{key} IS NULL" for key in keys)
    whose = "coalesce(CAST(person AS VARCHAR), concat('row ', row))" if persons else "CAST(row AS VARCHAR)"
    return records.engine.view(f"SELECT *, CASE WHEN {any_missing} THEN {whose} END AS {ALONE} FROM {numbered}")


def _first_nominal(records: Table, sensitive: int) -> str | None:
    return next((f"v{i}" for i in range(1, sensitive + 1) if not records.kinds[f"v{i}"].numeric), None)


def _formed(records: Table, keys: Sequence[str], *, persons: bool) -> Table:
    by = listed(keys)
    return records.engine.numbered(
        f"SELECT {by}, {_members(persons=persons)} AS size, count(*) AS records FROM {records} GROUP BY {by}",
        number="class_id",
    )


def _partitioned(records: Table, keys: Sequence[str], column: str) -> tuple[Table, Table]:
    """The classes and the cells of a first sensitive column, from one pass over the records instead of two."""
    engine, by = records.engine, listed(keys)
    blocks = engine.query(f"SELECT {by}, {column} AS value, count(*) AS n FROM {records} GROUP BY {by}, {column}")
    size = "CAST(sum(n) AS BIGINT)"
    table = engine.numbered(
        f"SELECT {by}, {size} AS size, {size} AS records FROM {blocks} GROUP BY {by}", number="class_id"
    )
    cells = engine.query(f"""
        SELECT class.class_id, block.value, block.n
        FROM {blocks} AS block JOIN {table} AS class ON {same("block", "class", keys)}
        WHERE block.value IS NOT NULL""")
    engine.drop(blocks)
    return table, cells
