"""kill -9 of server, worker and run of `sfumato serve`: no run lost or done twice, nothing half, the log whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.service.conftest import a_world
from tests.service.run_world import with_project
from tests.soak.service_kills import KilledService
from tests.tables.read.conftest import Server, server

from sfumato.service.settings import Settings

__all__ = ["server"]

SLICE, CAMPAIGN = 3, int(os.environ.get("SOAK_KILLS", "100"))

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc"), reason="processes are looked up in /proc")


def survive(root: Path, database: str | None, kills: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill so often, let what is left be done, and look for faults."""
    if database:
        monkeypatch.setenv("SFUMATO_SERVICE_DATABASE", database)
    world = a_world(root, Settings(database=database))
    with_project(world)
    token = world.token("stella")
    world.service.database.close()
    service = KilledService(root, database, token, seed=int(os.environ.get("SOAK_FROM", "1000")))
    try:
        for _ in range(kills):
            service.kill()
        service.end()
        faults, figures = service.faults()
    finally:
        service.close()
    print(figures)  # noqa: T201 - what a campaign is run for
    assert not faults, "\n".join([str(figures), *faults])
    assert figures["done"]


def test_three_kills_cost_no_run_and_leave_nothing_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    survive(tmp_path / "root", None, SLICE, monkeypatch)


@pytest.mark.soak
def test_no_kill_costs_a_run_on_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    survive(tmp_path / "root", None, CAMPAIGN, monkeypatch)


@pytest.mark.soak
def test_no_kill_costs_a_run_on_postgresql(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.run("postgres", "CREATE DATABASE kills")
    survive(tmp_path / "root", server.url("kills"), CAMPAIGN, monkeypatch)
