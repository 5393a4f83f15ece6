"""Delimited text: CSV, TSV, and the like."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from sfumato.errors import EngineError, UnreadableFile
from sfumato.tables.engine import Engine, Table, listed, literal, path_literal
from sfumato.tables.glance import BEGINNING, Glance, RowPage, beginning_of
from sfumato.tables.read.columns import distinct_names
from sfumato.tables.read.delimited import Layout, rewritten
from sfumato.tables.read.text_columns import settle
from sfumato.tables.read.text_file import TextFile, as_utf8
from sfumato.tables.source import Extract, Format, ReadOptions
from sfumato.temporary import scratch

USUAL_LINE = 2 * 1024 * 1024  # bytes, at which DuckDB stops unless it is told otherwise


@dataclass(frozen=True)
class CSV(Format):
    """A text file with one record per line and a header: delimiter, encoding and decimal sign are detected.

    Every column is first read as text, and becomes a number or a date only when every value says so, so
    that codes such as 007 and 1e5 survive. A record with too many fields or too few stops the reading.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")

    def glance(self, source: Any, options: ReadOptions) -> Glance | None:
        return _TextGlance(source, options)

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        if options.decimal not in (None, ".", ","):
            raise UnreadableFile(source, "the decimal sign must be a point or a comma.")
        with scratch() as folder:
            file = as_utf8(Path(source), options.encoding, folder, options.bounds)
            layout = Layout.of(file, options.delimiter, named=options.header, limits=options.bounds)
            if not (layout.carriage_returns or file.longest or _ends_blank(file, layout)):
                with suppress(EngineError):
                    extract = _extract(file, layout, options, engine)
                    if extract.table.count() == file.line_count() - layout.blank - layout.named:
                        return extract
                    engine.drop(extract.held.short.table if extract.held else extract.table)
            return _counted(file, layout, options, engine, folder / "uniform.csv")


@dataclass(frozen=True)
class _TextGlance(Glance):
    """The first lines of a text file."""

    source: str
    options: ReadOptions

    def columns(self) -> Mapping[str, tuple[str, ...]]:
        with scratch() as folder:
            copy = beginning_of(Path(self.source), folder)
            file = as_utf8(copy, self.options.encoding, folder, self.options.bounds)
            layout = Layout.of(file, self.options.delimiter, named=self.options.header, limits=self.options.bounds)
            return {"": layout.header}

    def whole(self, records: int, asked: int) -> bool:
        packed = self.source.lower().endswith(".gz")
        return records < asked and not packed and Path(self.source).stat().st_size < BEGINNING

    def beginning(self, table: str, records: int, options: ReadOptions, engine: Engine) -> Extract | None:
        with scratch() as folder:
            extract = CSV().read(str(beginning_of(Path(self.source), folder)), options, engine)
            rows = engine.query(f"SELECT * FROM {extract.table} LIMIT {records}")
            engine.drop(extract.table)
            return replace(extract, name=Path(self.source).name, table=rows)

    def rows(self, after: int, limit: int, engine: Engine) -> RowPage | None:
        """A page of texts as they are written: from the first lines where it is among them, else by one scan."""
        with scratch() as folder:
            near = _page(beginning_of(Path(self.source), folder), self.options, engine, after, limit)
            if near is not None and (len(near.rows) == limit or self.whole(after + len(near.rows), after + limit)):
                return near
        return _page(Path(self.source), self.options, engine, after, limit)


def _page(path: Path, options: ReadOptions, engine: Engine, after: int, limit: int) -> RowPage | None:
    """Rows of a file, in its order; None where only counting records one by one tells where each begins."""
    with scratch() as folder:
        file = as_utf8(path, options.encoding, folder, options.bounds)
        layout = Layout.of(file, options.delimiter, named=options.header, limits=options.bounds)
        if layout.carriage_returns or file.longest or _ends_blank(file, layout):
            return None
        names, _ = distinct_names(layout.header)
        text = _text(file, layout, names, engine, options.bounds.line_bytes)
        try:
            rows = tuple(engine.fetch(f"SELECT * FROM {text} LIMIT {limit} OFFSET {after}"))
        except EngineError:
            return None
        finally:
            engine.drop(text)
    return RowPage(names, rows)


def _counted(file: TextFile, layout: Layout, options: ReadOptions, engine: Engine, path: Path) -> Extract:
    """Read a copy whose records were counted one by one.

    Taken where lines and records do not agree: line ends that are mixed, or within quoted fields; blank lines; and
    records that are wrong, whose line is found on the way. No record may be lost without a word.
    """
    copy, records = rewritten(file, layout, path, options.bounds)
    uniform = replace(layout, blank=0, carriage_returns=False, newline=r"\n")
    extract = _extract(copy, uniform, options, engine)
    if extract.table.count() != records:
        raise UnreadableFile(file.source, f"{records} records were counted and {extract.table.count()} read.")
    return extract


def _ends_blank(file: TextFile, layout: Layout) -> bool:
    """Whether a file of one column may end with blank lines, which DuckDB would take for records."""
    if len(layout.header) > 1:
        return False
    if file.path.suffix.lower() == ".gz":
        return True
    with file.path.open("rb") as raw:
        raw.seek(max(0, file.path.stat().st_size - 4))
        return raw.read().replace(b"\r", b"").endswith(b"\n\n")


def _extract(file: TextFile, layout: Layout, options: ReadOptions, engine: Engine) -> Extract:
    names, renamed = distinct_names(layout.header)
    text = _text(file, layout, names, engine, options.bounds.line_bytes)
    decimal = options.decimal or ("." if layout.delimiter == "," else None)
    try:
        extract = settle(file.source.name, text, options, decimal=decimal, rows=file.counted or 0)
    finally:
        engine.drop(text)
    return replace(extract, notes=(*([file.note] if file.note else ()), *renamed, *extract.notes))


def _text(file: TextFile, layout: Layout, names: tuple[str, ...], engine: Engine, longest: int) -> Table:
    """A view of the file in which every column is text and an empty field is an empty text.

    `longest`: bytes that a line may have.
    """
    columns = listed(f"{literal(name)}: 'VARCHAR'" for name in names)
    settings = {
        "columns": f"{{{columns}}}",
        "force_not_null": f"[{listed(literal(name) for name in names)}]",
        "delim": literal(layout.delimiter),
        "skip": str(layout.blank),
        "quote": "'\"'",
        "escape": "'\"'",
        "header": "true" if layout.named else "false",
        "auto_detect": "false",
        "strict_mode": "true",
        "max_line_size": str(max(longest, USUAL_LINE)),
        "buffer_size": str(2 * max(longest, USUAL_LINE)),  # must hold a whole line
    }
    # Told that lines end with both characters, DuckDB 2.0 finds no record at all. Untold it takes either as an end, and
    # where that is wrong the lines, or the fields of a record, are not as many; but for those of one column.
    if layout.newline == r"\n" or len(names) == 1:
        settings["new_line"] = literal(layout.newline)
    given = listed(f"{setting} = {value}" for setting, value in settings.items())
    return engine.view(f"SELECT * FROM read_csv({path_literal(file.path)}, {given})")
