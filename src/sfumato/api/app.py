"""The application: every path under `/api/v1`, the headers that keep a browser safe, and the document of all of it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from importlib import import_module
from pkgutil import iter_modules

from fastapi import FastAPI, Request, Response
from fastapi.routing import APIRouter

from sfumato import __version__
from sfumato.api import routes
from sfumato.api.problems import answer_of, told_as_problems
from sfumato.service.service import Service

BASE = "/api/v1"
MOST_BYTES = 1_000_000  # of a question, but for the paths that take files, which have limits of their own
FILES = re.compile(r"/(parts|files|files/[^/]+)$")  # how those paths end
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
TRANSPORT = "max-age=31536000"  # a year: browsers come back by TLS only


def application(service: Service) -> FastAPI:
    """The API of a service."""
    app = FastAPI(
        title="Sfumato",
        version=__version__,
        summary="From a request for data to a release, with evidence.",
        openapi_url=f"{BASE}/openapi.json",
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
    )
    app.state.service = service
    told_as_problems(app)
    for router in routers():
        app.include_router(router, prefix=BASE)
    app.middleware("http")(_guarded)
    return app


def routers() -> list[APIRouter]:
    """The routers of all files in `routes`, in the order of their names."""
    names = sorted(module.name for module in iter_modules(routes.__path__))
    return [import_module(f"{routes.__name__}.{name}").router for name in names]


async def _guarded(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
    """No question larger than a limit, and the headers of every answer."""
    length = request.headers.get("content-length", "0")
    large = not length.isdecimal() or int(length) > MOST_BYTES or "transfer-encoding" in request.headers
    if large and not FILES.search(request.url.path):
        response: Response = answer_of(413, "too-large", f"A question has {MOST_BYTES:,} bytes at the most.")
    else:
        response = await answer(request)
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.app.state.service.settings.secure:
        response.headers.setdefault("Strict-Transport-Security", TRANSPORT)
    return response
