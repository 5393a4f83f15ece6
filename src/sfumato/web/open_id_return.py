"""The way back from the provider of an organisation: one address for machines and people, and a cookie for each.

The provider knows one address to come back to. A sign-in that began on a page left another cookie than one that began
at the API, and so is handed on to where it goes on as a page.
"""

from __future__ import annotations

from fastapi import Request, Response

from sfumato.service.open_id import LASTS
from sfumato.service.service import Service
from sfumato.web.request_counts import BASE

COOKIE, PAGE_COOKIE = "sfumato-openid", "sfumato-openid-page"
ANSWER = "/sign-in/openid/answer"  # of the API: what an administrator registers at the provider
PAGE_ANSWER = "/sign-in/open-id/answer"


def cookie_name(service: Service, cookie: str = COOKIE) -> str:
    """The name of the cookie by which a sign-in ends in the browser in which it began."""
    return f"__Host-{cookie}" if service.settings.secure else cookie


def answer_address(service: Service) -> str:
    """Where the provider sends the browser back to."""
    return f"{service.settings.address.rstrip('/')}{BASE}{ANSWER}"


def remember(response: Response, service: Service, browser: str, cookie: str = COOKIE) -> None:
    """Let the browser keep by what its sign-in is known. Lax: it is there when the provider's page sends it back."""
    response.set_cookie(
        cookie_name(service, cookie), browser, max_age=int(LASTS.total_seconds()), path="/",
        secure=service.settings.secure, httponly=True, samesite="lax",
    )  # fmt: skip


def forget(response: Response, service: Service, cookie: str = COOKIE) -> None:
    """Let the browser forget it."""
    response.delete_cookie(cookie_name(service, cookie), path="/", secure=service.settings.secure, httponly=True)


def began_on_page(request: Request, service: Service) -> bool:
    """Whether a sign-in began on a page of the workbench, so that it goes on there."""
    return cookie_name(service, PAGE_COOKIE) in request.cookies


def provider_label(service: Service) -> str:
    """What the button says that signs in with an organisation; nothing where there is none."""
    return service.settings.open_id.label if service.settings.open_id else ""
