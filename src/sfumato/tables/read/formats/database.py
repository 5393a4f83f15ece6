"""A table or a query in a DuckDB file, in SQLite or in PostgreSQL.

SQLite and PostgreSQL are read with ADBC drivers over Arrow: DuckDB's own attachments would download
an extension at run time, which a site without a network cannot do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote

from sfumato.errors import EngineError, TruncatedFile, UnreadableFile
from sfumato.tables.engine import Engine, Table, listed, literal, quoted
from sfumato.tables.engines.duckdb import OFFLINE
from sfumato.tables.glance import Glance
from sfumato.tables.read.limits import Limits
from sfumato.tables.read.staged_table import existing
from sfumato.tables.read.store import ADBCStore, Relation, Store, by_relation, derived, masked, streamed
from sfumato.tables.source import Extract, Format, ReadOptions
from sfumato.temporary import scratch

if TYPE_CHECKING:
    import pyarrow as pa

SERVERS = ("postgresql://", "postgres://")
SQLITE_HEAD = 100  # bytes

# The tables and views of a DuckDB file, each with the SQL that it is made of.
LISTING = """
    SELECT schema_name, view_name, sql, true FROM duckdb_views() WHERE database_name = 'source' AND NOT internal
    UNION ALL
    SELECT schema_name, table_name, sql, false FROM duckdb_tables() WHERE database_name = 'source' AND NOT internal
    ORDER BY 1, 2"""
# Their columns, in order.
COLUMNS = """
    SELECT schema_name, table_name, column_name FROM duckdb_columns() WHERE database_name = 'source' AND NOT internal
    ORDER BY schema_name, table_name, column_index"""
# Its own functions, and whether DuckDB has one of that name: operators, too, are called by their names.
MACROS = """
    SELECT DISTINCT function_name, lower(function_name) IN
        (SELECT lower(function_name) FROM duckdb_functions() WHERE database_name <> 'source')
    FROM duckdb_functions() WHERE database_name = 'source' ORDER BY 1"""
GENERATED = re.compile("GENERATED", re.IGNORECASE)  # in the SQL of a table with computed columns, and of few others
COMPUTES = re.compile(r"GENERATED\s+ALWAYS\s+AS", re.IGNORECASE)  # as DuckDB writes it, and of fewer still


@dataclass(frozen=True)
class Database(Format):
    """A database: `--table` names a table or a view, `--query` gives a SELECT."""

    suffixes: ClassVar[tuple[str, ...]] = (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3")
    selects: ClassVar[tuple[str, ...]] = ("table", "query")

    def claims(self, source: Any) -> bool:
        return super().claims(source) or (isinstance(source, str) and source.lower().startswith(SERVERS))

    def tables(self, source: Any) -> tuple[str, ...]:
        return tuple(map(str, _opened(source).relations()))

    def glance(self, source: Any, options: ReadOptions) -> Glance | None:
        store = _opened(source, options.bounds)
        return _DatabaseGlance(store, {str(relation): relation for relation in store.relations()})

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        return _opened(source, options.bounds).extract(options, engine)


@dataclass(frozen=True)
class _DatabaseGlance(Glance):
    """The catalogue of a database, and the first records of its tables. What is computed is left to a whole reading."""

    store: Store
    relations: Mapping[str, Relation]

    def columns(self) -> Mapping[str, tuple[str, ...]]:
        return self.store.columns()

    def beginning(self, table: str, records: int, options: ReadOptions, engine: Engine) -> Extract | None:
        relation = self.relations[table]
        return None if relation.computed else self.store.beginning(relation, records, options, engine)

    def all(self, table: str, options: ReadOptions, engine: Engine) -> Extract | None:
        if engine.name != "duckdb":  # another engine is handed what this one has read
            return None
        return self.store.table_extract(self.relations[table], options, engine)


@dataclass(frozen=True)
class _DuckDBFile(Store):
    """A DuckDB database file, opened for reading only."""

    dialect: ClassVar[str] = "duckdb"

    def relations(self) -> list[Relation]:
        with self.failing("file"), self._connection() as connection:
            rows = connection.execute(LISTING).fetchall()
        return [
            Relation(
                schema, name, usual=schema == "main", computed=view or GENERATED.search(sql) is not None, view=view,
                made_by=sql if view or COMPUTES.search(sql) else None,
            )
            for schema, name, sql, view in rows
        ]  # fmt: skip

    def macros(self) -> dict[str, bool]:
        with self.failing("file"), self._connection() as connection:
            return dict(connection.execute(MACROS).fetchall())

    def columns(self) -> dict[str, tuple[str, ...]]:
        with self.failing("file"), self._connection() as connection:
            rows = connection.execute(COLUMNS).fetchall()
        return by_relation(rows, ("main",))

    def relation(self, relation: Relation, what: str, engine: Engine) -> Table:
        run = getattr(engine, "run", None) if engine.name == "duckdb" else None
        if run is None or relation.computed:  # what is computed is computed where no file can be reached
            return super().relation(relation, what, engine)
        path = str(Path(self.source).resolve())
        alias = f"sfumato_file_{sha256(path.encode()).hexdigest()[:12]}"
        try:  # DuckDB reads its own files in place: no copy, and no extension
            run(f"ATTACH IF NOT EXISTS {literal(path)} AS {alias} (READ_ONLY)")
            return engine.view(f"SELECT * FROM {alias}.{relation.sql}")
        except EngineError:
            return super().relation(relation, what, engine)

    def first(self, relation: Relation, records: int, what: str, engine: Engine) -> Table:
        table = self.relation(relation, what, engine)  # in place, where the engine can: nothing is opened again
        rows = engine.query(f"SELECT * FROM {table} LIMIT {records}")
        engine.drop(table)  # of thousands of tables, no name is left behind
        return rows

    def load(self, select: str, what: str, engine: Engine, *, computed: bool) -> Table:
        with (
            self.failing("file"),
            self._connection() as connection,
            self.in_time(connection.interrupt, computed=computed),
            self.failing(what),
        ):
            connection.execute("USE source")  # not before: a macro of the file may have the name of any function
            rows = connection.sql(f"SELECT * FROM {derived(select)}")
            reader = rows.to_arrow_reader if hasattr(rows, "to_arrow_reader") else rows.fetch_arrow_reader
            return streamed(self, what, reader(), engine)

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        """A connection in which SQL of the file, such as that of its views, reaches nothing but the file."""
        import duckdb

        with scratch() as spill:
            settings = {**OFFLINE, "temp_directory": str(spill)}
            with closing(duckdb.connect(":memory:", config=settings)) as connection:
                connection.execute(f"ATTACH {literal(self.source)} AS source (READ_ONLY)")
                connection.execute("SET enable_external_access = false")  # no files and no network, and no way back
                connection.execute("SET lock_configuration = true")
                yield connection


@dataclass(frozen=True)
class _SQLite(ADBCStore):
    """A SQLite file. Any cell may hold any type there, and the driver believes the first rows it sees."""

    driver: ClassVar[str] = "adbc_driver_sqlite"
    dialect: ClassVar[str] = "sqlite"
    examples: ClassVar[int] = 1
    # Views and computed columns of the file may not call functions or read virtual tables that have effects.
    guards: ClassVar[tuple[str, ...]] = ("PRAGMA trusted_schema = OFF", "PRAGMA query_only = ON")

    def address(self) -> str:
        return f"file:{quote(str(Path(self.source).resolve()))}?mode=ro"

    def listing(self) -> str:
        # Without virtual tables, which are programs, and the tables that these keep beside them. SQLite compares names
        # and types of its catalogue in any case of letters, and so must this: a view whose statement is not found would
        # be read as a table, unchecked. Where there is none, or more than one, the check refuses the view.
        statements = (
            "SELECT group_concat(m.sql, '; ') FROM sqlite_master AS m "
            "WHERE m.name = l.name COLLATE NOCASE AND m.type = 'view' COLLATE NOCASE"
        )
        return (
            f"SELECT 'main', l.name, CASE l.type WHEN 'view' THEN coalesce(({statements}), '') END "
            "FROM pragma_table_list AS l WHERE l.schema = 'main' "
            "AND l.type IN ('table', 'view') AND l.name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY 2"
        )

    def column_listing(self) -> str:
        return (
            "SELECT 'main', l.name, c.name FROM pragma_table_list AS l JOIN pragma_table_xinfo(l.name) AS c "
            "WHERE l.schema = 'main' AND l.type IN ('table', 'view') ORDER BY l.name, c.cid"
        )

    def timed(self, cursor: Any, *, computed: bool) -> AbstractContextManager[None]:
        return nullcontext()  # its driver cannot be stopped: `items` has computed all of it before, in time

    def items(self, cursor: Any, select: str) -> Mapping[str, str]:
        """What the cells of each column are. All rows are computed for that, by a connection that can be stopped."""
        import sqlite3

        with closing(sqlite3.connect(self.address(), uri=True, check_same_thread=False)) as connection:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, self.limits.cell_length)
            for guard in self.guards:
                connection.execute(guard)
            names = [name for name, *_ in connection.execute(f"SELECT * FROM {derived(select)} LIMIT 0").description]
            sorts = listed(f"group_concat(DISTINCT typeof({quoted(name)}))" for name in names)
            with self.in_time(connection.interrupt):
                try:
                    held_by_column = connection.execute(f"SELECT {sorts} FROM {derived(select)}").fetchone()
                except sqlite3.DataError:  # nothing else of a SELECT is one
                    raise self.limits.exceeded(self.name, "cell_length", "a cell is longer") from None
        types = [set((held or "").split(",")) - {"null", ""} for held in held_by_column]
        return {name: f"CAST({quoted(name)} AS {_affinity(held)})" for name, held in zip(names, types, strict=True)}

    def typed(self, select: str, items: Mapping[str, str]) -> str:
        """The records, after one row of examples from which the driver learns the types."""
        kinds = {"INTEGER": "0", "REAL": "0.5", "TEXT": "''", "BLOB": "x'00'"}
        types = {name: item.rpartition(" AS ")[2].rstrip(")") for name, item in items.items()}
        examples = listed(f"{kinds[held]} AS {quoted(name)}" for name, held in types.items())
        return f"SELECT {examples} UNION ALL {super().typed(select, items)}"


@dataclass(frozen=True)
class _PostgreSQL(ADBCStore):
    """A PostgreSQL database, over the network or a socket."""

    driver: ClassVar[str] = "adbc_driver_postgresql"
    dialect: ClassVar[str] = "postgres"
    # After the first query a transaction that only reads cannot be made one that writes. A backslash is a letter, and a
    # function is one of PostgreSQL's own, never one that somebody gave the same name.
    guards: ClassVar[tuple[str, ...]] = (
        "SET TRANSACTION READ ONLY",
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
        "SET standard_conforming_strings = on",
        "SET search_path = ''",
        "SELECT 1",
    )

    @property
    def name(self) -> str:
        return masked(self.source)

    def address(self) -> str:
        return self.source

    def listing(self) -> str:
        return (
            "SELECT table_schema::text, table_name::text, NULL FROM information_schema.tables "
            "WHERE table_schema NOT IN ('pg_catalog', 'information_schema') "
            "UNION SELECT schemaname::text, matviewname::text, NULL FROM pg_catalog.pg_matviews ORDER BY 1, 2"
        )

    def column_listing(self) -> str:
        return (
            "SELECT table_schema::text, table_name::text, column_name::text FROM information_schema.columns "
            "WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2, ordinal_position"
        )

    def items(self, cursor: Any, select: str) -> Mapping[str, str]:
        schema = cursor.adbc_execute_schema(f"SELECT * FROM {derived(select)}")
        decimals = self._decimals(cursor, select, [field.name for field in schema if _is_numeric(field)])
        return {field.name: decimals.get(field.name) or _plain(quoted(field.name), field) for field in schema}

    def _decimals(self, cursor: Any, select: str, names: list[str]) -> dict[str, str]:
        """Columns of numeric as doubles; as text where a double would keep fewer digits than some value has."""
        if not names:
            return {}
        doubles = [f"CAST({quoted(name)} AS double precision)" for name in names]
        pairs = zip(doubles, map(quoted, names), strict=True)
        kept = listed(f"coalesce(bool_and(CAST({double} AS numeric) = {name}), TRUE)" for double, name in pairs)
        cursor.execute(f"SELECT {kept} FROM {derived(select)}")
        fits = zip(names, doubles, cursor.fetchone(), strict=True)
        return {name: double if whole else f"CAST({quoted(name)} AS text)" for name, double, whole in fits}


def _is_numeric(field: pa.Field) -> bool:
    known = field.metadata or {}  # drivers and versions of Arrow say it in three places
    declared, opaque = (known.get(key, b"").decode() for key in (b"POSTGRESQL:type", b"ARROW:extension:metadata"))
    return declared == "numeric" or "type_name=numeric" in str(field.type) or '"numeric"' in opaque


def _plain(column: str, field: pa.Field) -> str:
    """A column of PostgreSQL in a type that Arrow and every engine have."""
    from pyarrow import types

    if types.is_timestamp(field.type) and field.type.tz:
        return f"{column} AT TIME ZONE 'UTC'"
    plain = types.is_primitive(field.type) or types.is_string(field.type)
    return (
        column
        if plain and not types.is_time(field.type) and not types.is_interval(field.type)
        else f"CAST({column} AS text)"
    )


def _affinity(held: set[str]) -> str:
    if held == {"blob"}:
        return "BLOB"
    if held and held <= {"integer", "real"}:
        return "REAL" if "real" in held else "INTEGER"
    return "TEXT"


def _sqlite_size(head: bytes) -> int:
    """How many bytes a SQLite file says that it has, at its head; 0 where it was written by one that does not say."""
    if len(head) < SQLITE_HEAD or head[24:28] != head[92:96]:  # by both counters the number of pages is known to hold
        return 0
    page = int.from_bytes(head[16:18], "big")
    return (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big")


def _opened(source: str, limits: Limits | None = None) -> Store:
    limits = limits or Limits.usual()
    if source.lower().startswith(SERVERS):
        return _PostgreSQL(source, limits)
    path = existing(source)
    with path.open("rb") as file:
        start = file.read(SQLITE_HEAD)
    if start.startswith(b"SQLite format 3\x00"):
        if path.stat().st_size < _sqlite_size(start):
            raise TruncatedFile(source, "SQLite")
        return _SQLite(source, limits)
    if start[8:12] == b"DUCK":
        return _DuckDBFile(source, limits)
    raise UnreadableFile(source, "this is neither a DuckDB nor a SQLite database; it may be damaged.")
