"""Where rows live: the engine interface, and the handle on one table in it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import OutputError

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.tables.short_table import ShortTable

# The words in which systems and libraries say that a disk is full: some of them have no class of errors for it.
FULL = re.compile(
    r"No space left|File too large|Disk quota|disk is full|not enough space|Unable to write|failed to write",
    re.IGNORECASE,
)

KEY_BYTES = 32  # of a keyed hash

Row = tuple[Any, ...]


class Kind(StrEnum):
    """What sort of values a column holds, in every engine's terms."""

    TEXT = "text"
    INTEGER = "integer"
    REAL = "real"
    DATE = "date"
    TIMESTAMP = "timestamp"
    BOOLEAN = "boolean"
    OTHER = "other"

    @property
    def numeric(self) -> bool:
        """Whether the values are numbers, which can be added and binned."""
        return self in (Kind.INTEGER, Kind.REAL)


class Engine(ABC):
    """A place that holds tables and answers SQL.

    SQL is written once, in the dialect of DuckDB. An engine with another dialect
    translates it. To add an engine, write these methods in one new file of `engines/`;
    `tests/engines/` holds the contract that it must pass.
    """

    name: str
    stacks: bool = False  # whether columns are stacked by unnesting two lists together, a number and a value at a time
    memory: int | None = None  # bytes that it was given, where somebody said so: then what it counts may not take more
    waits: bool = False  # whether each statement takes its time to start, however little it asks

    @abstractmethod
    def load(self, data: Any) -> Table:
        """Hold an Arrow table, an Arrow stream, or any frame that speaks the Arrow interface."""

    def borrow(self, data: pa.Table) -> Table:
        """Look at an Arrow table where it lies; an engine that cannot holds a copy. It must outlive the handle."""
        return self.load(data)

    @abstractmethod
    def read_parquet(self, path: str | Path) -> Table:
        """A view of a Parquet file, or of a folder of them; rows are scanned when asked for."""

    @abstractmethod
    def query(self, sql: str) -> Table:
        """Run a SELECT and hold its result as a table."""

    def gathered(self, selects: Sequence[str]) -> Table:
        """Run SELECTs one after the other, where an engine can, and hold all of their rows in one table."""
        return self.query(" UNION ALL ".join(selects))

    @abstractmethod
    def view(self, sql: str) -> Table:
        """Give a SELECT a name without running it."""

    @abstractmethod
    def numbered(self, sql: str, number: str, *, held: bool = True) -> Table:
        """Run a SELECT and hold its result with one more column, the row number from 1 on.

        Rows are numbered in the order in which the SELECT gives them: the order of the source
        for a plain scan, any order after a GROUP BY. The numbers never change afterwards.
        With `held=False`, for a plain scan only, the result is a view and nothing is copied.
        """

    @abstractmethod
    def fetch(self, sql: str) -> list[Row]:
        """Run a SELECT and bring its rows here. Only for results known to be small."""

    @abstractmethod
    def arrow(self, sql: str) -> pa.Table:
        """Run a SELECT and bring its rows here as an Arrow table, in the order of the SELECT."""

    def near(self, sql: str, rows: int | None = None) -> Table:
        """Run a SELECT that counts, and hold its result where many small questions about it are answered soonest.

        That may be another engine, which `Table.engine` names: nothing of this one can be joined to it there. What is
        too large for one machine stays here. `rows` are those of the result, where they are known before.
        """
        return self.query(sql)

    def brought(self, table: Table) -> Table:
        """A table of counts, or a copy of it that lies where small questions about it are answered soonest (`near`)."""
        return table

    @abstractmethod
    def kinds(self, table: Table) -> dict[str, Kind]:
        """The columns of a table, in order, and what sort of values each holds."""

    @abstractmethod
    def write(self, sql: str, path: str | Path) -> int:
        """Write a SELECT to one CSV or Parquet file (by its suffix); the number of rows written."""

    @abstractmethod
    def share(self, hashed: str) -> str:
        """SQL for a number from 0 to below 1: the first 13 hexadecimal digits of a hash, of all numbers of 13 digits.

        The hash is given as SQL. 52 bits are what a double holds exactly, so the number is the same on every engine.
        """

    def uniform(self, text: str) -> str:
        """SQL for a number from 0 to below 1 that depends on a text (given as SQL) only, the same on every engine.

        By the MD5 hash of the text, which everybody can compute: for samples and examples, never to protect anything.
        """
        return self.share(f"md5({text})")

    @abstractmethod
    def keyed_hash(self, key: bytes, text: str) -> str:
        """SQL for the HMAC-SHA256 of a text (given as SQL) under a key, in 64 hexadecimal digits; null of null."""

    def keyed_uniform(self, key: bytes, text: str) -> str:
        """SQL for a number from 0 to below 1 that nobody can compute without the key, the same on every engine."""
        return self.share(self.keyed_hash(key, text))

    @abstractmethod
    def plain_hash(self, text: str) -> str:
        """SQL for the SHA-256 of a text (given as SQL), in 64 hexadecimal digits; null of null."""

    def different_numbers(self, number: str, most: int) -> str:
        """SQL for how many different whole numbers from 1 to `most` a column (given as SQL) holds."""
        return f"count(DISTINCT CASE WHEN {number} BETWEEN 1 AND {most} THEN {number} END)"

    def row_count(self, table: Table) -> int:
        """How many rows a table has."""
        return int(self.fetch(f"SELECT count(*) FROM {table}")[0][0])

    def known_rows(self, table: Table, rows: int) -> None:  # noqa: B027  an engine need not care
        """Told how many rows a table has, where a statement counted them on its way."""

    @abstractmethod
    def drop(self, *tables: Table) -> None:
        """Let go of tables that are not needed any more."""

    def cannot_hold(self, size: int) -> bool:
        """Whether so many bytes, all at hand at once, are more than the memory that it was given."""
        return self.memory is not None and size > self.memory

    def short_keys(self, table: Table, keys: Sequence[str]) -> ShortKeys:
        """What takes less room than some columns by which records are grouped, and sorts and reads as they do.

        Nothing where there are few records, and for an engine that has no such thing.
        """
        return ShortKeys()

    def shortened(self, table: Table, rows: int, *, made: bool) -> ShortTable | None:
        """The rows of a table, so many, held with short texts (`short_keys`) for whoever counts them again and again.

        None where that gains nothing: there are few records, no texts, or the engine has no such thing. `made` says
        that the rows are there already; what is yet to be worked out is worked out once, and not for every column.
        """
        return None

    def short_scan(
        self, source: Table, columns: Mapping[str, str], texts: Sequence[str], *, number: str, rows: int
    ) -> ShortTable | None:
        """The rows of a view that is read once, at most so many, held as by `shortened`, with their numbers from 1 on.

        `columns` are SQL over the view. Of `texts`, some of them, that is the text of the same column or null. None
        where that gains nothing.
        """
        return None

    def short_labels(self, table: Table, column: str, label: str, join: str) -> Callable[[str], str] | None:
        """SQL for the short label of a value, given as it is held; None where nothing is gained, as in `shortened`.

        `label` is SQL over `record`, which has the column with its texts, and over what is joined to it.
        """
        return None

    def only_short(self, table: Table, short: ShortTable) -> None:  # noqa: B027  an engine need not care
        """Let go of the rows of a table that are held with short texts as well: from now on it is a view of those."""

    def side_by_side(self, left: Table, right: Table) -> str:
        """SQL for the rows of two tables of as many, the first beside the first: a FROM clause with `a` and `b`."""
        number = unused("number", {*left.columns, *right.columns}.__contains__)
        first, second = (self.numbered(f"SELECT * FROM {table}", number, held=False) for table in (left, right))
        return f"{first} AS a JOIN {second} AS b ON {same('a', 'b', [number])}"

    def expect(self, table: Table | None) -> None:  # noqa: B027  an engine need not care
        """Prepare for work on a table, or again for any work at all."""

    def one_thread(self) -> AbstractContextManager[None]:
        """Within it, an engine that works with several threads uses one: each holds a block of every column."""
        return nullcontext()

    @property
    def few(self) -> bool:
        """Whether the table of the work at hand is so small that arrays are faster than a large statement."""
        return False


@dataclass(frozen=True)
class Table:
    """A handle on rows held by an engine. It never holds the rows themselves."""

    engine: Engine
    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def kinds(self) -> dict[str, Kind]:
        """Columns and what sort of values they hold, in order."""
        return self.engine.kinds(self)

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names, in order."""
        return tuple(self.kinds)

    def count(self) -> int:
        """Number of rows."""
        return self.engine.row_count(self)


@dataclass(frozen=True)
class ShortKeys:
    """Columns by which records are grouped, in less room, as SQL."""

    texts: Mapping[str, str] = field(default_factory=dict)  # those of few different texts; others stay as they are
    number: str | None = None  # over the short columns: as many different ones as there are keys, in the same order
    lacking: bool = True  # whether some record may lack a value
    held: bool = False  # whether so few rows are better worked out once than each time


def full_disk(error: BaseException) -> OutputError | None:
    """What to say instead of an error where a disk is full; None where it is another error."""
    if not FULL.search(str(error)):
        return None
    return OutputError("The disk is full: the results were not written. Free some space and run again.")


def quoted(*names: str) -> str:
    """Write column names as a SQL list, each in double quotes.

    >>> quoted("age", 'a "b" c')
    '"age", "a ""b"" c"'
    """
    return ", ".join('"' + name.replace('"', '""') + '"' for name in names)


def same(left: str, right: str, columns: Sequence[str]) -> str:
    """Join condition: equal on every column, where a null equals a null."""
    return " AND ".join(f"{left}.{quoted(column)} IS NOT DISTINCT FROM {right}.{quoted(column)}" for column in columns)


def literal(value: str | float) -> str:
    """Write a text or a number as a SQL literal.

    >>> literal("it's"), literal(0.5)
    ("'it''s'", "CAST('0.5' AS DOUBLE)")
    """
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value) if isinstance(value, int) else f"CAST('{float(value)!r}' AS DOUBLE)"


def path_literal(path: str | Path) -> str:
    """Write a path as a SQL literal in which no character is a wildcard.

    >>> path_literal("a[1].csv")
    "'a[[]1].csv'"
    """
    return literal("".join(f"[{character}]" if character in "*?[" else character for character in str(path)))


def one_value(raw: str, kind: Kind) -> str:
    """A column as its values are compared: not a number is no value, and there is one zero, not two."""
    if kind is not Kind.REAL:
        return raw
    return f"CASE WHEN isnan({raw}) THEN NULL WHEN {raw} = 0 THEN abs({raw}) ELSE {raw} END"


def as_text(raw: str, kind: Kind) -> str:
    """A column as texts, as SQL: the values as they are compared."""
    return raw if kind is Kind.TEXT else f"CAST({one_value(raw, kind)} AS VARCHAR)"


def as_identifier(raw: str, kind: Kind) -> str:
    """A column as identifiers are compared, as SQL text: the number 12 is `12`, read as a real number or not."""
    if kind is Kind.TEXT:
        return raw
    text = f"CAST({raw} AS VARCHAR)"
    if kind is not Kind.REAL:
        return text
    whole = f"{raw} = floor({raw}) AND abs({raw}) < {literal(2.0**53)}"
    return f"CASE WHEN isnan({raw}) THEN NULL WHEN {whole} THEN CAST(CAST({raw} AS BIGINT) AS VARCHAR) ELSE {text} END"


def hmac_pads(key: bytes) -> tuple[bytes, bytes]:
    """What goes before the text in the inner and the outer hash of HMAC-SHA256 (RFC 2104); a key has 256 bits.

    What a person chose is shorter or can be guessed, and is stretched before it comes here (`sfumato.secrets`).
    """
    if len(key) != KEY_BYTES:
        raise ValueError(f"A key of {KEY_BYTES} bytes was expected.")
    block = key.ljust(64, b"\0")
    return bytes(byte ^ 0x36 for byte in block), bytes(byte ^ 0x5C for byte in block)


def total(expression: str, *, over: str = "") -> str:
    """A sum of real numbers that does not depend on the order of the rows; with `over`, in that window.

    Engines add in whatever order their threads finish; the last digits of a floating-point sum
    differ from run to run. Decimals of 18 places add exactly, so the same table gives the same bytes.
    They are written as whole numbers of the 18th place, which convert in half the time.
    """
    window = f" OVER {over}" if over else ""
    return f"(CAST(sum({in_units(expression)}){window} AS DOUBLE) / 1e18)"


def in_units(expression: str) -> str:
    """A real number as a whole number of the 18th place, as `total` adds it."""
    return f"CAST(({expression}) * 1e18 AS DECIMAL(38, 0))"


def listed(items: Iterable[str]) -> str:
    """Items of a SELECT list."""
    return ", ".join(items)


def unused(name: str, taken: Callable[[str], bool], form: str = "{} ({})") -> str:
    """The name itself, or with the first number that makes it free.

    >>> unused("age", {"age", "age (2)"}.__contains__)
    'age (3)'
    """
    return next(n for n in chain([name], (form.format(name, i) for i in count(2))) if not taken(n))


def aliased(columns: Sequence[tuple[str, str]]) -> list[str]:
    """SQL under names; a name that is taken gets a number, so that none hides another.

    >>> aliased([("k1", "age"), ("r1", "age")])
    ['k1 AS "age"', 'r1 AS "age (2)"']
    """
    taken: set[str] = set()
    items = []
    for sql, name in columns:
        free = unused(name, lambda n: n.casefold() in taken)
        taken.add(free.casefold())
        items.append(f"{sql} AS {quoted(free)}")
    return items


def present_values(table: Table, column: str) -> list[str]:
    """The different values of a column, sorted as texts."""
    different = f"SELECT DISTINCT {quoted(column)} AS value FROM {table}"  # each is spelt out once
    rows = table.engine.fetch(f"SELECT CAST(value AS VARCHAR) FROM ({different}) AS different WHERE value IS NOT NULL")
    return sorted({str(value) for (value,) in rows})
