"""PostgreSQL is gone for ten seconds under a real service with runs at work: none is lost, and none done twice."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from tests.service.conftest import a_world
from tests.service.run_world import with_project
from tests.soak.service_kills import KilledService
from tests.tables.read.conftest import Server, server

from sfumato.service.settings import Settings

__all__ = ["server"]

GONE = 10  # seconds
ASKED = 6  # runs before it ends, of which two are at work

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc"), reason="processes are looked up in /proc")


@pytest.mark.soak
def test_a_database_that_is_gone_for_ten_seconds_costs_no_run(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.run("postgres", "CREATE DATABASE gone")
    database = server.url("gone")
    monkeypatch.setenv("SFUMATO_SERVICE_DATABASE", database)
    world = a_world(tmp_path / "root", Settings(database=database))
    with_project(world)
    token = world.token("stella")
    world.service.database.close()
    service = KilledService(tmp_path / "root", database, token, seed=0)
    try:
        for _ in range(ASKED):
            service.ask()
        service.await_work()
        server.stop()
        until, answers = time.monotonic() + GONE, []
        try:
            while time.monotonic() < until:
                answers += [service.client.get(path).status_code for path in ("ready", "projects/clinic/runs")]
        finally:
            server.start()
        service.ask()
        service.end()
        faults, figures = service.faults()
    finally:
        service.close()
    print(figures, len(answers))  # noqa: T201 - what a campaign is run for
    assert set(answers) == {503}
    assert not faults, "\n".join([str(figures), *faults])
    assert (figures["done"], figures["failed"]) == (figures["runs"], 0)
