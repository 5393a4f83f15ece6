"""What reviewers read: the request, changes since the last release, the package, its evidence, earlier releases."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from pydantic import BaseModel
from sqlalchemy.orm import Session

from sfumato.errors import Conflict, NotAllowed, NotKnown
from sfumato.service.caller import Caller
from sfumato.service.earlier_releases import EarlierReleaseDocument, beside
from sfumato.service.entities import DataRequest, ServiceProject
from sfumato.service.independence import require_reader
from sfumato.service.permissions import Act, ServiceRole
from sfumato.service.request_documents import RequestDocument, names_of, request_document
from sfumato.service.request_states import AT_STAKE, OUT
from sfumato.service.reviews import last_release, version_of
from sfumato.service.service import Deed, Service
from sfumato.service.storage import Storage

FOLDERS = {"package": "files", "evidence": "evidence"}  # as clients name them, and where the summary lists their files


class FileDocument(BaseModel):
    """A file that reviewers may open."""

    folder: str
    name: str
    bytes: int
    sha256: str


class FileChangeDocument(BaseModel):
    """How a file of the project differs from what it was at the last release."""

    name: str
    difference: str  # as `diff -u` writes it; empty where the file is no text


class ReviewDocument(BaseModel):
    """Everything that a review stands on, but for the contents of the files."""

    request: RequestDocument
    package_hash: str
    verdict: str | None
    preparers: list[str]
    columns: list[str]
    columns_not_asked_for: list[str]
    levels: dict[str, int]
    method: str | None
    quasi_identifiers: list[str]
    sensitive: list[str]
    requirements: list[str]
    k: int | None
    records: int
    votes_needed: int
    since_version: int | None  # the version of the last release, where there was one
    changes: list[FileChangeDocument]
    files: list[FileDocument]
    earlier: list[EarlierReleaseDocument]


@dataclass(frozen=True)
class ReviewFile:
    """A file that was opened: its place in the storage, and its name."""

    path: Path
    name: str


def read_review(service: Service, caller: Caller, project: str, request: str) -> ReviewDocument:
    """What a review stands on."""
    with service.act(caller, Act.REVIEW_READ, project=project, request=request) as deed:
        asked = _submitted(deed)
        summary = asked.summary or {}
        last = last_release(deed.session, deed.project)
        since = last.version if last is not None and last.handle != asked.handle else None
        shown = ("verdict", "columns", "levels", "method", "quasi_identifiers", "sensitive", "requirements", "k")
        others = [one for one in beside(deed.session, deed.project, summary) if one.request != asked.handle]
        return ReviewDocument(
            **{name: summary[name] for name in shown},
            records=summary["records"],
            request=request_document(deed.session, asked, project=project, now=deed.now, policy=True),
            package_hash=asked.package_hash or "",
            preparers=sorted(names_of(deed.session, asked.preparers).values()),
            columns_not_asked_for=[name for name in summary["columns"] if name not in asked.columns],
            votes_needed=asked.votes_needed,
            since_version=since,
            changes=_changes(deed.session, deed.project, service.storage, since or 0, asked.version or 0),
            files=_files(asked),
            earlier=others,
        )


def open_file(service: Service, caller: Caller, project: str, request: str, *, folder: str, name: str) -> ReviewFile:
    """One of the files that reviewers may open: no rows, and nothing that lists values of the original."""
    with service.act(caller, Act.REVIEW_READ, project=project, request=request, folder=folder, file=name) as deed:
        asked = _submitted(deed)
        wanted = [one for one in _files(asked) if (one.folder, one.name) == (folder, name)]
        if not wanted:
            raise NotKnown("the file")
        return _opened(service.storage, wanted[0].sha256, name)


def open_rows(service: Service, caller: Caller, project: str, request: str) -> ReviewFile:
    """The released rows, where the project lets reviewers see them."""
    with service.act(caller, Act.REVIEW_ROWS, project=project, request=request) as deed:
        asked = _submitted(deed)
        if not deed.project.rows_for_reviewers and ServiceRole.STEWARD not in deed.roles:
            raise NotAllowed("The project does not show released rows to reviewers.")
        summary = asked.summary or {}
        return _opened(service.storage, summary["files"][summary["rows"]][0], summary["rows"])


def _submitted(deed: Deed) -> DataRequest:
    """The request, where there is a package of it to read, for somebody who may."""
    require_reader(deed.session, deed.request, deed.account)
    if deed.request.state not in (*AT_STAKE, *OUT) or deed.request.summary is None:
        raise Conflict(f"The request is {deed.request.state}: no package of it is submitted.")
    return deed.request


def _opened(storage: Storage, content: str, name: str) -> ReviewFile:
    if not storage.has(content):
        raise NotKnown("it was deleted")
    return ReviewFile(storage.path(content), name)


def _files(request: DataRequest) -> list[FileDocument]:
    summary = request.summary or {}
    return [
        FileDocument(folder=folder, name=name, sha256=digest, bytes=size)
        for folder, key in FOLDERS.items()
        for name, (digest, size) in summary[key].items()
        if name != summary["rows"]
    ]


def _changes(
    session: Session, project: ServiceProject, storage: Storage, before: int, after: int
) -> list[FileChangeDocument]:
    """What differs between two versions of a project, file by file."""
    versions = [version_of(session, project, number) for number in (before, after)]
    old, new = (version.files if version is not None else {} for version in versions)
    names = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
    return [FileChangeDocument(name=name, difference=_difference(storage, name, old, new)) for name in names]


def _difference(storage: Storage, name: str, old: dict[str, str], new: dict[str, str]) -> str:
    try:
        before, after = (_lines(storage, files.get(name)) for files in (old, new))
    except (UnicodeDecodeError, NotKnown):
        return ""
    return "\n".join(unified_diff(before, after, f"a/{name}", f"b/{name}", lineterm=""))


def _lines(storage: Storage, content: str | None) -> list[str]:
    return storage.read(content).decode().splitlines() if content is not None else []
