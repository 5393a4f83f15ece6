"""What Arrow and Parquet can say about a column beside its values: its label, its codes, its categories in order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sfumato.tables.engine import Kind
from sfumato.tables.write.release import Field, ReleasedColumn

if TYPE_CHECKING:
    import pyarrow as pa


def metadata_of(column: ReleasedColumn) -> dict[str, str]:
    """The label and the value labels of a column, as the metadata of a field.

    >>> metadata_of(ReleasedColumn("sex", "Sex", {"1": "female"}))
    {'label': 'Sex', 'value_labels': '{"1": "female"}'}
    """
    label = {"label": column.label} if column.label else {}
    codes = {"value_labels": json.dumps(dict(column.value_labels), ensure_ascii=False)} if column.value_labels else {}
    return label | codes


def categorical(field: Field) -> bool:
    """Whether a column is text whose values are known, in order."""
    return field.kind is Kind.TEXT and field.column.categories is not None


def annotated(fields: tuple[Field, ...], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The batches with labels in their schema, and columns with categories as ordered dictionaries."""
    import pyarrow as pa

    for batch in batches:
        arrays = [_array(field, column) for field, column in zip(fields, batch.columns, strict=True)]
        described = [
            pa.field(field.name, array.type, metadata=metadata_of(field.column) or None)
            for field, array in zip(fields, arrays, strict=True)
        ]
        yield pa.record_batch(arrays, schema=pa.schema(described))


def _array(field: Field, column: pa.Array) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not categorical(field):
        return column
    categories = pa.array(field.column.categories, pa.string())
    places = pc.index_in(column.cast(pa.string()), value_set=categories, skip_nulls=True)
    return pa.DictionaryArray.from_arrays(places, categories, ordered=True)
