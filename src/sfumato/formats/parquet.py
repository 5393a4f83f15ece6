"""Parquet: a file, or a folder of files that make up one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.engine import Engine, Kind
from sfumato.errors import TruncatedFile, UnreadableFile
from sfumato.reading.columns import distinct_names, typed
from sfumato.source import Extract, Format, ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.parquet import FileMetaData


@dataclass(frozen=True)
class Parquet(Format):
    """A Parquet file or a folder of them. Rows stay in the files; NaN reads as missing.

    Missing values are counted from the statistics in the files' footers, without a scan, so that they
    do not include NaN; where a footer lacks them the column is scanned.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".pq")
    everywhere: ClassVar[bool] = True

    def claims(self, source: Any) -> bool:
        return super().claims(source) or (
            isinstance(source, str) and Path(source).is_dir() and any(Path(source).rglob("*.parquet"))
        )

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        if "://" in source:  # on a cluster's own file system: only its engine can look inside
            table = engine.read_parquet(source)
            floating = {i for i, kind in enumerate(table.kinds.values()) if kind is Kind.REAL}
            return Extract(source, *typed(engine, table, table.columns, options, floating=floating))
        path = Path(source)
        footers = [_footer(file) for file in _files(path)]
        schema = footers[0].schema.to_arrow_schema()
        table = engine.read_parquet(path)
        # Folders such as year=2020 add columns after those of the files.
        names, notes = distinct_names([*schema.names, *table.columns[len(schema.names) :]])
        missing = _missing(footers, schema, names)
        table, columns = typed(engine, table, names, options, floating=_floating(schema), missing=missing)
        return Extract(path.name, table, columns, notes)


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise UnreadableFile(path, "there is no such file.")
    files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    if not files:
        raise UnreadableFile(path, "this folder holds no Parquet files.")
    return files


def _footer(path: Path) -> FileMetaData:
    from pyarrow import ArrowException
    from pyarrow.parquet import read_metadata

    try:
        return read_metadata(path)
    except (ArrowException, OSError):
        raise TruncatedFile(path, "Parquet") from None


def _floating(schema: pa.Schema) -> set[int]:
    from pyarrow import types

    return {i for i, kind in enumerate(schema.types) if types.is_floating(kind)}


def _missing(footers: Sequence[FileMetaData], schema: pa.Schema, names: Sequence[str]) -> dict[str, int] | None:
    """Missing values by column, or None when the footers do not say."""
    if any(footer.num_columns != len(schema.names) for footer in footers):
        return None  # a nested column has several places in the footer
    totals: Counter[str] = Counter()
    for footer in footers:
        for group in map(footer.row_group, range(footer.num_row_groups)):
            for i in range(footer.num_columns):
                statistics = group.column(i).statistics
                if statistics is None or not statistics.has_null_count:
                    return None
                totals[names[i]] += statistics.null_count
    return dict(totals)
