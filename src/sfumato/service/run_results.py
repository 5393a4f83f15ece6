"""Results of runs: the files that a run has written, kept in the storage, and what is known of each."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sfumato.errors import NotKnown
from sfumato.service.entities import Run
from sfumato.service.run_commands import BY_VERB, DOCUMENT, RunCommand
from sfumato.service.storage import Storage

SHEET = "sheet.txt"  # what the command showed
USE_LOG = "use.log.jsonl"  # the log of use of the command itself
TABLES = (".csv", ".parquet", ".xpt", ".sav", ".dta", ".xlsx")  # formats of rows


@dataclass(frozen=True)
class ResultFile:
    """A file of a result: its name in the folder of the run, and by which content it is known in the storage."""

    name: str
    sha256: str
    bytes: int
    rows: bool  # whether it shows records of people


def collected(command: RunCommand, folder: Path, storage: Storage) -> list[ResultFile]:
    """Keep what a run has written in the storage, under a second name: the folder of the run goes with all of it."""
    return [_kept(folder, name, storage, rows=rows) for name, rows in _written(command, folder)]


def keep_again(files: Iterable[ResultFile], folder: Path, storage: Storage) -> None:
    """Keep what was let go of meanwhile: another run may have written the same, and be deleted in this moment."""
    for file in files:
        if not storage.has(file.sha256):
            storage.keep_file(_second_name(folder / file.name), file.sha256)


def _written(command: RunCommand, folder: Path) -> Iterator[tuple[str, bool]]:
    """The names of all files that a run has written, and whether they show records."""
    yield from ((name, command.shows_values) for name in (SHEET, USE_LOG) if _is_file(folder / name))
    for output in command.written:
        place = folder / output.name
        if _is_file(place):
            yield output.name, output.rows or command.shows_values
        elif place.is_dir() and not place.is_symlink():
            for file in sorted(place.rglob("*")):
                if _is_file(file):
                    # In a folder, tables are rows and documents are not.
                    yield file.relative_to(folder).as_posix(), output.rows or file.suffix in TABLES


def _is_file(path: Path) -> bool:
    """Whether a path is a file of its own: no link, and no second name of a file that is elsewhere."""
    try:
        seen = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(seen.st_mode) and seen.st_nlink == 1


def _kept(folder: Path, name: str, storage: Storage, *, rows: bool) -> ResultFile:
    file = folder / name
    if os.name == "posix" and file.stat().st_uid != os.geteuid():
        os.chown(file, os.geteuid(), os.getegid())  # it was written by the user that runs belong to
    size = file.stat().st_size
    return ResultFile(name, storage.keep_file(_second_name(file)), size, rows)


def _second_name(file: Path) -> Path:
    second = file.with_name(f".{os.urandom(8).hex()}")
    try:
        os.link(file, second)
    except OSError:  # a disk that has no second names
        shutil.copyfile(file, second)
    return second


def result_of(files: list[ResultFile], *, met: bool | None, log_head: str | None) -> dict[str, Any]:
    """What the database keeps of a result."""
    return {"met": met, "files": [asdict(file) for file in files], "log_head": log_head}


def files_of(run: Run) -> list[ResultFile]:
    """The files of a run that is done; none where they were deleted."""
    return [ResultFile(**file) for file in (run.result or {}).get("files", ())]


def file_named(run: Run, name: str) -> ResultFile:
    """A file of a run by its name; `NotKnown` where it has none of that name."""
    for file in files_of(run):
        if file.name == name:
            return file
    raise NotKnown("the file of the run")


def place_earlier(run: Run, folder: Path, storage: Storage, *, package: str, evidence: str) -> str | None:
    """Write what a run has released into the folder of another: the package and the evidence; the name of its table.

    They are copied: whatever the other run does, it does not to the storage.
    """
    places = {output.name: target for output, target in zip(
        (o for o in BY_VERB[run.verb].written if o.name != DOCUMENT), (package, evidence), strict=False)}  # fmt: skip
    table = None
    for file in files_of(run):
        first, _, rest = file.name.partition("/")
        if first not in places:
            continue
        target = folder / places[first] / rest if rest else folder / places[first]
        target = target if rest else target / file.name
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _copied(storage.path(file.sha256), target)
        if file.rows and places[first] == package and target.suffix in TABLES and target.stem == "released":
            table = target.relative_to(folder).as_posix()
    return table


def _copied(source: Path, target: Path) -> None:
    try:
        shutil.copyfile(source, target)
    except FileNotFoundError:
        raise NotKnown("the result of the earlier run: it was deleted") from None
    target.chmod(0o600)
