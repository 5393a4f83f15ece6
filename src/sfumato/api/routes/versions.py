"""The files of a project and their versions: read, compare, change, undo, take out and take back in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Annotated

from fastapi import Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from sfumato.api.calls import WHOLE, FileName, IfMatch, Page, ProjectName, ThePaging, etag, of, paths, require_match
from sfumato.api.file_bodies import body_of, giving, taking
from sfumato.service.caller import Caller
from sfumato.service.differences import differences
from sfumato.service.entities import ProjectVersion
from sfumato.service.permissions import Act
from sfumato.service.project_archive import packed, unpacked
from sfumato.service.project_key import project_key
from sfumato.service.service import Service
from sfumato.service.versions import (
    author_names,
    delete_file,
    file_of,
    put_file,
    replace_files,
    undo,
    version,
    versions,
)
from sfumato.web.file_answers import file_answer
from sfumato.web.who_asks import TheCaller, TheService

router = paths("versions", "/projects/{name}")
CHANGE = of(Act.PROJECT_CHANGE, 409, 412, 413, 428)
ZIP, TEXT, ANY = "application/zip", "text/plain", "application/octet-stream"
LARGEST = 2**31 - 1  # of a number that the database keeps

Number = Annotated[int, Path(ge=1, le=LARGEST)]
Message = Annotated[str, StringConstraints(max_length=1_000, pattern=WHOLE)]
TheMessage = Annotated[str, Query(max_length=1_000, pattern=WHOLE)]


class VersionDocument(BaseModel):
    """A version: who made it, when and why, and the hash of each of its files by name."""

    number: int
    hash: str
    author: str
    created: datetime
    message: str
    run: str | None
    files: dict[str, str]


class FilesDocument(BaseModel):
    """All files of a project as texts, by name."""

    model_config = ConfigDict(extra="forbid")

    files: dict[Annotated[str, StringConstraints(max_length=255)], Annotated[str, StringConstraints(max_length=10**6)]]
    message: Message = ""


class UndoDocument(BaseModel):
    """The version to go back to."""

    model_config = ConfigDict(extra="forbid")

    number: Annotated[int, Field(ge=1, le=LARGEST)]
    message: Message = ""


class DifferenceDocument(BaseModel):
    """What has become of one file between two versions; without a text where it is too large for one."""

    name: str
    change: str
    text: str | None


@router.get("/versions", response_model=Page[VersionDocument], **of(Act.VERSION_READ))
def list_versions(name: ProjectName, paging: ThePaging, service: TheService, caller: TheCaller) -> Response:
    """The versions of a project, the newest first; the ETag is that of the newest."""
    before = int(paging.after) if paging.after and paging.after.isdecimal() and paging.after.isascii() else None
    before = None if before is None else min(before, LARGEST)
    listed, hashed = versions(service, caller, name, limit=paging.limit, before=before)
    return paging.page(_documents(service, listed), lambda one: str(one.number), ETag=f'"{hashed}"')


@router.post("/versions", status_code=201, **CHANGE)
def replace(
    name: ProjectName,
    *,
    body: FilesDocument,
    response: Response,
    service: TheService,
    caller: TheCaller,
    if_match: IfMatch = None,
) -> VersionDocument:
    """Put other files in the place of all that the project has."""
    contents = {file: text.encode("utf-8", "replace") for file, text in body.files.items()}
    require = partial(require_match, if_match)
    made = replace_files(service, caller, name, contents, require=require, message=body.message)
    return _answer(service, response, made)


@router.get("/versions/{number}", **of(Act.VERSION_READ))
def read(
    name: ProjectName, number: Number, response: Response, service: TheService, caller: TheCaller
) -> VersionDocument:
    """A version."""
    return _answer(service, response, version(service, caller, name, number))


@router.get("/versions/{number}/files", **giving(of(Act.VERSION_READ), ZIP))
def export(name: ProjectName, number: Number, service: TheService, caller: TheCaller) -> Response:
    """The files of a version as an archive. With the key beside them, the command line makes the same of them."""
    known = version(service, caller, name, number)
    files = {file: service.storage.read(content) for file, content in known.files.items()}
    return file_answer(packed(files), ZIP, f"{name}-{number}.zip", ETag=f'"{known.hash}"')


@router.get("/versions/{number}/files/{file}", **giving(of(Act.VERSION_READ), TEXT))
def read_file(name: ProjectName, number: Number, file: FileName, service: TheService, caller: TheCaller) -> Response:
    """A file of a version, as it is."""
    return file_answer(file_of(service, caller, name, number, file), TEXT, file)


@router.get("/versions/{number}/differences", **of(Act.VERSION_READ))
def compare(
    name: ProjectName,
    number: Number,
    service: TheService,
    caller: TheCaller,
    before: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
) -> list[DifferenceDocument]:
    """What differs from another version, file by file; from nothing, where none is named."""
    listed = differences(service, caller, name, before, number)
    return [DifferenceDocument(name=one.name, change=one.change, text=one.text) for one in listed]


@router.post("/undo", status_code=201, **CHANGE)
def go_back(
    name: ProjectName,
    *,
    body: UndoDocument,
    response: Response,
    service: TheService,
    caller: TheCaller,
    if_match: IfMatch = None,
) -> VersionDocument:
    """Go back to an older version: the new one has its files."""
    require = partial(require_match, if_match)
    return _answer(service, response, undo(service, caller, name, body.number, require=require, message=body.message))


@router.put("/files/{file}", **taking(CHANGE, ANY))
async def write_file(
    name: ProjectName,
    *,
    file: FileName,
    request: Request,
    response: Response,
    service: TheService,
    caller: TheCaller,
    if_match: IfMatch = None,
    message: TheMessage = "",
) -> VersionDocument:
    """Write one file of the project, new or anew."""
    content = await _content(request, service, caller, name)
    require = partial(require_match, if_match)
    made = await run_in_threadpool(put_file, service, caller, name, file, content, require=require, message=message)
    return await run_in_threadpool(_answer, service, response, made)


@router.delete("/files/{file}", **CHANGE)
def remove_file(
    name: ProjectName,
    *,
    file: FileName,
    response: Response,
    service: TheService,
    caller: TheCaller,
    if_match: IfMatch = None,
    message: TheMessage = "",
) -> VersionDocument:
    """Take one file out of the project; older versions still have it."""
    require = partial(require_match, if_match)
    return _answer(service, response, delete_file(service, caller, name, file, require=require, message=message))


@router.put("/files", **taking(CHANGE, ZIP))
async def take_in(
    name: ProjectName,
    *,
    request: Request,
    response: Response,
    service: TheService,
    caller: TheCaller,
    if_match: IfMatch = None,
    message: TheMessage = "",
) -> VersionDocument:
    """Put the files of an archive in the place of all that the project has."""
    content = await _content(request, service, caller, name)
    files = await run_in_threadpool(unpacked, content, service.settings.project_files_bytes)
    require = partial(require_match, if_match)
    made = await run_in_threadpool(replace_files, service, caller, name, files, require=require, message=message)
    return await run_in_threadpool(_answer, service, response, made)


@router.get("/key", **giving(of(Act.KEY_READ), TEXT))
def take_out_key(name: ProjectName, service: TheService, caller: TheCaller) -> Response:
    """The key by which the project draws at random: beside its files, the command line makes the same releases."""
    return file_answer(project_key(service, caller, name), TEXT, "sfumato.key")


async def _content(request: Request, service: Service, caller: Caller, name: str) -> bytes:
    """What was sent, once it is known that whoever sends it may know of the project."""
    await run_in_threadpool(versions, service, caller, name, limit=1)
    return await body_of(request, service.settings.project_files_bytes, "project_files_bytes")


def _answer(service: Service, response: Response, known: ProjectVersion) -> VersionDocument:
    etag(response, known.hash)
    return _documents(service, [known])[0]


def _documents(service: Service, several: Sequence[ProjectVersion]) -> list[VersionDocument]:
    names = author_names(service, several)
    return [
        VersionDocument(
            number=one.number, hash=one.hash, author=names.get(one.author, ""), created=one.created,
            message=one.message, run=one.run, files=one.files,
        )
        for one in several
    ]  # fmt: skip
