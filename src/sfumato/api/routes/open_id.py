"""Sign in with an organisation: to the provider, and back."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from sfumato.api.calls import of, paths
from sfumato.service.open_id import ProviderAnswer, begin_open_id, end_open_id
from sfumato.service.permissions import Act
from sfumato.web.open_id_return import (
    ANSWER,
    PAGE_ANSWER,
    answer_address,
    began_on_page,
    cookie_name,
    forget,
    remember,
)
from sfumato.web.who_asks import TheCaller, TheService, give_cookie

router = paths("sign-in")
# A page that goes on by itself: a redirect would still be the provider's, and a browser would not send the new cookie.
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Signed in</title>
<meta http-equiv="refresh" content="0; url=/"></head>
<body><p>You are signed in. <a href="/">Go on</a></p></body></html>
"""


@router.get("/sign-in/openid", status_code=303, response_class=RedirectResponse, **of(Act.SIGN_IN))
def to_provider(service: TheService, caller: TheCaller) -> Response:
    """Send the browser to the provider of the organisation."""
    address, browser = begin_open_id(service, caller, answer_address(service))
    response = RedirectResponse(address, 303)
    remember(response, service, browser)
    return response


@router.get(ANSWER, response_class=HTMLResponse, **of(Act.SIGN_IN))
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
    """Take the browser back: a page that goes on to the workbench, and the cookie of a session."""
    if began_on_page(request, service):
        return RedirectResponse(f"{PAGE_ANSWER}?{request.url.query}", 303)
    given = ProviderAnswer(state=state, code=code, error=error, issuer=iss)
    browser = request.cookies.get(cookie_name(service))
    done = end_open_id(service, caller, given, browser=browser, answer=answer_address(service))
    response = HTMLResponse(PAGE)
    give_cookie(response, service, done.cookie)
    forget(response, service)
    return response
