"""Sources: handles only. No path, address or query of a client is opened, and what has changed is noticed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests.service.conftest import a_world
from tests.service.project_of_visits import BASE, CANARY, PROJECT, log_of, put, uploaded, visits
from tests.tables.read.conftest import database, server  # noqa: F401

from sfumato.errors import Conflict, NotKnown
from sfumato.service.database_address import WrongAddress, cut_up
from sfumato.service.entities import Connection, ServiceProject
from sfumato.service.settings import Settings
from sfumato.service.work_folder import work_folder

SOURCES = f"{BASE}/sources"
URL = "postgresql://reader:s3cret-p%3Aw@db.example.org:5433/study?sslmode=require"


@pytest.fixture
def rooted(tmp_path):
    """A world with an allowed root, and things around it that nobody may reach."""
    root = tmp_path / "data"
    (root / "2024").mkdir(parents=True)
    (root / "2024" / "visits.csv").write_bytes(visits())
    (tmp_path / "outside.csv").write_text("secret\n1\n")
    (root / "out.csv").symlink_to(tmp_path / "outside.csv")
    (root / "up").symlink_to(tmp_path)
    os.mkfifo(root / "pipe.csv")
    made = a_world(tmp_path / "root", Settings(roots={"registry": root}))
    yield made
    made.service.database.close()


def registered(door, **more):
    return door.post(SOURCES, json={"kind": "file", "root": "registry", "path": "2024/visits.csv", **more})


def folder_of(world, tmp_path, handle=None, number=1):
    with world.service.database.reading() as session:
        project = session.query(ServiceProject).filter_by(name="clinic").one()
        return work_folder(world.service, session, project, number, handle, tmp_path / "work")


def test_a_registered_file_is_used_as_long_as_it_is_what_it_was(rooted, tmp_path):
    door = rooted.door("stella")
    put(door, "sfumato.yaml", PROJECT)
    made = registered(door)
    assert (made.status_code, made.json()["kind"], made.json()["bytes"]) == (201, "file", len(visits()))
    assert "path" not in made.json()
    handle = made.json()["handle"]
    assert [one["handle"] for one in door.get(SOURCES).json()["items"]] == [handle]
    prepared = folder_of(rooted, tmp_path)
    assert (prepared.environment, prepared.options, prepared.source) == ({"SFUMATO_ALLOW": ""}, (), None)
    work = tmp_path / "work"
    assert (work / "visits.csv").read_bytes() == visits()
    assert work.stat().st_mode & 0o777 == 0o700
    assert (work / "sfumato.key").stat().st_mode & 0o777 == 0o600
    with (tmp_path / "data" / "2024" / "visits.csv").open("ab") as stream:
        stream.write(b"p99,20,f,flu\n")
    (work / "visits.csv").unlink()
    with pytest.raises(Conflict, match="has changed since it was registered"):
        folder_of(rooted, tmp_path, handle)
    assert not (work / "visits.csv").exists()
    assert door.get(f"{SOURCES}/{handle}/rows").status_code == 409
    assert door.delete(f"{SOURCES}/{handle}").status_code == 204
    assert (tmp_path / "data" / "2024" / "visits.csv").exists()  # it is not the service's to delete
    with pytest.raises(NotKnown):
        folder_of(rooted, tmp_path, handle)


PATHS = [
    "../outside.csv", "2024/../../outside.csv", "/etc/passwd", "//etc/passwd", "~/x.csv", "out.csv", "up/outside.csv",
    "pipe.csv", "2024", "2024/", "", "./2024/visits.csv", "2024//visits.csv", "2024\\visits.csv", "nothing.csv",
    "2024/visits.csv\0", "C:/x.csv", "file:///etc/passwd", "http://example.org/x.csv", "%2e%2e/outside.csv",
    "a" * 900 + ".csv", "2024/*.csv", "$(id).csv", "'; DROP TABLE source; --.csv",
]  # fmt: skip


def test_no_path_leads_anywhere_but_to_a_plain_file_below_the_root(rooted):
    door = rooted.door("stella")
    answers = {path: registered(door, path=path, name="x.csv") for path in PATHS}
    assert {path: answer.status_code for path, answer in answers.items() if answer.status_code not in (404, 422)} == {}
    assert len({a.json()["detail"] for p, a in answers.items() if p in ("out.csv", "nothing.csv", "pipe.csv")}) == 1
    for root in ("other", "", "..", "/"):
        assert registered(door, root=root).status_code in (404, 422)
    for name in ("../x.csv", "x.exe", "sfumato.key", "a/b.csv"):
        assert registered(door, name=name).status_code == 422
    assert registered(door, url="postgresql://x").status_code == 422  # no field of that name
    assert registered(door, query="SELECT 1").status_code == 422
    assert door.get(SOURCES).json()["items"] == []
    assert b"secret" not in log_of(rooted.service)


def test_a_deleted_upload_is_gone_from_the_disk_unless_something_else_has_the_same_content(world):
    door, other = world.door("stella"), world.door("other")
    one = uploaded(door, visits())
    two = uploaded(other, visits(), base="/api/v1/projects/elsewhere")
    content = door.get(f"{SOURCES}/{one}").json()["hash"]
    assert other.delete(f"{SOURCES}/{one}").status_code == 404
    assert other.delete(f"/api/v1/projects/elsewhere/sources/{one}").status_code == 404
    assert door.delete(f"{SOURCES}/{one}").status_code == 204
    assert world.service.storage.has(content)
    assert (door.get(f"{SOURCES}/{one}").status_code, door.delete(f"{SOURCES}/{one}").status_code) == (404, 404)
    assert other.delete(f"/api/v1/projects/elsewhere/sources/{two}").status_code == 204
    assert not world.service.storage.has(content)
    written = log_of(world.service)
    assert one.encode() in written
    assert CANARY.encode() not in written


def test_others_see_no_source_and_do_nothing_with_it(rooted):
    handle = registered(rooted.door("stella")).json()["handle"]
    for who, reading, rows in (("rita", 200, 403), ("other", 404, 404), ("quentin", 403, 403), (None, 401, 401)):
        door = rooted.door(who)
        assert door.get(SOURCES).status_code == reading
        assert door.get(f"{SOURCES}/{handle}").status_code == reading
        assert door.get(f"{SOURCES}/{handle}/rows").status_code == rows
        assert door.delete(f"{SOURCES}/{handle}").status_code == rows
        assert registered(door, name="more.csv").status_code == rows


def test_of_a_connection_only_name_kind_and_projects_come_out(world):
    admin = world.door("ada")
    made = admin.put("/api/v1/connections/registry", json={"url": URL, "projects": ["clinic"]})
    assert made.status_code == 200, made.text
    assert set(made.json()) == {"name", "kind", "projects", "created"}
    listed = admin.get("/api/v1/connections")
    assert [one["name"] for one in listed.json()["items"]] == ["registry"]
    with world.service.database.reading() as session:
        sealed = session.query(Connection).one().url
    for secret in ("s3cret", "example.org", "reader"):
        assert secret not in made.text + listed.text
        assert secret.encode() not in log_of(world.service) + sealed
    for who in ("stella", "other", "otto"):
        assert world.door(who).get("/api/v1/connections").status_code == 403
        assert world.door(who).put("/api/v1/connections/x", json={"url": URL}).status_code == 403
    table = {"kind": "connection", "connection": "registry", "table": "visits", "name": "visits"}
    assert world.door("other").post("/api/v1/projects/elsewhere/sources", json=table).status_code == 404
    source = world.door("stella").post(SOURCES, json=table)
    assert (source.status_code, source.json()["table"]) == (201, "visits")
    assert admin.delete("/api/v1/connections/registry").status_code == 409  # it is in use
    world.door("stella").delete(f"{SOURCES}/{source.json()['handle']}")
    assert admin.delete("/api/v1/connections/registry").status_code == 204


ADDRESSES = [
    "sqlite:////etc/passwd", "file:///etc/passwd", "mysql://db/x", "postgresql://", "postgresql://db.example.org",
    "postgresql://u:p@h/db?service=x", "postgresql://u:p@h/db?passfile=/etc/passwd", "postgresql://h/db?options=-c%20x",
    "postgresql://u:p@h/db\nx", "postgresql://u:p@h/db?nonsense=1", "postgresql://[h/db", "",
]  # fmt: skip
TABLES = ["visits; DROP TABLE visits", 'visits" --', "SELECT * FROM x", "a.b.c", "visits\0", "-x", "../x",
          "pg_sleep(9)", "'x'", "", "a" * 300, "(SELECT 1)", "--output=/etc/x"]  # fmt: skip


def test_no_address_that_is_none_and_no_table_that_is_sql(world):
    admin, door = world.door("ada"), world.door("stella")
    for address in ADDRESSES:
        refused = admin.put("/api/v1/connections/registry", json={"url": address})
        assert refused.status_code == 422, address
        assert address in ("", "postgresql://") or address not in refused.text
    with pytest.raises(WrongAddress):
        cut_up("postgresql://u:p@h/db?sslpassword=x")
    for name in ("../x", "a/b", "-x", "con", "x" * 80):
        assert admin.put(f"/api/v1/connections/{name}", json={"url": URL}).status_code in (404, 405, 422), name
    admin.put("/api/v1/connections/registry", json={"url": URL, "projects": ["clinic"]})
    for table in TABLES:
        asked = {"kind": "connection", "connection": "registry", "table": table, "name": "visits"}
        assert door.post(SOURCES, json=asked).status_code == 422, table
    asked = {"kind": "connection", "connection": "nothing", "table": "visits", "name": "visits"}
    assert door.post(SOURCES, json=asked).status_code == 404
    assert door.get(SOURCES).json()["items"] == []


@pytest.mark.postgresql
def test_a_table_of_a_connection_is_released_without_its_secret_in_any_file_argument_or_answer(
    world, tmp_path, request
):
    running, named = (request.getfixturevalue(name) for name in ("server", "database"))
    rows = visits().decode().splitlines()[1:]
    values = ", ".join("('{}', {}, '{}', '{}')".format(*row.split(",")) for row in rows)
    running.run(named, "CREATE TABLE visits (id text, age int, sex text, diagnosis text)")
    running.run(named, f"INSERT INTO visits VALUES {values}")
    admin, door = world.door("ada"), world.door("stella")
    admin.put("/api/v1/connections/registry", json={"url": running.url(named), "projects": ["clinic"]})
    table = {"kind": "connection", "connection": "registry", "table": "visits", "name": "visits"}
    handle = door.post(SOURCES, json=table).json()["handle"]
    assert put(door, "sfumato.yaml", PROJECT.replace("visits.csv", "visits")).status_code == 200
    page = door.get(f"{SOURCES}/{handle}/rows", params={"limit": 3})
    assert (page.status_code, page.json()["records"], len(page.json()["rows"])) == (200, 40, 3), page.text
    prepared = folder_of(world, tmp_path)
    work = tmp_path / "work"
    done = subprocess.run(
        [sys.executable, "-m", "sfumato", "release", "--no-report", *prepared.options],
        cwd=work, capture_output=True, text=True,
        env={"PATH": os.environ["PATH"], **prepared.environment}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len((work / "release" / "released.csv").read_text().splitlines()) == 41
    holders = [path.name for path in work.rglob("*") if path.is_file() and b"p@ss" in path.read_bytes()]
    assert holders == [".pgpass"]
    assert (work / ".pgpass").stat().st_mode & 0o777 == 0o600
    assert "p@ss" not in done.stdout + done.stderr + str(prepared.environment)
    written = (work / "sfumato.yaml").read_text()
    assert prepared.taken_back(written) == PROJECT.replace("visits.csv", "visits")
