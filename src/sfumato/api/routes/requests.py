"""Requests: asking for data, following what becomes of it, and taking it up."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from fastapi.responses import FileResponse

from sfumato.api.calls import Handle, Page, Paging, ProjectName, ThePaging, TheQuestion, of, paths
from sfumato.service import releases, requests
from sfumato.service.permissions import Act
from sfumato.service.request_documents import (
    AskedDocument,
    OwnRequestDocument,
    QuestionDocument,
    ReasonGiven,
    RequestDocument,
)
from sfumato.service.request_states import RequestState
from sfumato.web.who_asks import TheCaller, TheService

router = paths("requests", "/projects/{project}")
HTML = {200: {"content": {"text/html": {}}, "description": "The report"}}


@router.get("/recipient-questions", **of(Act.PROJECT_READ))
def recipient_questions(service: TheService, caller: TheCaller, project: ProjectName) -> list[QuestionDocument]:
    """The fifteen questions about whoever will receive the data."""
    return requests.recipient_questions(service, caller, project)


@router.post("/requests", status_code=201, response_model=OwnRequestDocument, **of(Act.REQUEST_CREATE, 409))
def ask(
    service: TheService, caller: TheCaller, project: ProjectName, asked: AskedDocument, question: TheQuestion
) -> Response:
    """Ask for data."""
    return question.once(asked, lambda: requests.ask(service, caller, project, asked))


class RequestPaging(Paging):
    """Which requests. One model, since older versions of FastAPI take none beside a further parameter."""

    state: RequestState | None = None


@router.get("/requests", response_model=Page[RequestDocument], **of(Act.REQUEST_READ))
def list_requests(
    service: TheService, caller: TheCaller, project: ProjectName, paging: Annotated[RequestPaging, Query()]
) -> Response:
    """The requests of a project, newest first."""
    rows = requests.list_requests(service, caller, project, limit=paging.limit, after=paging.after, state=paging.state)
    return paging.page(rows, lambda one: one.request)


@router.get("/requests/{request}", **of(Act.REQUEST_READ))
def read_request(service: TheService, caller: TheCaller, project: ProjectName, request: Handle) -> RequestDocument:
    """A request, with what the grade of its recipient asks of the project."""
    return requests.read_request(service, caller, project, request)


@router.get("/own-requests", response_model=Page[OwnRequestDocument], **of(Act.REQUEST_READ_OWN))
def list_own_requests(service: TheService, caller: TheCaller, project: ProjectName, paging: ThePaging) -> Response:
    """What one asked for, and what one receives, newest first."""
    rows = requests.list_own_requests(service, caller, project, limit=paging.limit, after=paging.after)
    return paging.page(rows, lambda one: one.request)


@router.get("/own-requests/{request}", **of(Act.REQUEST_READ_OWN))
def read_own_request(
    service: TheService, caller: TheCaller, project: ProjectName, request: Handle
) -> OwnRequestDocument:
    """One's own request."""
    return requests.read_own_request(service, caller, project, request)


@router.get(
    "/own-requests/{request}/report",
    response_class=FileResponse,
    **{**of(Act.REQUEST_READ_OWN), "responses": {**of(Act.REQUEST_READ_OWN, 409)["responses"], **HTML}},
)
def released_report(service: TheService, caller: TheCaller, project: ProjectName, request: Handle) -> FileResponse:
    """The report of the package, once it was released and until it is revoked."""
    path = releases.released_report(service, caller, project, request)
    return FileResponse(path, media_type="text/html", filename="report.html")


@router.post("/own-requests/{request}/withdraw", **of(Act.REQUEST_WITHDRAW, 409))
def withdraw(service: TheService, caller: TheCaller, project: ProjectName, request: Handle) -> OwnRequestDocument:
    """Take back one's own request."""
    return requests.withdraw(service, caller, project, request)


@router.post("/requests/{request}/take-up", **of(Act.REQUEST_PREPARE, 409))
def take_up(service: TheService, caller: TheCaller, project: ProjectName, request: Handle) -> RequestDocument:
    """Begin to prepare what was asked for."""
    return requests.take_up(service, caller, project, request)


@router.post("/requests/{request}/reject", **of(Act.REQUEST_REJECT, 409))
def reject(
    service: TheService, caller: TheCaller, project: ProjectName, request: Handle, given: ReasonGiven
) -> RequestDocument:
    """Say no to a request, and why."""
    return requests.reject(service, caller, project, request, given.reason)
