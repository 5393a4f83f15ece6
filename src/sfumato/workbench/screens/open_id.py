"""Sign-in with an organisation from the sign-in page: to the provider and back, and every refusal as a page."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from sfumato.errors import ServiceRefusal
from sfumato.service.open_id import ProviderAnswer, begin_open_id, end_open_id
from sfumato.service.service import Service
from sfumato.web.open_id_return import (
    PAGE_ANSWER,
    PAGE_COOKIE,
    answer_address,
    cookie_name,
    forget,
    provider_label,
    remember,
)
from sfumato.web.who_asks import TheCaller, TheService, give_cookie
from sfumato.workbench.answers import shown
from sfumato.workbench.places import AFTER_PASSWORD, ScreenPlace

router = APIRouter()
HERE = ScreenPlace("sign-in")


@router.get("/sign-in/open-id")
def to_provider(request: Request, service: TheService, caller: TheCaller) -> Response:
    """Send the browser to the provider of the organisation."""
    try:
        address, browser = begin_open_id(service, caller, answer_address(service))
    except ServiceRefusal as error:
        return _refused(request, service, error)
    response = RedirectResponse(address, 303)
    remember(response, service, browser, PAGE_COOKIE)
    return response


@router.get(PAGE_ANSWER)
def from_provider(
    request: Request,
    service: TheService,
    caller: TheCaller,
    *,
    state: Annotated[str, Query(max_length=200)],
    code: Annotated[str | None, Query(max_length=4000)] = None,
    error: Annotated[str | None, Query(max_length=200)] = None,
    iss: Annotated[str | None, Query(max_length=500)] = None,
) -> Response:
    """Take the browser back. The page goes on by itself: with a redirect, it would not send the new cookie yet."""
    browser = request.cookies.get(cookie_name(service, PAGE_COOKIE))
    given = ProviderAnswer(state=state, code=code, error=error, issuer=iss)
    try:
        done = end_open_id(service, caller, given, browser=browser, answer=answer_address(service))
    except ServiceRefusal as refusal:
        response = _refused(request, service, refusal)
    else:
        response = shown(request, "signed_in.html", place=HERE, after=AFTER_PASSWORD[done.next])
        give_cookie(response, service, done.cookie)
    forget(response, service, PAGE_COOKIE)
    return response


def _refused(request: Request, service: Service, error: ServiceRefusal) -> Response:
    return shown(
        request, "sign_in.html", place=HERE, status=error.status, after="/", problem=str(error),
        provider=provider_label(service),
    )  # fmt: skip
