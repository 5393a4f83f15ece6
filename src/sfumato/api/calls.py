"""What every path of the API has in common: who asks, what act it is, pages of lists, ETags, and keys of questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any, Generic, TypeVar

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from sfumato.api.problems import ANSWERS
from sfumato.api.request_counts import BASE
from sfumato.canonical import canonical
from sfumato.errors import NotAllowed, ServiceRefusal, Stale
from sfumato.service.caller import Caller
from sfumato.service.doors import caller_of
from sfumato.service.handles import LENGTH, LETTERS
from sfumato.service.kept_answers import answer_once
from sfumato.service.permissions import Act
from sfumato.service.service import Service

COOKIE = "sfumato"
SECURE_COOKIE = "__Host-sfumato"  # a browser takes it only by TLS, for this host and every path
SAFE = {"GET", "HEAD", "OPTIONS"}
HOUR = 3600  # seconds
WHOLE = r"^[^\x00]*$"  # a text that every database can keep: PostgreSQL takes no character zero
T = TypeVar("T")


class PreconditionNeeded(ServiceRefusal):
    """An edit must say which version it is an edit of."""

    status, kind = 428, "if-match-needed"


async def service_of(request: Request) -> Service:
    """The service that this application is a door of; asynchronous, since a thread would cost more than it does."""
    return request.app.state.service  # type: ignore[no-any-return]


def caller(request: Request, service: Annotated[Service, Depends(service_of)]) -> Caller:
    """Who asks: by the cookie of a session or by a token, and by nothing that the client says of itself."""
    kind, _, bearer = request.headers.get("authorization", "").partition(" ")
    token = bearer.strip() if kind.lower() == "bearer" else None
    cookie = request.cookies.get(SECURE_COOKIE if service.settings.secure else COOKIE)
    asking = caller_of(service, cookie=cookie, bearer=token, address=request.client.host if request.client else "")
    if token is None and asking.signed_in and request.method not in SAFE:
        require_same_origin(request)
    return asking


def require_same_origin(request: Request) -> None:
    """Refuse what another site makes a browser send: the cookie is SameSite=Strict, and this does not rely on it."""
    origin = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site")
    here = str(request.base_url).rstrip("/")
    if site not in (None, "same-origin", "none") or origin not in (None, here):
        raise NotAllowed("This comes from another site.")


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


def of(act: Act, *statuses: int, in_person: bool = False) -> dict[str, Any]:
    """How a path is declared: the act that it is, by which the table of permissions is compared with the paths.

    What is done `in_person` is refused to tokens, and so is told in the document of the API.
    """
    known = {401, 403, 404, 422, 429, 503, *statuses}
    told = {"x-act": act.value, **({"x-in-person": True} if in_person else {})}
    return {"openapi_extra": told, "responses": {status: ANSWERS[status] for status in sorted(known)}}


class Page(BaseModel, Generic[T]):
    """A part of a list; `next` is what `after` has to be for the part that follows."""

    items: list[T]
    next: str | None = None


class Paging(BaseModel):
    """Which part of a list: how many, and after which handle."""

    limit: Annotated[int, Query(ge=1, le=200)] = 50
    after: Annotated[str | None, Query(max_length=64, pattern=WHOLE)] = None

    def page(self, items: Sequence[T], key: Callable[[T], str], **headers: str) -> Response:
        """The part as an answer, of items that were asked for with one more than the limit.

        It is written here, in the thread that made it: FastAPI would check every document once more, in another one.
        """
        shown = list(items[: self.limit])
        part = Page(items=shown, next=key(shown[-1]) if len(items) > self.limit else None)
        return Response(part.model_dump_json(), media_type="application/json", headers=headers)


ThePaging = Annotated[Paging, Query()]
# What stands in a path is bounded and whole before it comes to any database or disk.
ProjectName = Annotated[str, Path(max_length=200, pattern=WHOLE)]
Handle = Annotated[str, Path(max_length=64, pattern=WHOLE)]
FileName = Annotated[str, Path(max_length=255, pattern=WHOLE)]
TheHandle = Annotated[str, Path(max_length=LENGTH, pattern=f"^[{LETTERS}]{{{LENGTH}}}$")]
IfMatch = Annotated[str | None, Header(alias="If-Match", max_length=200)]
IdempotencyKey = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200)]


def paths(tag: str, prefix: str = "", **more: Any) -> APIRouter:
    """The paths of one file, with all that their addresses begin with."""
    return APIRouter(prefix=f"{BASE}{prefix}", tags=[tag], **more)


def etag(response: Response, hashed: str) -> None:
    """Say which state of a thing an answer shows."""
    response.headers["ETag"] = f'"{hashed}"'


def require_match(given: str | None, hashed: str) -> None:
    """Refuse an edit of another state than the one that is there."""
    if given is None:
        raise PreconditionNeeded("Say which version you have changed: If-Match with the ETag that you were given.")
    if given.strip() != "*" and f'"{hashed}"' not in (part.strip() for part in given.split(",")):
        raise Stale("Somebody has changed it since you read it. Read it again, then make your change.")


@dataclass(frozen=True)
class KeyedQuestion:
    """A question that starts something: what was asked by whom, and the key under which it is asked once."""

    request: Request
    service: Service
    caller: Caller
    key: str | None

    def once(self, body: Any, answer: Callable[[], BaseModel], status: int = 201) -> Response:
        """Answer it: under the same key the same question gets the same answer, and starts nothing again."""
        if self.key is None:
            return JSONResponse(answer().model_dump(mode="json"), status)
        asked = body.model_dump(mode="json") if isinstance(body, BaseModel) else body
        question = sha256(canonical([self.request.method, self.request.url.path, asked])).hexdigest()
        given, document = answer_once(
            self.service, self.caller, self.key, question, lambda: (status, answer().model_dump(mode="json"))
        )
        return JSONResponse(document, given)


def question(request: Request, service: TheService, caller: TheCaller, key: IdempotencyKey = None) -> KeyedQuestion:
    """A question that starts something."""
    return KeyedQuestion(request, service, caller, key)


TheQuestion = Annotated[KeyedQuestion, Depends(question)]
