"""Frames on their way into Spark: a stream of Arrow batches whose types Spark knows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import types

ROWS_PER_GROUP = 100_000  # small enough to be read in parallel

# Spark has no unsigned whole numbers, and no half-precision ones.
WIDER = {
    pa.uint8(): pa.int16(), pa.uint16(): pa.int32(), pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0), pa.float16(): pa.float32(), pa.null(): pa.string(),
    pa.large_string(): pa.string(), pa.string_view(): pa.string(), pa.large_binary(): pa.binary(),
}  # fmt: skip


def batches(data: Any) -> pa.RecordBatchReader:
    """Any frame that speaks the Arrow interface, in types that Spark knows."""
    reader = data if isinstance(data, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(data)
    schema = pa.schema([field.with_type(known(field.type)).remove_metadata() for field in reader.schema])
    return pa.RecordBatchReader.from_batches(schema, _cast(reader, schema))


def spool(reader: pa.RecordBatchReader, file: Path) -> None:
    """Write a stream to a Parquet file, batch by batch."""
    with pq.ParquetWriter(file, reader.schema, compression="zstd", store_schema=False) as writer:
        for batch in reader:
            writer.write_batch(batch, row_group_size=ROWS_PER_GROUP)


def known(kind: pa.DataType) -> pa.DataType:
    """The type of Spark that holds every value of an Arrow type."""
    if types.is_dictionary(kind):
        return known(kind.value_type)
    if types.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    if types.is_date64(kind):
        return pa.date32()
    if types.is_time(kind) or types.is_duration(kind):
        return pa.string()
    return WIDER.get(kind, kind)


def _cast(reader: pa.RecordBatchReader, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    for batch in reader:
        table = pa.Table.from_batches([batch])
        columns = [_column(table.column(i), field.type) for i, field in enumerate(schema)]
        yield from pa.Table.from_arrays(columns, schema=schema).to_batches()


def _column(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    # Spark's clock ticks in microseconds: what a nanosecond clock has beyond is cut off.
    return column.cast(kind, safe=not types.is_timestamp(kind))
