"""Versions of a project: each change of its files is a new one, with its author; none is ever written over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import Any

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session

from sfumato.canonical import digest
from sfumato.errors import Conflict, NotKnown
from sfumato.service.caller import Caller
from sfumato.service.changes import project_changed
from sfumato.service.entities import Account, ProjectVersion, RegisteredSource, ServiceProject
from sfumato.service.permissions import Act
from sfumato.service.project_files import (
    PROJECT_FILE,
    check_project_file,
    require_file_name,
    require_names,
    require_sizes,
)
from sfumato.service.references import hold
from sfumato.service.service import Deed, Service
from sfumato.service.work_folder import version_of

NOTHING = digest({})  # the hash of a project without any files yet
NAMES = select(Account.handle, Account.name).where(Account.handle.in_(bindparam("handles", expanding=True)))
Require = Callable[[str], None]  # refuses a change of another state than the one whose hash it is given
Hashes = dict[str, str]  # the hash of each content, by the name of the file


def current_hash(session: Session, project: ServiceProject) -> str:
    """The hash of the files of a project as they are now: its ETag."""
    return version_of(session, project, project.current).hash if project.current else NOTHING


def current_files(session: Session, project: ServiceProject) -> Hashes:
    """The files of a project as they are now."""
    return dict(version_of(session, project, project.current).files) if project.current else {}


def versions(
    service: Service, caller: Caller, project: str, *, limit: int = 50, before: int | None = None
) -> tuple[Sequence[ProjectVersion], str]:
    """The versions of a project, the newest first, one more than asked for; and the hash of the newest."""
    with service.act(caller, Act.VERSION_READ, project=project) as deed:
        given = {"project": deed.project.handle, "before": before, "limit": limit + 1}
        listed = deed.session.scalars(_newest_versions(before=before is not None), given).all()
        newest = next((one.hash for one in listed if one.number == deed.project.current), None)
        return listed, newest or current_hash(deed.session, deed.project)


@cache
def _newest_versions(*, before: bool) -> Select[ProjectVersion]:
    """The versions of a project, the newest first."""
    wanted = select(ProjectVersion).where(ProjectVersion.project == bindparam("project"))
    wanted = wanted.where(ProjectVersion.number < bindparam("before")) if before else wanted
    return wanted.order_by(ProjectVersion.number.desc()).limit(bindparam("limit"))


def version(service: Service, caller: Caller, project: str, number: int) -> ProjectVersion:
    """A version by its number; 0 is the newest."""
    with service.act(caller, Act.VERSION_READ, project=project) as deed:
        return version_of(deed.session, deed.project, number or deed.project.current)


def file_of(service: Service, caller: Caller, project: str, number: int, name: str) -> bytes:
    """A file of a version."""
    files = version(service, caller, project, number).files
    if name not in files:
        raise NotKnown("the file")
    return service.storage.read(files[name])


def author_names(service: Service, several: Sequence[ProjectVersion]) -> dict[str, str]:
    """The names of the authors of versions, by the handles of their accounts."""
    with service.database.looking() as connection:
        rows = connection.execute(NAMES, {"handles": list({one.author for one in several})})
        return {row.handle: row.name for row in rows}


def put_file(
    service: Service, caller: Caller, project: str, name: str, content: bytes, *, require: Require, message: str = ""
) -> ProjectVersion:
    """Write one file of a project, new or anew."""

    def edit(deed: Deed, files: Hashes) -> Hashes:
        require_file_name(name)
        require_names([name], [other for other in files if other != name])
        return {**files, name: _kept(service, deed.session, {name: content}, files)[name]}

    return _changed(service, caller, project, edit, require=require, message=message, file=name)


def delete_file(
    service: Service, caller: Caller, project: str, name: str, *, require: Require, message: str = ""
) -> ProjectVersion:
    """Take one file out of a project; older versions still have it."""

    def edit(deed: Deed, files: Hashes) -> Hashes:
        if name not in files:
            raise NotKnown("the file")
        return {other: content for other, content in files.items() if other != name}

    return _changed(service, caller, project, edit, require=require, message=message, deleted=name)


def replace_files(
    service: Service,
    caller: Caller,
    project: str,
    contents: Mapping[str, bytes],
    *,
    require: Require,
    message: str = "",
) -> ProjectVersion:
    """Put other files in the place of all that a project has."""

    def edit(deed: Deed, files: Hashes) -> Hashes:
        for name in contents:
            require_file_name(name)
        require_names(contents, ())
        return _kept(service, deed.session, contents, {})

    return _changed(service, caller, project, edit, require=require, message=message, files=len(contents))


def undo(
    service: Service, caller: Caller, project: str, number: int, *, require: Require, message: str = ""
) -> ProjectVersion:
    """Go back to an older version: the new one has its files."""

    def edit(deed: Deed, files: Hashes) -> Hashes:
        older = dict(version_of(deed.session, deed.project, number).files)
        check_project_file(service.storage.read(older[PROJECT_FILE]))  # by the rules of today
        return older

    words = message or f"Back to version {number}"
    return _changed(service, caller, project, edit, require=require, message=words, back_to=number)


def run_wrote(service: Service, deed: Deed, contents: Mapping[str, bytes], run: str) -> ProjectVersion:
    """The version that a run makes by what it wrote into files of the project, within the deed of whoever ended it."""
    files = current_files(deed.session, deed.project)
    return _saved(
        service, deed, {**files, **_kept(service, deed.session, contents, files)}, f"Written by run {run}", run=run
    )


def _changed(
    service: Service,
    caller: Caller,
    project: str,
    edit: Callable[[Deed, Hashes], Hashes],
    *,
    require: Require,
    message: str,
    **about: Any,
) -> ProjectVersion:
    with service.act(caller, Act.PROJECT_CHANGE, project=project, **about) as deed:
        # Of two at once the second waits, and is stale then; a vote, whose notice only names the project, goes on.
        deed.session.refresh(deed.project, with_for_update={"key_share": True})
        require(current_hash(deed.session, deed.project))
        if deed.project.closed:
            raise Conflict("The project is closed.")
        files = edit(deed, current_files(deed.session, deed.project))
        return _saved(service, deed, files, message)


def _saved(service: Service, deed: Deed, files: Hashes, message: str, run: str | None = None) -> ProjectVersion:
    """A new version with these files, all of them checked; the one that is there where nothing has changed."""
    if deed.project.current and files == current_files(deed.session, deed.project):
        return version_of(deed.session, deed.project, deed.project.current)
    _check(service, deed, files)
    made = ProjectVersion(
        project=deed.project.handle,
        number=deed.project.current + 1,
        hash=digest(files),
        files=files,
        author=deed.account,
        message=message,
        run=run,
        created=deed.now,
    )
    deed.session.add(made)
    deed.project.current = made.number
    deed.session.flush()
    deed.note(version=made.number, hash=made.hash)
    project_changed(deed)
    return made


def _check(service: Service, deed: Deed, files: Hashes) -> None:
    if PROJECT_FILE not in files:
        raise Conflict(f"A project always has its project file, {PROJECT_FILE}.")
    sizes = {name: service.storage.path(content).stat().st_size for name, content in files.items()}
    require_sizes(sizes, service.settings.project_files_bytes)
    names = select(RegisteredSource.name).where(
        RegisteredSource.project == deed.project.handle, RegisteredSource.deleted.is_(None)
    )
    require_names(files, deed.session.scalars(names))


def _kept(service: Service, session: Session, contents: Mapping[str, bytes], others: Mapping[str, str]) -> Hashes:
    """Contents in the storage, where they and what stays beside them are not too large, and the project file is one."""
    sizes = {name: len(content) for name, content in contents.items()}
    for name, content in others.items():
        if name not in sizes:
            with suppress(FileNotFoundError):
                sizes[name] = service.storage.path(content).stat().st_size
    require_sizes(sizes, service.settings.project_files_bytes)
    if PROJECT_FILE in contents:
        check_project_file(contents[PROJECT_FILE])
    for content in sorted({sha256(content).hexdigest() for content in contents.values()}):
        hold(session, content)  # nobody lets go of it between its keeping and the version that speaks of it
    return {name: service.storage.keep(content) for name, content in contents.items()}
