"""Staged rows: a table as a library gave it, on the way to columns of a settled kind.

A format that reads a typed source (a workbook, a statistics file, a database) loads its batches with
`stage`, says what the source knows about each column with a `Variable`, and calls `StagedTable.settle`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import EngineError, SfumatoError, UnreadableFile
from sfumato.tables.engine import Engine, Kind, Table, listed, literal, quoted
from sfumato.tables.read.columns import accepted, check_known, does_not_fit, said_by, wished, without_tokens
from sfumato.tables.read.limits import Limits
from sfumato.tables.read.notation import Notation, kept
from sfumato.tables.source import Column, Extract, ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

EXACT = 2**53  # whole numbers below it survive being stored as a double
COMPLETE = {
    Kind.DATE: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
    Kind.TIMESTAMP: "^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?$",
}


@dataclass(frozen=True)
class Variable:
    """What a source says about one column beside its values."""

    name: str
    why: str
    label: str | None = None
    value_labels: Mapping[str | float, str] = field(default_factory=dict)
    becomes: Kind | None = None  # the kind that the column takes if every value fits
    because: str = ""  # why, if it does


@dataclass(frozen=True)
class StagedTable:
    """Rows as a library gave them; `settle` decides what each column is."""

    name: str
    table: Table
    variables: tuple[Variable, ...]
    missing: tuple[str, ...] = ()  # texts that mean "no value" in the format itself
    notes: tuple[str, ...] = ()

    def settle(self, options: ReadOptions) -> Extract:
        """Replace missing texts, give each column its kind, and count what is missing."""
        check_known((*wished(options), *filter(None, options.also_missing)), self.table.columns)
        cells = self._cells(options)
        rows, counts = self._counts(cells)
        decisions = [cell.decided(*counted) for cell, counted in zip(cells, counts, strict=True)]
        columns = tuple(decision.column(rows) for decision in decisions)
        return Extract(self.name, self._selected(decisions), columns, self.notes)

    def _cells(self, options: ReadOptions) -> list[_ColumnReadings]:
        kinds, wishes = self.table.kinds, wished(options)
        return [
            _ColumnReadings(
                variable=variable, kind=kinds[variable.name], wish=wishes.get(variable.name),
                missing=(*self.missing, *options.tokens(variable.name)), options=options,
            )
            for variable in self.variables
        ]  # fmt: skip

    def _counts(self, cells: Sequence[_ColumnReadings]) -> tuple[int, list[tuple[int, int, int, tuple[int, ...]]]]:
        """The number of rows, and for each column how many cells and values there are and how many fit each reading."""
        readings = [reading for cell in cells for reading in (cell.raw, cell.value, cell.natural, *cell.asked)]
        counted = listed(["count(*)", *(f"count({reading})" for reading in readings)])
        rows, *numbers = map(int, self.table.engine.fetch(f"SELECT {counted} FROM {self.table}")[0])
        numbered = iter(numbers)
        return rows, [
            (next(numbered), next(numbered), next(numbered), tuple(next(numbered) for _ in cell.asked))
            for cell in cells
        ]

    def _selected(self, decisions: Sequence[_Decision]) -> Table:
        if all(decision.sql == quoted(decision.variable.name) for decision in decisions):
            return self.table  # nothing to change: no copy
        items = listed(f"{decision.sql} AS {quoted(decision.variable.name)}" for decision in decisions)
        table = self.table.engine.query(f"SELECT {items} FROM {self.table}")
        self.table.engine.drop(self.table)
        return table


@dataclass(frozen=True)
class _ColumnReadings:
    """One column's SQL: as it came, as it would naturally be read, and as a person asked for it."""

    variable: Variable
    kind: Kind
    wish: Kind | None
    missing: tuple[str, ...]
    options: ReadOptions

    @property
    def raw(self) -> str:
        return quoted(self.variable.name)

    @property
    def value(self) -> str:
        return without_tokens(self.raw, self.missing, self.kind)

    @property
    def natural(self) -> str:
        target = self.variable.becomes or self.kind
        reading = read_as(self.value, self.kind, target)
        if self.kind is Kind.TEXT and target in COMPLETE:
            return _where(self.value, COMPLETE[target], reading)
        if self.kind is Kind.TEXT and target is Kind.REAL:
            return f"CASE WHEN {kept('{x}').format(x=self.value)} THEN {reading} END"
        return reading

    @property
    def notations(self) -> tuple[Notation, ...]:
        """The ways in which a person may have meant a text to be read; none where the value says by itself."""
        dated = self.variable.name in self.options.date_formats and self.kind in (Kind.TEXT, Kind.INTEGER, Kind.REAL)
        if self.wish in (None, Kind.TEXT) or not (dated or self.kind is Kind.TEXT):
            return ()
        return accepted(self.variable.name, self.wish, self.options, self.options.decimal or ".")

    @property
    def asked(self) -> tuple[str, ...]:
        """SQL: the value as a person asked for it, in each notation that it may be written in."""
        if self.wish is None:
            return ()
        # A workbook knows one kind of number, so that 20130219 may be held as 20130219.0.
        whole = read_as(self.value, self.kind, Kind.INTEGER) if self.kind is Kind.REAL else self.value
        text = read_as(whole, Kind.INTEGER if self.kind is Kind.REAL else self.kind, Kind.TEXT)
        written = [f"CASE WHEN {n.fits(text)} THEN {n.read(text)} END" for n in self.notations]
        plain = [] if self.variable.name in self.options.date_formats else [read_as(self.value, self.kind, self.wish)]
        return (*plain, *written)

    def decided(self, cells: int, present: int, natural: int, asked: tuple[int, ...]) -> _Decision:
        """The kind that a person asked for, or else the one that every value fits."""
        sql = self.raw if cells == present else self.value
        chosen = _Decision(variable=self.variable, kind=self.kind, sql=sql, why=self.variable.why, present=present)
        if self.variable.becomes and present and natural == present:
            chosen = replace(chosen, kind=self.variable.becomes, sql=self.natural, why=self.variable.because)
        if self.wish in (None, chosen.kind):
            return chosen
        if self.wish is Kind.TEXT:  # made of the settled value: 1, not 1.0, where every value is whole
            sql = read_as(chosen.sql, chosen.kind, Kind.TEXT)
            return replace(chosen, kind=self.wish, sql=sql, why="decided by a person")
        place = next((place for place, fitting in enumerate(asked) if fitting == present), None)
        if place is None:
            raise does_not_fit(self.variable.name, self.wish or self.kind, present - max(asked, default=0))
        whys = [*["decided by a person"] * (len(asked) - len(self.notations)), *map(said_by, self.notations)]
        return replace(chosen, kind=self.wish or self.kind, sql=self.asked[place], why=whys[place])


@dataclass(frozen=True)
class _Decision:
    """What one column is: its kind, the SQL that makes it so, why, and how many values it has."""

    variable: Variable
    kind: Kind
    sql: str
    why: str
    present: int

    def column(self, rows: int) -> Column:
        labels = {_code(code, self.kind): text for code, text in self.variable.value_labels.items()}
        return Column(
            name=self.variable.name, kind=self.kind, why=self.why, missing=rows - self.present,
            label=self.variable.label, value_labels=labels or None,
        )  # fmt: skip


def _code(code: str | float, kind: Kind) -> str:
    """A code as the text that the engine gives for the value.

    >>> _code(1.0, Kind.INTEGER), _code(1, Kind.REAL), _code("a", Kind.TEXT)
    ('1', '1.0', 'a')
    """
    if isinstance(code, str):
        return code
    return repr(float(code)) if kind is Kind.REAL or code != int(code) else str(int(code))


def read_as(value: str, kind: Kind, target: Kind) -> str:
    """SQL that reads a value of one kind as another; null when it does not fit."""
    text = value if kind is Kind.TEXT else f"CAST({value} AS VARCHAR)"
    if target in (kind, Kind.OTHER):
        return value
    if target is Kind.TEXT:
        return text
    if target is Kind.INTEGER:
        return _whole(value, kind, text)
    if {kind, target} == {Kind.DATE, Kind.TIMESTAMP}:
        return f"CAST({value} AS {target.upper()})"
    if target is Kind.DATE:  # a cast alone would drop the time of day
        return _where(text, COMPLETE[Kind.DATE], f"TRY_CAST({text} AS DATE)")
    return f"TRY_CAST({text} AS {'DOUBLE' if target is Kind.REAL else target.upper()})"


def _whole(value: str, kind: Kind, text: str) -> str:
    """SQL for a whole number; a cast alone would round."""
    if kind is Kind.BOOLEAN:
        return f"CAST({value} AS BIGINT)"
    if kind is Kind.REAL:
        fits = f"{value} = floor({value}) AND abs({value}) < {EXACT}"
        return f"CASE WHEN {fits} THEN TRY_CAST({value} AS BIGINT) END"
    return _where(f"trim({text})", "^[+-]?[0-9]+$", f"TRY_CAST(trim({text}) AS BIGINT)")


def _where(text: str, pattern: str, reading: str) -> str:
    return f"CASE WHEN regexp_matches({text}, {literal(pattern)}) THEN {reading} END"


def stage(
    engine: Engine, source: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], limits: Limits | None = None
) -> Table:
    """Load batches as they come; an error of this package raised on the way comes out as itself.

    The engine pulls the batches through Arrow, which turns whatever they raise into an error of its own.
    """
    import pyarrow as pa

    broken: list[SfumatoError] = []

    def guarded() -> Iterator[pa.RecordBatch]:
        try:
            yield from (limits or Limits.usual()).checked(source, batches)
        except SfumatoError as error:
            broken.append(error)
            raise

    try:
        return engine.load(pa.RecordBatchReader.from_batches(schema, guarded()))
    except EngineError:
        if broken:
            raise broken[0] from None
        raise UnreadableFile(source, f"{engine.name} could not take its rows; it may be damaged.") from None


def existing(source: str) -> Path:
    """The file of a source; `UnreadableFile` when there is none."""
    path = Path(source)
    if not path.is_file():
        raise UnreadableFile(source, "there is no such file.", hint="Check the path.")
    return path
