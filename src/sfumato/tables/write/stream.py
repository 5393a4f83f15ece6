"""Rows on their way out of an engine: how each column is read, and Arrow batches in the order of the release.

In what is read, not a number is no value, and there is one zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.tables.engine import Kind, one_value, quoted
from sfumato.tables.write.release import ColumnSQL, Field, ReleasedTable

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 122_880  # the rows of a group in a Parquet file of DuckDB, so that a batch is one group


def native(field: Field) -> str:
    """In its own type, for formats that have every type of Arrow. Categories and long numbers are made plain."""
    from pyarrow import types

    x = quoted(field.name)
    if types.is_floating(field.type):
        return one_value(x, Kind.REAL)
    if field.kind is Kind.INTEGER and not types.is_integer(field.type):
        return f"CAST({x} AS BIGINT)"
    odd = types.is_interval(field.type) or field.kind is Kind.TEXT
    return f"CAST({x} AS VARCHAR)" if odd else x


def plain(field: Field) -> str:
    """As text, a whole number of 64 bits, a double, a date, a moment without a zone, or a truth value."""
    from pyarrow import types

    x = quoted(field.name)
    if field.kind is Kind.TIMESTAMP:
        return f"CAST({x}{_in_utc(field)} AS TIMESTAMP)"
    if field.kind is Kind.REAL:
        real = x if types.is_floating(field.type) else f"CAST({x} AS DOUBLE)"
        return f"CAST({one_value(real, Kind.REAL)} AS DOUBLE)"
    if field.kind is Kind.INTEGER:
        return f"CAST({x} AS BIGINT)"
    return x if field.kind in (Kind.DATE, Kind.BOOLEAN) else f"CAST({x} AS VARCHAR)"


def text(field: Field) -> str:
    """As text that reads back as the same value: no exponent for small numbers, moments in universal time."""
    from pyarrow import types

    return _digits(printed(field)) if types.is_floating(field.type) else printed(field)


def printed(field: Field) -> str:
    """As the text that every engine prints, moments in universal time."""
    from pyarrow import types

    x = quoted(field.name)
    if types.is_floating(field.type):
        x = one_value(x, Kind.REAL)
    elif field.kind is Kind.TIMESTAMP:
        x = f"CAST({x}{_in_utc(field)} AS TIMESTAMP)"
    return f"CAST({x} AS VARCHAR)"


def batches(release: ReleasedTable, reading: ColumnSQL, scratch: Path) -> Iterator[pa.RecordBatch]:
    """The rows, batch by batch; one batch without rows when there are none.

    DuckDB puts them into a file first, so that a table may be larger than memory. The file of a Spark cluster
    would lie on another machine: there the rows come here as one Arrow table.
    """
    if release.table.engine.name == "duckdb":
        yield from spooled(release, reading, scratch)
    else:
        whole = release.table.engine.arrow(release.select(reading)).combine_chunks()
        yield from _with_progress(release, whole.schema, iter(whole.to_batches(max_chunksize=ROWS_AT_ONCE)))


def spooled(release: ReleasedTable, reading: ColumnSQL, scratch: Path) -> Iterator[pa.RecordBatch]:
    """The rows by way of a Parquet file that the engine writes, batch by batch."""
    import pyarrow.parquet as pq

    spool = scratch / "rows.parquet"
    release.table.engine.write(release.select(reading), spool)
    with pq.ParquetFile(spool) as file:
        # pyarrow 18 stops at a file without groups of rows, which is what DuckDB writes where there are no rows.
        rows = file.iter_batches(batch_size=ROWS_AT_ONCE) if file.num_row_groups else iter(())
        yield from _with_progress(release, file.schema_arrow, rows)


def rows_of(batch: pa.RecordBatch) -> Iterator[tuple[object, ...]]:
    """The rows of a batch as Python values."""
    return zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _with_progress(
    release: ReleasedTable, schema: pa.Schema, stream: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    rows = 0
    for batch in stream:
        if batch.num_rows:
            yield batch
        rows += batch.num_rows
        release.tell(f"Writing {release.name}", rows, release.rows)
    if not rows:
        yield pa.RecordBatch.from_pylist([], schema=schema)


def _in_utc(field: Field) -> str:
    return " AT TIME ZONE 'UTC'" if getattr(field.type, "tz", None) else ""


def _digits(printed: str) -> str:
    """SQL: 0.00001 and not 1e-05, which a reader may take for a code."""
    sign = f"CASE WHEN {printed} LIKE '-%' THEN '-' ELSE '' END"
    zeros = f"repeat('0', TRY_CAST(split_part({printed}, 'e-', 2) AS INTEGER) - 1)"
    digits = f"replace(replace(split_part({printed}, 'e-', 1), '-', ''), '.', '')"
    return f"CASE WHEN {printed} LIKE '%e-%' THEN {sign} || '0.' || {zeros} || {digits} ELSE {printed} END"
