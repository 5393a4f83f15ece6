"""Frames in memory: pandas, polars, pyarrow, and whatever else speaks the Arrow interface."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import UnusableInput
from sfumato.tables.engine import Engine
from sfumato.tables.read.arrow_data import load
from sfumato.tables.read.pandas_columns import arrow_of_pandas
from sfumato.tables.source import Extract, Format, ReadOptions
from sfumato.tables.source_frame import SourceFrame, library

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "the frame"


@dataclass(frozen=True)
class Frame(Format):
    """A pandas, polars or pyarrow table in memory, read without a copy where the Arrow interface allows.

    A pandas index is left out, NaN reads as missing, and a pandas column that mixes types reads as text. The extract
    remembers the frame, so that what is released of it can be given back with its index and its types.
    """

    everywhere: ClassVar[bool] = True

    def claims(self, source: Any) -> bool:
        arrow = hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")
        return arrow or _is_lazy(source) or _is_pandas_series(source)

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        source = source.collect() if _is_lazy(source) else source
        table, notes = _arrow(source)
        extract = load(table, NAME, options, engine)
        remembered = SourceFrame.of(source, [column.name for column in extract.columns])
        return replace(extract, notes=(*extract.notes, *notes), frame=remembered)


def _is_lazy(source: Any) -> bool:
    return library(source) == "polars" and type(source).__name__ == "LazyFrame"


def _is_pandas_series(source: Any) -> bool:
    """One column, which is refused as such: it speaks the Arrow interface from pandas 3 on."""
    return library(source) == "pandas" and type(source).__name__ == "Series"


def _arrow(source: Any) -> tuple[pa.Table | pa.RecordBatchReader, tuple[str, ...]]:
    import pyarrow as pa

    if isinstance(source, (pa.Table, pa.RecordBatchReader)):
        return source, ()
    if library(source) == "pandas":
        return arrow_of_pandas(source)
    try:
        if isinstance(source, pa.RecordBatch):
            return pa.Table.from_batches([source]), ()
        return pa.table(source), ()
    except (pa.ArrowException, TypeError, ValueError):
        problem = "is not a table with named columns, or has a column of a type that Arrow does not know"
        raise UnusableInput(f"This {type(source).__name__} {problem}.") from None
