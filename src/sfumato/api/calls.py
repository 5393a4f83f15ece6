"""What every path of the API has in common: what act it is, pages of lists, ETags, and keys of questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any, Generic, TypeVar

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from sfumato.canonical import canonical
from sfumato.errors import ServiceRefusal, Stale
from sfumato.service.caller import Caller
from sfumato.service.handles import LENGTH, LETTERS
from sfumato.service.kept_answers import OtherQuestion, UnderWay, answer_once
from sfumato.service.permissions import Act
from sfumato.service.service import Service
from sfumato.web.one_thread import OneThreadRoute
from sfumato.web.problems import ANSWERS
from sfumato.web.request_counts import BASE
from sfumato.web.who_asks import TheCaller, TheService

WHOLE = r"^[^\x00]*$"  # a text that every database can keep: PostgreSQL takes no character zero
T = TypeVar("T")


class PreconditionNeeded(ServiceRefusal):
    """An edit must say which version it is an edit of."""

    status, kind = 428, "if-match-needed"


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
    return APIRouter(prefix=f"{BASE}{prefix}", tags=[tag], route_class=OneThreadRoute, **more)


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
        named = self.request.path_params
        place = {"project": named.get("project", named.get("name")), "request": named.get("request")}
        try:
            given, document = answer_once(
                self.service, self.caller, self.key, question, lambda: (status, answer().model_dump(mode="json")),
                require=lambda: self.service.require(self.caller, self.act, **place),
            )  # fmt: skip
        except (UnderWay, OtherQuestion) as error:  # no act has begun that would write it down
            self.service.events.refused(self.caller, self.act, place, error)
            raise
        return JSONResponse(document, given)

    @property
    def act(self) -> Act:
        """The act that the path is declared as."""
        return Act(self.request.scope["route"].openapi_extra["x-act"])


def question(request: Request, service: TheService, caller: TheCaller, key: IdempotencyKey = None) -> KeyedQuestion:
    """A question that starts something."""
    return KeyedQuestion(request, service, caller, key)


TheQuestion = Annotated[KeyedQuestion, Depends(question)]
