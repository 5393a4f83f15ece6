"""Problems: every refusal and error as a document (RFC 9457), in the sentences of the command line."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from sfumato.errors import InfeasiblePolicy, NotSignedIn, OutputError, ServiceRefusal, SfumatoError, TooOften

MEDIA = "application/problem+json"
KIND = "urn:sfumato:problem:"
CANNOT_WRITE = (
    "The service cannot write to its log or its disk, so this was not done. It was noted for whoever runs the service."
)
log = logging.getLogger("sfumato.api")
UNFORESEEN = "Something unforeseen went wrong. It was noted for whoever runs the service."


class ProblemDocument(BaseModel):
    """What is wrong, and what to do."""

    type: str
    title: str
    status: int
    detail: str
    fields: list[str] | None = None  # what of the question is not right, by name


def answer_of(status: int, kind: str, detail: str, **more: Any) -> JSONResponse:
    """A problem as an answer."""
    problem = ProblemDocument(type=f"{KIND}{kind}", title=kind.replace("-", " "), status=status, detail=detail, **more)
    return JSONResponse(problem.model_dump(exclude_none=True), status, media_type=MEDIA)


def cannot_write(error: OutputError) -> str:
    """What is told of a log or a disk that cannot be written, no fault of whoever asked.

    Which file that is on this machine is for whoever runs the service, and told to nobody else.
    """
    log.error("%s", error)
    return CANNOT_WRITE


def _of_verb(error: SfumatoError) -> JSONResponse:
    """What a verb of the command line refuses, in its words."""
    if isinstance(error, OutputError):
        return answer_of(503, "unavailable", cannot_write(error))
    return answer_of(409 if isinstance(error, InfeasiblePolicy) else 422, "refused", str(error))


def told_as_problems(app: FastAPI) -> None:
    """Answer every error of an application with a problem."""

    @app.exception_handler(SfumatoError)
    def refused(_request: Request, error: SfumatoError) -> JSONResponse:
        if not isinstance(error, ServiceRefusal):
            return _of_verb(error)
        answer = answer_of(error.status, error.kind, str(error))
        if isinstance(error, TooOften):
            answer.headers["Retry-After"] = str(error.after)
        if isinstance(error, NotSignedIn):
            answer.headers["WWW-Authenticate"] = "Bearer"
        return answer

    @app.exception_handler(RequestValidationError)
    def not_right(_request: Request, error: RequestValidationError) -> JSONResponse:
        # What was sent is not repeated: it may be a password, or a cell.
        fields = [".".join(map(str, one["loc"])) for one in error.errors()]
        return answer_of(422, "not-right", "What was sent is not what this path takes.", fields=fields)

    @app.exception_handler(HTTPException)
    def plainly(_request: Request, error: HTTPException) -> JSONResponse:
        words = {404: "There is no such path.", 405: "This path does not take that method."}
        kinds = {404: "not-known", 405: "no-such-method"}
        answer = answer_of(
            error.status_code,
            kinds.get(error.status_code, "refused"),
            words.get(error.status_code, "This was not understood."),
        )
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(Exception)
    def unforeseen(_request: Request, _error: Exception) -> JSONResponse:
        return answer_of(500, "unforeseen", UNFORESEEN)


ANSWERS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemDocument, "description": words, "content": {MEDIA: {}}}
    for status, words in {
        400: "Not understood",
        401: "Not signed in",
        403: "Not allowed",
        404: "Not known",
        409: "In conflict with the state that things are in",
        412: "Changed by somebody else meanwhile",
        413: "Larger than a limit",
        422: "Not right",
        428: "If-Match is needed",
        429: "Too often",
        503: "Something that the service needs does not answer",
    }.items()
}
