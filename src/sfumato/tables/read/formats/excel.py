"""Workbooks: Excel (xlsx, xls, xlsb) and OpenDocument (ods)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import UnreadableFile
from sfumato.tables.engine import Kind, unused
from sfumato.tables.read.isolation import IsolatedFormat, StagedRows
from sfumato.tables.read.limits import Limits
from sfumato.tables.read.packed_file import check_workbook
from sfumato.tables.read.sheet_grid import MissingCells, SheetGrid, shared_kind
from sfumato.tables.read.staged_table import Variable, existing
from sfumato.tables.read.workbook_sheets import EVERY, SheetShape, chosen_sheet, sheet_note, sheets_of_one_shape
from sfumato.tables.source import ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 20_000  # as Python values, before they are a batch of Arrow. Chosen, not measured
SHEET = "sheet"  # the column that says from which of several sheets a record is
WHY = {
    Kind.TEXT: "cells of text, or of several sorts",
    Kind.BOOLEAN: "cells of true and false",
    Kind.INTEGER: "cells of whole numbers",
    Kind.REAL: "cells of numbers",
    Kind.DATE: "cells of dates",
    Kind.TIMESTAMP: "cells of dates with a time",
}


@dataclass(frozen=True)
class Excel(IsolatedFormat):
    """One sheet of a workbook, the one that holds the data or that is named; or all of one shape as one table."""

    suffixes: ClassVar[tuple[str, ...]] = (".xlsx", ".xls", ".ods", ".xlsb")
    selects: ClassVar[tuple[str, ...]] = ("table",)
    library: ClassVar[str] = "python_calamine"
    needs: ClassVar[tuple[str, str]] = ("Reading workbooks", "excel")

    def check(self, source: str, limits: Limits) -> None:
        check_workbook(source, limits)

    def held(self, source: str) -> tuple[str, ...]:
        with _failing(source) as calamine:
            return tuple(calamine.CalamineWorkbook.from_path(source).sheet_names)

    def staged(self, source: str, options: ReadOptions) -> StagedRows:
        path, workbook = existing(source), _Workbook.of(source, options.bounds)
        shapes, grids = workbook.shapes(), workbook.grids
        if options.table == EVERY:
            read = sheets_of_one_shape(source, shapes, [workbook.header(shape) for shape in shapes])
        else:
            read = (chosen_sheet(source, shapes, options.table),)
        stack = _Stack(tuple(grids[shape.name] for shape in read), together=options.table == EVERY)
        missing = MissingCells(options)
        names, renamed = stack.grids[0].named
        kinds = stack.kinds(names, missing)
        label = unused(SHEET, {name.casefold() for name in names}.__contains__) if stack.together else None
        schema = _schema(kinds, label)
        variables = [Variable(name, WHY[kind]) for name, kind in kinds.items()]
        variables += [Variable(label, "the sheet that a record is from")] if label else []
        notes = (*sheet_note(read, shapes, named=options.table is not None), *renamed, *stack.notes())
        return StagedRows(
            name=path.name, schema=schema, batches=stack.batches(kinds, missing, schema), variables=tuple(variables),
            notes=notes,
        )  # fmt: skip


@dataclass(frozen=True)
class _Stack:
    """Sheets with the same columns, the records of one below those of the other."""

    grids: tuple[SheetGrid, ...]
    together: bool  # whether a column says which sheet a record is from

    def kinds(self, names: Sequence[str], missing: MissingCells) -> dict[str, Kind]:
        """The kind of each column: the one that all of its cells share, in every sheet."""
        sorts = [grid.sorts(names, missing) for grid in self.grids]
        return {name: shared_kind(set().union(*held)) for name, *held in zip(names, *sorts, strict=True)}

    def batches(self, kinds: Mapping[str, Kind], missing: MissingCells, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for grid in self.grids:
            for cells in grid.rows(kinds, missing, ROWS_AT_ONCE):
                columns = [*cells, [grid.sheet.name] * len(cells[0])] if self.together else cells
                arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
                yield pa.record_batch(arrays, schema=schema)

    def notes(self) -> tuple[str, ...]:
        """Empty rows between records are left out, which a person should know."""
        skipped = sum(grid.skipped() for grid in self.grids)
        where = "the sheet" if len(self.grids) == 1 else "the sheets"
        said = f"1 empty row in {where} was" if skipped == 1 else f"{skipped} empty rows in {where} were"
        return (f"{said} left out.",) if skipped else ()


@dataclass(frozen=True)
class _Workbook:
    """A workbook that was opened, and its sheets."""

    source: str
    book: Any
    grids: Mapping[str, SheetGrid]

    @classmethod
    def of(cls, source: str, limits: Limits) -> _Workbook:
        with _failing(source) as calamine:
            book = calamine.CalamineWorkbook.from_path(source)
            limits.require(source, "parts", len(book.sheet_names), f"it has {len(book.sheet_names):,} sheets")
            sheets = {name: book.get_sheet_by_name(name) for name in book.sheet_names}
        for sheet in sheets.values():
            cells = sheet.height * sheet.width
            limits.require(source, "sheet_cells", cells, f"a sheet spans {cells:,} cells, most of them empty perhaps")
            limits.require(source, "columns", sheet.width, f"a sheet has {sheet.width:,} columns")
        return cls(source, book, {name: SheetGrid(source, sheet) for name, sheet in sheets.items()})

    def shapes(self) -> list[SheetShape]:
        with _failing(self.source) as calamine:
            visible = calamine.SheetVisibleEnum.Visible
            hidden = {sheet.name for sheet in self.book.sheets_metadata if sheet.visible != visible}
        return [_shape(grid, hidden=name in hidden) for name, grid in self.grids.items()]

    def header(self, shape: SheetShape) -> frozenset[str]:
        """The names of the columns of a sheet, capitals ignored."""
        return frozenset(map(str.casefold, self.grids[shape.name].named[0])) if shape.titles else frozenset()


def _shape(grid: SheetGrid, *, hidden: bool) -> SheetShape:
    above = 0
    for above, row in enumerate(grid.every_row()):
        titles = tuple(cell.strip() if isinstance(cell, str) else "" for cell in row)
        if any(cell not in (None, "") for cell in row):
            return SheetShape(grid.sheet.name, titles, grid.sheet.height - above - 1, hidden)
    return SheetShape(grid.sheet.name, (), 0, hidden)


@contextmanager
def _failing(source: str) -> Iterator[Any]:
    """Hand out the library, and say what is wrong with a workbook that it cannot read."""
    import python_calamine as calamine

    try:
        yield calamine
    except UnreadableFile:
        raise
    except calamine.PasswordError:
        raise UnreadableFile(source, "the workbook is locked with a password.", hint="Save it without.") from None
    except Exception as error:  # its messages may quote a cell
        if "limit exceeded" in str(error):
            raise UnreadableFile(source, "a sheet spans more cells than the library for workbooks reads.") from None
        problem = "this is not a whole workbook; it may be truncated, or of another kind."
        raise UnreadableFile(source, problem, hint="Save it again from the program that made it.") from None


def _schema(kinds: Mapping[str, Kind], label: str | None) -> pa.Schema:
    import pyarrow as pa

    types = {
        Kind.TEXT: pa.string(), Kind.BOOLEAN: pa.bool_(), Kind.INTEGER: pa.int64(), Kind.REAL: pa.float64(),
        Kind.DATE: pa.date32(), Kind.TIMESTAMP: pa.timestamp("us"),
    }  # fmt: skip
    labelled = [(label, pa.string())] if label else []
    return pa.schema([*((name, types[kind]) for name, kind in kinds.items()), *labelled])
