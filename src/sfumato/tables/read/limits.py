"""Limits of reading: how large a source may be in each respect before it is refused instead of read.

They are generous: a file of people's data stays far below. What is beyond one is damaged, is no table, or was made to
take a machine down; and where it is meant, the error says what to type. A project file cannot raise them: it may come
from somebody whom nobody trusts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from sfumato.errors import BeyondLimit, PolicyError, did_you_mean

if TYPE_CHECKING:
    import pyarrow as pa

VARIABLE = "SFUMATO_LIMITS"
MIB, GIB = 1024**2, 1024**3
MANY = 64_000_000  # cells up to which it does not matter how few bytes hold them: they take seconds
SMALL = 256 * MIB  # unpacked bytes up to which no ratio matters: they take seconds, whatever they are


@dataclass(frozen=True)
class Limits:
    """The largest that is read, each by the name that `--limit` takes."""

    columns: int = 20_000  # a workbook has 16,384 at the most; each takes about ten milliseconds of reading
    name_length: int = 1_000  # letters of a column's name: a question with all its answers has some hundred
    cell_length: int = 4_000_000  # letters of a cell: a letter of many pages, or a picture written as text
    line_bytes: int = 16 * MIB  # of a text file; what reads it needs several times as much memory for each thread
    unpacked_bytes: int = 256 * GIB  # of what a compressed file holds, which needs about as much of a disk
    unpacked_ratio: int = 200  # unpacked to packed bytes: tables reach 5 to 50; asked from 256 MB on
    cells_per_byte: int = 50  # of Parquet and Arrow, where equal records take nothing; five values at random reach 3
    sheet_cells: int = 200_000_000  # rows times columns that a sheet spans: held in memory, empty ones too, at 24 bytes
    parts: int = 10_000  # files of a folder that is one table, or of an archive such as a workbook
    json_depth: int = 64  # brackets within brackets: Dataset-JSON has five
    json_bytes: int = 2 * GIB  # of a JSON file that is one document and is held in memory; ndjson is not
    reader_bytes: int = 8 * GIB  # memory of a process that reads a workbook, a statistics file or an R file
    compared_columns: int = 1_000  # of two tables by `compare`: a minute; the pairs of columns grow with their square
    query_seconds: int = 600  # in which a database gives the rows of a query or of a view: tables are not timed

    @classmethod
    def usual(cls) -> Limits:
        """The limits where no option says otherwise: those above, changed by the environment variable."""
        entries = [entry for entry in os.environ.get(VARIABLE, "").split(",") if entry.strip()]
        pairs = [entry.partition("=") for entry in entries]
        return cls().changed({name.strip(): number for name, _, number in pairs}, VARIABLE)

    def changed(self, numbers: Mapping[str, str], where: str) -> Limits:
        """Other numbers for some limits, as they were typed; `where` says in which option or variable."""
        names = [limit.name for limit in fields(self)]
        for name, number in numbers.items():
            if name not in names:
                raise PolicyError(f"{where}: there is no limit of that name.{did_you_mean(name, names)}")
            if not number.strip().isdecimal() or int(number) == 0:
                raise PolicyError(f"{where}: {name} needs a whole number above zero: {name}={getattr(self, name)}.")
        return replace(self, **{name: int(number) for name, number in numbers.items()})

    def require(self, source: object, name: str, number: int, what: str) -> None:
        """Refuse a source that is beyond a limit; `what` says how: "it has 30,000 columns"."""
        if number > getattr(self, name):
            raise self.exceeded(source, name, what, number)

    def exceeded(self, source: object, name: str, what: str, number: int | None = None) -> BeyondLimit:
        """The error for a source that is beyond a limit, with what raises it."""
        limit = int(getattr(self, name))
        needed = 2 * limit
        while number and needed < number:
            needed *= 2
        return BeyondLimit(source, what, name, limit, needed)

    def require_names(self, source: object, names: Sequence[str]) -> None:
        """Refuse too many columns, and names that are none."""
        self.require(source, "columns", len(names), f"it has {len(names):,} columns")
        for place, name in enumerate(names, 1):
            self.require(source, "name_length", len(name), f"the name of column {place:,} has {len(name):,} letters")

    def require_unpacked(self, source: object, unpacked: int, packed: int) -> None:
        """Refuse a compressed file that holds more than its like do, before all of it is unpacked."""
        self.require(source, "unpacked_bytes", unpacked, "it holds more bytes than that when it is unpacked")
        if unpacked > SMALL:
            ratio = -(-unpacked // max(1, packed))
            self.require(source, "unpacked_ratio", ratio, f"it holds {ratio:,} times its own size or more")

    def require_cells(self, source: object, cells: int, size: int) -> None:
        """Refuse a file of so many bytes that says that it holds far more cells than its like do."""
        if cells > MANY:
            each = -(-cells // max(1, size))
            self.require(source, "cells_per_byte", each, f"it says that each of its bytes holds {each:,} cells")

    def checked(self, source: object, batches: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
        """The batches as they come, up to the first that holds a cell which is too long."""
        import pyarrow as pa
        import pyarrow.compute as pc

        for batch in batches:
            for column in batch.columns:
                if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
                    longest = pc.max(pc.binary_length(column)).as_py() or 0
                    self.require(source, "cell_length", longest, f"a cell has {longest:,} bytes")
            yield batch
