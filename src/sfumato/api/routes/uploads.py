"""Uploads in parts: begin, send parts from where the last one ended, finish."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Header, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from sfumato.api.calls import Handle, ProjectName, TheQuestion, of, paths
from sfumato.api.file_bodies import taking
from sfumato.api.routes.sources import RegisteredSourceDocument
from sfumato.service.entities import Upload
from sfumato.service.permissions import Act
from sfumato.service.uploads import (
    WrongOffset,
    begin_part,
    begin_upload,
    delete_upload,
    finish_upload,
    upload,
    uploads,
)
from sfumato.web.part_stream import arrived
from sfumato.web.problems import answer_of
from sfumato.web.who_asks import TheCaller, TheService

router = paths("uploads", "/projects/{name}/uploads")
OFFSET = "Upload-Offset"
LARGEST = 2**62

Offset = Annotated[int, Header(alias=OFFSET, ge=0, le=LARGEST)]


class UploadDocument(BaseModel):
    """An upload, and how far it has come."""

    handle: str
    name: str
    bytes: int
    received: int
    created: datetime
    expires: datetime

    @classmethod
    def of(cls, known: Upload) -> UploadDocument:
        """The document of an upload."""
        return cls.model_validate({field: getattr(known, field) for field in cls.model_fields})


class UploadToBegin(BaseModel):
    """A file that will come."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    bytes: Annotated[int, Field(ge=1, le=LARGEST)]


class UploadToFinish(BaseModel):
    """What the whole file has to be."""

    model_config = ConfigDict(extra="forbid")

    sha256: Annotated[str, StringConstraints(pattern="^[0-9a-fA-F]{64}$", max_length=64)] | None = None


@router.get("", **of(Act.SOURCE_READ))
def list_uploads(name: ProjectName, service: TheService, caller: TheCaller) -> list[UploadDocument]:
    """The uploads that are under way; there are few at a time."""
    return [UploadDocument.of(known) for known in uploads(service, caller, name)]


@router.post("", status_code=201, response_model=UploadDocument, **of(Act.SOURCE_CHANGE, 409, 413))
def begin(
    name: ProjectName, body: UploadToBegin, question: TheQuestion, service: TheService, caller: TheCaller
) -> Response:
    """Say that a file will come."""
    return question.once(
        body, lambda: UploadDocument.of(begin_upload(service, caller, name, file=body.name, size=body.bytes))
    )


@router.get("/{handle}", **of(Act.SOURCE_READ))
def read(
    name: ProjectName, handle: Handle, response: Response, service: TheService, caller: TheCaller
) -> UploadDocument:
    """How far an upload has come."""
    known = upload(service, caller, name, handle)
    response.headers[OFFSET] = str(known.received)
    return UploadDocument.of(known)


@router.patch(
    "/{handle}/parts",
    response_model=UploadDocument,
    **taking(of(Act.SOURCE_CHANGE, 409, 413), "application/octet-stream"),
)
async def send(
    name: ProjectName, *, handle: Handle, request: Request, service: TheService, caller: TheCaller, offset: Offset
) -> Response:
    """Send a part that begins where the file ends so far. After a cut, what arrived is kept."""
    try:
        arrival = await run_in_threadpool(begin_part, service, caller, name, handle, offset)
    except WrongOffset as error:
        refusal = answer_of(error.status, error.kind, str(error))
        refusal.headers[OFFSET] = str(error.offset)
        return refusal
    size = await arrived(request.stream(), service, handle, arrival)
    known = await run_in_threadpool(upload, service, caller, name, handle)
    answer = Response(UploadDocument.of(known).model_dump_json(), media_type="application/json")
    answer.headers[OFFSET] = str(size)
    return answer


@router.post("/{handle}/source", status_code=201, response_model=RegisteredSourceDocument, **of(Act.SOURCE_CHANGE, 409))
def finish(
    name: ProjectName,
    *,
    handle: Handle,
    body: UploadToFinish,
    question: TheQuestion,
    service: TheService,
    caller: TheCaller,
) -> Response:
    """Make a source of an upload that has arrived whole."""
    return question.once(
        body, lambda: RegisteredSourceDocument.of(finish_upload(service, caller, name, handle, sha256=body.sha256))
    )


@router.delete("/{handle}", status_code=204, **of(Act.SOURCE_CHANGE, 409))
def delete(name: ProjectName, handle: Handle, service: TheService, caller: TheCaller) -> Response:
    """Give up an upload."""
    delete_upload(service, caller, name, handle)
    return Response(status_code=204)
