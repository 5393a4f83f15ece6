"""Visitors of the workbench: somebody who reads what is answered, and a Chromium at a real server."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi.testclient import TestClient
from tests.service.conftest import World

from sfumato.cli.server import both_doors
from sfumato.service.doors import open_session
from sfumato.service.run_queue import claim
from sfumato.service.worker import Worker
from sfumato.web.who_asks import COOKIE


def session_of(world: World, name: str) -> str:
    """What the cookie of somebody holds who has just signed in with everything that is asked of them."""
    with world.service.database.writing() as session:
        account = world.accounts[name]
        return open_session(session, world.service, account, address="127.0.0.1", second_factor_passed=True)


def visitor(world: World, name: str | None = None) -> TestClient:
    """Somebody who follows links and sends forms; without a name, nobody who is signed in."""
    client = TestClient(both_doors(world.service), raise_server_exceptions=False, base_url="http://testserver")
    if name is not None:
        client.cookies.set(COOKIE, session_of(world, name))
    return client


@contextmanager
def served(world: World, *, workers: int = 1) -> Iterator[str]:
    """The address of a server that answers for the world, with workers beside it."""
    import uvicorn

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(100)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(both_doors(world.service), log_level="critical"))
        answering = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        answering.start()
        ending = threading.Event()
        working = [threading.Thread(target=_work, args=(world, ending)) for _ in range(workers)]
        for one in working:
            one.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield address
        finally:
            server.should_exit = True
            ending.set()
            for one in (answering, *working):
                one.join()


def _work(world: World, ending: threading.Event) -> None:
    """Take up what is queued, by the real program, as `sfumato worker` does."""
    worker = Worker(world.service)
    while not ending.wait(0.05):
        while not ending.is_set() and (lease := claim(world.service, worker.name)) is not None:
            worker.take(lease)


def signed_in(browser: Any, address: str, world: World, name: str) -> None:
    """Let a browser be somebody's: by the cookie that signing in would have given it."""
    browser.driver.get(f"{address}/sign-in")
    browser.driver.delete_all_cookies()
    browser.driver.add_cookie({"name": COOKIE, "value": session_of(world, name), "httpOnly": True})
