"""What stands in place of a file: folders, pipes, links, devices, and files that change while they are read."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

from tests.hostile.case import Case, Place, text

KINDS = {
    "table": "d.csv", "project": "sfumato.yaml", "plan": "plan.yaml", "hierarchy": "age.csv", "package": "package",
    "log": "sfumato.log.jsonl", "answers": "answers.yaml", "secret": "secret.txt",
}  # fmt: skip


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _dangling(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _socket(path: Path) -> None:
    """A socket; its name is bound from within the folder, since such names are short."""
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


def _locked(path: Path) -> None:
    path.write_text(text(), encoding="utf-8")
    path.chmod(0)


def _absent(path: Path) -> None:
    """Nothing is there."""


STAND_INS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "absent": ("Nothing", _absent),
    "folder": ("An empty folder", _folder),
    "pipe": ("A pipe that nobody writes to", _pipe),
    "dangling": ("A link to nothing", _dangling),
    "loop": ("A link to itself", _loop),
    "zero": ("A link to /dev/zero", _zero),
    "socket": ("A socket", _socket),
    "locked": ("A file that nobody may read", _locked),
}


def _stand_in(kind: str, name: str) -> Case:
    what, put = STAND_INS[name]

    def make(place: Place) -> Path:
        put(place.folder / KINDS[kind])
        return place.folder / KINDS[kind]

    return Case(f"{kind}-is-{name}", f"{what} in place of a {kind}.", kind, make)


def _of_table(ending: str, name: str) -> Case:
    what, put = STAND_INS[name]

    def make(place: Place) -> Path:
        put(place.folder / f"d{ending}")
        return place.folder / f"d{ending}"

    return Case(f"{ending.strip('.')}-is-{name}", f"{what} called d{ending}.", "table", make)


def _file(place: Place) -> Path:
    return place.put("d.csv", text(2000))


def _grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(text(50).encode())


def _shrink(path: Path) -> None:
    os.truncate(path, max(path.stat().st_size // 2, 30))


def _vanish(path: Path) -> None:
    path.unlink(missing_ok=True)


def _source(text_: str) -> Callable[[Place], Path]:
    return lambda place: Path(text_)


CASES = [
    *(_stand_in(kind, name) for kind in KINDS for name in STAND_INS),
    *(_of_table(ending, name) for ending in (".parquet", ".xlsx", ".json", ".duckdb", ".sqlite", ".sav", ".arrow", ".csv.gz")
      for name in ("folder", "pipe", "zero")),
    Case("csv-grows", "A table that grows while it is read.", "table", _file, meanwhile=_grow),
    Case("csv-shrinks", "A table that is cut while it is read.", "table", _file, meanwhile=_shrink),
    Case("csv-vanishes", "A table that is removed while it is read.", "table", _file, meanwhile=_vanish),
    Case("source-dev-stdin", "The input of the process as a table.", "table", _source("/dev/stdin")),
    Case("source-dev-null", "The device that is always empty.", "table", _source("/dev/null")),
    Case("source-proc", "The memory of the process.", "table", _source("/proc/self/mem")),
    Case("source-http", "A table of the network.", "table", _source("http://127.0.0.1:9/d.csv")),
    Case("source-s3", "A table of a store in the network.", "table", _source("s3://bucket/d.parquet")),
    Case("source-postgresql", "A database that does not answer.", "table", _source("postgresql://nobody@127.0.0.1:9/x")),
    Case("source-empty", "No name at all.", "table", _source(".")),
]  # fmt: skip
