"""The application: every path under `/api/v1`, the guard before them, and the document of all of it."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from fastapi import FastAPI
from fastapi.routing import APIRouter

from sfumato import __version__
from sfumato.api import routes
from sfumato.service.service import Service
from sfumato.web.guard import Guard
from sfumato.web.problems import told_as_problems
from sfumato.web.request_counts import BASE as BASE
from sfumato.web.request_counts import RequestCounts


def application(service: Service) -> FastAPI:
    """The API of a service."""
    app = FastAPI(
        title="Sfumato",
        version=__version__,
        summary="From a request for data to a release, with evidence.",
        openapi_url=f"{BASE}/openapi.json",
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        # In one list, each with its whole address: a router within a router is searched from its beginning for every
        # question, which takes longer than to ask the database.
        routes=[route for router in routers() for route in router.routes],
    )
    app.state.service, app.state.counts = service, RequestCounts()
    told_as_problems(app)
    app.add_middleware(Guard, counts=app.state.counts, secure=service.settings.secure)
    return app


def routers() -> list[APIRouter]:
    """The routers of all files in `routes`, in the order of their names."""
    names = sorted(module.name for module in iter_modules(routes.__path__))
    return [import_module(f"{routes.__name__}.{name}").router for name in names]
