"""A table on its way out: the columns that are released, their types, and the order of the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.errors import OutputError, UnknownColumn
from sfumato.progress import Tell, quiet
from sfumato.tables.engine import Kind, Table, listed, quoted

if TYPE_CHECKING:
    import pyarrow as pa

CELLS_AT_MOST = 50_000_000  # 400 MB of doubles, and a few times that while they are copied. Chosen, not measured


@dataclass(frozen=True)
class ReleasedColumn:
    """One column of the table that is written, under its own name."""

    name: str
    label: str | None = None  # what the column is called in words
    value_labels: Mapping[str, str] | None = None  # what its codes are called; codes as the engine prints them
    categories: tuple[str, ...] | None = None  # the values that it may have, lowest first


@dataclass(frozen=True)
class WriteOptions:
    """How a file is to be written, where its format leaves a choice."""

    delimiter: str | None = None  # of delimited text; None: a comma, or a tab for .tsv
    byte_order_mark: bool = False  # before delimited text, for programs that take UTF-8 for something else without
    transport_version: int | None = None  # of a SAS transport file, 5 or 8; None: 5 where the table fits
    cells_at_most: int = CELLS_AT_MOST  # where the whole table has to be in memory: SAS, SPSS and Stata


@dataclass(frozen=True)
class Field:
    """A column that is written: what was said about it, its kind, and its type in Arrow."""

    column: ReleasedColumn
    kind: Kind
    type: pa.DataType

    @property
    def name(self) -> str:
        return self.column.name


ColumnSQL = Callable[[Field], str]  # the SQL by which a format wants to get a column


@dataclass(frozen=True)
class Check:
    """Values that a format cannot hold: the SQL that is true for them, and what to say."""

    column: str
    unfit: str
    problem: str
    remedy: str


@dataclass(frozen=True)
class ReleasedTable:
    """The columns of a table that go into one file."""

    table: Table
    columns: tuple[ReleasedColumn, ...]
    name: str  # of the file
    order_by: str | None = None  # a column of the table, released or not
    options: WriteOptions = field(default_factory=WriteOptions)
    tell: Tell = quiet

    def __post_init__(self) -> None:
        if not self.columns:
            raise OutputError(f"{self.name}: there is no column to write.")
        available = self.table.columns
        for name in [*(column.name for column in self.columns), *([self.order_by] if self.order_by else [])]:
            if name not in available:
                raise UnknownColumn(name, available)
        twice = [name for name, times in Counter(column.name for column in self.columns).items() if times > 1]
        if twice:
            raise OutputError(f"{self.name}: the column {twice[0]!r} is asked for more than once.")

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """What is written, in order."""
        kinds = self.table.kinds
        names = quoted(*(column.name for column in self.columns))
        schema = self.table.engine.arrow(f"SELECT {names} FROM {self.table} LIMIT 0").schema
        pairs = zip(self.columns, schema.types, strict=True)
        return tuple(Field(column, kinds[column.name], kind) for column, kind in pairs)

    @cached_property
    def rows(self) -> int:
        """How many rows are written."""
        return self.table.count()

    def select(self, reading: ColumnSQL) -> str:
        """The SELECT of the columns, each as the format wants it, in the order of the rows."""
        items = listed(f"{reading(field)} AS {quoted(field.name)}" for field in self.fields)
        return f"SELECT {items} FROM {self.table} AS source{self._order}"

    def require(self, checks: Iterable[Check]) -> None:
        """`OutputError` when a value is unfit."""
        refusal = self.refusal(checks)
        if refusal is not None:
            raise refusal

    def refusal(self, checks: Iterable[Check]) -> OutputError | None:
        """What to say of the first column with unfit values; all are counted in one pass."""
        asked = list(checks)
        if not asked:
            return None
        counts = listed(f"count(*) FILTER (WHERE {check.unfit})" for check in asked)
        for check, unfit in zip(asked, self.table.engine.fetch(f"SELECT {counts} FROM {self.table}")[0], strict=True):
            if unfit:
                values = "1 value" if unfit == 1 else f"{unfit} values"
                return OutputError(
                    f"{self.name}: the column {check.column!r} has {values} {check.problem}. {check.remedy}"
                )
        return None

    @property
    def _order(self) -> str:
        """Columns of the table, not the readings of them that have the same names, decide the order."""
        return f" ORDER BY source.{quoted(self.order_by)}" if self.order_by else ""
