"""Paths that cost little to answer: found by how many parts they have, and answered in one thread where they read.

FastAPI gives every function a thread of its own, and so would wait for one to learn who asks and then for another one
to answer. Each wait costs about as much as an empty path does, and more where many ask at once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope

from sfumato.web.who_asks import TheCaller, TheService, caller

ASKED, AT = "asked_by_request", "asked_of_service"  # parameters that no path has


class OneThreadRoute(APIRoute):
    """A path that knows who asks in the thread that answers, where it only reads."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        # What changes something learns who asks first: what another site sends is refused before all else.
        reads = set(more.get("methods") or ("GET",)) <= {"GET", "HEAD"}
        super().__init__(path, in_one_thread(endpoint) if reads else endpoint, **more)
        self.parts = None if ":path}" in path else path.count("/")  # None: of any number

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a question is for this path. Most are not, as their number of parts says at a tenth of the cost."""
        if self.parts is not None and scope["path"].count("/") != self.parts and not scope.get("root_path"):
            return Match.NONE, {}
        return super().matches(scope)


def in_one_thread(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """The same function for FastAPI, of a request instead of a caller; what is asynchronous stays as it is."""
    known = inspect.signature(endpoint, eval_str=True)
    taken = known.parameters.values()
    names = [one.name for one in taken if one.annotation == TheCaller]
    if not names or inspect.iscoroutinefunction(endpoint):
        return endpoint

    own = next((one.name for one in taken if one.annotation is Request), None)  # FastAPI gives a request once only

    @wraps(endpoint)
    def answered(**given: Any) -> Any:
        asking = caller(given[own] if own else given.pop(ASKED), given.pop(AT))
        return endpoint(**given, **dict.fromkeys(names, asking))

    by_name = inspect.Parameter.KEYWORD_ONLY
    kept = [one.replace(kind=by_name) for one in taken if one.name not in names]
    kept += [] if own else [inspect.Parameter(ASKED, by_name, annotation=Request)]
    service = inspect.Parameter(AT, by_name, annotation=TheService)
    answered.__signature__ = known.replace(parameters=[*kept, service])  # type: ignore[attr-defined]
    return answered
