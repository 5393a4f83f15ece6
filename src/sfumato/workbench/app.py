"""The workbench as an application of its own, beside the API and for the same service."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from fastapi import FastAPI
from fastapi.routing import APIRouter
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sfumato.service.service import Service
from sfumato.web.guard import Guard, log, said_of_unforeseen
from sfumato.web.request_counts import RequestCounts
from sfumato.workbench import screens
from sfumato.workbench.answers import told_as_pages, unforeseen_page

FOLDER = Path(__file__).parent
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    # With no referrer at all, browsers say of a form that it comes from nowhere, and it would be refused.
    "Referrer-Policy": "same-origin",
}
KEPT = "private, max-age=86400"  # files of the workbench itself, which hold nothing of anybody


def workbench(service: Service, counts: RequestCounts) -> FastAPI:
    """The pages of a service; what is asked for is counted with what machines ask for."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.service = service
    told_as_pages(app)
    for router in routers():
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=FOLDER / "static"))
    app.mount("/assets", StaticFiles(directory=FOLDER / "assets", check_dir=False))
    app.add_middleware(PageHeaders)
    app.add_middleware(Guard, counts=counts, secure=service.settings.secure)
    return app


def routers() -> list[APIRouter]:
    """The routers of all screens, in the order of their names."""
    names = sorted(module.name for module in iter_modules(screens.__path__))
    return [import_module(f"{screens.__name__}.{name}").router for name in names]


class PageHeaders:
    """The headers of pages: scripts and styles from here alone, and none within a page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        own = scope["type"] == "http" and scope["path"].removeprefix(scope.get("root_path", "")).startswith(
            ("/static/", "/assets/")
        )

        begun = False

        async def answer(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                given = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    given.setdefault(name, value)
                if own:
                    given["Cache-Control"] = KEPT
            await send(message)

        try:
            await self.app(scope, receive, answer)
        except Exception as error:
            if begun or scope["type"] != "http":  # the guard ends it
                raise
            log.error("%s", said_of_unforeseen(error))
            await unforeseen_page(Request(scope))(scope, receive, answer)
