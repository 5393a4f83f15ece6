"""Files of statistics packages (SAS, SPSS, Stata): what their writers have in common, written with pyreadstat."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import MissingExtra, OutputError
from sfumato.tables.engine import Kind, quoted
from sfumato.tables.write.limits import NameRule, beyond, early, inexact, label_refusal, long_text, with_nul
from sfumato.tables.write.release import Field, ReleasedColumn, ReleasedTable
from sfumato.tables.write.stream import batches, plain

if TYPE_CHECKING:
    import pyarrow as pa

HEAD = 1024  # bytes at the beginning of a file in which it says when it was written
LARGEST = 8.98e307  # above it Stata keeps its codes for missing values
SHORT = (-(2**31) + 1, 2_147_483_620)  # the whole numbers of 32 bits that Stata does not use for missing values
TRUTH = {0: "false", 1: "true"}
NO_FRAME = (
    "Writing files of statistics packages needs pandas or polars. Install one of them, or write .csv or .parquet."
)


@dataclass(frozen=True)
class Stamp:
    """The moment of writing in a file: what it looks like, how often it stands there, and what it becomes."""

    pattern: bytes
    times: int
    fixed: bytes

    def pin(self, path: Path) -> None:
        """Put the fixed moment in place of the one of writing."""
        with path.open("rb+") as file:
            head, times = re.subn(self.pattern, self.fixed, file.read(HEAD))
            if times != self.times:
                raise OutputError(
                    f"{path.name}: the moment of writing is not where it is expected. Please report this."
                )
            file.seek(0)
            file.write(head)


def check_size(release: ReleasedTable) -> None:
    """The libraries are here, and the table is small enough: pyreadstat takes it as a whole or not at all."""
    _library()
    _frames()
    cells = release.rows * len(release.columns)
    if cells > release.options.cells_at_most:
        size = f"{release.rows} rows of {len(release.columns)} columns are too much for this format"
        limit = f"which is written from memory (at most {release.options.cells_at_most} cells)"
        advice = "Write .parquet or .csv instead, or release fewer columns."
        raise OutputError(f"{release.name}: {size}, {limit}. {advice}")


@dataclass(frozen=True, kw_only=True)
class FileLimits:
    """What the files of SPSS and of Stata can hold; both keep numbers as doubles."""

    names: NameRule
    longest_label: int  # all three in bytes
    longest_value_label: int
    longest_text: int
    first_day: str

    def check(self, release: ReleasedTable) -> None:
        """`OutputError` when the table does not fit."""
        check_size(release)
        fields = release.fields
        numbers = [*inexact(fields), *beyond(fields, LARGEST), *early(fields, self.first_day)]
        refusal = (
            self.names.refusal(release)
            or label_refusal(release, self.longest_label, self.longest_value_label)
            or release.refusal([*numbers, *long_text(fields, self.longest_text), *with_nul(fields)])
        )
        if refusal is not None:
            raise refusal


@dataclass(frozen=True)
class StatisticsFile:
    """How one package's files are written and read back with pyreadstat."""

    writer: str
    reader: str
    stamp: Stamp

    def write(self, release: ReleasedTable, path: Path, scratch: Path, **how: Any) -> int:
        """Write the table; the number of rows."""
        import pyarrow as pa

        held = pa.Table.from_batches(batches(release, _reading, scratch))
        labels = {column.name: column.label for column in release.columns if column.label}
        getattr(_library(), self.writer)(_frame(_narrow(held)), path, column_labels=labels, **how)
        self._check_whole(path, int(held.num_rows))
        self.stamp.pin(path)
        return int(held.num_rows)

    def _check_whole(self, path: Path, rows: int) -> None:
        """The last row is there: on a disk that is full, the library may write less without a word."""
        if rows == 0:
            return
        read = getattr(_library(), self.reader)
        values, _ = read(path, output_format="dict", disable_datetime_conversion=True, row_offset=rows - 1, row_limit=2)
        if {len(column) for column in values.values()} != {1}:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _reading(field: Field) -> str:
    return f"CAST({quoted(field.name)} AS BIGINT)" if field.kind is Kind.BOOLEAN else plain(field)


def codes(field: Field) -> dict[Any, str]:
    """The value labels of a column, with codes of the type that its values have.

    A code that no value of the column can be, as of a number that has become text, is left out.
    """
    return dict(_codes(field.kind, field.column)) or (TRUTH if field.kind is Kind.BOOLEAN else {})


def _codes(kind: Kind, column: ReleasedColumn) -> Iterator[tuple[str | float, str]]:
    for code, label in (column.value_labels or {}).items():
        if kind is Kind.TEXT:
            yield code, label
        elif kind.numeric:
            with suppress(ValueError):
                number = float(code)
                yield (int(number) if number == int(number) else number), label


def _narrow(table: pa.Table) -> pa.Table:
    """Whole numbers in 32 bits where they fit, else as doubles, which is what the files have."""
    import pyarrow as pa

    fields = [field.with_type(_type(table.column(i))) for i, field in enumerate(table.schema)]
    return table.cast(pa.schema(fields))


def _type(column: pa.ChunkedArray) -> pa.DataType:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_integer(column.type):
        return column.type
    least, most = pc.min_max(column).values()
    fits = not most.is_valid or (least.as_py() >= SHORT[0] and most.as_py() <= SHORT[1])
    return pa.int32() if fits else pa.float64()


def _frame(table: pa.Table) -> Any:
    import pyarrow as pa

    name, frames = _frames()
    if name == "polars":
        return frames.from_arrow(table)
    return table.to_pandas(types_mapper={pa.int32(): frames.Int32Dtype()}.get)


def _frames() -> tuple[str, Any]:
    with suppress(ImportError):
        import polars

        return "polars", polars
    try:
        import pandas
    except ImportError:
        raise OutputError(NO_FRAME) from None
    return "pandas", pandas


def _library() -> Any:
    try:
        import pyreadstat
    except ImportError:
        raise MissingExtra("Writing files of statistics packages", "statistics-files") from None
    return pyreadstat
