"""Parquet: a file, or a folder of files that make up one table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import EngineError, TruncatedFile, UnreadableFile
from sfumato.tables.engine import Engine, Kind, Table
from sfumato.tables.glance import Glance, RowPage
from sfumato.tables.read.columns import distinct_names, typed
from sfumato.tables.read.folder_parts import missing_parts
from sfumato.tables.read.limits import Limits
from sfumato.tables.source import Extract, Format, ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.parquet import ColumnChunkMetaData, ColumnSchema, FileMetaData

# Every query reads a footer anew: with 4,000 columns in 50 milliseconds, and what is asked of so many takes hundreds of
# queries. So what has more columns is held in memory, where it has no more cells than fit into some hundred megabytes.
WIDE, HELD = 200, 10_000_000


@dataclass(frozen=True)
class Parquet(Format):
    """A Parquet file or a folder of them. Rows stay in the files but for small tables of many columns; NaN is missing.

    Missing values are counted from the statistics in the files' footers, without a scan. Columns that may
    hold NaN are scanned, and all of them where a footer lacks the statistics.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".pq")
    everywhere: ClassVar[bool] = True

    def claims(self, source: Any) -> bool:
        return super().claims(source) or (
            isinstance(source, str) and Path(source).is_dir() and any(Path(source).rglob("*.parquet"))
        )

    def glance(self, source: Any, options: ReadOptions) -> Glance | None:
        return None if "://" in source else _FooterGlance(source, options)

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        if "://" in source:  # on a cluster's own file system: only its engine can look inside
            table = engine.read_parquet(source)
            floating = {i for i, kind in enumerate(table.kinds.values()) if kind is Kind.REAL}
            return Extract(source, *typed(engine, table, table.columns, options, floating=floating))
        path = Path(source)
        files = _files(path, options.bounds)
        footers = [_footer(file) for file in files]
        _check_alike(files, footers)
        schema = _schema(files[0], footers[0])
        options.bounds.require_names(path, schema.names)
        cells = len(schema.names) * sum(footer.num_rows for footer in footers)
        options.bounds.require_cells(path, cells, sum(file.stat().st_size for file in files))
        try:
            table = engine.read_parquet(path)
            # Folders such as year=2020 add columns after those of the files.
            names, notes = distinct_names([*schema.names, *table.columns[len(schema.names) :]])
            missing = _missing(footers, schema, names)
            table, columns = typed(engine, table, names, options, floating=_floating(schema), missing=missing)
            _require_rows(path, table, footers)
            if _worth_holding(engine, len(columns), footers):
                table = engine.query(f"SELECT * FROM {table}")
        except EngineError as error:
            if error.kind == "OutOfMemoryException":
                raise
            raise TruncatedFile(path, "Parquet") from None
        return Extract(path.name, table, columns, (*notes, *missing_parts(files)))


@dataclass(frozen=True)
class _FooterGlance(Glance):
    """The footer of a Parquet file: rows stay in the file, so that all of them are as near as the first."""

    source: str
    options: ReadOptions

    def columns(self) -> Mapping[str, tuple[str, ...]]:
        file = _files(Path(self.source), self.options.bounds)[0]
        return {"": tuple(_schema(file, _footer(file)).names)}

    def beginning(self, table: str, records: int, options: ReadOptions, engine: Engine) -> Extract | None:
        return None

    def rows(self, after: int, limit: int, engine: Engine) -> RowPage | None:
        files = _files(Path(self.source), self.options.bounds)
        table = engine.read_parquet(Path(self.source))
        rows = engine.fetch(f"SELECT * FROM {table} LIMIT {limit} OFFSET {after}")
        return RowPage(table.columns, tuple(rows), sum(_footer(file).num_rows for file in files))


def _worth_holding(engine: Engine, columns: int, footers: Sequence[FileMetaData]) -> bool:
    """Whether the rows are better held by DuckDB: of few, a query takes less time than reading all columns' names."""
    return engine.name == "duckdb" and columns > WIDE and columns * sum(f.num_rows for f in footers) <= HELD


def _files(path: Path, limits: Limits) -> list[Path]:
    if not path.exists():
        raise UnreadableFile(path, "there is no such file.")
    files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    if not files:
        raise UnreadableFile(path, "this folder holds no Parquet files.")
    limits.require(path, "parts", len(files), f"it is a folder of {len(files):,} Parquet files")
    return files


def _footer(path: Path) -> FileMetaData:
    from pyarrow import ArrowException
    from pyarrow.parquet import read_metadata

    try:
        footer = read_metadata(path)
    except (ArrowException, OSError, ValueError):
        raise TruncatedFile(path, "Parquet") from None
    _require_room(path, footer)
    return footer


def _schema(path: Path, footer: FileMetaData) -> pa.Schema:
    from pyarrow import ArrowException

    try:
        schema = footer.schema.to_arrow_schema()
    except (ArrowException, OSError, ValueError):
        raise TruncatedFile(path, "Parquet") from None
    if not schema.names:
        raise UnreadableFile(path, "it has no columns.")
    return schema


def _require_room(path: Path, footer: FileMetaData) -> None:
    """Refuse a footer that says what cannot be: rows that no group has, or columns that lie outside of the file."""
    size, groups = path.stat().st_size, [footer.row_group(i) for i in range(footer.num_row_groups)]
    rows = [group.num_rows for group in groups]
    chunks = (group.column(i) for group in groups for i in range(group.num_columns))
    outside = any(chunk.total_compressed_size < 0 or _begin(chunk) + chunk.total_compressed_size > size
                  for chunk in chunks)  # fmt: skip
    if outside or min(rows, default=0) < 0 or sum(rows) != footer.num_rows:
        raise TruncatedFile(path, "Parquet")


def _begin(chunk: ColumnChunkMetaData) -> int:
    """Where a column begins in its file: its dictionary, where it has one, stands before its pages and counts to it."""
    dictionary = chunk.dictionary_page_offset
    return int(min(dictionary, chunk.data_page_offset) if dictionary else chunk.data_page_offset)


def _require_rows(path: Path, table: Table, footers: Sequence[FileMetaData]) -> None:
    if table.count() != sum(footer.num_rows for footer in footers):
        raise TruncatedFile(path, "Parquet")


def _check_alike(files: Sequence[Path], footers: Sequence[FileMetaData]) -> None:
    """Refuse files of which an engine would turn one's values into the type of another: 1.4 into 1, 007 into 7."""
    first, *others = (_types(footer) for footer in footers)
    for file, types in zip(files[1:], others, strict=True):
        hint = f"Write it and {files[0].name} anew with the same columns."
        if uneven := sorted(first.keys() ^ types.keys()):
            has = "lacks the column" if uneven[0] in first else f"has a column that {files[0].name} lacks:"
            raise UnreadableFile(file, f"this part of the table {has} {uneven[0]!r}.", hint=hint)
        # A column without a value has no type.
        if unlike := [name for name, kind in types.items() if kind not in (first[name], "Null")]:
            raise UnreadableFile(file, f"{unlike[0]!r} has another type here than in {files[0].name}.", hint=hint)


def _types(footer: FileMetaData) -> dict[str, str]:
    """What the values of each column are, whatever wrote the file; whole numbers of any width are alike."""
    columns = map(footer.schema.column, range(footer.num_columns))
    return {column.path: _type(column) for column in columns}


def _type(column: ColumnSchema) -> str:
    declared = json.loads(column.logical_type.to_json())
    meaning = {key: value for key, value in declared.items() if "converted_type" not in key and key != "bitWidth"}
    if meaning["Type"] == "Null":
        return "Null"
    if column.physical_type in ("INT32", "INT64") and meaning in ({"Type": "None"}, {"Type": "Int", "isSigned": True}):
        return "whole number"
    stored = "" if meaning["Type"] == "Decimal" else f"{column.physical_type} {column.length}"
    return f"{stored} {sorted(meaning.items())}"


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
