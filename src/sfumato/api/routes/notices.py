"""Notices: what waits for whoever is signed in."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Query, Response
from pydantic import BaseModel

from sfumato.api.calls import Handle, Page, Paging, of, paths
from sfumato.service import notices
from sfumato.service.entities import Notice
from sfumato.service.permissions import Act
from sfumato.web.who_asks import TheCaller, TheService

router = paths("notices", "/me/notices")


class NoticeDocument(BaseModel):
    """Something that waits for somebody, or happened to what is theirs."""

    notice: str
    kind: str
    words: str
    project: str | None
    request: str | None
    run: str | None
    created: datetime
    read: datetime | None


def _document(notice: Notice, project: str | None) -> NoticeDocument:
    return NoticeDocument(
        notice=notice.handle,
        kind=notice.kind,
        words=notice.words,
        project=project,
        request=notice.request,
        run=notice.run,
        created=notice.created,
        read=notice.read,
    )


class NoticePaging(Paging):
    """Which notices. One model, since older versions of FastAPI take none beside a further parameter."""

    unread: bool = False


@router.get("", response_model=Page[NoticeDocument], **of(Act.SELF_READ))
def list_notices(service: TheService, caller: TheCaller, paging: Annotated[NoticePaging, Query()]) -> Response:
    """One's own notices, newest first."""
    rows = notices.list_notices(service, caller, limit=paging.limit, after=paging.after, unread=paging.unread)
    return paging.page([_document(notice, name) for notice, name in rows], lambda one: one.notice)


@router.post("/{notice}/read", **of(Act.SELF_CHANGE))
def read_notice(service: TheService, caller: TheCaller, notice: Handle) -> NoticeDocument:
    """Mark a notice as read."""
    return _document(*notices.read_notice(service, caller, notice))
