"""A look into a source: pages of rows for stewards, columns without values, bombs that end a process and no service."""

from __future__ import annotations

import gzip

import pytest
from tests.service.conftest import a_world
from tests.service.project_of_visits import BASE, CANARY, PROJECT, log_of, put, uploaded, visits

from sfumato.service import source_rows
from sfumato.service.settings import Settings

SOURCES = f"{BASE}/sources"


def test_rows_come_in_pages_to_a_steward_and_each_look_is_in_the_log_without_a_value(world):
    door = world.door("stella")
    put(door, "sfumato.yaml", PROJECT)
    handle = uploaded(door, visits())
    page = door.get(f"{SOURCES}/{handle}/rows", params={"after": 30, "limit": 7}).json()
    assert page["columns"] == ["id", "age", "sex", "diagnosis"]
    assert [row[0] for row in page["rows"]] == [f"p{i}" for i in range(30, 37)]
    assert (page["records"], page["next"]) == (40, 37)
    assert CANARY in str(page["rows"])
    last = door.get(f"{SOURCES}/{handle}/rows", params={"after": 37, "limit": 7}).json()
    assert (len(last["rows"]), last["next"]) == (3, None)
    written = log_of(world.service)
    assert written.count(b"rows.view") == 2
    assert CANARY.encode() not in written
    assert door.get(f"{SOURCES}/{handle}/rows", params={"limit": 201}).status_code == 422
    assert world.door("rita").get(f"{SOURCES}/{handle}/rows").status_code == 403
    assert world.door("other").get(f"{SOURCES}/{handle}/rows").status_code == 404


def test_columns_are_read_as_the_project_file_says_and_show_no_value(world):
    door = world.door("stella")
    put(
        door,
        "sfumato.yaml",
        "data: {source: coded.csv, also_missing: ['-9']}\ncolumns: {a: {role: quasi, type: text}}\n",
    )
    handle = uploaded(door, f"a,b\n1,{CANARY}\n-9,x\n".encode(), "coded.csv")
    seen = world.door("rita").get(f"{SOURCES}/{handle}/columns")
    assert seen.json() == {
        "records": 2,
        "columns": [{"name": "a", "type": "text", "missing": 1}, {"name": "b", "type": "text", "missing": 0}],
    }
    assert CANARY not in seen.text


def test_what_cannot_be_read_is_a_problem_in_words_and_the_service_goes_on(tmp_path, monkeypatch):
    world = a_world(tmp_path / "root", Settings(run_memory=1_500_000_000))
    door = world.door("stella")
    damaged = uploaded(door, b"PAR1" + CANARY.encode() + b"PAR1", "damaged.parquet")
    refused = door.get(f"{SOURCES}/{damaged}/rows")
    assert (refused.status_code, refused.headers["content-type"]) == (422, "application/problem+json")
    assert "damaged.parquet" in refused.json()["detail"]
    monkeypatch.setenv("SFUMATO_LIMITS", "line_bytes=100000,unpacked_bytes=50000000")
    bomb = uploaded(door, gzip.compress(b"a,b\n" + b"1,2\n" * 20_000_000, 1), "bomb.csv.gz")
    refused = door.get(f"{SOURCES}/{bomb}/columns")
    assert (refused.status_code, "unpacked_bytes" in refused.json()["detail"]) == (413, True)
    for answer in (refused, door.get(f"{SOURCES}/{damaged}/columns")):
        assert CANARY not in answer.text
        assert str(tmp_path) not in answer.text
        assert "/tmp/" not in answer.text
    assert door.get("/api/v1/ready").status_code == 200
    world.service.database.close()


@pytest.mark.parametrize(
    ("limit", "content"),
    [("columns=3", b"a,b,c,d\n1,2,3,4\n"), ("cell_length=20", b"a,b\n1," + CANARY.encode() * 5 + b"\n")],
)
def test_a_table_with_more_columns_or_larger_cells_than_the_limit_is_413_with_the_limit_named(
    world, monkeypatch, limit, content
):
    monkeypatch.setenv("SFUMATO_LIMITS", limit)
    door = world.door("stella")
    refused = door.get(f"{SOURCES}/{uploaded(door, content, 'wide.csv')}/columns")
    assert (refused.status_code, limit.partition("=")[0] in refused.json()["detail"]) == (413, True)
    assert CANARY not in refused.text


def test_a_process_that_takes_too_long_or_dies_is_told_as_such(world, monkeypatch):
    door = world.door("stella")
    handle = uploaded(door, visits())
    monkeypatch.setattr(source_rows, "MODULE", "sfumato.no_such_module")  # it dies without an answer
    died = door.get(f"{SOURCES}/{handle}/rows")
    assert (died.status_code, died.json()["type"]) == (422, "urn:sfumato:problem:unusable-source")
    monkeypatch.undo()
    monkeypatch.setattr(source_rows, "SECONDS", 0.01)
    assert "seconds" in door.get(f"{SOURCES}/{handle}/rows").json()["detail"]


def test_more_looks_at_once_than_there_are_turns_have_to_wait(world):
    door = world.door("stella")
    handle = uploaded(door, visits())
    with source_rows._turn(world.service), source_rows._turn(world.service):
        busy = door.get(f"{SOURCES}/{handle}/rows")
    assert (busy.status_code, busy.headers["retry-after"]) == (429, "5")
