"""Paths that read are answered in one thread, and by the same path that a search through all of them finds."""

from __future__ import annotations

import threading

from fastapi import FastAPI, Request
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from starlette.routing import Match
from tests.service.browsers import API

from sfumato.api.app import application
from sfumato.api.calls import paths
from sfumato.service import doors
from sfumato.web.who_asks import TheCaller, TheService


def test_who_asks_is_looked_up_in_the_thread_that_answers(world, monkeypatch):
    looked, answered = [], []
    look_up = doors.caller_of

    def caller_of(*given, **named):
        looked.append(threading.get_ident())
        return look_up(*given, **named)

    monkeypatch.setattr("sfumato.web.who_asks.caller_of", caller_of)
    router = paths("threads")

    @router.get("/who/{place}")
    def who(place: str, caller: TheCaller, service: TheService) -> list[str]:
        answered.append(threading.get_ident())
        return [place, caller.name, service.settings.address]

    @router.get("/own")
    def own(request: Request, caller: TheCaller) -> list[str]:
        return [request.url.path, caller.name]

    app = FastAPI(routes=router.routes)
    app.state.service = world.service
    token = world.token("stella")
    asked = TestClient(app).get(f"{API}/who/here", headers={"Authorization": f"Bearer {token}"})
    assert asked.json() == ["here", "stella", world.service.settings.address]
    assert looked == answered
    asked = TestClient(app).get(f"{API}/own", headers={"Authorization": f"Bearer {token}"})
    assert asked.json() == [f"{API}/own", "stella"]  # a path that takes the request itself is given it too
    looked = looked[:1]
    assert looked != [threading.get_ident()]


def test_each_path_is_found_as_a_search_through_all_of_them_finds_it(world):
    routes = application(world.service).router.routes
    tried = {route.path.replace("{name:path}", "a/b/c").replace("{", "").replace("}", "") for route in routes}
    tried |= {f"{path}/" for path in tried} | {f"{path}/more" for path in tried} | {"/", f"{API}/nothing/at/all"}
    for path in sorted(tried):
        for root_path in ("", "/behind"):
            scope = {"type": "http", "method": "GET", "path": root_path + path, "root_path": root_path, "headers": []}
            quick = [route.path for route in routes if route.matches(scope)[0] is not Match.NONE]
            whole = [
                route.path for route in routes
                if (APIRoute if isinstance(route, APIRoute) else type(route)).matches(route, scope)[0] is not Match.NONE
            ]  # fmt: skip
            assert quick == whole
