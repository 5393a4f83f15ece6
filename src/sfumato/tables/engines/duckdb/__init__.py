"""DuckDB: the embedded default."""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from sfumato.errors import EngineError, OutOfMemory, OutputError, SfumatoError, TruncatedFile, UnreadableFile
from sfumato.tables.engine import (
    Kind,
    Row,
    Table,
    full_disk,
    hmac_pads,
    literal,
    path_literal,
    quoted,
)
from sfumato.tables.engines.duckdb.short_texts import ShortTexts
from sfumato.tables.sizes import size_in_bytes
from sfumato.temporary import scratch_of

if TYPE_CHECKING:
    import pyarrow as pa

KINDS = {
    "VARCHAR": Kind.TEXT, "ENUM": Kind.TEXT, "UUID": Kind.TEXT, "BOOLEAN": Kind.BOOLEAN, "DATE": Kind.DATE,
    "FLOAT": Kind.REAL, "DOUBLE": Kind.REAL, "DECIMAL": Kind.REAL,
    "TINYINT": Kind.INTEGER, "SMALLINT": Kind.INTEGER, "INTEGER": Kind.INTEGER, "BIGINT": Kind.INTEGER,
    "HUGEINT": Kind.INTEGER, "UTINYINT": Kind.INTEGER, "USMALLINT": Kind.INTEGER, "UINTEGER": Kind.INTEGER,
    "UBIGINT": Kind.INTEGER, "UHUGEINT": Kind.INTEGER,
    "TIMESTAMP": Kind.TIMESTAMP, "TIMESTAMP WITH TIME ZONE": Kind.TIMESTAMP,
    "TIMESTAMP_S": Kind.TIMESTAMP, "TIMESTAMP_MS": Kind.TIMESTAMP, "TIMESTAMP_NS": Kind.TIMESTAMP,
}  # fmt: skip

# Nothing may be downloaded at run time: a missing extension is an error, not a visit to the network. A name in SQL is
# never a variable of a program, and secrets of other programs are not looked for.
OFFLINE: dict[str, Any] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
}
CHANGED = ("threads", "async_threads")  # settings that change while an engine works
living: weakref.WeakSet[DuckDB] = weakref.WeakSet()  # for whoever must stop their queries

OF_A_THREAD = 32_000_000  # bytes: it holds a block of 256 KB for each column, and for each part that it sorts into
BITS = 100_000_000  # that a query holds for each thread at the most, 12 MB; DuckDB itself allows ten times as many
FEW = 100_000  # rows; on fewer, threads wait for each other longer than they work


class DuckDB(ShortTexts):
    """Tables in an in-process DuckDB database, in memory or in a file; what does not fit spills to disk."""

    name = "duckdb"
    stacks = True

    def __init__(self, path: str = ":memory:", *, memory: str | None = None, threads: int | None = None) -> None:
        super().__init__()
        self.memory = size_in_bytes(memory) if memory else None
        settings: dict[str, Any] = {
            "temp_directory": str(scratch_of(self)),
            **OFFLINE,
        }
        settings |= {"memory_limit": memory} if memory else {}
        settings |= {"threads": threads} if threads else {}
        try:
            self._connection = duckdb.connect(path, config=settings)
        except duckdb.Error as error:
            if isinstance(error, duckdb.OutOfMemoryException):
                raise self._translated(error) from None
            if path == ":memory:":
                raise EngineError(self.name, error, "Check the settings: memory is written 4GB or 500MB.") from None
            raise UnreadableFile(path, f"DuckDB cannot open this file ({type(error).__name__}).") from None
        with suppress(duckdb.Error):  # older ones lack the first setting; theirs stay open, since threads must change
            self._connection.execute(f"SET allowed_configs = [{', '.join(map(literal, CHANGED))}]")
            self._connection.execute("SET lock_configuration = true")
        living.add(self)
        self._threads = threads or self._threads_with_room()
        self._steady = False  # whether it writes without threads of its own
        self._few = False  # whether work on few rows is expected
        self._kinds: dict[str, dict[str, Kind]] = {}  # tables do not change, so they are looked at once
        self._rows: dict[str, int] = {}  # and counted once

    def _threads_with_room(self) -> int | None:
        """The threads that the memory has room for, where they are fewer than there are; None where they are not."""
        if self.memory is None:
            return None
        most = max(self.memory // OF_A_THREAD, 1)
        if int(self._connection.execute("SELECT current_setting('threads')").fetchall()[0][0]) <= most:
            return None
        self._connection.execute(f"SET threads = {most}")
        return most

    def load(self, data: Any) -> Table:
        name = next(self._names)
        try:
            self._connection.register("sfumato_source", data)
            self._connection.execute(f"CREATE TEMP TABLE {name} AS SELECT * FROM sfumato_source")
        except Exception as error:  # Arrow, pandas and polars raise their own, and quote cells in them
            raise self._translated(error) from None
        finally:
            self._connection.unregister("sfumato_source")
        return Table(self, name)

    def borrow(self, data: Any) -> Table:
        name = next(self._names)
        try:
            self._connection.register(name, data)
            self._views.add(name)
        except Exception as error:
            raise self._translated(error) from None
        return Table(self, name)

    def read_parquet(self, path: str | Path) -> Table:
        folder = Path(path).is_dir()
        pattern = f"{path_literal(path)[:-1]}/**/*.parquet'" if folder else path_literal(path)
        try:
            return self.view(f"SELECT * FROM read_parquet({pattern})")
        except EngineError:
            raise TruncatedFile(path, "Parquet") from None

    def query(self, sql: str) -> Table:
        return self._create("TABLE", sql)

    def gathered(self, selects: Sequence[str]) -> Table:
        table = self.query(selects[0])
        for sql in selects[1:]:
            self.run(f"INSERT INTO {table} {sql}")
        return table

    def view(self, sql: str) -> Table:
        return self._create("VIEW", sql)

    def numbered(self, sql: str, number: str, *, held: bool = True) -> Table:
        with_number = f"SELECT row_number() OVER () AS {quoted(number)}, * FROM ({sql}) AS listed"
        return self.query(with_number) if held else self.view(with_number)

    def side_by_side(self, left: Table, right: Table) -> str:
        return f"{left} AS a POSITIONAL JOIN {right} AS b"

    def fetch(self, sql: str) -> list[Row]:
        try:
            rows: list[Row] = self._connection.execute(sql).fetchall()
        except (duckdb.InvalidInputException, ImportError):
            # Times with a zone need a package that Arrow does without.
            self.run("SELECT 1").fetchall()  # lets go of the result that could not be fetched
            rows = [tuple(row.values()) for row in self.arrow(sql).to_pylist()]
        except duckdb.Error as error:
            raise self._translated(error) from None
        return rows

    def row_count(self, table: Table) -> int:
        if table.name in self._views:  # of what may change: a frame of somebody, a file
            return super().row_count(table)
        if table.name not in self._rows:
            self._rows[table.name] = super().row_count(table)
        return self._rows[table.name]

    def arrow(self, sql: str) -> pa.Table:
        try:
            return self._connection.sql(sql).to_arrow_table()
        except duckdb.Error as error:
            raise self._translated(error) from None

    def kinds(self, table: Table) -> dict[str, Kind]:
        if table.name not in self._kinds:
            # Not `description`: before DuckDB 1.4 it says of a type only whether it is a number, a text or a date.
            rows = self.run(f"DESCRIBE FROM {table}").fetchall()
            self._kinds[table.name] = {row[0]: _kind(str(row[1])) for row in rows}
        return dict(self._kinds[table.name])

    def write(self, sql: str, path: str | Path) -> int:
        if not Path(path).parent.is_dir():
            raise OutputError(f"{path}: there is no such folder to write to.")
        if not self._steady:  # DuckDB 2.0 may wait for ever on a full disk otherwise; older ones lack the setting
            with suppress(duckdb.Error):
                self._connection.execute("SET GLOBAL async_threads = 0")
            self._steady = True
        form = "FORMAT parquet" if Path(path).suffix == ".parquet" else "FORMAT csv, HEADER"
        try:
            return int(self.run(f"COPY ({sql}) TO {literal(str(path))} ({form})").fetchall()[0][0])
        except SfumatoError:
            Path(path).unlink(missing_ok=True)  # before 2.0 a part of it is left
            raise

    def share(self, hashed: str) -> str:
        return f"(CAST(CAST('0x' || substr({hashed}, 1, 13) AS UBIGINT) AS DOUBLE) / {2**52})"

    def keyed_hash(self, key: bytes, text: str) -> str:
        inner, outer = (f"unhex('{pad.hex()}')" for pad in hmac_pads(key))
        hashed = f"sha256({outer} || unhex(sha256({inner} || encode({text}))))"
        return f"CASE WHEN {text} IS NOT NULL THEN {hashed} END"

    def plain_hash(self, text: str) -> str:
        return f"sha256({text})"

    def different_numbers(self, number: str, most: int) -> str:
        if not 0 < most <= BITS:
            return super().different_numbers(number, most)
        # A bit for each number takes a tenth of the time that a table of all that were seen takes.
        bits = f"bitstring_agg(CASE WHEN {number} BETWEEN 1 AND {most} THEN {number} END, 1, {most})"
        return f"coalesce(bit_count({bits}), 0)"

    def drop(self, *tables: Table) -> None:
        for table in tables:
            kind = "VIEW" if table.name in self._views else "TABLE"
            self.run(f"DROP {kind} IF EXISTS {table}")
            self._views.discard(table.name)
            self._kinds.pop(table.name, None)
            self._rows.pop(table.name, None)
            if table.name in self._behind:
                self.drop(self._behind.pop(table.name))

    def expect(self, table: Table | None) -> None:
        few = table is not None and table.count() < FEW
        if few != self._few:
            self._few = few
            self.run(self._usual_threads)

    @contextmanager
    def one_thread(self) -> Iterator[None]:
        self.run("SET threads = 1")
        try:
            yield
        finally:
            self.run(self._usual_threads)

    @property
    def _usual_threads(self) -> str:
        """The statement after which as many threads work as the work at hand is worth."""
        if self._few:
            return "SET threads = 1"
        return f"SET threads = {self._threads}" if self._threads else "RESET threads"

    @property
    def few(self) -> bool:
        return self._few

    def run(self, sql: str, values: Sequence[object] = ()) -> Any:
        """Run one statement; what the driver says when it fails is translated, since it may quote data."""
        try:
            return self._connection.execute(sql, list(values))
        except duckdb.Error as error:
            raise self._translated(error) from None

    def interrupt(self) -> None:
        """Let the query that is running end with an error; from another thread, since this one waits for it."""
        self._connection.interrupt()

    def _create(self, kind: str, sql: str) -> Table:
        name = next(self._names)
        self.run(f"CREATE TEMP {kind} {name} AS {sql}")
        self._views |= {name} if kind == "VIEW" else set()
        return Table(self, name)

    def _translated(self, error: Exception) -> Exception:
        full = full_disk(error)
        if full is not None:
            return full
        if isinstance(error, duckdb.OutOfMemoryException):
            given = "of the memory that it was given: allow more (--memory)"
            room = "of memory: close other programs" if self.memory is None else given
            return OutOfMemory(self.name, error, f"It ran out {room}, or use --engine spark.")
        return EngineError(self.name, error)


def _kind(declared: str) -> Kind:
    if declared.startswith("ENUM("):  # whatever is listed in it
        return Kind.TEXT if declared.endswith(")") else Kind.OTHER
    return KINDS.get(re.split(r"[(\[]", declared)[0].strip(), Kind.OTHER) if "[" not in declared else Kind.OTHER
