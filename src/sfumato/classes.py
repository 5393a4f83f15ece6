"""Equivalence classes: the one statistic that every privacy model reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sfumato.bins import Bins
from sfumato.engine import Engine, Table, listed, same
from sfumato.errors import UnknownColumn
from sfumato.neighbours import neighbours
from sfumato.partition import ALONE, alone_where_missing, members, partitioned
from sfumato.schema import Missing


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
            records, keys = alone_where_missing(records, keys, persons=persons), (*keys, ALONE)
        table, cells, class_id = partitioned(records, keys, len(sensitive), persons=persons)
        records = records.engine.view(f"SELECT {class_id} AS class_id, * FROM {records}")
        held: dict[object, Table] = {("own", Value(sensitive[i])): found for i, found in cells.items()}
        classes = cls(records, keys, tuple(sensitive), orders or {}, persons, table, None, separator, held)
        return classes._overlapping() if missing is Missing.WILDCARD else classes

    @property
    def engine(self) -> Engine:
        """Where the classes live."""
        return self.table.engine

    def forget(self) -> None:
        """Let go of everything that was computed for these classes."""
        self.engine.drop(self.table, *([self.overlap] if self.overlap else []), *self._held.values())
        self._held.clear()

    def number(self, sql: str) -> float | None:
        """The single number that a query answers; None where it answers nothing."""
        found = self.engine.fetch(sql)[0][0]
        return None if found is None else float(found)

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
        return self.held(("own", value), lambda: self._counted(value, f"{self.records}"))

    def mass(self, value: Value) -> Table:
        """How many values each class has, all members together: columns class_id, size."""
        return self.held(("mass", value), lambda: f"""
            SELECT class_id, CAST(sum(n) AS BIGINT) AS size FROM {self.cells(value)} GROUP BY class_id""")  # fmt: skip

    def known(self, value: Value) -> Table:
        """How many members of each class have any value at all: columns class_id, size."""
        if not self.persons:
            return self.mass(value)
        source = f"{self.records}" if self.overlap is None else self._overlapping_members()
        return self.held(("known", value), lambda: f"""
            SELECT class_id, {members(persons=True)} AS size
            FROM {source} AS member WHERE {self._present(value)} GROUP BY class_id""")  # fmt: skip

    def distribution(self, value: Value) -> Table:
        """How a sensitive value is distributed within each class, and in the whole table.

        Columns: class_id, value, n (members with the value), size (members with any value),
        q (share within the class) and p (share within all). Shares add up to 1, also where a
        person has several values and so counts once for each.
        """
        return self.held(("distribution", value), lambda: f"""
            WITH whole AS (SELECT value, sum(n) AS n FROM {self.own_cells(value)} GROUP BY value),
                 everyone AS (SELECT sum(n) AS n FROM {self.own_cells(value)})
            SELECT cell.class_id, cell.value, cell.n, known.size,
                   CAST(cell.n AS DOUBLE) / mass.size AS q,
                   CAST(whole.n AS DOUBLE) / CAST(everyone.n AS DOUBLE) AS p
            FROM {self.cells(value)} AS cell
            JOIN {self.mass(value)} AS mass ON mass.class_id = cell.class_id
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

    def _present(self, value: Value) -> str:
        return "TRUE" if value.count_missing else f"{self.column(value.sensitive)} IS NOT NULL"

    def _counted(self, value: Value, source: str) -> str:
        return f"""
            SELECT class_id, {self.read(value)} AS value, {members(persons=self.persons)} AS n
            FROM {source} AS member WHERE {self._present(value)} GROUP BY 1, 2"""

    def _overlapping_members(self) -> str:
        return f"""(
            SELECT overlap.class_id, {listed(["person", *self._values()])}
            FROM {self.overlap} AS overlap
            JOIN {self.records} AS own ON own.class_id = overlap.member_id)"""

    def _overlapping(self) -> EquivalenceClasses:
        own: dict[object, Table] = {
            key: table for key, table in self._held.items() if isinstance(key, tuple) and key[0] == "own"
        }
        wide = replace(self, overlap=neighbours(self.table, self.keys), _held=own)
        source = f"{wide.overlap} AS overlap JOIN {self.table} AS own ON own.class_id = overlap.member_id"
        counted = f"SELECT overlap.class_id, CAST(sum(own.size) AS BIGINT) AS size FROM {source} GROUP BY 1"
        if self.persons:
            everybody = wide._overlapping_members()
            counted = f"SELECT class_id, {members(persons=True)} AS size FROM {everybody} AS member GROUP BY 1"
        table = self.engine.query(f"""
            SELECT class.class_id, {listed(f"class.{key}" for key in self.keys)}, counted.size, class.records,
                   class.size AS own
            FROM {self.table} AS class JOIN ({counted}) AS counted ON counted.class_id = class.class_id
        """)
        return replace(wide, table=table)
