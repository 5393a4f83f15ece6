"""A look into a source: its columns, or a page of its rows, read by a process of its own that may fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.errors import Conflict, NotKnown, ServiceRefusal, TooLarge, TooOften
from sfumato.service.allowed_roots import opened_within
from sfumato.service.caller import Caller
from sfumato.service.database_address import bare_address
from sfumato.service.entities import ProjectVersion, RegisteredSource
from sfumato.service.permissions import Act
from sfumato.service.project_files import PROJECT_FILE
from sfumato.service.service import Deed, Service
from sfumato.service.source_reader import COLUMNS, MOST_BYTES, ROWS
from sfumato.service.sources import source_of
from sfumato.service.work_folder import (
    CONNECTION,
    UPLOAD,
    connection_settings,
    named_sources,
    version_of,
    write_files,
)
from sfumato.temporary import lock, scratch

SECONDS = 120  # that one look may take
AT_ONCE = 2  # looks that are taken at the same time: each may need the memory of a run
MODULE = "sfumato.service.source_reader"
PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "SFUMATO_LIMITS", "VIRTUAL_ENV", "PYTHONPATH")


class UnusableSource(ServiceRefusal):
    """A source that cannot be read, in the words of the command line."""

    status, kind = 422, "unusable-source"


@dataclass(frozen=True)
class Rows:
    """Some rows of a source, the names of its columns, and how many records it has; None where nobody counted."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    records: int | None


@dataclass(frozen=True)
class ColumnReading:
    """How a column was read: its type, and how many values are missing."""

    name: str
    type: str
    missing: int


@dataclass(frozen=True)
class _Look:
    """What is looked into: a source, the newest version of its project, and the environment of its database."""

    service: Service
    source: RegisteredSource
    version: ProjectVersion | None
    environment: dict[str, str]
    folder: Path


def rows(
    service: Service, caller: Caller, project: str, handle: str, *, after: int = 0, limit: int = 50, quick: bool = False
) -> Rows:
    """A page of the rows of a source, which begins after so many. A database gives them in an order of its own.

    With `quick` the rest of the source is not read where that can be: cells stand as they do in the file, and how many
    records there are may not be known.
    """
    with scratch() as folder:
        with service.act(caller, Act.ROWS_VIEW, project=project, source=handle, after=after, limit=limit) as deed:
            look = _look(service, deed, handle, folder)
        read = _read(look, {"what": ROWS, "after": after, "limit": limit, "quick": quick})
    return Rows(tuple(read["columns"]), tuple(tuple(row) for row in read["rows"]), read["records"])


def columns(service: Service, caller: Caller, project: str, handle: str) -> tuple[int, tuple[ColumnReading, ...]]:
    """How many records a source has, and how its columns were read. No value is shown."""
    with scratch() as folder:
        with service.act(caller, Act.SOURCE_READ, project=project) as deed:
            look = _look(service, deed, handle, folder)
        read = _read(look, {"what": COLUMNS})
    return read["records"], tuple(ColumnReading(**column) for column in read["columns"])


def _look(service: Service, deed: Deed, handle: str, folder: Path) -> _Look:
    known, project = source_of(deed, handle), deed.project
    version = version_of(deed.session, project, project.current) if project.current else None
    needs = known.kind == CONNECTION
    environment = connection_settings(service, deed.session, known, folder) if needs else {}
    return _Look(service, known, version, environment, folder)


def _read(look: _Look, wanted: dict[str, Any]) -> dict[str, Any]:
    with _turn(look.service):
        settings = look.service.settings
        file, answer = look.folder / "project" / PROJECT_FILE, look.folder / "answer.json"
        request = {
            "after": 0, "limit": 0, "quick": False, **wanted, "source": _placed(look), "table": look.source.table,
            "project": str(file) if _names_it(look, file) else None, "answer": str(answer),
            "memory": settings.run_memory, "engine_memory": f"{settings.run_memory // 4 // 1_000_000}MB", "threads": 2,
            "seconds": SECONDS,
        }  # fmt: skip
        passed_on = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        environment = {**passed_on, **look.environment, "SFUMATO_TMP": str(look.folder), "TMPDIR": str(look.folder)}
        _run(request, environment, look.folder)
        return _answered(look, answer)


def _run(request: dict[str, Any], environment: dict[str, str], folder: Path) -> None:
    command = [sys.executable, "-P", "-m", MODULE]
    try:
        subprocess.run(
            command,
            input=json.dumps(request).encode(),
            env=environment,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise UnusableSource(f"The source was not read within {SECONDS} seconds. Start a run instead.") from None


def _answered(look: _Look, answer: Path) -> dict[str, Any]:
    if not answer.exists() or answer.stat().st_size > MOST_BYTES:
        raise UnusableSource("Reading the source took more memory or time than one look may have, or it is damaged.")
    read: dict[str, Any] = json.loads(answer.read_bytes())
    if "problem" in read:
        words = read["problem"].replace(f"{look.folder}/", "")
        raise TooLarge(words) if read["limit"] else UnusableSource(words)
    return read


def _placed(look: _Look) -> str:
    """What the process opens: a link to the file under the name of the source, or an address without a secret."""
    source, service = look.source, look.service
    if source.kind == CONNECTION:
        return bare_address(source.name)
    link = look.folder / source.name
    if source.kind == UPLOAD:
        file = service.storage.path(source.hash or "")
        if not file.is_file():
            raise NotKnown("the source: its file is gone")
    else:
        os.close(opened_within(service.settings.roots, source.root or "", source.path or ""))
        file = service.settings.roots[source.root or ""] / (source.path or "")
        if service.hashes.of(file) != source.hash:
            raise Conflict(f"The file of the source {source.name!r} has changed since it was registered.")
    link.symlink_to(file.absolute())
    return str(link)


def _names_it(look: _Look, file: Path) -> bool:
    """Whether the project file is about this source, and so says how it is read."""
    if look.version is None:
        return False
    file.parent.mkdir(mode=0o700)  # apart from the source, so that nothing of the project takes its place
    write_files(look.service, look.version, file.parent)
    return named_sources(file)[0] == look.source.name


@contextmanager
def _turn(service: Service) -> Iterator[None]:
    """One of the few turns that there are, for all processes of the service; `TooOften` where none is free."""
    for number in range(AT_ONCE):
        turn = os.open(service.root / f"look-{number}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            lock(turn, within=0)
        except OSError:
            os.close(turn)
            continue
        try:
            yield
        finally:
            os.close(turn)
        return
    raise TooOften(5)
