"""Uploads in parts: begin, send parts from where the last one ended, finish."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from anyio import CancelScope
from fastapi import Header, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.requests import ClientDisconnect

from sfumato.api.calls import Handle, ProjectName, TheQuestion, of, paths
from sfumato.api.file_bodies import taking
from sfumato.api.routes.sources import RegisteredSourceDocument
from sfumato.service.entities import Upload
from sfumato.service.permissions import Act
from sfumato.service.service import Service
from sfumato.service.uploads import (
    Arrival,
    WrongOffset,
    begin_part,
    begin_upload,
    delete_upload,
    end_part,
    finish_upload,
    upload,
    uploads,
)
from sfumato.web.problems import answer_of
from sfumato.web.who_asks import TheCaller, TheService

router = paths("uploads", "/projects/{name}/uploads")
CHUNK = 1 << 20  # bytes that are in memory before they are written
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
    size = await _arrived(request, service, handle, arrival)
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
def delete(name: ProjectName, handle: Handle, service: TheService, caller: TheCaller) -> None:
    """Give up an upload."""
    delete_upload(service, caller, name, handle)


async def _arrived(request: Request, service: Service, handle: str, arrival: Arrival) -> int:
    """Write a part as it comes, with about a megabyte of it in memory; how far the upload is then, also after a cut."""
    try:
        await _write_stream(request, arrival)
    finally:
        # Also where the question is cancelled: the file has to be let go of.
        with CancelScope(shield=True):
            size = await run_in_threadpool(end_part, service, handle, arrival)
    return size


async def _write_stream(request: Request, arrival: Arrival) -> None:
    held = bytearray()
    try:
        async for chunk in request.stream():
            held += chunk
            if len(held) >= CHUNK:
                await run_in_threadpool(arrival.write, bytes(held))
                held.clear()
    except ClientDisconnect:
        pass  # nobody waits for the answer; what came counts
    if held:
        await run_in_threadpool(arrival.write, bytes(held))
