"""Excel workbooks (xlsx): one sheet, written row by row."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from sfumato.errors import MissingExtra, OutputError
from sfumato.tables.engine import Kind
from sfumato.tables.write.limits import beyond, early, inexact, long_text
from sfumato.tables.write.release import Field, ReleasedTable
from sfumato.tables.write.stream import batches, plain, rows_of
from sfumato.tables.write.writer import MOMENT, Writer

MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384  # the header is one of the rows
LONGEST_TEXT = 32_767
FIRST_DAY = "1900-03-01"  # Excel's calendar has a day too many before
SHEET = "Data"
DISPLAYS = {Kind.DATE: "yyyy-mm-dd", Kind.TIMESTAMP: "yyyy-mm-dd hh:mm:ss"}


@dataclass(frozen=True)
class Excel(Writer):
    """A sheet with a header. Text stays text, also where it looks like a number or a formula."""

    suffixes: ClassVar[tuple[str, ...]] = (".xlsx",)

    def check(self, release: ReleasedTable) -> None:
        if len(release.columns) > MOST_COLUMNS:
            raise _too_large(release, f"{len(release.columns)} columns, and a sheet has at most {MOST_COLUMNS}")
        if release.rows + 1 > MOST_ROWS:
            raise _too_large(release, f"{release.rows} rows, and a sheet has at most {MOST_ROWS - 1} and a header")
        _library()
        fields = release.fields
        long = long_text(fields, LONGEST_TEXT, characters=True)
        release.require([*inexact(fields), *beyond(fields), *early(fields, FIRST_DAY), *long])

    def write(self, release: ReleasedTable, path: Path, scratch: Path) -> int:
        options = {"constant_memory": True, "tmpdir": str(scratch), "use_zip64": True}
        book = _library().Workbook(str(path), options)
        book.set_properties({"created": MOMENT})
        sheet = book.add_worksheet(SHEET)
        sheet.freeze_panes(1, 0)
        for place, column in enumerate(release.columns):
            sheet.write_string(0, place, column.name)
        cells = [_cell(sheet, book, field) for field in release.fields]
        rows = (row for batch in batches(release, plain, scratch) for row in rows_of(batch))
        written = sum(_write_row(cells, number, row) for number, row in enumerate(rows, 1))
        book.close()
        return written


def _too_large(release: ReleasedTable, problem: str) -> OutputError:
    return OutputError(f"{release.name}: the table has {problem}. Write .csv or .parquet instead.")


def _library() -> Any:
    try:
        import xlsxwriter
    except ImportError:
        raise MissingExtra("Writing workbooks", "excel") from None
    return xlsxwriter


def _cell(sheet: Any, book: Any, field: Field) -> Any:
    """What writes one cell of the column: given the row, the place and the value."""
    if field.kind in DISPLAYS:
        display = book.add_format({"num_format": DISPLAYS[field.kind]})
        return lambda row, place, value: sheet.write_datetime(row, place, value, display)
    known = {Kind.INTEGER: sheet.write_number, Kind.REAL: sheet.write_number, Kind.BOOLEAN: sheet.write_boolean}
    return known.get(field.kind, sheet.write_string)


def _write_row(cells: list[Any], number: int, row: tuple[object, ...]) -> int:
    for place, (write, value) in enumerate(zip(cells, row, strict=True)):
        if value is not None and value != "":
            write(number, place, value)
    return 1
