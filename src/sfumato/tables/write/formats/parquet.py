"""Parquet, written by the engine; with labels and ordered categories where anything is said about the columns."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import ClassVar

from sfumato.tables.write.annotation import annotated, categorical, metadata_of
from sfumato.tables.write.limits import long_integers, outside_categories
from sfumato.tables.write.release import ReleasedTable
from sfumato.tables.write.stream import native, spooled
from sfumato.tables.write.writer import Writer


@dataclass(frozen=True)
class Parquet(Writer):
    """Every type as it is. Labels are the metadata of Arrow fields, categories ordered dictionaries of Arrow."""

    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".pq")

    def check(self, release: ReleasedTable) -> None:
        release.require([*long_integers(release.fields), *outside_categories(release.fields)])

    def write(self, release: ReleasedTable, path: Path, scratch: Path) -> int:
        if any(metadata_of(field.column) or categorical(field) for field in release.fields):
            return _with_annotations(release, path, scratch)
        plain = scratch / "rows.parquet"  # engines know the format by exactly this ending
        rows = release.table.engine.write(release.select(native), plain)
        os.replace(plain, path)
        return rows


def _with_annotations(release: ReleasedTable, path: Path, scratch: Path) -> int:
    import pyarrow.parquet as pq

    rows, described = 0, annotated(release.fields, spooled(release, native, scratch))
    first = next(described)
    with pq.ParquetWriter(path, first.schema) as writer:
        for batch in chain([first], described):
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows
