"""Who asks: by the cookie of a session or by a token, and by nothing that a browser or a script says of itself."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from fastapi import Depends, Request, Response

from sfumato.errors import NotAllowed
from sfumato.service.caller import Caller
from sfumato.service.doors import caller_of
from sfumato.service.service import Service
from sfumato.web.request_counts import route_of

COOKIE = "sfumato"
SECURE_COOKIE = "__Host-sfumato"  # a browser takes it only by TLS, for this host and every path
SAFE = {"GET", "HEAD", "OPTIONS"}
HOUR = 3600  # seconds


class DoorDeed(StrEnum):
    """What is refused at the door, before any act begins, as the log has it."""

    OTHER_SITE = "other-site"


async def service_of(request: Request) -> Service:
    """The service that this application is a door of; asynchronous, since a thread would cost more than it does."""
    return request.app.state.service  # type: ignore[no-any-return]


def caller(request: Request, service: Annotated[Service, Depends(service_of)]) -> Caller:
    """Who asks: by the cookie of a session or by a token, and by nothing that the client says of itself."""
    kind, _, bearer = request.headers.get("authorization", "").partition(" ")
    token = bearer.strip() if kind.lower() == "bearer" else None
    cookie = request.cookies.get(SECURE_COOKIE if service.settings.secure else COOKIE)
    asking = caller_of(service, cookie=cookie, bearer=token, address=_address(request))
    if token is None and asking.signed_in and request.method not in SAFE:
        require_same_origin(request, asking)
    return asking


def require_same_origin(request: Request, asking: Caller | None = None) -> None:
    """Refuse what another site makes a browser send: the cookie is SameSite=Strict, and this does not rely on it."""
    origin = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site")
    here = str(request.base_url).rstrip("/")
    if site not in (None, "same-origin", "none") or origin not in (None, here):
        error = NotAllowed("This comes from another site.")
        service: Service = request.app.state.service
        about = {"method": request.method, "path": route_of(request.scope)}
        service.events.refused(asking or Caller(address=_address(request)), DoorDeed.OTHER_SITE, about, error)
        raise error


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def give_cookie(response: Response, service: Service, secret: str) -> None:
    """Let the browser keep what opens a session: no script reads it, and no other site makes the browser send it."""
    secure, age = service.settings.secure, service.settings.session_hours * HOUR
    name = SECURE_COOKIE if secure else COOKIE
    response.set_cookie(name, secret, max_age=age, path="/", secure=secure, httponly=True, samesite="strict")


def take_cookie(response: Response, service: Service) -> None:
    """Let the browser forget it."""
    secure = service.settings.secure
    name = SECURE_COOKIE if secure else COOKIE
    response.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="strict")


TheService = Annotated[Service, Depends(service_of)]
TheCaller = Annotated[Caller, Depends(caller)]
