"""Stores: databases outside the engine, their tables and views, and how one of them or a query is read."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from threading import Event, Timer
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import MissingExtra, SfumatoError, UnreadableFile, did_you_mean
from sfumato.tables.engine import Engine, Table, listed, quoted
from sfumato.tables.read.columns import distinct_names
from sfumato.tables.read.limits import Limits
from sfumato.tables.read.staged_table import StagedTable, Variable, stage
from sfumato.tables.source import Extract, ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.tables.read.checked_query import CheckedQuery

LOCKED = re.compile(r"[Cc]onflicting lock|set lock|database is locked|different configuration|Unique file handle")
SHOWN = 20  # tables that a message names


@dataclass(frozen=True)
class Relation:
    """A table or a view, by name. Names are what the catalogue says, never what a person typed."""

    schema: str
    name: str
    usual: bool = True  # in the schema that needs no mention
    computed: bool = False  # a view, or a table with columns that are computed when it is read
    view: bool = False
    made_by: str | None = None  # the statement of what is computed in a file that may come from anybody

    def __str__(self) -> str:
        return self.name if self.usual else f"{self.schema}.{self.name}"

    @property
    def sql(self) -> str:
        """The name in SQL, each part in quotes."""
        return f"{quoted(self.schema)}.{quoted(self.name)}"

    @property
    def spellings(self) -> set[str]:
        """Every way in which a person may write the name."""
        names, schemas = (self.name, quoted(self.name)), (self.schema, quoted(self.schema))
        return {*names, *(f"{schema}.{name}" for schema in schemas for name in names)}


def chosen(source: str, relations: Sequence[Relation], table: str | None) -> Relation:
    """The relation with the name, or the only one there is; `UnreadableFile` lists them when unclear."""
    if not relations:
        raise UnreadableFile(source, "the database has no tables.")
    if table is None:
        if len(relations) == 1:
            return relations[0]
        hint = "Name one of them with --table, or give a SELECT with --query."
        raise UnreadableFile(source, f"the database has several tables: {_named(relations)}.", hint=hint)
    meant = [relation for relation in relations if table in relation.spellings]
    meant = [relation for relation in meant if relation.usual] or meant
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise UnreadableFile(source, f"several schemas have a table {table!r}: {_named(meant)}.")
    raise UnreadableFile(source, f"there is no table {table!r}.{did_you_mean(table, map(str, relations))}")


def _named(relations: Sequence[Relation]) -> str:
    names = sorted(map(str, relations))
    return ", ".join(map(repr, names[:SHOWN])) + (", ..." if len(names) > SHOWN else "")


def masked(url: str) -> str:
    """A database URL without its password.

    >>> masked("postgresql://alice:s3/cr@t@host:5432/study?password=x&sslmode=require")
    'postgresql://alice:***@host:5432/study?password=***&sslmode=require'
    """
    url = re.sub(r"(?i)([?&][a-z]*password=)[^&]*", r"\1***", url)
    scheme, _, rest = url.partition("://")
    login, at, place = rest.rpartition("@")
    user, colon, _ = login.partition(":")
    return f"{scheme}://{user}{':***' if colon else ''}{at}{place}"


@dataclass(frozen=True)
class Store(ABC):
    """One database: how its tables are listed, and how a SELECT is read from it."""

    source: str
    limits: Limits = field(default_factory=Limits.usual)

    dialect: ClassVar[str]  # of its SQL, as sqlglot calls it

    @property
    def name(self) -> str:
        return Path(self.source).name

    def extract(self, options: ReadOptions, engine: Engine) -> Extract:
        if options.query and options.table:
            raise UnreadableFile(self.name, "both a table and a query were asked for.", hint="Name one of them.")
        if options.query:
            table = self.load(self.checked(options.query), "query", engine, computed=True)
            return self._settled(table, "query", options)
        return self.table_extract(chosen(self.name, self.relations(), options.table), options, engine)

    def table_extract(self, relation: Relation, options: ReadOptions, engine: Engine) -> Extract:
        """All of a table or a view."""
        what = f"table {str(relation)!r}"
        return self._settled(self.relation(relation, what, engine), what, options)

    def checked(self, query: str) -> str:
        """A query as it is run: one SELECT over tables of this database, that can do nothing but read them."""
        return self._checks().sql(query)

    def _checks(self) -> CheckedQuery:
        from sfumato.tables.read.checked_query import CheckedQuery  # here, since sqlglot is slow to import

        return CheckedQuery(self.name, self.dialect, self.relations(), macros=self.macros())

    def macros(self) -> Mapping[str, bool]:
        """The functions that the database has of its own, and whether each has the name of another one."""
        return {}

    def relation(self, relation: Relation, what: str, engine: Engine) -> Table:
        """A table of the database, in the engine; what it computes is checked as a query, for it may be anybody's."""
        if relation.made_by is not None:
            self._checks().check_computed(relation)
        return self.load(f"SELECT * FROM {relation.sql}", what, engine, computed=relation.computed)

    def beginning(self, relation: Relation, records: int, options: ReadOptions, engine: Engine) -> Extract:
        """The first records of a table, and no others."""
        what = f"table {str(relation)!r}"
        return self._settled(self.first(relation, records, what, engine), what, options)

    def _settled(self, table: Table, what: str, options: ReadOptions) -> Extract:
        variables = tuple(Variable(column, f"its type in the {what}") for column in table.columns)
        return StagedTable(f"{self.name} ({what})", table, variables).settle(options)

    def first(self, relation: Relation, records: int, what: str, engine: Engine) -> Table:
        """The first records of a table, in the engine."""
        return self.load(f"SELECT * FROM {relation.sql} LIMIT {records}", what, engine, computed=False)

    @abstractmethod
    def columns(self) -> dict[str, tuple[str, ...]]:
        """The names of the columns of every table and view, without reading a record."""

    @abstractmethod
    def relations(self) -> list[Relation]:
        """Every table and view, in order of name."""

    @abstractmethod
    def load(self, select: str, what: str, engine: Engine, *, computed: bool) -> Table:
        """Stream the rows of a SELECT into the engine; `computed` are those of a query or a view, which are timed."""

    @contextmanager
    def in_time(self, cancel: Callable[[], None], *, computed: bool = True) -> Iterator[None]:
        """Cancel what a database computes when that takes too long: no list of functions can tell that it ends."""
        if not computed:
            yield
            return
        late = Event()

        def stop() -> None:
            late.set()
            cancel()

        timer = Timer(self.limits.query_seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        except Exception:
            if late.is_set():
                raise self.too_late() from None
            raise
        finally:
            timer.cancel()

    def too_late(self) -> SfumatoError:
        """The error for a query, or a view, that takes longer than it may."""
        return self.limits.exceeded(self.name, "query_seconds", "what is read of it takes longer to compute")

    @contextmanager
    def failing(self, what: str) -> Iterator[None]:
        """Say what failed; the driver's own message may quote data, or the password."""
        try:
            yield
        except SfumatoError:
            raise
        except Exception as error:
            raise UnreadableFile(self.name, _reason(what, error)) from None


@dataclass(frozen=True)
class ADBCStore(Store):
    """A database that an ADBC driver reads."""

    driver: ClassVar[str]
    guards: ClassVar[tuple[str, ...]]  # statements after which a connection can only read

    @contextmanager
    def cursor(self) -> Iterator[Any]:
        """A cursor that only reads, closed with its connection."""
        try:
            driver = import_module(f"{self.driver}.dbapi")
        except ImportError:
            raise MissingExtra("Reading databases", "databases") from None
        with self.failing("connection"):
            connection = driver.connect(self.address())
        with closing(connection), closing(connection.cursor()) as cursor:
            with self.failing("connection"):
                for guard in self.guards:
                    cursor.execute(guard)
            yield cursor

    def relations(self) -> list[Relation]:
        with self.cursor() as cursor, self.failing("list of tables"):
            cursor.execute(self.listing())
            return [
                Relation(
                    schema, name, schema in ("main", "public"), computed=view is not None, view=view is not None,
                    made_by=view,
                )
                for schema, name, view in cursor.fetchall()
            ]  # fmt: skip

    def columns(self) -> dict[str, tuple[str, ...]]:
        with self.cursor() as cursor, self.failing("list of columns"):
            cursor.execute(self.column_listing())
            return by_relation(cursor.fetchall(), ("main", "public"))

    @abstractmethod
    def column_listing(self) -> str:
        """The SELECT of the schema, the table and the name of every column, in order."""

    def load(self, select: str, what: str, engine: Engine, *, computed: bool) -> Table:
        with self.cursor() as cursor, self.timed(cursor, computed=computed), self.failing(what):
            items = self.items(cursor, select)
            cursor.execute(self.typed(select, items))
            return streamed(self, what, cursor.fetch_record_batch(), engine, skip=self.examples)

    examples: ClassVar[int] = 0  # rows that come before the first record

    def timed(self, cursor: Any, *, computed: bool) -> AbstractContextManager[None]:
        """The time in which rows are computed."""
        return self.in_time(cursor.adbc_cancel, computed=computed)

    @abstractmethod
    def address(self) -> str:
        """What the driver connects to."""

    @abstractmethod
    def listing(self) -> str:
        """SQL for the schema and the name of every table, and the statement that made it where it is a view."""

    @abstractmethod
    def items(self, cursor: Any, select: str) -> Mapping[str, str]:
        """For each column, SQL that gives it a type that Arrow has too."""

    def typed(self, select: str, items: Mapping[str, str]) -> str:
        chosen_items = listed(f"{item} AS {quoted(name)}" for name, item in items.items())
        return f"SELECT {chosen_items} FROM {derived(select)}"


def by_relation(rows: Sequence[tuple[str, str, str]], usual: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The names of columns by the name of their table; schemas that need no mention are not mentioned."""
    names: dict[str, list[str]] = {}
    for schema, table, column in rows:
        names.setdefault(str(Relation(schema, table, schema in usual)), []).append(column)
    return {table: tuple(columns) for table, columns in names.items()}


def derived(select: str) -> str:
    """A SELECT as an item of FROM, where nothing else may stand; a comment at its end ends with its line."""
    return f"({select}\n) AS source"


def streamed(store: Store, what: str, reader: Any, engine: Engine, skip: int = 0) -> Table:
    """Load the batches of a reader but for the first rows; names that differ by case only are numbered."""
    import pyarrow as pa

    names, _ = distinct_names(reader.schema.names)
    schema = pa.schema([field.with_name(name) for name, field in zip(names, reader.schema, strict=True)])

    def batches() -> Iterator[pa.RecordBatch]:
        left = skip
        with store.failing(what):
            for batch in reader:
                yield pa.RecordBatch.from_arrays(batch.slice(left).columns, schema=schema)
                left = 0

    return stage(engine, store.name, schema, batches(), store.limits)


def _reason(what: str, error: Exception) -> str:
    """Which part failed, without a word of the driver."""
    text = str(error)
    if re.search(r"authentication failed|no password supplied|role .* does not exist", text):
        return "the authentication failed. Check the user and the password."
    if re.search(r"database .* does not exist", text):
        return "the server has no such database."
    if LOCKED.search(text):
        return "the file is open for writing elsewhere. Close it there first."
    hints = {"connection": "Check the address, and that the server is running.", "query": "Check the SELECT."}
    return f"the {what} failed ({type(error).__name__}). {hints.get(what, 'The database may be damaged.')}"
