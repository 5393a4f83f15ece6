"""Reviews: submitting a release, reading what it stands on, voting and commenting."""

from __future__ import annotations

from typing import Any

from fastapi import Response
from fastapi.responses import FileResponse
from pydantic import BaseModel

from sfumato.api.calls import FileName, Handle, Page, ProjectName, ThePaging, TheQuestion, of, paths
from sfumato.service import review_comments, review_material, reviews
from sfumato.service.permissions import Act
from sfumato.service.request_documents import RequestDocument
from sfumato.service.review_comments import CommentDocument, CommentGiven
from sfumato.service.review_material import ReviewDocument
from sfumato.service.reviews import SubmittedGiven, VoteDocument, VoteGiven
from sfumato.web.who_asks import TheCaller, TheService

router = paths("reviews", "/projects/{project}/requests/{request}")


class VotesDocument(BaseModel):
    """The votes on a request, as far as one may know of them."""

    votes: list[VoteDocument]


def _file(act: Act, words: str) -> dict[str, Any]:
    """How a path is declared that answers with a file."""
    declared = of(act, 409)
    answer = {200: {"content": {"application/octet-stream": {}}, "description": words}}
    return {**declared, "responses": {**declared["responses"], **answer}, "response_class": FileResponse}


@router.post("/submit", **of(Act.REQUEST_SUBMIT, 409, 412))
def submit(
    service: TheService, caller: TheCaller, project: ProjectName, request: Handle, given: SubmittedGiven
) -> RequestDocument:
    """Submit the package of a run for review."""
    return reviews.submit(service, caller, project, request, given.run)


@router.get("/review", **of(Act.REVIEW_READ, 409))
def read_review(service: TheService, caller: TheCaller, project: ProjectName, request: Handle) -> ReviewDocument:
    """What a review stands on. That it was read is logged."""
    return review_material.read_review(service, caller, project, request)


@router.get("/review/documents/{folder}/{name}", **_file(Act.REVIEW_READ, "The file"))
def open_file(
    service: TheService, caller: TheCaller, project: ProjectName, request: Handle, *, folder: FileName, name: FileName
) -> FileResponse:
    """A file of the package or of the evidence that reviewers may open."""
    opened = review_material.open_file(service, caller, project, request, folder=folder, name=name)
    return FileResponse(opened.path, media_type="application/octet-stream", filename=opened.name)


@router.get("/review/rows", **_file(Act.REVIEW_ROWS, "The released rows"))
def open_rows(service: TheService, caller: TheCaller, project: ProjectName, request: Handle) -> FileResponse:
    """The released rows, where the project shows them to reviewers. That they were looked at is logged."""
    opened = review_material.open_rows(service, caller, project, request)
    return FileResponse(opened.path, media_type="application/octet-stream", filename=opened.name)


@router.post("/votes", status_code=201, response_model=VotesDocument, **of(Act.VOTE, 409, 412))
def vote(
    service: TheService,
    caller: TheCaller,
    project: ProjectName,
    request: Handle,
    given: VoteGiven,
    *,
    question: TheQuestion,
) -> Response:
    """Vote on a package."""
    return question.once(given, lambda: VotesDocument(votes=reviews.vote(service, caller, project, request, given)))


@router.get("/votes", **of(Act.REQUEST_READ))
def list_votes(service: TheService, caller: TheCaller, project: ProjectName, request: Handle) -> VotesDocument:
    """Who has voted; and what they said, once all votes of the round are in."""
    return VotesDocument(votes=reviews.list_votes(service, caller, project, request))


@router.post("/comments", status_code=201, response_model=CommentDocument, **of(Act.COMMENT, 409))
def comment(
    service: TheService,
    caller: TheCaller,
    project: ProjectName,
    request: Handle,
    given: CommentGiven,
    *,
    question: TheQuestion,
) -> Response:
    """Comment on a request, a column or a figure."""
    return question.once(given, lambda: review_comments.comment(service, caller, project, request, given))


@router.get("/comments", response_model=Page[CommentDocument], **of(Act.REQUEST_READ))
def list_comments(
    service: TheService, caller: TheCaller, project: ProjectName, request: Handle, paging: ThePaging
) -> Response:
    """The comments that one may read, oldest first."""
    rows = review_comments.list_comments(service, caller, project, request, limit=paging.limit, after=paging.after)
    return paging.page(rows, lambda one: one.comment)
