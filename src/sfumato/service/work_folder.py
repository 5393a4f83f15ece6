"""The folder that a run works in: a version of a project, its source and its key, as the command line has them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from sqlalchemy import select
from sqlalchemy.orm import Session

from sfumato.canonical import CHUNK, sha256_of
from sfumato.errors import Conflict, NotKnown
from sfumato.project.file import Project
from sfumato.project.places import VARIABLE
from sfumato.secrets import KEY_FILE
from sfumato.service.allowed_roots import opened_within
from sfumato.service.database_address import LOCAL, bare_address, settings_of
from sfumato.service.entities import Connection, ProjectVersion, RegisteredSource, ServiceProject
from sfumato.service.named_table import with_address
from sfumato.service.project_files import PROJECT_FILE
from sfumato.service.service import Service

FILE, UPLOAD, CONNECTION = "file", "upload", "connection"  # the kinds of sources


@dataclass(frozen=True)
class Prepared:
    """What a command needs besides the folder: variables of its environment, options, and perhaps a source to name.

    `source` is what has to be typed as the source where the project file does not name it; with it come its `options`.
    """

    environment: Mapping[str, str]
    options: tuple[str, ...] = ()
    source: str | None = None
    replaced: tuple[str, str] | None = field(default=None, repr=False)  # in the project file: what is there, what was

    def taken_back(self, text: str) -> str:
        """A project file that a run has changed, with the name of its source again instead of an address."""
        return text if self.replaced is None else text.replace(*self.replaced, 1)


def work_folder(  # noqa: PLR0917
    service: Service,
    session: Session,
    project: ServiceProject,
    version_number: int,
    source_handle: str | None,
    folder: Path,
) -> Prepared:
    """Write a version and its source into a folder, for its owner only; what a command in it needs besides.

    Without a handle the source is the one that the project file names, where it names one. `Conflict` where a file
    that was registered is no longer what it was.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    write_files(service, version_of(session, project, version_number), folder)
    _write_private(folder / KEY_FILE, service.keys.of_project(project.handle).read_bytes())
    named = named_sources(folder / PROJECT_FILE)
    source = session.get(RegisteredSource, source_handle) if source_handle else _by_name(session, project, named[0])
    if source_handle and (source is None or source.project != project.handle):
        raise NotKnown("the source")
    for other in named[1:]:  # a table of the population is a source as well
        beside = _by_name(session, project, other)
        if beside is not None and beside.kind != CONNECTION:
            place_source(service, beside, folder)
    prepared = Prepared({VARIABLE: ""})  # what the server itself is allowed is not the project's
    return prepared if source is None else _with_source(service, session, source, folder, named=named[0] == source.name)


def version_of(session: Session, project: ServiceProject, number: int) -> ProjectVersion:
    """A version by its number."""
    wanted = select(ProjectVersion).where(ProjectVersion.project == project.handle, ProjectVersion.number == number)
    version = session.scalar(wanted)
    if version is None:
        raise NotKnown("the version")
    return version


def write_files(service: Service, version: ProjectVersion, folder: Path) -> None:
    """Write the files of a version."""
    for name, content in version.files.items():
        _write_private(folder / name, service.storage.read(content))


def named_sources(file: Path) -> tuple[str | None, ...]:
    """The names that a project file has for its table and for one of the population; the first may be None."""
    if not file.exists():
        return (None,)
    project = Project.read(file)
    table = project.population.get("table")
    first = Path(project.source).name if project.source else None
    return (first, Path(table).name) if table else (first,)


def place_source(service: Service, source: RegisteredSource, folder: Path) -> Path:
    """Put the file of a source into a folder, under its name; `Conflict` where it is not what was registered."""
    target = folder / source.name
    if os.path.lexists(target):
        raise Conflict(f"A file of the project is called {source.name!r} as the source is. Rename one of them.")
    if source.deleted is not None or source.hash is None:
        raise NotKnown("the source: it was deleted")
    copied = service.settings.run_user is not None  # whoever the run belongs to is to own what is in its folder
    if source.kind == UPLOAD:
        _place(service.storage.path(source.hash), target, copied=copied)
        return target
    with os.fdopen(opened_within(service.settings.roots, source.root or "", source.path or ""), "rb") as stream:
        _place(service.settings.roots[source.root or ""] / (source.path or ""), target, copied=copied, opened=stream)
    if sha256_of(target) != source.hash:
        target.unlink()
        raise Conflict(
            f"The file of the source {source.name!r} has changed since it was registered. Delete the source here, and "
            "register the file again: what was found out about the old one does not hold for the new one."
        )
    return target


def _with_source(
    service: Service, session: Session, source: RegisteredSource, folder: Path, *, named: bool
) -> Prepared:
    if source.kind != CONNECTION:
        place_source(service, source, folder)
        return Prepared({VARIABLE: ""}, source=None if named else source.name)
    if source.deleted is not None:
        raise NotKnown("the source: it was deleted")
    environment, address = connection_settings(service, session, source, folder), bare_address(source.name)
    if not named:
        return Prepared(environment, (f"--table={source.table}",), source=address)
    file = folder / PROJECT_FILE
    text, replaced = with_address(file, address, source.table or "")
    _write_private(file, text.encode())
    return Prepared(environment, replaced=replaced)


def connection_settings(service: Service, session: Session, source: RegisteredSource, folder: Path) -> dict[str, str]:
    """The environment in which the database of a source is found; its password goes into a file of the folder."""
    connection = session.get(Connection, source.connection)
    if connection is None:
        raise NotKnown("the connection: it was deleted")
    url = service.keys.unseal(connection.url, "connection").decode()
    return {**settings_of(url, folder), VARIABLE: LOCAL}


def _by_name(session: Session, project: ServiceProject, name: str | None) -> RegisteredSource | None:
    """The source that goes by a name now."""
    wanted = select(RegisteredSource).where(
        RegisteredSource.project == project.handle, RegisteredSource.name == name, RegisteredSource.deleted.is_(None)
    )
    return session.scalar(wanted) if name is not None else None


def _place(file: Path, target: Path, *, copied: bool, opened: IO[bytes] | None = None) -> None:
    """Let a file appear under another name: the same one where the disk can do that, a copy elsewhere.

    What is `opened` is the file that is meant: a path may lead to another one a moment later.
    """
    try:
        if not copied:
            os.link(file, target, follow_symlinks=False)
            if opened is None or os.path.samestat(os.fstat(opened.fileno()), target.lstat()):
                return
            target.unlink()
    except FileNotFoundError:
        raise NotKnown("the source: its file is gone") from None
    except OSError:  # another disk, or one without such names, or a file of somebody else
        target.unlink(missing_ok=True)
    new = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(new, "wb") as copy, opened or file.open("rb") as original:
        shutil.copyfileobj(original, copy, CHUNK)


def _write_private(path: Path, content: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        stream.write(content)
