"""Equivalence classes: the one statistic that every privacy model reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.errors import SchemaError, UnknownColumn
from sfumato.privacy.bins import Bins
from sfumato.schema import Missing
from sfumato.tables.engine import Engine, Kind, Table, listed, same

if TYPE_CHECKING:
    import pyarrow as pa

Result = TypeVar("Result")
Pattern = frozenset[str]  # the keys that are missing

ALONE = "alone"  # the key that keeps a record with a missing value by itself
PLACE = "place"  # the number of a combination of keys, in the order of the keys
# Attempts at hashing classes so that no two share a hash. By accident two of a million classes share one of 64 bits in
# 1 of 37 million tables; what else collides is what an engine hashes badly, and again as a text only where the
# texts are equal. Five is chosen, not measured.
ATTEMPTS = 5


@dataclass(frozen=True)
class Value:
    """A sensitive attribute as a measure reads it: raw or in bins, with missing values left out or counted."""

    sensitive: str
    bins: tuple[float, ...] = ()
    count_missing: bool = False


@dataclass(frozen=True)
class Totals:
    """Counts over all classes, which the look at their hashes brings along."""

    records: int
    present: tuple[int, ...]  # records that have each sensitive value
    incomplete: int  # classes that lack a quasi-identifier


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
        # Texts are most of what is grouped, and of what is sorted where records are flagged.
        engine, own = records.engine, list[Table]()
        short = engine.short_keys(records, keys)
        numbered = short.number is not None and ALONE not in keys  # who is alone is no part of the order
        if short.texts:
            instead = listed(f"{sql} AS {key}" for key, sql in short.texts.items())
            sql = f"SELECT * REPLACE ({instead}) FROM {records}"
            sql = f"SELECT {short.number} AS {PLACE}, * FROM ({sql}) AS short" if numbered else sql
            if numbered and short.held:
                named = "record" in records.columns
                records = engine.query(sql) if named else engine.numbered(sql, "record")
                own.append(records)
            else:
                records = engine.view(sql)
        if numbered:
            class_id, table = PLACE, engine.query(
                _classes(records, keys, PLACE, len(sensitive), persons=persons, numbered=True, lacking=short.lacking)
            )  # fmt: skip
            counted = engine.brought(table)
            totals = _totals(counted, len(sensitive), hashed=False)
            assert totals is not None  # equal numbers are equal keys
        else:
            table, counted, class_id, totals = partitioned(records, keys, len(sensitive), persons=persons)
        records = engine.view(f"SELECT {class_id} AS class_id, * FROM {records}")
        classes = cls(
            records, keys, sensitive, orders or {}, persons, table, totals, counted,
            separator=separator, in_order=numbered, own=tuple(own),
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


def members(*, persons: bool) -> str:
    """How members are counted, as SQL. A row without a subject is somebody too: a person of its own."""
    return "(count(DISTINCT person) + count(*) - count(person))" if persons else "count(*)"


def alone_where_missing(records: Table, keys: Sequence[str], *, persons: bool) -> Table:
    """The records with one more key, which keeps those with a missing value by themselves."""
    numbered = records.engine.numbered(f"SELECT * FROM {records}", number="row")
    any_missing = " OR ".join(f"{key} IS NULL" for key in keys)
    named = "CASE WHEN person IS NOT NULL THEN concat('person ', CAST(person AS VARCHAR)) ELSE concat('row ', row) END"
    whose = named if persons else "CAST(row AS VARCHAR)"
    return records.engine.view(f"SELECT *, CASE WHEN {any_missing} THEN {whose} END AS {ALONE} FROM {numbered}")


def partitioned(
    records: Table, keys: Sequence[str], sensitive: int, *, persons: bool
) -> tuple[Table, Table, str, Totals]:
    """The classes, the same for small questions, the class of a record as SQL, and the totals.

    A class is known by a hash of its keys: a record then needs no search for its class, and the keys, which are
    mostly texts, need not be copied. That no two classes share a hash is not taken on trust; should two do so,
    all are hashed anew, as salted texts.
    """
    for attempt in range(ATTEMPTS):
        class_id = _hash(keys, attempt)
        table = records.engine.query(_classes(records, keys, class_id, sensitive, persons=persons))
        counted = records.engine.brought(table)
        totals = _totals(counted, sensitive)
        if totals is not None:
            return table, counted, class_id, totals
        records.engine.drop(table)
    raise SchemaError("The quasi-identifiers hold values that cannot be told apart. Leave out nested columns.")


def _hash(keys: Sequence[str], attempt: int) -> str:
    if attempt == 0:
        return f"hash({listed(keys)})"
    # Engines hash some kinds badly (large decimals, lists), and what collides once collides with any salt beside it.
    texts = (f"{key} IS NULL, concat('{attempt} ', CAST({key} AS VARCHAR))" for key in keys)
    return f"hash({listed(texts)})"


def _classes(
    records: Table,
    keys: Sequence[str],
    class_id: str,
    sensitive: int,
    *,
    persons: bool,
    numbered: bool = False,
    lacking: bool = True,
) -> str:
    """The classes as a SELECT; of `numbered` ones the number stands for all keys, and says which records are alike."""
    incomplete = " OR ".join(f"{key} IS NULL" for key in keys if key != ALONE)
    if numbered:
        incomplete = f"bool_or({incomplete})" if lacking else "FALSE"
    present = [f"count(v{i}) AS v{i}" for i in range(1, sensitive + 1)]
    counted = listed([f"{members(persons=persons)} AS size", "count(*) AS records", *present])
    return f"""
        SELECT {class_id} AS class_id, {counted}, ({incomplete}) AS incomplete
        FROM {records} GROUP BY {class_id if numbered else listed(keys)}"""


def _totals(table: Table, sensitive: int, *, hashed: bool = True) -> Totals | None:
    """The totals; None where two classes share a hash."""
    present = [f"sum(v{i})" for i in range(1, sensitive + 1)]
    twice = "count(*) - count(DISTINCT class_id)" if hashed else "0"
    counts = [twice, "count(CASE WHEN incomplete THEN 1 END)", "sum(records)", *present]
    shared, incomplete, *sums = table.engine.fetch(f"SELECT {listed(counts)} FROM {table}")[0]
    records, *having = (int(number or 0) for number in sums)
    return None if shared else Totals(records, tuple(having), int(incomplete))


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
