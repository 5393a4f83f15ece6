"""Delimited text: CSV in UTF-8, quoted as RFC 4180 has it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from sfumato.errors import OutputError
from sfumato.tables.write.limits import beyond, with_nul
from sfumato.tables.write.release import ColumnSQL, ReleasedTable
from sfumato.tables.write.stream import batches, rows_of, text
from sfumato.tables.write.writer import Writer

MARK = b"\xef\xbb\xbf"
LINES_AT_ONCE = 1000  # of equal ones: a hundred kilobytes at a time


@dataclass(frozen=True)
class DelimitedText(Writer):
    """A record a line and a header; a missing value is an empty field, and an empty text two quotation marks."""

    suffixes: ClassVar[tuple[str, ...]] = (".csv", ".tsv")

    def check(self, release: ReleasedTable) -> None:
        delimiter = _delimiter(release)
        if len(delimiter) != 1 or delimiter in '"\r\n\0':
            raise OutputError(
                f"{release.name}: the delimiter must be one character, and no quotation mark or line end."
            )
        release.require([*beyond(release.fields), *with_nul(release.fields)])

    def write(self, release: ReleasedTable, path: Path, scratch: Path) -> int:
        delimiter, mark = _delimiter(release), MARK if release.options.byte_order_mark else b""
        if delimiter != ",":
            return _by_row(release, path, scratch, delimiter=delimiter, mark=mark)
        plain = scratch / "rows.csv"
        if release.repeated is not None:
            return _repeated(release, plain, path, mark)
        rows = release.table.engine.write(release.select(_reading(release)), plain)
        if mark:
            _marked(plain, path)
        else:
            os.replace(plain, path)
        return rows


def _delimiter(release: ReleasedTable) -> str:
    usual = "\t" if release.name.lower().endswith(".tsv") else ","
    return usual if release.options.delimiter is None else release.options.delimiter


def _reading(release: ReleasedTable) -> ColumnSQL:
    # A blank line at the end is no record: the only field of a record is never left blank.
    return text if len(release.columns) > 1 else lambda field: f"coalesce({text(field)}, '')"


def _repeated(release: ReleasedTable, plain: Path, path: Path, mark: bytes) -> int:
    """The engine writes each different row once, and its line is written here as many times as it is there."""
    assert release.repeated is not None
    different = release.repeated.table
    different.engine.write(release.select(_reading(release), different), plain)
    times = release.times()
    with plain.open("rb") as source, path.open("wb") as target:
        lines = _records(source)
        target.write(mark + next(lines))
        for line, number in zip(lines, times, strict=True):
            for part in range(0, number, LINES_AT_ONCE):
                target.write(line * min(LINES_AT_ONCE, number - part))
    return sum(times)


def _records(file: BinaryIO) -> Iterator[bytes]:
    r"""The records of a file, in which a quoted field may have line ends of its own.

    >>> from io import BytesIO
    >>> list(_records(BytesIO(b'a,b\n1,"x\ny"\n2,""\n')))
    [b'a,b\n', b'1,"x\ny"\n', b'2,""\n']
    """
    record = b""
    for line in file:
        record += line
        if record.count(b'"') % 2 == 0:  # a quotation mark within a field stands twice
            yield record
            record = b""
    if record:
        yield record


def _marked(plain: Path, path: Path) -> None:
    with plain.open("rb") as source, path.open("wb") as target:
        target.write(MARK)
        shutil.copyfileobj(source, target)


def _by_row(release: ReleasedTable, path: Path, scratch: Path, *, delimiter: str, mark: bytes) -> int:
    """Engines write commas only, so other delimiters are set here."""
    rows = 0
    with path.open("wb") as file:
        file.write(mark + _line([column.name for column in release.columns], delimiter))
        for batch in batches(release, _reading(release), scratch):
            file.writelines(_line(row, delimiter) for row in rows_of(batch))
            rows += batch.num_rows
    return rows


def _line(cells: Iterable[Any], delimiter: str) -> bytes:
    return (delimiter.join(_quoted(cell, delimiter) for cell in cells) + "\n").encode()


def _quoted(cell: str | None, delimiter: str) -> str:
    """A field, in quotation marks where it needs them.

    >>> _quoted(None, ";"), _quoted("", ";"), _quoted('a "b"; c', ";")
    ('', '""', '"a ""b""; c"')
    """
    if cell is None:
        return ""
    if cell and not any(special in cell for special in (delimiter, '"', "\n", "\r")):
        return cell
    return '"' + cell.replace('"', '""') + '"'
