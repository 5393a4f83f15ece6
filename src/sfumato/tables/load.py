"""Loading: find the reader of a source, and the engine that holds its rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import EngineError, PolicyError, SfumatoError, UnreadableFile, did_you_mean
from sfumato.tables.catalogue import formats, formats_of
from sfumato.tables.engine import Engine
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.proposals import with_proposals
from sfumato.tables.read.signatures import refuse_other_content
from sfumato.tables.source import Extract, Format, ReadOptions
from sfumato.temporary import scratch_of

if TYPE_CHECKING:
    from sfumato.tables.source_state import SourceState

UNTRUE = ("Error", "InvalidInputException")  # what DuckDB raises of pages that are not what was said of them


def load(
    source: Any, options: ReadOptions | None = None, engine: Engine | None = None, *, watch: bool = False
) -> Extract:
    """Read a file, a database table or a frame into a table of an engine (DuckDB unless another is given).

    With `watch` the files are hashed before they are read, and the extract knows it: what is written of it later can
    make sure that they are the same still.
    """
    options, engine = options or ReadOptions(), engine or DuckDB()
    source = str(source) if isinstance(source, Path) else source
    if isinstance(source, str) and "://" not in source:
        _require_file(Path(source))
    reader = reader_of(source)
    if isinstance(source, str):
        refuse_other_content(source, known=reader is not None)
    if reader is None:
        raise UnreadableFile(*_unclaimed(source))
    engine.expect(None)
    direct = isinstance(engine, DuckDB) or reader.everywhere
    state = _watched(source) if watch else None
    extract = reader.read(source, options, engine if direct else DuckDB())
    if isinstance(source, str):
        options.bounds.require_names(extract.name, [column.name for column in extract.columns])
    if state is not None:
        state.require_same(hashed=False)
    extract = replace(extract, notes=(*extract.notes, *_ignored(reader, extract.name, options)), state=state)
    try:
        extract = with_proposals(replace(extract, options=options), options)
    except EngineError as error:
        # Parquet is read when it is looked at: what its end says of its pages is then found to be untrue.
        if not isinstance(source, str) or error.kind not in UNTRUE:
            raise
        raise UnreadableFile(source, "it cannot be read to its end.", hint="Copy or export it again.") from None
    return extract if direct else _handed_over(extract, engine)


def reader_of(source: Any) -> Format | None:
    """The format that reads a source; None where no format does.

    That of the file's ending is asked first, so that a CSV file waits for no other: no ending is that of two formats.
    """
    ending = Path(source).suffix[1:].lower() if isinstance(source, str) and "://" not in source else ""
    for known in (partial(formats_of, ending), formats):
        for each in known():
            if each.claims(source):
                return each
    return None


def _require_file(path: Path) -> None:
    """Refuse what is neither a file nor a folder: a pipe may never have a writer, and a device never ends."""
    if not path.exists():
        raise UnreadableFile(path, "there is no such file.", hint="Check the path.")
    if not path.is_file() and not path.is_dir():
        raise UnreadableFile(path, "this is a pipe or a device, and no file.", hint="Copy what it gives into a file.")


def _watched(source: Any) -> SourceState | None:
    from sfumato.tables.source_state import SourceState

    return SourceState.of(source)


def _ignored(reader: Format, name: str, options: ReadOptions) -> Iterator[str]:
    """What to say of a table or a query that was asked for and cannot be chosen: all records were read."""
    for option in ("table", "query"):
        if getattr(options, option) and option not in reader.selects:
            yield f"The {option} that was asked for chose nothing: {name} is one table, and all of it is read."


@dataclass(frozen=True)
class TableLocation:
    """Where one table of several is: a file, or a table of a database or a workbook."""

    name: str
    source: str
    table: str | None = None


def table_locations(source: Any, options: ReadOptions | None = None) -> tuple[TableLocation, ...]:
    """The tables behind a source that holds several: a folder of files, a database, a workbook; else none."""
    if not isinstance(source, str | Path) or (options and (options.table or options.query)):
        return ()
    path = Path(source)
    if path.is_dir():
        return tuple(place for file in _data_files(path) for place in _within(file, str(file.relative_to(path))))
    reader = reader_of(str(source))
    names = reader.tables(str(source)) if reader else ()
    return tuple(TableLocation(name, str(source), name) for name in names) if len(names) > 1 else ()


def _within(file: Path, name: str) -> tuple[TableLocation, ...]:
    """The tables of one file of a folder. A file that cannot be opened is a place too: reading it will say why."""
    try:
        several = table_locations(file)
    except SfumatoError:
        several = ()
    return tuple(TableLocation(f"{name}: {place.name}", place.source, place.table) for place in several) or (
        TableLocation(name, str(file)),
    )


def _data_files(folder: Path) -> list[Path]:
    """The files of a folder that some format reads; none where its files are the parts of one Parquet table."""
    endings = tuple(ending for known in formats() for ending in known.suffixes)
    data = [file for file in sorted(folder.rglob("*")) if file.is_file() and file.name.lower().endswith(endings)]
    data = [file for file in data if not any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)]
    parts = [file for file in data if file.name.startswith("part-") or "=" in file.parent.name]
    return [] if parts == data else data


def engine_named(name: str | None, *, master: str | None = None, memory: str | None = None) -> Engine:
    """The engine by its name: duckdb (also None) or spark."""
    if name == "duckdb" and master is not None:
        raise PolicyError("A master is for Spark: leave out --master, or use --engine spark.")
    if name in (None, "duckdb") and master is None:
        return DuckDB(memory=memory)
    if name in (None, "spark"):
        from sfumato.tables.engines.spark import Spark

        return Spark(master=master, memory=memory)
    raise PolicyError(f"There is no engine {name!r}.{did_you_mean(str(name), ['duckdb', 'spark'])}")


def _handed_over(extract: Extract, engine: Engine) -> Extract:
    """Move a table to another engine by way of a Parquet file, so that the rows never pass through Python."""
    path = scratch_of(engine) / "extract.parquet"
    extract.table.engine.write(f"SELECT * FROM {extract.table}", path)
    return replace(extract, table=engine.read_parquet(path))


def _unclaimed(source: Any) -> tuple[str, str]:
    if not isinstance(source, str):
        return (
            f"A {type(source).__name__}",
            "this is no frame that Sfumato can read. Give a table, or a file's path.",
        )
    if Path(source).is_dir():
        return source, "this folder holds no Parquet files, which would be one table. Name one of the files in it."
    endings = sorted({ending for known in formats() for ending in known.suffixes})
    return source, f"no reader knows this kind of file. Known endings: {', '.join(endings)}."
