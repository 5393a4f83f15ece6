"""A release as a pandas frame: with the index of the frame that was read, its names of columns, and its types."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from sfumato.tables.read.pandas_columns import arrow_column
from sfumato.tables.source_frame import SourceFrame, places_among

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

MARK, KEPT = "sfumato", "the index is that of the frame that was read"  # among the attributes of a frame


def pandas_frame(source: SourceFrame, released: pa.Table, rows: NDArray[np.int64], unchanged: Collection[str]) -> Any:
    """The released columns, under the names that the frame gave them, with the labels of the rows that they are of."""
    import pandas as pd

    labels, columns = [], []
    for name in released.column_names:
        values, place = released.column(name), source.places.get(name)
        known = None if place is None else source.frame.iloc[:, place]
        columns.append(_column(values, known, unchanged=name in unchanged))
        labels.append(name if place is None else source.frame.columns[place])
    index = labels_at(source.frame.index, rows)
    held = {i: pd.Series(column, dtype=column.dtype, index=index) for i, column in enumerate(columns)}
    frame = pd.DataFrame(held, index=index)
    frame.columns = _names(labels, source.frame.columns)
    frame.attrs[MARK] = KEPT
    return frame


def labels_at(index: Any, rows: NDArray[np.int64]) -> Any:
    """The labels of some rows. They are listed even where they count on: 0, 1, 2 says only where a row stands, and is
    what every frame that is read from a file has; a list says which row it was (`utility/paired/index_pairs`).
    """
    import pandas as pd

    if isinstance(index, pd.RangeIndex):
        return pd.Index(index.to_numpy()[rows], name=index.name)
    return index.take(rows)


def _names(labels: list[Any], columns: Any) -> Any:
    """The names of columns as an index of the type that the frame has, where they all have a place in it."""
    import pandas as pd

    return pd.Index(labels, name=columns.name, tupleize_cols=False)


def _column(values: pa.ChunkedArray, known: Any, *, unchanged: bool) -> Any:
    """A column as the frame had it, where its values are those that were read; else as what they became."""
    if known is None:
        return values.to_pandas().array
    same = _as_it_was(values, known) if unchanged else None
    return _as_it_became(values, known.dtype) if same is None else same


def _as_it_was(values: pa.ChunkedArray, known: Any) -> Any:
    """Values that did not change, in the type of the column that they are of; None where they are not among its own."""
    import pandas as pd

    if isinstance(known.dtype, pd.CategoricalDtype):
        return _categories(values, known)
    if _of_numpy(known.dtype):
        return _numbers(values, known.dtype)
    try:
        different = known.drop_duplicates()
    except TypeError:  # lists cannot be compared
        return _listed(values) if known.dtype == object else None
    where = places_among(arrow_column(different, ""), values)
    if where is None:
        return None
    return _objects(different, _codes(where)) if known.dtype == object else _taken(different, _codes(where))


def _taken(different: Any, codes: NDArray[np.int64]) -> Any:
    return different.array.take(codes, allow_fill=True)


def _objects(different: Any, codes: NDArray[np.int64]) -> Any:
    """Objects at some places; where there is none, what the column has for a missing value."""
    import numpy as np

    missing = different[different.isna()]
    fill = missing.iloc[0] if len(missing) else None
    known = np.append(different.to_numpy(dtype=object), np.array([None], dtype=object))
    taken = known[codes]
    taken[codes < 0] = fill
    return taken


def _of_numpy(dtype: Any) -> bool:
    """Whether values are plain numbers, truth values or moments."""
    import numpy as np

    return isinstance(dtype, np.dtype) and dtype.kind in "iufbM"


def _codes(where: pa.ChunkedArray) -> NDArray[np.int64]:
    """Places in an array; -1 where there is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    codes: NDArray[np.int64] = pc.fill_null(where.cast(pa.int64()), -1).to_numpy()
    return codes


def _listed(values: pa.ChunkedArray) -> Any:
    """The values themselves, in an array of objects."""
    import numpy as np

    objects = np.empty(len(values), dtype=object)
    objects[:] = values.to_pylist()
    return objects


def _categories(values: pa.ChunkedArray, known: Any) -> Any:
    """A categorical column without the categories that only left out records had: they would tell what these were."""
    import pandas as pd

    categories = known.cat.categories
    where = places_among(arrow_column(pd.Series(categories), ""), values)
    if where is None:
        return None
    codes = _codes(where)
    gone = set(known.cat.codes.unique()) - set(codes) - {-1}
    column = pd.Categorical.from_codes(codes, dtype=known.dtype)
    return column.remove_categories([categories[code] for code in gone]) if gone else column


def _numbers(values: pa.ChunkedArray, dtype: Any) -> Any:
    """Plain numbers; where some lack, and the type has nothing to say so, in the nullable type of the same width."""
    import pandas as pd

    if not values.null_count or dtype.kind in "fM":
        return values.to_pandas().astype(dtype).array
    nullable = "boolean" if dtype.kind == "b" else dtype.name.replace("int", "Int").replace("uI", "UI")
    return pd.array(values.to_pandas(types_mapper=_nullable().get), dtype=nullable)


def _nullable() -> dict[Any, Any]:
    """The types of pandas that know what is missing, by those of Arrow."""
    import pandas as pd
    import pyarrow as pa

    whole = {getattr(pa, name)(): pd.api.types.pandas_dtype(name.replace("int", "Int").replace("uI", "UI"))
             for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")}  # fmt: skip
    return {**whole, pa.float32(): pd.Float32Dtype(), pa.float64(): pd.Float64Dtype(), pa.bool_(): pd.BooleanDtype()}


def _as_it_became(values: pa.ChunkedArray, dtype: Any) -> Any:
    """Values that changed, in the type nearest to the one that the column had: docs/python.md has the table."""
    import pandas as pd
    import pyarrow as pa

    if isinstance(dtype, pd.ArrowDtype):
        return values.to_pandas(types_mapper=pd.ArrowDtype).array
    if isinstance(dtype, pd.CategoricalDtype):
        return pd.Categorical(values.to_pandas())
    text = pa.types.is_string(values.type) or pa.types.is_large_string(values.type)
    if text and isinstance(dtype, pd.StringDtype):
        return pd.array(values.to_pandas(), dtype=dtype)
    if _of_numpy(dtype) and not text:
        return _like_before(values, dtype)
    return values.to_pandas(types_mapper=_nullable().get if isinstance(dtype, _masked()) else None).array


def _masked() -> tuple[Any, ...]:
    import pandas as pd

    return tuple({type(dtype) for dtype in _nullable().values()} | {pd.BooleanDtype})


def _like_before(values: pa.ChunkedArray, dtype: Any) -> Any:
    """Numbers or moments that became others, in the type that they had where they fit."""
    plain = values.to_pandas()
    try:
        same = _numbers(values, dtype)
    except (TypeError, ValueError, OverflowError):
        return plain.array
    return same if (same == plain.array)[~plain.isna().to_numpy()].all() else plain.array
