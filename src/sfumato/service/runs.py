"""Runs as people see them: start one, follow it, cancel it, open what it has found."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.orm import Session

from sfumato.errors import Conflict, NotKnown, TooLarge
from sfumato.project.decided_roles import require_decided_roles
from sfumato.project.file import Project
from sfumato.service.caller import Caller
from sfumato.service.entities import ProjectVersion, RegisteredSource, Run, ServiceProject
from sfumato.service.permissions import Act
from sfumato.service.run_assignment import OF_RUN, named_table
from sfumato.service.run_commands import BY_VERB, DOCUMENT, EARLIER, PROJECT_FILE, RunCommand, shown
from sfumato.service.run_options import WrongOption
from sfumato.service.run_queue import OVER, RunState, end
from sfumato.service.run_results import ResultFile, file_named, files_of
from sfumato.service.service import Deed, Service
from sfumato.service.storage import Storage
from sfumato.service.work_folder import version_of

RELEASE = "release"  # the verb whose package leaves
LARGEST_DOCUMENT = 20_000_000  # bytes that are answered at once; a larger one is opened as a file


@dataclass(frozen=True)
class RunWanted:
    """What somebody wants to run: the verb, its options, and which version, source and earlier run it is about."""

    verb: str
    options: Mapping[str, Any]
    version: int | None = None  # the current one where it is not said
    source: str | None = None  # a handle; the one that the project file names where it is not said
    earlier: str | None = None  # the handle of a run that has released something


def start(service: Service, caller: Caller, project: str, wanted: RunWanted) -> Run:
    """Queue a run: its version and its source are fixed now, whatever becomes of the project meanwhile."""
    with service.act(caller, Act.RUN_START, project=project, verb=wanted.verb[:100]) as deed:
        if deed.project.closed:
            raise Conflict("The project is closed.")
        command = BY_VERB.get(wanted.verb)
        if command is None:
            raise WrongOption(f"There is no such verb. Runs are: {', '.join(BY_VERB)}.")
        _require_room(service, deed)
        if not deed.project.current:
            raise Conflict("This project has no files yet. Save its sfumato.yaml first.")
        version = version_of(deed.session, deed.project, wanted.version or deed.project.current)
        options = command.checked(wanted.options, version.files)
        if command.verb == RELEASE:
            _require_decided(service, version)
        released = _earlier(deed, command, wanted.earlier)
        before = released is not None and command.earlier == "table"
        source = source_of_version(service, deed, version, wanted.source, needed=before or bool(command.data))
        table, more = named_table(command, source, None, before=before)
        typed = command.arguments(options, table=table, more=more, released=released)
        run = Run(
            project=deed.project.handle,
            version=version.number,
            source=source.handle if source is not None else None,
            verb=command.verb,
            options={**options, **({OF_RUN: wanted.earlier} if wanted.earlier else {})},
            command=shown(typed),
            state=RunState.QUEUED,
            author=deed.account,
            created=deed.now,
        )
        deed.session.add(run)
        deed.session.flush()
        deed.note(run=run.handle, version=version.number, source=run.source, options=sorted(options))
        return run


def runs(
    service: Service,
    caller: Caller,
    project: str,
    *,
    limit: int = 50,
    after: str | None = None,
    state: str | None = None,
) -> Sequence[Run]:
    """The runs of a project, the newest first, one more than asked for."""
    with service.act(caller, Act.RUN_READ, project=project) as deed:
        wanted = _newest_first(after=bool(after), state=bool(state))
        given = {"project": deed.project.handle, "after": after, "state": state, "limit": limit + 1}
        return deed.session.scalars(wanted, given).all()


@cache
def _newest_first(*, after: bool, state: bool) -> Select[Run]:
    """The runs of a project, the newest first."""
    wanted = select(Run).where(Run.project == bindparam("project"))
    wanted = wanted.where(Run.handle < bindparam("after")) if after else wanted
    wanted = wanted.where(Run.state == bindparam("state")) if state else wanted
    return wanted.order_by(Run.handle.desc()).limit(bindparam("limit"))


def run_of(service: Service, caller: Caller, project: str, handle: str) -> Run:
    """A run by its handle."""
    with service.act(caller, Act.RUN_READ, project=project) as deed:
        return run_in(deed.session, deed.project, handle)


def cancel(service: Service, caller: Caller, project: str, handle: str) -> Run:
    """Cancel a run: a queued one at once, one at work within a second; `Conflict` where it is over."""
    with service.act(caller, Act.RUN_CANCEL, project=project, run=handle[:100]) as deed:
        run = run_in(deed.session, deed.project, handle, locked=True)
        if run.state in OVER:
            raise Conflict("This run is over already.")
        run.cancel = True
        if run.state == RunState.QUEUED:
            end(service, run, RunState.CANCELLED)
        return run


def document(service: Service, caller: Caller, project: str, handle: str) -> Any:
    """What a run has found, as the command line writes it with `--json`."""
    with service.act(caller, Act.RESULT_READ, project=project, run=handle[:100], file=DOCUMENT) as deed:
        file = file_named(run_in(deed.session, deed.project, handle), DOCUMENT)
        if file.rows:
            raise Conflict("This document shows values of the table. Open it as rows of the run.")
        if file.bytes > LARGEST_DOCUMENT:
            raise TooLarge(f"This document has {file.bytes:,} bytes. Open it as a file of the run.")
        return json.loads(service.storage.read(file.sha256))


def result_file(
    service: Service, caller: Caller, project: str, handle: str, name: str, *, rows: bool
) -> tuple[ResultFile, Path]:
    """A file of a run and where it is; one that shows records is opened as rows, and is none otherwise."""
    act = Act.ROWS_VIEW if rows else Act.RESULT_READ
    with service.act(caller, act, project=project, run=handle[:100], file=name[:200]) as deed:
        file = file_named(run_in(deed.session, deed.project, handle), name)
        if file.rows is not rows or not service.storage.has(file.sha256):
            raise NotKnown("the file of the run")
        return file, service.storage.path(file.sha256)


def run_in(session: Session, project: ServiceProject, handle: str, *, locked: bool = False) -> Run:
    """A run of a project by its handle."""
    run = session.get(Run, handle, with_for_update=True if locked else None)
    if run is None or run.project != project.handle:
        raise NotKnown("the run")
    return run


def _require_room(service: Service, deed: Deed) -> None:
    """Refuse a run of somebody who has too many in the queue."""
    queued = select(func.count(Run.handle)).where(Run.state == RunState.QUEUED, Run.author == deed.account)
    most = service.settings.queued_per_person
    if (deed.session.scalar(queued) or 0) >= most:
        raise Conflict(f"You have {most} runs in the queue, which is the limit. Cancel some, or wait.")


def _require_decided(service: Service, version: ProjectVersion) -> None:
    """Refuse a release before it is queued, where the project file itself leaves a column undecided."""
    content = version.files.get(PROJECT_FILE)
    if content is not None:  # without one the command says what is missing
        require_decided_roles(Project.parse(service.storage.read(content).decode("utf-8-sig"), PROJECT_FILE))


def source_of_version(
    service: Service, deed: Deed, version: ProjectVersion, handle: str | None, *, needed: bool
) -> RegisteredSource | None:
    """The source of a run: the one that is named, or the one that the project file names."""
    if handle is not None:
        source = deed.session.get(RegisteredSource, handle)
        if source is None or source.project != deed.project.handle or source.deleted is not None:
            raise NotKnown("the source")
        return source
    name = _named_by(service, version)
    wanted = select(RegisteredSource).where(
        RegisteredSource.project == deed.project.handle, RegisteredSource.name == name,
        RegisteredSource.deleted.is_(None),
    )  # fmt: skip
    known = deed.session.scalar(wanted) if name else None
    if known is None and needed:
        raise Conflict("Name a source: the project file names none that is registered.")
    return known


def _named_by(service: Service, version: ProjectVersion) -> str | None:
    content = version.files.get(PROJECT_FILE)
    return _source_in(service.storage, content) if content else None


@lru_cache(maxsize=1000)  # a content is for ever the same, and live questions ask for it again and again
def _source_in(storage: Storage, content: str) -> str | None:
    import yaml

    try:
        written = yaml.safe_load(storage.read(content))
        named = written["data"]["source"] if isinstance(written, dict) else None
    except (yaml.YAMLError, KeyError, TypeError):  # the command itself says what is wrong with the file
        return None
    return named if isinstance(named, str) else None


def _earlier(deed: Deed, command: RunCommand, handle: str | None) -> str | None:
    """The table that an earlier run has released; it is said of which run a verb is that needs one."""
    if handle is None:
        if command.earlier == "package":
            raise WrongOption(f"Say which run has released what {command.verb} is to look at.")
        return None
    if not command.earlier:
        raise WrongOption(f"A run of {command.verb} is not about an earlier run.")
    run = run_in(deed.session, deed.project, handle)
    if run.state != RunState.DONE or not files_of(run):
        raise Conflict("The earlier run has released nothing, or it was deleted.")
    tables = [file.name for file in files_of(run) if file.rows and Path(file.name).stem == "released"]
    return f"{EARLIER}/{Path(tables[0]).name}" if tables else None
