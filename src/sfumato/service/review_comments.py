"""Comments on a request, a column or a figure; those of reviewers are blind until all votes of the round are in."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from sfumato.service.caller import Caller
from sfumato.service.entities import Comment, DataRequest
from sfumato.service.independence import independent, require_reader
from sfumato.service.permissions import Act, ServiceRole
from sfumato.service.request_documents import PLAIN, Given, Words, names_of
from sfumato.service.request_states import IN_REVIEW
from sfumato.service.service import Deed, Service


class CommentGiven(Given):
    """A remark, and the column or figure that it is about."""

    text: Words
    about: str = Field(default="", max_length=200, pattern=PLAIN)


class CommentDocument(BaseModel):
    """A remark that one may read."""

    comment: str
    round: int
    author: str
    about: str
    text: str
    created: datetime


def comment(service: Service, caller: Caller, project: str, request: str, given: CommentGiven) -> CommentDocument:
    """Say something about a request. What a reviewer says during a round is for their own eyes until its end."""
    with service.act(caller, Act.COMMENT, project=project, request=request) as deed:
        require_reader(deed.session, deed.request, deed.account)
        deed.session.refresh(deed.request, with_for_update=True)  # the round must not end meanwhile
        said = Comment(
            request=deed.request.handle,
            round=deed.request.round,
            author=deed.account,
            about=given.about,
            text=given.text,
            revealed=not _blind(deed),
            created=deed.now,
        )
        deed.session.add(said)
        deed.session.flush()
        deed.note(comment=said.handle, round=said.round)
        return _document(said, caller.name)


def list_comments(
    service: Service, caller: Caller, project: str, request: str, *, limit: int, after: str | None = None
) -> list[CommentDocument]:
    """The comments that the caller may read, oldest first; one more than the limit."""
    with service.act(caller, Act.REQUEST_READ, project=project, request=request) as deed:
        require_reader(deed.session, deed.request, deed.account)
        wanted = select(Comment).where(
            Comment.request == deed.request.handle, Comment.revealed | (Comment.author == deed.account)
        )
        if after is not None:
            wanted = wanted.where(Comment.handle > after)
        rows = list(deed.session.scalars(wanted.order_by(Comment.handle).limit(limit + 1)))
        names = names_of(deed.session, [row.author for row in rows])
        return [_document(row, names[row.author]) for row in rows]


def reveal_comments(session: Session, request: DataRequest) -> None:
    """Show what reviewers said in the round that has ended."""
    ended = (Comment.request == request.handle, Comment.round == request.round)
    session.execute(update(Comment).where(*ended).values(revealed=True))


def _blind(deed: Deed) -> bool:
    reviews = ServiceRole.REVIEWER in deed.roles and independent(deed.session, deed.request, deed.account)
    return reviews and deed.request.state in IN_REVIEW


def _document(row: Comment, author: str) -> CommentDocument:
    return CommentDocument(
        comment=row.handle, round=row.round, author=author, about=row.about, text=row.text, created=row.created
    )
