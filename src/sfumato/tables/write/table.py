"""Write a table of an engine to one file: whole or not at all, and never over its source."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sfumato.errors import OutputError, SfumatoError
from sfumato.families import members_in, members_in_file
from sfumato.outputs import whole
from sfumato.progress import Tell, quiet
from sfumato.tables.engine import Table, full_disk
from sfumato.tables.short_table import ShortTable
from sfumato.tables.write import formats
from sfumato.tables.write.release import ReleasedColumn, ReleasedTable, WriteOptions
from sfumato.tables.write.row_order import in_released_order
from sfumato.tables.write.writer import Writer


def write_table(
    table: Table,
    path: str | Path,
    columns: Sequence[ReleasedColumn],
    *,
    protect: Sequence[str | Path] = (),
    options: WriteOptions | None = None,
    tell: Tell = quiet,
    beside: Callable[[Path, int], None] | None = None,
    short: ShortTable | None = None,
) -> int:
    """Write columns of a table, in the order given, to a file in the format of its ending; the number of rows.

    The rows are put in the order of a hash of what is written of them (`row_order`). `protect` are the sources: the
    file is none of them under any name, nor within one that is a folder. `OutputError` when the format cannot hold the
    table, before anything is written. `beside` gets the file before it appears, and its rows: what it writes in the
    same folder appears together with it, and where it fails nothing does. `short` are the same rows with short texts.
    """
    path = Path(path)
    writer = writer_of(path)
    _refuse_sources(path, protect)
    release = in_released_order(
        ReleasedTable(table, tuple(columns), path.name, options=options or WriteOptions(), tell=tell), short
    )
    writer.check(release)
    with whole(path.parent) as draft:
        with _withheld(path):
            with tempfile.TemporaryDirectory(prefix="scratch-", dir=draft) as scratch:
                rows = writer.write(release, draft / path.name, Path(scratch))
            _flush(draft / path.name)
        if beside is not None:
            beside(draft / path.name, rows)
    return rows


def writers() -> tuple[Writer, ...]:
    """Every writer, found by looking in the folder."""
    return tuple(cls() for cls in members_in(formats, Writer))  # type: ignore[type-abstract]


def writer_of(path: Path) -> Writer:
    """The writer for the ending of a file's name; `OutputError` when there is none."""
    own = (cls() for cls in members_in_file(formats, Writer, path.suffix[1:].lower()))  # type: ignore[type-abstract]
    chosen = next((writer for writer in own if writer.claims(path.name)), None)  # and no other is loaded
    chosen = chosen or next((writer for writer in writers() if writer.claims(path.name)), None)
    if chosen is None:
        endings = ", ".join(sorted({ending for writer in writers() for ending in writer.suffixes}))
        raise OutputError(f"{path}: nothing writes this kind of file. Known endings: {endings}.")
    return chosen


def _refuse_sources(path: Path, protect: Sequence[str | Path]) -> None:
    if path.is_dir():
        raise OutputError(f"{path}: this is a folder. Name a file.")
    for source in map(Path, protect):
        if _same(path, source):
            raise OutputError(f"{path}: this is the source itself. Choose another name for the output.")
        if source.is_dir() and path.resolve().is_relative_to(source.resolve()):
            raise OutputError(f"{path}: this lies within the source {source}. Choose another folder for the output.")


def _same(path: Path, source: Path) -> bool:
    """Whether two paths lead to one file: by name, through links, or as two names of it."""
    if path.exists() and source.exists():
        return path.samefile(source)
    return os.path.realpath(path) == os.path.realpath(source)  # links in a circle are left as they are


def _flush(path: Path) -> None:
    """Have the bytes on the disk before the file gets its name: some disks say only then that they are full."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


@contextmanager
def _withheld(path: Path) -> Iterator[None]:
    """Libraries quote cells in their messages, and say in many ways that a disk is full."""
    try:
        yield
    except SfumatoError:
        raise
    except Exception as error:
        full = full_disk(error)
        if full is not None:
            raise full from None
        reason = getattr(error, "strerror", None) or f"{type(error).__name__}; its message may quote data"
        raise OutputError(f"{path}: the file could not be written ({reason}).") from None
