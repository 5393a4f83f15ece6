"""Retention: sources and results are deleted after a time, and uploads that never ended; the log keeps that it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, select

from sfumato.canonical import canonical
from sfumato.service.caller import Caller, Way
from sfumato.service.entities import DataRequest, ProjectVersion, RegisteredSource, Run, ServiceProject, Upload
from sfumato.service.references import let_go
from sfumato.service.request_states import AT_STAKE, RequestState
from sfumato.service.service import Deed, Service
from sfumato.service.sources import delete_in
from sfumato.service.storage import FILES, UPLOADS
from sfumato.service.work_folder import UPLOAD

HASH = re.compile(r"\b[0-9a-f]{64}\b")


class Deletion(StrEnum):
    """What the service deletes by itself, as the log has it."""

    SOURCE = "source.delete"
    RESULT = "result.delete"
    UPLOAD = "upload.delete"


def sweep(service: Service) -> int:
    """Delete everything whose time is over; how many things that were. Called every hour, and harmless at any time."""
    now = service.clock()
    _unreferred_files(service, now)
    return _old_sources(service, now) + _old_results(service, now) + _old_uploads(service, now)


def _unreferred_files(service: Service, now: datetime) -> None:
    """What a kill left in the storage between the writing of a content and the line that would have spoken of it.

    A day is longer than any transaction; the time is that of the last renaming, whatever the file was before.
    """
    oldest = (now - timedelta(days=1)).timestamp()
    files = (file for file in (service.storage.root / FILES).rglob("*") if file.is_file())
    old = [file for file in files if file.stat().st_ctime < oldest]
    for draft in (file for file in old if file.name.startswith(".")):
        draft.unlink(missing_ok=True)
    contents = {file.parent.name + file.name for file in old if not file.name.startswith(".")}
    if not contents:
        return
    with service.database.reading() as session:
        spoken = [*session.scalars(select(RegisteredSource.hash)), *session.scalars(select(DataRequest.package_hash))]
        for plain in (*session.scalars(select(ProjectVersion.files)), *session.scalars(select(Run.result))):
            spoken += HASH.findall(canonical(plain).decode())
    let_go(service, *sorted(contents - set(spoken)))


def _old_sources(service: Service, now: datetime) -> int:
    with service.database.reading() as session:
        wanted = select(RegisteredSource, ServiceProject).join(ServiceProject)
        pairs = session.execute(wanted.where(RegisteredSource.deleted.is_(None))).all()
        gone = select(RegisteredSource.hash).where(
            RegisteredSource.deleted.is_not(None), RegisteredSource.kind == UPLOAD
        )
        left = [content for content in session.scalars(gone) if content is not None and service.storage.has(content)]
    let_go(service, *left)  # of those whose deletion was cut short
    old = [
        (source, project)
        for source, project in pairs
        if _over(source.created, project.keep_sources_days or service.settings.keep_sources_days, now)
    ]
    for source, project in old:
        with _deed(service, Deletion.SOURCE, project, now, source=source.handle, name=source.name) as deed:
            delete_in(service, deed, deed.session.get_one(RegisteredSource, source.handle))
    return len(old)


def _old_results(service: Service, now: datetime) -> int:
    with service.database.reading() as session:
        needed = select(DataRequest.run).where(_needs_results(now), DataRequest.run.is_not(None))
        wanted = select(Run, ServiceProject).join(ServiceProject).where(Run.result.is_not(None), Run.ended.is_not(None))
        pairs = session.execute(wanted.where(Run.handle.not_in(needed))).all()
    old = [
        (run, project)
        for run, project in pairs
        if _contents(run)
        and (
            (run.expires is not None and run.expires <= now)
            or _over(run.ended, project.keep_results_days or service.settings.keep_results_days, now)
        )
    ]
    for run, project in old:
        contents = _contents(run)
        with _deed(service, Deletion.RESULT, project, now, run=run.handle) as deed:
            deed.session.get_one(Run, run.handle).result = {
                **(run.result or {}), "files": [], "deleted": now.isoformat(),
            }  # fmt: skip
            deed.note(contents=sorted(contents))
        let_go(service, *contents)
    return len(old)


def _needs_results(now: datetime) -> ColumnElement[bool]:
    """Requests that need the results of their run: until they are decided on, and while they can be downloaded.

    That the last day has passed is written down when somebody asks, and nobody may ask any more.
    """
    open_still = DataRequest.expires.is_(None) | (DataRequest.expires > now)
    return DataRequest.state.in_(AT_STAKE) | ((DataRequest.state == RequestState.RELEASED) & open_still)


def _old_uploads(service: Service, now: datetime) -> int:
    with service.database.reading() as session:
        wanted = select(Upload, ServiceProject).join(ServiceProject)
        pairs = session.execute(wanted).all()
    old = [(upload, project) for upload, project in pairs if upload.expires <= now]
    for upload, project in old:
        with _deed(service, Deletion.UPLOAD, project, now, upload=upload.handle, name=upload.name) as deed:
            deed.session.delete(deed.session.get_one(Upload, upload.handle))
        service.storage.upload(upload.handle).unlink(missing_ok=True)
    _forgotten_files(service, now, known={upload.handle for upload, _ in pairs})
    return len(old)


def _forgotten_files(service: Service, now: datetime, *, known: set[str]) -> None:
    """What a kill left of uploads that are no more."""
    oldest = (now - timedelta(hours=service.settings.upload_hours)).timestamp()
    for file in (service.storage.root / UPLOADS).iterdir():
        if file.name.lstrip(".") not in known and file.stat().st_mtime < oldest:
            file.unlink(missing_ok=True)


def _contents(run: Run) -> set[str]:
    """The hashes of the files that a result has."""
    return set(HASH.findall(canonical((run.result or {}).get("files", [])).decode()))


def _over(begun: datetime | None, days: int | None, now: datetime) -> bool:
    return begun is not None and days is not None and begun + timedelta(days=days) <= now


@contextmanager
def _deed(service: Service, deletion: Deletion, project: ServiceProject, now: datetime, **about: Any) -> Iterator[Deed]:
    """Something that the service does by itself, in one transaction, and written to the log before and after."""
    caller = Caller(Way.WORKER, name="retention")
    begun = service.events.begin(caller, deletion, {"project": project.name, **about})
    try:
        with service.database.writing() as session:
            deed = Deed(session, caller, now, project_found=session.get_one(ServiceProject, project.handle))
            yield deed
    except BaseException as error:
        service.events.end(begun, error)
        raise
    service.events.end(begun, **deed.outcome)
    for something in deed.afterwards:
        something()
