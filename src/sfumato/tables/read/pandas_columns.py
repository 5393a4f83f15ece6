"""Columns of pandas as Arrow, which engines read: what has no counterpart there becomes what says the same."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sfumato.errors import UnusableInput

if TYPE_CHECKING:
    import pyarrow as pa


def arrow_of_pandas(frame: Any) -> tuple[pa.Table, tuple[str, ...]]:
    """A pandas frame as an Arrow table, without its index, and what to say of columns that are read as something else.

    A frame whose columns have names of several levels is refused: `UnusableInput`.
    """
    import pyarrow as pa

    if getattr(frame, "ndim", 0) != 2:
        raise UnusableInput(f"This pandas {type(frame).__name__} is not a data frame.")
    if frame.columns.nlevels > 1:
        problem = f"The columns of the data frame have names of {frame.columns.nlevels} levels."
        raise UnusableInput(f"{problem} Give each column one name first.")
    names = [str(label) for label in frame.columns]
    columns = [frame.iloc[:, i] for i in range(len(names))]
    table = pa.table([arrow_column(column, name) for column, name in zip(columns, names, strict=True)], names=names)
    return table, tuple(_periods(dict(zip(names, columns, strict=True))))


def arrow_column(series: Any, name: str) -> pa.Array | pa.ChunkedArray:
    """The column as Arrow; a period by the moment at which it begins; what mixes types, or Arrow lacks, as text."""
    import pandas as pd
    import pyarrow as pa

    if isinstance(series.dtype, pd.PeriodDtype):
        return _beginnings(series, name)
    if isinstance(series.dtype, pd.SparseDtype):
        series = series.sparse.to_dense()
    try:
        array = pa.array(series, from_pandas=True)
        if pa.types.is_date(array.type) and series.dtype == object:
            array = pa.array(_midnights(series), from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return _text(series, name)
    return _text(series, name) if _unknown(array.type) else array


def _unknown(kind: pa.DataType) -> bool:
    """Whether engines do not know a type: that of an interval, say, also as a category."""
    import pyarrow as pa

    if not pa.types.is_dictionary(kind):
        return isinstance(kind, pa.BaseExtensionType)
    return isinstance(kind.value_type, pa.BaseExtensionType) or pa.types.is_nested(kind.value_type)


def _beginnings(series: Any, name: str) -> pa.Array:
    """Periods by the day on which each begins; those of hours and less, by the moment."""
    import pyarrow as pa

    try:
        moments = series.dt.to_timestamp(how="start")
        return pa.array(moments.dt.date, pa.date32(), from_pandas=True) if _days(series.dtype) else pa.array(moments)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return _text(series, name)


def _days(period: Any) -> bool:
    """Whether a kind of period is a day or longer."""
    import pandas as pd

    one = pd.Period(ordinal=0, freq=period.freq)
    return bool((one + 1).start_time - one.start_time >= pd.Timedelta(days=1))


def _periods(columns: dict[str, Any]) -> Iterator[str]:
    import pandas as pd

    for name, series in columns.items():
        if isinstance(series.dtype, pd.PeriodDtype):
            yield f"Column {name!r} holds periods; each is read as the moment at which it begins."


def _midnights(series: Any) -> Any:
    """Dates as midnights where times are among them: Arrow takes all for dates, and drops the time of day."""
    times = [isinstance(value, dt.datetime) for value in series[series.notna()]]
    if not any(times):
        return series
    return [dt.datetime.combine(value, dt.time()) if type(value) is dt.date else value for value in series]


def _text(series: Any, name: str) -> pa.Array:
    import pandas as pd
    import pyarrow as pa

    if isinstance(series.dtype, pd.CategoricalDtype):  # by category: among missing values, 3 would be written 3.0
        codes = series.cat.codes.to_numpy()
        return _text(pd.Series(series.cat.categories), name).take(pa.array(codes, mask=codes < 0))
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
