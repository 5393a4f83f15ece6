"""A table on its way out: the columns that are released, their types, and the order of the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING

from sfumato.errors import OutputError, UnknownColumn
from sfumato.progress import Tell, quiet
from sfumato.tables.engine import Kind, Table, listed, literal, quoted
from sfumato.tables.read.column_parts import parts

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
class RepeatedRows:
    """The different rows of a table, and the column that says how many times each is there."""

    table: Table
    times: str


@dataclass(frozen=True)
class ReleasedTable:
    """The columns of a table that go into one file."""

    table: Table
    columns: tuple[ReleasedColumn, ...]
    name: str  # of the file
    order_by: str | None = None  # a column of the table, released or not
    options: WriteOptions = field(default_factory=WriteOptions)
    tell: Tell = quiet
    repeated: RepeatedRows | None = None  # the same rows in less room, where equal ones stand together

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
        """What is written, in order. Of labels and categories those whose value a written row has, and no other.

        The source lists every value that it had or could have: a label that no row needs would tell the recipient which
        values were taken out.
        """
        kinds = self.table.kinds
        names = quoted(*(column.name for column in self.columns))
        schema = self.table.engine.arrow(f"SELECT {names} FROM {self.table} LIMIT 0").schema
        pairs = zip(self.columns, schema.types, strict=True)
        return tuple(Field(self._of_rows(column), kinds[column.name], kind) for column, kind in pairs)

    @cached_property
    def rows(self) -> int:
        """How many rows are written."""
        return self.table.count()

    def select(self, reading: ColumnSQL, source: Table | None = None) -> str:
        """The SELECT of the columns, each as the format wants it, in the order of the rows; of all, or of others."""
        items = listed(f"{reading(field)} AS {quoted(field.name)}" for field in self.fields)
        return f"SELECT {items} FROM {source or self.table} AS source{self._order}"

    def times(self) -> list[int]:
        """How many times each of the different rows is there, in the order of the rows."""
        assert self.repeated is not None
        rows, times = self.repeated.table, quoted(self.repeated.times)
        return [int(n) for (n,) in rows.engine.fetch(f"SELECT source.{times} FROM {rows} AS source{self._order}")]

    def require(self, checks: Iterable[Check]) -> None:
        """`OutputError` when a value is unfit."""
        refusal = self.refusal(checks)
        if refusal is not None:
            raise refusal

    def refusal(self, checks: Iterable[Check]) -> OutputError | None:
        """What to say of the first column with unfit values; all are counted in one pass, unless there are very many.

        The time and the memory of a statement grow with the square of what it counts: 4,000 at once took 64 seconds of
        a processor and 9 GB, in parts 3 seconds and 0.1 GB.
        """
        asked = list(checks)
        counts: list[int] = []
        source, counted = self.table, "count(*)"
        if self.repeated is not None:
            source, counted = self.repeated.table, f"sum({quoted(self.repeated.times)})"
        for part in parts(asked):
            each = listed(f"coalesce({counted} FILTER (WHERE {check.unfit}), 0)" for check in part)
            counts += source.engine.fetch(f"SELECT {each} FROM {source}")[0]
        for check, unfit in zip(asked, counts, strict=True):
            if unfit:
                values = "1 value" if unfit == 1 else f"{unfit} values"
                return OutputError(
                    f"{self.name}: the column {check.column!r} has {values} {check.problem}. {check.remedy}"
                )
        return None

    def _of_rows(self, column: ReleasedColumn) -> ReleasedColumn:
        """What is said about a column, without the values that no row has."""
        labels, categories = column.value_labels or {}, column.categories
        present = self._present(column.name, (*labels, *(categories or ())))
        return replace(
            column,
            value_labels={code: label for code, label in labels.items() if code in present} or None,
            categories=None if categories is None else tuple(value for value in categories if value in present),
        )

    def _present(self, name: str, codes: Iterable[str]) -> set[str]:
        """Those codes that are values of rows. Of numbers they are compared as numbers: 1 and 1.0 are one code."""
        text = f"CAST({quoted(name)} AS VARCHAR)"  # and 0.7 in single precision is 0.7, by way of its text
        numeric = self.table.kinds[name].numeric
        read: dict[str, str | float] = {code: code for code in codes}
        if numeric:
            read = {code: number for code in read if (number := _number(code)) is not None}
        if not read:
            return set()
        value, known = f"CAST({text} AS DOUBLE)" if numeric else text, listed(map(literal, sorted(set(read.values()))))
        sql = f"SELECT DISTINCT {value} FROM {self.table} WHERE {value} IN ({known})"
        rows = {value for (value,) in self.table.engine.fetch(sql)}
        return {code for code, value in read.items() if value in rows}

    @property
    def _order(self) -> str:
        """Columns of the table, not the readings of them that have the same names, decide the order."""
        return f" ORDER BY source.{quoted(self.order_by)}" if self.order_by else ""


def _number(code: str) -> float | None:
    with suppress(ValueError):
        if isfinite(number := float(code)):
            return number
    return None
