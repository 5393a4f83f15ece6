"""Answers: a template with what a screen wants to show, and every refusal as a page that says what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.exceptions import HTTPException

from sfumato import __version__
from sfumato.errors import NotSignedIn, OutputError, ServiceRefusal, SfumatoError, TooOften
from sfumato.service.caller import Caller
from sfumato.service.local_table import is_alone
from sfumato.web.problems import cannot_write
from sfumato.workbench.catalogue import LANGUAGES, Catalogue, catalogue, language_of
from sfumato.workbench.places import ScreenPlace

LANGUAGE_COOKIE = "sfumato-language"
TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,  # a page with a gap that nobody notices would be worse than none
    trim_blocks=True,
    lstrip_blocks=True,
)
WORDS_MEET = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[_-])(?=\w)")


def breakable(name: str) -> Markup:
    """The name of a column, which may break where two of its words meet and not within one.

    >>> str(breakable("DateOfBirth<b>"))
    'Date<wbr>Of<wbr>Birth&lt;b&gt;'
    """
    return Markup("<wbr>").join(WORDS_MEET.split(name))


TEMPLATES.filters["breakable"] = breakable


def texts_for(request: Request) -> Catalogue:
    """The catalogue in the language of whoever asks."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    return catalogue(language_of(chosen, request.headers.get("accept-language", "")))


def by_htmx(request: Request) -> bool:
    """Whether a part of a page asks, and wants a part as an answer."""
    return request.headers.get("hx-request") == "true" and request.headers.get("hx-history-restore-request") != "true"


def shown(
    request: Request,
    template: str,
    *,
    caller: Caller | None = None,
    place: ScreenPlace | None = None,
    status: int = 200,
    **content: Any,
) -> HTMLResponse:
    """A page, or a part of one: a template whose name begins with `_` is a part, for HTMX and within pages."""
    text = texts_for(request)
    page = TEMPLATES.get_template(template).render(
        t=text,
        languages=LANGUAGES,
        version=__version__,
        caller=caller or Caller(),
        by_oneself=is_alone(caller or Caller()),
        place=place or ScreenPlace(),
        path=request.url.path,
        **content,
    )
    return HTMLResponse(page, status, headers={"Vary": "HX-Request, Cookie, Accept-Language"})


def gone_on(request: Request, address: str) -> Response:
    """Go on at another address once something was done, so that to load the page again does not do it again."""
    if by_htmx(request):
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(address, 303)


def told_as_pages(app: FastAPI) -> None:
    """Answer every refusal with a page, or for HTMX with a sentence above the page as it was."""

    @app.exception_handler(SfumatoError)
    def refused(request: Request, error: SfumatoError) -> Response:
        if isinstance(error, NotSignedIn):
            return _to_sign_in(request)
        if isinstance(error, OutputError):
            return _message(request, 503, cannot_write(error))
        answer = _message(request, error.status if isinstance(error, ServiceRefusal) else 422, str(error))
        if isinstance(error, TooOften):
            answer.headers["Retry-After"] = str(error.after)
        return answer

    @app.exception_handler(RequestValidationError)
    def not_right(request: Request, _error: RequestValidationError) -> Response:
        return _message(request, 422, str(texts_for(request)("base.not_right")))

    @app.exception_handler(HTTPException)
    def plainly(request: Request, error: HTTPException) -> Response:
        words = "base.no_such_page" if error.status_code == 404 else "base.not_right"
        return _message(request, error.status_code, str(texts_for(request)(words)))


def unforeseen_page(request: Request) -> Response:
    """What somebody sees when something went wrong that nobody foresaw: a page, and nothing of what it was about."""
    return _message(request, 500, str(texts_for(request)("base.unforeseen")))


def _to_sign_in(request: Request) -> Response:
    asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return gone_on(request, f"/sign-in?next={quote(asked if request.method == 'GET' else '/')}")


def _message(request: Request, status: int, sentence: str) -> HTMLResponse:
    if by_htmx(request):
        answer = shown(request, "_failed.html", status=status, sentence=sentence)
        answer.headers.update({"HX-Retarget": "#failed", "HX-Reswap": "innerHTML"})
        return answer
    return shown(request, "message.html", status=status, sentence=sentence)
