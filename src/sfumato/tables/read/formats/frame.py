"""Frames in memory: pandas, polars, pyarrow, and whatever else speaks the Arrow interface."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import UnusableInput
from sfumato.tables.engine import Engine
from sfumato.tables.read.arrow_data import load
from sfumato.tables.source import Extract, Format, ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "the frame"


@dataclass(frozen=True)
class Frame(Format):
    """A pandas, polars or pyarrow table in memory, read without a copy where the Arrow interface allows.

    A pandas index is left out, NaN reads as missing, and a pandas column that mixes types reads as text.
    """

    everywhere: ClassVar[bool] = True

    def claims(self, source: Any) -> bool:
        return _is_lazy(source) or hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        return load(_arrow(source.collect() if _is_lazy(source) else source), NAME, options, engine)


def _is_lazy(source: Any) -> bool:
    return _comes_from(source, "polars") and type(source).__name__ == "LazyFrame"


def _comes_from(source: Any, package: str) -> bool:
    return type(source).__module__.split(".")[0] == package


def _arrow(source: Any) -> pa.Table | pa.RecordBatchReader:
    import pyarrow as pa

    if isinstance(source, (pa.Table, pa.RecordBatchReader)):
        return source
    if _comes_from(source, "pandas"):
        return _from_pandas(source)
    try:
        if isinstance(source, pa.RecordBatch):
            return pa.Table.from_batches([source])
        return pa.table(source)
    except (pa.ArrowException, TypeError, ValueError):
        problem = "is not a table with named columns, or has a column of a type that Arrow does not know"
        raise UnusableInput(f"This {type(source).__name__} {problem}.") from None


def _from_pandas(frame: Any) -> pa.Table:
    import pyarrow as pa

    if getattr(frame, "ndim", 0) != 2:
        raise UnusableInput(f"This pandas {type(frame).__name__} is not a data frame.")
    if frame.columns.nlevels > 1:
        problem = f"The columns of the data frame have names of {frame.columns.nlevels} levels."
        raise UnusableInput(f"{problem} Give each column one name first.")
    names = [str(label) for label in frame.columns]
    return pa.table([_array(frame.iloc[:, i], name) for i, name in enumerate(names)], names=names)


def _array(series: Any, name: str) -> pa.Array | pa.ChunkedArray:
    """The column as Arrow, or as text when it mixes types or has a type that Arrow does not know."""
    import pyarrow as pa

    try:
        array = pa.array(series, from_pandas=True)
        if pa.types.is_date(array.type) and series.dtype == object:
            array = pa.array(_midnights(series), from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return _text(series, name)
    return _text(series, name) if isinstance(array.type, pa.ExtensionType) else array


def _midnights(series: Any) -> Any:
    """Dates as midnights where times are among them: Arrow takes all for dates, and drops the time of day."""
    times = [isinstance(value, dt.datetime) for value in series[series.notna()]]
    if not any(times):
        return series
    return [dt.datetime.combine(value, dt.time()) if type(value) is dt.date else value for value in series]


def _text(series: Any, name: str) -> pa.Array:
    import pyarrow as pa

    texts = [None if gone else str(value) for value, gone in zip(series, series.isna(), strict=True)]
    try:
        return pa.array(texts, type=pa.string())
    except UnicodeEncodeError:
        number = sum(text is not None and not _unicode(text) for text in texts)
        said = "1 value that is" if number == 1 else f"{number} values that are"
        raise UnusableInput(f"Column {name!r} has {said} no valid text. Decode it anew from its bytes.") from None


def _unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
