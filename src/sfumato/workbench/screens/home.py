"""Home: the projects that somebody has a role in, runs under way, and what waits for them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from sfumato.service.me import myself
from sfumato.service.overview import overview
from sfumato.web.who_asks import TheCaller, TheService, require_same_origin
from sfumato.workbench.answers import LANGUAGE_COOKIE, shown
from sfumato.workbench.catalogue import LANGUAGES
from sfumato.workbench.places import AFTER_PASSWORD, SCREENS, ScreenPlace, local_address, screens_for

router = APIRouter()
YEAR = 365 * 24 * 3600  # seconds


@router.get("/")
def home(request: Request, service: TheService, caller: TheCaller) -> Response:
    """What somebody sees first; before the second factor, where to show it."""
    if caller.unproved:
        return RedirectResponse(AFTER_PASSWORD[myself(service, caller).next], 303)
    seen = overview(service, caller)
    firsts = {one.name: next(iter(screens_for(frozenset(one.roles))), SCREENS[0][0]) for one in seen.projects}
    return shown(request, "home.html", caller=caller, place=ScreenPlace("home"), seen=seen, firsts=firsts)


@router.post("/language")
def language(
    request: Request,
    service: TheService,
    language: Annotated[str, Form(max_length=8)],
    back: Annotated[str, Form(max_length=2000)] = "/",
) -> Response:
    """Choose the language of pages, in this browser."""
    require_same_origin(request)
    answer = RedirectResponse(local_address(back), 303)
    if language in LANGUAGES:
        answer.set_cookie(
            LANGUAGE_COOKIE, language, max_age=YEAR, httponly=True, samesite="strict", secure=service.settings.secure
        )
    return answer
