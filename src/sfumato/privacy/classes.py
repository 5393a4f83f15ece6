"""Equivalence classes: the one statistic that every privacy model reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.errors import UnknownColumn
from sfumato.privacy.bins import Bins
from sfumato.privacy.partition import ALONE, Totals, alone_where_missing, members, partitioned
from sfumato.schema import Missing
from sfumato.tables.engine import Engine, Kind, Table, listed, same

if TYPE_CHECKING:
    import pyarrow as pa

Result = TypeVar("Result")
Pattern = frozenset[str]  # the keys that are missing


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
    is known, records otherwise), records (rows), v1, v2, ... (rows that have each sensitive value) and
    incomplete (whether it lacks a quasi-identifier); in here no column has a name that came with the data.
    A null is a value like any other, so no record is ever left out of the partition. The keys k1, k2, ... of
    a class are in `with_keys`.

    Where a missing value is read as a wildcard, classes overlap: `overlap` says which classes count
    among the members of which.
    """

    records: Table
    keys: tuple[str, ...]
    sensitive: Mapping[str, Kind]  # names, in order, and what sort of values they hold
    orders: Mapping[str, tuple[str, ...]]
    persons: bool
    table: Table
    totals: Totals
    counted: Table  # the same classes for small questions about them alone, which may be answered in another engine
    overlap: Table | None = None
    separator: str = "--"  # between the ends of an interval
    population: Callable[[], str] | None = None  # a SELECT of the classes of the population: k1, k2, ..., size
    in_order: bool = False  # whether the numbers of classes are in the order of their keys
    own: tuple[Table, ...] = field(default=(), repr=False, compare=False)  # records that are held for these classes
    _held: dict[object, Table] = field(default_factory=dict, repr=False, compare=False)
    _brought: dict[object, Table] = field(default_factory=dict, repr=False, compare=False)
    _facts: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        records: Table,
        *,
        quasi_identifiers: Sequence[str],
        sensitive: Mapping[str, Kind],
        orders: Mapping[str, tuple[str, ...]] | None = None,
        persons: bool = False,
        missing: Missing = Missing.OWN_VALUE,
        separator: str = "--",
    ) -> EquivalenceClasses:
        """Partition the records, which have the neutral names of `Dataset.records`."""
        keys = tuple(f"k{i}" for i in range(1, len(quasi_identifiers) + 1))
        if missing is Missing.NEVER_MATCHES:
            records, keys = alone_where_missing(records, keys, persons=persons), (*keys, ALONE)
        partition = partitioned(records, keys, len(sensitive), persons=persons)
        classes = cls(
            partition.records, keys, sensitive, orders or {}, persons, partition.table, partition.totals,
            partition.counted, separator=separator, in_order=partition.in_order, own=partition.own,
        )  # fmt: skip
        return classes._overlapping() if missing is Missing.WILDCARD else classes

    @property
    def engine(self) -> Engine:
        """Where the classes live."""
        return self.table.engine

    def forget(self) -> None:
        """Let go of everything that was computed for these classes."""
        self.engine.drop(self.table, *([self.overlap] if self.overlap else []), *self._held.values(), *self.own)
        if self.counted is not self.table:
            self.counted.engine.drop(self.counted, *self._brought.values())
        self._brought.clear()
        self._held.clear()
        self._facts.clear()

    def number(self, sql: str) -> float | None:
        """The single number that a query answers; None where it answers nothing."""
        answer = self.engine.fetch(sql)[0][0]
        return None if answer is None else float(answer)

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

    def whole(self, value: Value) -> str:
        """How many members have each value, all classes together, and their share: a SELECT of value, n and p."""
        return f"""(
            SELECT value, CAST(sum(n) AS BIGINT) AS n, CAST(sum(n) AS DOUBLE) / {self.everyone(value)} AS p
            FROM {self.own_cells(value)} GROUP BY value)"""

    def everyone(self, value: Value) -> int:
        """How many values all members have together."""
        if self.persons:
            counted = f"SELECT coalesce(sum(n), 0) FROM {self.own_cells(value)}"
            return self.once(("everyone", value), lambda: int(self.engine.fetch(counted)[0][0]))
        return self.totals.records - (0 if value.count_missing else self.lacking(value.sensitive))

    def known(self, value: Value) -> str:
        """How many members of each class have any value at all: a SELECT of class_id, size and mass.

        The mass is how many values they have together: more, where a person has several.
        """
        if not self.persons and self.overlap is None:
            present = "records" if value.count_missing else self.column(value.sensitive)
            return f"(SELECT class_id, {present} AS size, {present} AS mass FROM {self.table} WHERE {present} > 0)"
        return f"{self.held(('known', value), lambda: self._known_members(value))}"

    def distribution(self, value: Value) -> str:
        """How a sensitive value is distributed within each class, and in the whole table: a SELECT.

        Columns: class_id, value, n (members with the value), size (members with any value),
        q (share within the class) and p (share within all). Shares add up to 1, also where a
        person has several values and so counts once for each.
        """
        return f"""(
            SELECT cell.class_id, cell.value, cell.n, known.size, CAST(cell.n AS DOUBLE) / known.mass AS q, whole.p
            FROM {self.cells(value)} AS cell
            JOIN {self.known(value)} AS known ON known.class_id = cell.class_id
            JOIN {self.whole(value)} AS whole ON {same("whole", "cell", ["value"])})"""

    def every_class(self, sql: str, *, otherwise: str) -> str:
        """A SELECT of class_id and reading, completed: classes that it lacks read `otherwise`."""
        return f"""
            SELECT class.class_id, coalesce(measured.reading, {otherwise}) AS reading
            FROM {self.table} AS class LEFT JOIN ({sql}) AS measured ON measured.class_id = class.class_id"""

    def held(self, key: object, sql: Callable[[], str]) -> Table:
        """The result of a SELECT, computed once for these classes."""
        return _once(self._held, key, lambda: self.engine.query(sql()))

    def borrowed(self, key: object, frame: Callable[[], pa.Table]) -> Table:
        """A table that was made in memory, made once for these classes."""
        return _once(self._held, key, lambda: self.engine.borrow(frame()))

    def brought(self, key: object, table: Callable[[], Table]) -> Table:
        """A table about these classes, brought once to where small questions are answered."""
        return _once(self._brought, key, table)

    def once(self, key: object, find: Callable[[], Result]) -> Result:
        """A small result, found once for these classes."""
        result: Result = _once(self._facts, key, find)
        return result

    def with_keys(self) -> Table:
        """The classes with the quasi-identifiers beside them, looked up in the records: class_id, size, k1, k2, ..."""
        keys = listed(self.keys)
        return self.held("keys", lambda: f"""
            SELECT class.*, {keys} FROM {self.table} AS class
            JOIN (SELECT DISTINCT class_id AS own_id, {keys} FROM {self.records}) AS named
            ON named.own_id = class.class_id""")  # fmt: skip

    def lacking(self, sensitive: str) -> int:
        """How many records lack a sensitive attribute."""
        return self.totals.records - self.totals.present[list(self.sensitive).index(sensitive)]

    def column(self, sensitive: str) -> str:
        """The neutral name of a sensitive attribute: v1, v2, ..."""
        if sensitive not in self.sensitive:
            raise UnknownColumn(sensitive, self.sensitive)
        return f"v{list(self.sensitive).index(sensitive) + 1}"

    def kind(self, sensitive: str) -> Kind:
        """What sort of values a sensitive attribute holds."""
        if sensitive not in self.sensitive:
            raise UnknownColumn(sensitive, self.sensitive)
        return self.sensitive[sensitive]

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

    def _known_members(self, value: Value) -> str:
        mass = f"SELECT class_id, CAST(sum(n) AS BIGINT) AS mass FROM {self.cells(value)} GROUP BY class_id"
        if not self.persons:
            return f"SELECT class_id, mass AS size, mass FROM ({mass}) AS summed"
        source = f"{self.records}" if self.overlap is None else self._overlapping_members()
        return f"""
            SELECT counted.class_id, counted.size, summed.mass
            FROM (SELECT class_id, {members(persons=True)} AS size
                  FROM {source} AS member WHERE {self._present(value)} GROUP BY class_id) AS counted
            JOIN ({mass}) AS summed ON summed.class_id = counted.class_id"""

    def _overlapping_members(self) -> str:
        return f"""(
            SELECT overlap.class_id, {listed(["person", *self._values()])}
            FROM {self.overlap} AS overlap
            JOIN {self.records} AS own ON own.class_id = overlap.member_id)"""

    def _overlapping(self) -> EquivalenceClasses:
        wide = replace(self, overlap=neighbours(self.with_keys(), self.keys), _held={}, _brought={}, _facts={})
        source = f"{wide.overlap} AS overlap JOIN {self.table} AS own ON own.class_id = overlap.member_id"
        counted = f"SELECT overlap.class_id, CAST(sum(own.size) AS BIGINT) AS size FROM {source} GROUP BY 1"
        if self.persons:
            everybody = wide._overlapping_members()
            counted = f"SELECT class_id, {members(persons=True)} AS size FROM {everybody} AS member GROUP BY 1"
        own = listed(f"class.{column}" for column in ("records", *self._values(), "incomplete"))
        table = self.engine.query(f"""
            SELECT class.class_id, counted.size, class.size AS own, {own}
            FROM {self.table} AS class JOIN ({counted}) AS counted ON counted.class_id = class.class_id
        """)
        replace(self, own=()).forget()
        return replace(wide, table=table, counted=self.engine.brought(table))


def _once(known: dict[object, Result], key: object, find: Callable[[], Result]) -> Result:
    if key not in known:
        known[key] = find()
    return known[key]


def neighbours(classes: Table, keys: Sequence[str]) -> Table:
    """Pairs of classes that agree on every key that neither lacks: columns class_id, member_id.

    Comparing every class with every other takes quadratic time, so classes are taken by which keys
    they lack: those that lack A agree with those that lack B when they are equal on the rest,
    which is a plain join. Every class is a neighbour of itself.
    """
    lacking = patterns(classes, keys)
    joins = [_agreeing(classes, keys, a, b) for a in lacking for b in lacking]
    return classes.engine.query(" UNION ALL ".join(joins))


def patterns(classes: Table, keys: Sequence[str]) -> list[Pattern]:
    """Which keys are missing together, in any class."""
    flags = listed(f"{key} IS NULL" for key in keys)
    numbers = listed(str(i) for i in range(1, len(keys) + 1))
    rows = classes.engine.fetch(f"SELECT {flags} FROM {classes} GROUP BY {numbers} ORDER BY {numbers}")
    return [frozenset(key for key, missing in zip(keys, row, strict=True) if missing) for row in rows]


def _agreeing(classes: Table, keys: Sequence[str], a: Pattern, b: Pattern) -> str:
    shared = [f"one.{key} = other.{key}" for key in keys if key not in a | b]
    return f"""
        SELECT one.class_id, other.class_id AS member_id
        FROM (SELECT * FROM {classes} WHERE {_lacking(keys, a)}) AS one
        JOIN (SELECT * FROM {classes} WHERE {_lacking(keys, b)}) AS other ON {" AND ".join(shared) or "TRUE"}"""


def _lacking(keys: Sequence[str], pattern: Pattern) -> str:
    return " AND ".join(f"{key} IS {'' if key in pattern else 'NOT '}NULL" for key in keys)
