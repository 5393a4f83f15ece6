"""What the service does without: a database that is gone for a while, a disk that is full, and names that hurt."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.service.browsers import API, uses
from tests.service.conftest import World, a_world
from tests.service.postgresql import a_database, server  # noqa: F401
from tests.service.run_world import PROJECT, queued, state_of, until, with_project, worked
from typer.testing import CliRunner

from sfumato.cli.app import app
from sfumato.service.database_address import WrongAddress
from sfumato.service.service import Service
from sfumato.service.settings import Settings

PROBLEM = "application/problem+json"
OPENAPI = json.loads((Path(__file__).parents[2] / "docs" / "openapi.json").read_text(encoding="utf-8"))
DRIVER = ("psycopg", "sqlalchemy", "sqlite", "connection refused", "server closed", "127.0.0.1", "port")
ROOM = 24_000_000  # bytes of the small disk


@pytest.fixture
def on_postgresql(a_database: str, tmp_path: Path) -> Iterator[World]:  # noqa: F811
    made = a_world(tmp_path / "root", Settings(database=a_database))
    with_project(made)
    yield made
    made.service.database.close()


def require_unavailable(answer: Any) -> None:
    """A problem that says no more than that something does not answer."""
    assert answer.status_code == 503, answer.text
    assert answer.headers["content-type"] == PROBLEM
    assert [word for word in DRIVER if word in answer.text.lower()] == []


def test_a_database_that_is_gone_for_a_while_is_said_to_be_and_all_works_after(on_postgresql, server):  # noqa: F811
    world = on_postgresql
    stella, stranger = world.door("stella"), world.door()
    handle = queued(world)
    assert stranger.get(f"{API}/ready").status_code == 200
    server.stop()
    try:
        require_unavailable(stranger.get(f"{API}/ready"))
        assert stranger.get(f"{API}/health").status_code == 200
        for path in ("/projects", "/projects/clinic/runs", "/me/notices", f"/projects/clinic/runs/{handle}"):
            require_unavailable(stella.get(f"{API}{path}"))
        require_unavailable(stella.post(f"{API}/projects/clinic/runs", json={"verb": "assess"}))
        require_unavailable(stranger.post(f"{API}/sign-in", json={"name": "stella", "password": "a" * 12}))
    finally:
        server.start()
    until(lambda: stranger.get(f"{API}/ready").status_code == 200)
    assert [run["handle"] for run in stella.get(f"{API}/projects/clinic/runs").json()["items"]] == [handle]
    worked(world)
    assert state_of(world.service, handle).state == "done"
    assert uses(world)  # and the chain is whole


def test_a_log_that_cannot_be_written_stops_everything_and_tells_nobody_where_it_is(world, caplog):
    from tests.workbench.visitors import visitor

    log = world.service.events.log.path
    stella, page = world.door("stella"), visitor(world, "stella")
    log.unlink(missing_ok=True)
    log.mkdir()
    asked = [
        world.door().get(f"{API}/projects"), stella.get(f"{API}/projects/elsewhere/versions"),
        stella.post(f"{API}/projects/clinic/runs", json={"verb": "assess"}), page.get("/projects/elsewhere/table"),
    ]  # fmt: skip
    assert [answer.status_code for answer in asked] == [503] * 4
    assert [answer.text for answer in asked if str(world.service.root) in answer.text or log.name in answer.text] == []
    assert log.name in caplog.text  # for whoever runs the service


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of some megabytes, in memory."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", str(place)]
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("a small disk is made by root only")
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody make a small disk")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def filled(place: Path) -> Path:
    """A file that takes all that is left of a disk."""
    file = place / "filler"
    with file.open("wb", buffering=0) as stream, suppress(OSError):
        while True:
            stream.write(b"x" * 4096)
    return file


def test_on_a_full_disk_nothing_is_done_by_half_and_all_works_once_there_is_room(small_disk):
    world = a_world(small_disk / "root")
    with_project(world)
    stella = world.door("stella")
    assert stella.get(f"{API}/projects/clinic/versions").status_code == 200
    newest = stella.get(f"{API}/projects/clinic/versions").json()["items"][0]["number"]
    filler = filled(small_disk)
    change = {"files": {"sfumato.yaml": PROJECT, "notes.txt": "n" * 200_000}, "message": "more"}
    saved = stella.post(f"{API}/projects/clinic/versions", json=change, headers={"If-Match": "*"})
    require_unavailable(saved)
    require_unavailable(stella.post(f"{API}/projects/clinic/runs", json={"verb": "assess"}))
    assert stella.get(f"{API}/health").status_code == 200
    filler.unlink()
    assert stella.get(f"{API}/projects/clinic/versions").json()["items"][0]["number"] == newest
    saved = stella.post(f"{API}/projects/clinic/versions", json=change, headers={"If-Match": "*"})
    assert saved.status_code == 201, saved.text
    handle = queued(world)
    worked(world)
    assert state_of(world.service, handle).state == "done"
    assert uses(world)  # and the chain is whole
    assert not [name for name in os.listdir(world.service.root / "files") if name.startswith(".")]
    world.service.database.close()


def filled_in(path: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", value)
    return path


def test_every_parameter_of_a_path_is_bounded():
    unbounded = []
    for path, operations in OPENAPI["paths"].items():
        for method, operation in operations.items():
            for one in operation.get("parameters", ()):
                schema = one["schema"]
                if "$ref" in schema:
                    schema = OPENAPI["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
                known = schema.keys() & {"maxLength", "maximum", "enum"}
                if one["in"] == "path" and not known:
                    unbounded.append((method, path, one["name"]))
    assert unbounded == []


@pytest.mark.parametrize("value", ["%00", "a%00b", "x" * 3000, "%F0%9F%98%80" * 200, "..%2F..%2Fetc"])
def test_no_name_in_a_path_makes_postgresql_fail(on_postgresql, value):
    usual = {"project": "clinic", "name": "clinic"}
    doors = {name: on_postgresql.door(name) for name in ("stella", "ada")}
    failed = []
    for path, operations in OPENAPI["paths"].items():
        for method, operation in operations.items():
            named = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"]
            for wrong in named:
                values = {name: usual.get(name, "1" if name == "number" else "01" * 13) for name in named}
                values[wrong] = value
                door = doors["ada" if path.startswith(f"{API}/accounts") or "/members" in path else "stella"]
                answer = door.request(method.upper(), filled_in(path, values), headers={"If-Match": "*"})
                if answer.status_code not in (400, 403, 404, 405, 413, 415, 422):
                    failed.append((method, path, wrong, answer.status_code))
    assert failed == []


def test_a_database_that_is_named_goes_before_the_settings_and_one_that_is_none_is_not_repeated(
    world,
    a_database,  # noqa: F811
    tmp_path,
):
    Service.at(tmp_path / "on-a-server", database=a_database).database.close()
    there = Service.there(tmp_path / "on-a-server", database=a_database)
    assert there.settings.database == a_database
    assert there.database.engine.dialect.name == "postgresql"
    there.database.close()
    for wrong in ("mysql://u:geheim@h/d", "postgresql://u:geheim@h:port/d", "postgresql://[u:geheim"):
        done = CliRunner().invoke(app, ["worker", "--root", str(world.service.root), "--database", wrong])
        assert isinstance(done.exception, WrongAddress)
        assert "geheim" not in str(done.exception)
