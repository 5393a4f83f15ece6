"""Rows on their way out of an engine, as Arrow batches of a fixed size and in the order of the release."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.tables.write.release import ColumnSQL, ReleasedTable

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 122_880


def batches(release: ReleasedTable, reading: ColumnSQL, scratch: Path) -> Iterator[pa.RecordBatch]:
    """The rows, batch by batch; one batch without rows when there are none.

    DuckDB puts them into a file first, so that a table may be larger than memory. The file of a Spark cluster
    would lie on another machine: there the rows come here as one Arrow table.
    """
    if release.table.engine.name == "duckdb":
        yield from spooled(release, reading, scratch)
    else:
        whole = release.table.engine.arrow(release.select(reading)).combine_chunks()
        yield from _told(release, whole.schema, iter(whole.to_batches(max_chunksize=ROWS_AT_ONCE)))


def spooled(release: ReleasedTable, reading: ColumnSQL, scratch: Path) -> Iterator[pa.RecordBatch]:
    """The rows by way of a Parquet file that the engine writes, batch by batch."""
    import pyarrow.parquet as pq

    spool = scratch / "rows.parquet"
    release.table.engine.write(release.select(reading), spool)
    with pq.ParquetFile(spool) as file:
        yield from _told(release, file.schema_arrow, file.iter_batches(batch_size=ROWS_AT_ONCE))


def rows_of(batch: pa.RecordBatch) -> Iterator[tuple[object, ...]]:
    """The rows of a batch as Python values."""
    return zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _told(release: ReleasedTable, schema: pa.Schema, found: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    done = 0
    for batch in found:
        if batch.num_rows:
            yield batch
        done += batch.num_rows
        release.tell(f"Writing {release.name}", done, release.rows)
    if not done:
        yield pa.RecordBatch.from_pylist([], schema=schema)
