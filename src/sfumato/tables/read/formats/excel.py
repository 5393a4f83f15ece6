"""Workbooks: Excel (xlsx, xls, xlsb) and OpenDocument (ods)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import MissingExtra, UnreadableFile, did_you_mean
from sfumato.tables.engine import Engine, Kind
from sfumato.tables.read.columns import as_number, distinct_names
from sfumato.tables.read.staged_table import StagedTable, Variable, existing, stage
from sfumato.tables.source import MISSING_TOKENS, Extract, Format, ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 20_000  # as Python values, before they are a batch of Arrow. Chosen, not measured
MIDNIGHT = dt.time()
WHY = {
    Kind.TEXT: "cells of text, or of several sorts",
    Kind.BOOLEAN: "cells of true and false",
    Kind.INTEGER: "cells of whole numbers",
    Kind.REAL: "cells of numbers",
    Kind.DATE: "cells of dates",
    Kind.TIMESTAMP: "cells of dates with a time",
}


@dataclass(frozen=True)
class Excel(Format):
    """One sheet of a workbook: the first, or the one that is named."""

    suffixes: ClassVar[tuple[str, ...]] = (".xlsx", ".xls", ".ods", ".xlsb")
    selects: ClassVar[tuple[str, ...]] = ("table",)

    def tables(self, source: Any) -> tuple[str, ...]:
        return tuple(_workbook(source).sheet_names)

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        path = existing(source)
        tokens = MISSING_TOKENS if options.missing is None else options.missing
        grid = _Grid(source, _sheet(source, options.table), frozenset(("", *tokens)), frozenset(map(as_number, tokens)))
        kept = grid.kept()
        names, notes = distinct_names([grid.title(place) for place in kept])
        kinds = grid.kinds(kept)
        schema = _schema(names, kinds)
        table = stage(engine, source, schema, grid.batches(kept, kinds, schema))
        variables = tuple(Variable(name, WHY[kind]) for name, kind in zip(names, kinds, strict=True))
        staged = StagedTable(name=path.name, table=table, variables=variables, notes=(*notes, *grid.notes()))
        return staged.settle(options)


@dataclass(frozen=True)
class _Grid:
    """The cells of a sheet; the first row that is not empty names the columns."""

    source: str
    sheet: Any
    missing: frozenset[str]
    numbers: frozenset[float | None]  # those of the texts that mean "no value" which are numbers

    @property
    def header(self) -> list[Any]:
        row = next((row for row in self.sheet.iter_rows() if not _empty(row)), None)
        if row is None:
            raise UnreadableFile(self.source, f"the sheet {self.sheet.name!r} is empty.", hint="Name another: --table.")
        return list(row)

    def records(self) -> Iterator[Sequence[Any]]:
        """The rows below the header that hold anything."""
        rows = (row for row in self.sheet.iter_rows() if not _empty(row))
        return islice(rows, 1, None)

    def kept(self) -> list[int]:
        """Places of the columns that have a name or a value."""
        header = self.header
        used = {place for place, title in enumerate(header) if _present(title)}
        for row in self.records():
            if len(used) == len(header):
                break
            used |= {place for place, cell in enumerate(row) if _present(cell)}
        return sorted(used)

    def title(self, place: int) -> str:
        """The name of a column; one without a name is called after its place in the sheet."""
        title = self.header[place]
        left = self.sheet.start[1] if self.sheet.start else 0
        return _text(title).strip() if _present(title) else f"column {left + place + 1}"

    def kinds(self, kept: Sequence[int]) -> list[Kind]:
        """The kind of each column that is kept: the one that all of its cells share."""
        kinds: list[set[Kind]] = [set() for _ in kept]
        for row in self.records():
            for place, sorts in zip(kept, kinds, strict=True):
                if not self._missing(row[place]):
                    sorts.add(_kind(row[place]))
        return [_shared(sorts) for sorts in kinds]

    def batches(self, kept: Sequence[int], kinds: Sequence[Kind], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        records = self.records()
        while rows := list(islice(records, ROWS_AT_ONCE)):
            cells = [[self._value(row[place], kind) for row in rows] for place, kind in zip(kept, kinds, strict=True)]
            arrays = [pa.array(column, field.type) for column, field in zip(cells, schema, strict=True)]
            yield pa.record_batch(arrays, schema=schema)

    def notes(self) -> tuple[str, ...]:
        """Empty rows between records are left out, which a person should know."""
        below = list(map(_empty, self.sheet.iter_rows()))
        filled = [number for number, empty in enumerate(below) if not empty]
        skipped = sum(below[filled[0] : filled[-1]])
        said = "1 empty row in the sheet was" if skipped == 1 else f"{skipped} empty rows in the sheet were"
        return (f"{said} left out.",) if skipped else ()

    def _missing(self, cell: Any) -> bool:
        if isinstance(cell, str):
            return not _present(cell) or cell.strip() in self.missing
        return cell is None or (not isinstance(cell, bool) and isinstance(cell, (int, float)) and cell in self.numbers)

    def _value(self, cell: Any, kind: Kind) -> Any:
        if self._missing(cell):
            return None
        if kind is Kind.TEXT:
            return _text(cell)
        if kind is Kind.TIMESTAMP and not isinstance(cell, dt.datetime):
            return dt.datetime.combine(cell, MIDNIGHT)
        return int(cell) if kind is Kind.INTEGER else cell


@contextmanager
def _failing(source: str) -> Iterator[Any]:
    """Hand out the library, and say what is wrong with a workbook that it cannot read."""
    try:
        import python_calamine as calamine
    except ImportError:
        raise MissingExtra("Reading workbooks", "excel") from None
    try:
        yield calamine
    except calamine.PasswordError:
        raise UnreadableFile(source, "the workbook is locked with a password.", hint="Save it without.") from None
    except Exception:  # its messages may quote a cell
        problem = "this is not a whole workbook; it may be truncated, or of another kind."
        raise UnreadableFile(source, problem, hint="Save it again from the program that made it.") from None


def _workbook(source: str) -> Any:
    with _failing(source) as calamine:
        return calamine.CalamineWorkbook.from_path(source)


def _sheet(source: str, name: str | None) -> Any:
    workbook = _workbook(source)
    names = workbook.sheet_names
    if names and name in (None, *names):
        with _failing(source):
            return workbook.get_sheet_by_name(name or names[0])
    if not names:
        raise UnreadableFile(source, "the workbook has no sheets.")
    raise UnreadableFile(source, f"there is no sheet {name!r}.{did_you_mean(str(name), names)}")


def _schema(names: Sequence[str], kinds: Sequence[Kind]) -> pa.Schema:
    import pyarrow as pa

    types = {
        Kind.TEXT: pa.string(), Kind.BOOLEAN: pa.bool_(), Kind.INTEGER: pa.int64(), Kind.REAL: pa.float64(),
        Kind.DATE: pa.date32(), Kind.TIMESTAMP: pa.timestamp("us"),
    }  # fmt: skip
    return pa.schema([(name, types[kind]) for name, kind in zip(names, kinds, strict=True)])


def _present(cell: Any) -> bool:
    return cell is not None and not (isinstance(cell, str) and not cell.strip())


def _empty(row: Sequence[Any]) -> bool:
    return not any(map(_present, row))


def _kind(cell: Any) -> Kind:
    if isinstance(cell, bool):
        return Kind.BOOLEAN
    if isinstance(cell, (int, float)):
        return Kind.INTEGER if cell == int(cell) and abs(cell) < 2**53 else Kind.REAL
    if isinstance(cell, dt.datetime):
        return Kind.DATE if cell.time() == MIDNIGHT else Kind.TIMESTAMP
    return Kind.DATE if isinstance(cell, dt.date) else Kind.TEXT


def _shared(sorts: set[Kind]) -> Kind:
    """One kind for cells of several: numbers go together, and dates; all else is text."""
    for family in ((Kind.INTEGER, Kind.REAL), (Kind.DATE, Kind.TIMESTAMP)):
        if sorts and sorts <= set(family):
            return family[-1] if family[-1] in sorts else family[0]
    return Kind.BOOLEAN if sorts == {Kind.BOOLEAN} else Kind.TEXT


def _text(cell: Any) -> str:
    """A cell as a person sees it: whole numbers without decimals, dates in ISO form."""
    if isinstance(cell, float) and cell == int(cell):
        return str(int(cell))
    return cell.isoformat() if isinstance(cell, (dt.date, dt.time)) else str(cell)
