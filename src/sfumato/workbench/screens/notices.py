"""Notices: what waits for somebody, or happened to what is theirs; to open one marks it as read and leads there."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import RedirectResponse, Response

from sfumato.service.notices import list_notices, read_notice
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import shown
from sfumato.workbench.places import ScreenPlace

router = APIRouter(prefix="/notices")
PAGE = 50  # notices on one page


@router.get("")
def listed(
    request: Request, service: TheService, caller: TheCaller, after: Annotated[str | None, Query(max_length=64)] = None
) -> Response:
    """All of one's notices, the newest first."""
    rows = list_notices(service, caller, limit=PAGE, after=after)
    more = rows[PAGE - 1][0].handle if len(rows) > PAGE else None
    return shown(request, "notices.html", caller=caller, place=ScreenPlace("notices"), notices=rows[:PAGE], more=more)


@router.get("/{notice}")
def opened(
    service: TheService, caller: TheCaller, notice: Annotated[str, Path(pattern="^[0-9a-z]{1,64}$")]
) -> Response:
    """What a notice is about; from now on it is read."""
    known, project = read_notice(service, caller, notice)
    if project is None:
        return RedirectResponse("/notices", 303)
    parts = ("requests", known.request) if known.request else ("runs", known.run)
    return RedirectResponse(f"/projects/{project}/{parts[0]}/{parts[1]}", 303)
