"""Arrow data from files and frames: one way into an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import UnusableInput
from sfumato.tables.engine import Engine, Table
from sfumato.tables.read.columns import distinct_names, typed
from sfumato.tables.source import Extract, ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa


def load(data: pa.Table | pa.RecordBatchReader, name: str, options: ReadOptions, engine: Engine) -> Extract:
    """Read Arrow data into the engine: a table without a copy where it can, a stream batch by batch."""
    import pyarrow as pa

    schema = data.schema
    if not schema.names:
        raise UnusableInput(f"{name}: there are no columns.")
    names, notes = distinct_names(schema.names)
    plain = pa.schema([pa.field(f"column_{i}", _plain(kind)) for i, kind in enumerate(schema.types)])
    floating = {i for i, kind in enumerate(schema.types) if pa.types.is_floating(kind)}
    held = _held(_renamed(data, plain), engine)
    table, columns = typed(engine, held, names, options, floating=floating)
    return Extract(name, table, columns, notes)


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type as engines know it: without any type it is text, as are the longest decimals; half a float is one."""
    import pyarrow as pa

    if pa.types.is_null(kind) or pa.types.is_decimal256(kind):
        return pa.string()
    return pa.float32() if pa.types.is_float16(kind) else kind


def _renamed(data: pa.Table | pa.RecordBatchReader, plain: pa.Schema) -> pa.Table | pa.RecordBatchReader:
    import pyarrow as pa

    if isinstance(data, pa.Table):
        return data.rename_columns(plain.names).cast(plain)
    batches = (batch.rename_columns(plain.names).cast(plain) for batch in data)
    return pa.RecordBatchReader.from_batches(plain, batches)


def _held(data: pa.Table | pa.RecordBatchReader, engine: Engine) -> Table:
    import pyarrow as pa

    # A stream can be read only once, so only a table can be lent.
    return engine.borrow(data) if isinstance(data, pa.Table) else engine.load(data)
