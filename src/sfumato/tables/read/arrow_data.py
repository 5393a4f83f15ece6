"""Arrow data from files and frames: one way into an engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sfumato.errors import UnusableInput
from sfumato.tables.engine import Engine, Table
from sfumato.tables.read.columns import distinct_names, typed
from sfumato.tables.source import Extract, ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

DAY = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}  # in the units of Arrow


def load(data: pa.Table | pa.RecordBatchReader, name: str, options: ReadOptions, engine: Engine) -> Extract:
    """Read Arrow data into the engine: a table without a copy where it can, a stream batch by batch."""
    import pyarrow as pa

    schema = data.schema
    if not schema.names:
        raise UnusableInput(f"{name}: there are no columns.")
    names, notes = distinct_names(schema.names)
    floating = {i for i, kind in enumerate(schema.types) if pa.types.is_floating(kind)}
    held = _held(_renamed(data), engine)
    table, columns = typed(engine, held, names, options, floating=floating)
    return Extract(name, table, columns, (*notes, *_said(names, schema.types)))


def plain_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column as engines know it; durations as whole days where all of them are, and else as parts of days."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_duration(column.type):
        return column.cast(_plain(column.type))
    days = DAY[column.type.unit]
    counts = column.cast(pa.int64())
    whole = pc.divide(counts, days)
    if pc.all(pc.equal(pc.multiply(whole, days), counts)).as_py() is not False:
        return whole
    return pc.divide(pc.cast(counts, pa.float64(), safe=False), float(days))


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type as engines know it: without any type it is text, as are the longest decimals; half a float is one."""
    import pyarrow as pa

    if pa.types.is_null(kind) or pa.types.is_decimal256(kind):
        return pa.string()
    if pa.types.is_duration(kind):
        return pa.float64()
    return pa.float32() if pa.types.is_float16(kind) else kind


def _said(names: Sequence[str], kinds: Sequence[pa.DataType]) -> Iterator[str]:
    """What to say of columns whose values are read as something else."""
    import pyarrow as pa

    for name, kind in zip(names, kinds, strict=True):
        if pa.types.is_duration(kind):
            yield f"Column {name!r} holds durations, which are read as numbers of days."
        if pa.types.is_timestamp(kind) and kind.tz not in (None, "UTC", "Etc/UTC", "+00:00"):
            yield f"Column {name!r} holds times of {kind.tz}, which are read in UTC: so is the day of each of them."


def _renamed(data: pa.Table | pa.RecordBatchReader) -> pa.Table | pa.RecordBatchReader:
    """The columns as engines know them, named by where they stand."""
    import pyarrow as pa

    names = [f"column_{i}" for i in range(len(data.schema.names))]
    if isinstance(data, pa.Table):
        return pa.table([plain_column(column) for column in data.columns], names=names)
    plain = pa.schema([pa.field(name, _plain(kind)) for name, kind in zip(names, data.schema.types, strict=True)])
    return pa.RecordBatchReader.from_batches(plain, (_batch(batch, plain) for batch in data))


def _batch(batch: pa.RecordBatch, plain: pa.Schema) -> pa.RecordBatch:
    import pyarrow as pa

    columns: list[Any] = [
        _parts_of_days(column) if pa.types.is_duration(column.type) else column.cast(kind)
        for column, kind in zip(batch.columns, plain.types, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=plain)


def _parts_of_days(column: pa.Array) -> pa.Array:
    """Durations of a stream, of which nobody knows yet whether all are whole days."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.divide(pc.cast(column.cast(pa.int64()), pa.float64(), safe=False), float(DAY[column.type.unit]))


def _held(data: pa.Table | pa.RecordBatchReader, engine: Engine) -> Table:
    import pyarrow as pa

    # A stream can be read only once, so only a table can be lent.
    return engine.borrow(data) if isinstance(data, pa.Table) else engine.load(data)
