"""The frame that was read, remembered: what is released of it is given back as a frame of its kind.

It is for whoever has the data: a pandas frame gets its index back, and each column its type. Nothing else comes from
the frame that was read. A value is given back as the frame had it only where the release has the very value that was
read, and two values that were read as one come back as one: the frame tells rows apart no better than the release.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.tables.read.arrow_data import plain_column

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


def library(source: Any) -> str:
    """The package that a frame is of.

    >>> import pyarrow as pa
    >>> library(pa.table({"a": [1]}))
    'pyarrow'
    """
    return type(source).__module__.partition(".")[0]


@dataclass(frozen=True, eq=False)
class SourceFrame:
    """A frame as it was when it was read, and the names by which its columns were read."""

    kind: str  # pandas, polars, or pyarrow for everything else that speaks the Arrow interface
    frame: Any  # None: a stream, which nobody can look at again
    places: Mapping[str, int]  # by the name of a column, where it stands

    @classmethod
    def of(cls, source: Any, names: Sequence[str]) -> SourceFrame:
        """Remember a frame. That of pandas is a copy by which later changes of the frame are not seen."""
        import pyarrow as pa

        places = {name: i for i, name in enumerate(names)}
        if library(source) == "pandas":
            return cls("pandas", source.copy(deep=False), places)
        if library(source) == "polars":
            return cls("polars", source, places)
        return cls("pyarrow", source if isinstance(source, pa.Table) else None, places)

    def given_back(self, released: pa.Table, rows: NDArray[np.int64], unchanged: Collection[str]) -> Any:
        """What is released, as a frame of this kind: the rows that stood at these places, with their index.

        `unchanged` are the columns whose values are those that were read.
        """
        kept = {name for name in unchanged if name in self.places and self.frame is not None}
        if self.kind == "pandas":
            from sfumato.tables.pandas_frame import pandas_frame

            return pandas_frame(self, released, rows, kept)
        if self.kind == "polars":
            import polars

            columns = {name: self._of_polars(name, released.column(name), kept) for name in released.column_names}
            return polars.DataFrame(columns)
        import pyarrow as pa

        return pa.table({name: self._of_arrow(name, released.column(name), kept) for name in released.column_names})

    def _of_polars(self, name: str, values: pa.ChunkedArray, unchanged: Collection[str]) -> Any:
        import polars

        plain = polars.from_arrow(values)
        if name not in unchanged or (series := self.frame.to_series(self.places[name])).dtype == plain.dtype:
            return plain
        known = series.unique()
        where = places_among(known.to_arrow(), values)
        return plain if where is None else known.gather(polars.from_arrow(where))

    def _of_arrow(self, name: str, values: pa.ChunkedArray, unchanged: Collection[str]) -> Any:
        import pyarrow as pa

        if name not in unchanged or (column := self.frame.column(self.places[name])).type == values.type:
            return values
        listed = pa.types.is_dictionary(column.type)
        known = (column.cast(column.type.value_type) if listed else column).unique()
        where = places_among(known, values)
        if where is None:
            return values
        taken = known.take(where)
        return taken.dictionary_encode().cast(column.type) if listed else taken


def places_among(known: pa.Array, values: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Where among the values of a frame each value that was read of them stands; None where one is not among them.

    Of several that are read alike it is the first: whoever could not be told apart cannot be now.

    >>> import pyarrow as pa
    >>> places_among(pa.array([7, 5]), pa.chunked_array([[5, None, 7]])).to_pylist()
    [1, None, 0]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        read = plain_column(pa.chunked_array([known]))
        # Engines keep times with a zone to the microsecond.
        options = pc.CastOptions(values.type, allow_time_truncate=True)
        among = read.cast(options=options).combine_chunks()
        where = pc.index_in(values, value_set=among)
    except pa.ArrowException:
        return None
    where = pc.if_else(pc.is_null(values), pa.scalar(None, where.type), where)
    return where if where.null_count == values.null_count else None
