"""Retention: what is over is deleted and the log says so; what is needed stays."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

from tests.service.project_of_visits import BASE, CANARY, PROJECT, log_of, put, uploaded, visits

from sfumato.proof.use_log.chain import Chain
from sfumato.service.entities import DataRequest, RegisteredSource, Run, ServiceProject
from sfumato.service.retention import sweep


def after(world, **time: int):
    now = world.service.clock() + timedelta(**time)
    return replace(world.service, clock=lambda: now)


def a_run(world, content: str, **more) -> str:
    with world.service.database.writing() as session:
        project = session.query(ServiceProject).filter_by(name="clinic").one()
        now = world.service.clock()
        run = Run(
            project=project.handle, version=1, verb="release", options={}, command="", state="done", created=now,
            author=world.accounts["stella"].handle, ended=now, notes=[],
            result={"files": [{"name": "released.csv", "content": content}], "met": True, "log_head": "f" * 64}, **more,
        )  # fmt: skip
        session.add(run)
        session.flush()
        return run.handle


def test_sources_results_and_uploads_are_deleted_after_their_time_and_the_log_keeps_that(world):
    door = world.door("stella")
    put(door, "sfumato.yaml", PROJECT)
    source = uploaded(door, visits())
    content = door.get(f"{BASE}/sources/{source}").json()["hash"]
    door.post(f"{BASE}/uploads", json={"name": "never.csv", "bytes": 10})
    results = [world.service.storage.keep(f"{CANARY} {number}".encode()) for number in range(3)]
    plain = a_run(world, results[0])
    ended = a_run(world, results[1], expires=world.service.clock() + timedelta(days=2))
    needed = a_run(world, results[2])
    with world.service.database.writing() as session:
        project = session.query(ServiceProject).filter_by(name="clinic").one()
        project.keep_sources_days, project.keep_results_days = 30, 10
        people = {"requester": world.accounts["quentin"].handle, "recipient": world.accounts["rex"].handle}
        now = world.service.clock()
        session.add(
            DataRequest(
                project=project.handle, purpose="", columns=[], answers={}, state="released", run=needed, created=now,
                changed=now, released=now, expires=now + timedelta(days=40), **people,
            )
        )  # fmt: skip
    assert sweep(world.service) == 0
    assert sweep(after(world, days=3)) == 2  # the upload, and the result that says when
    assert [world.service.storage.has(result) for result in results] == [True, False, True]
    assert list((world.service.root / "uploads").iterdir()) == []
    assert sweep(after(world, days=11)) == 1
    assert [world.service.storage.has(result) for result in results] == [False, False, True]
    assert sweep(after(world, days=31)) == 1
    assert not world.service.storage.has(content)
    assert door.get(f"{BASE}/sources").json()["items"] == []
    assert sweep(after(world, days=31)) == 0
    assert world.service.storage.has(results[2])
    assert sweep(after(world, days=41)) == 1  # nobody has asked for it since its last day
    assert not world.service.storage.has(results[2])
    with world.service.database.reading() as session:
        assert session.get_one(Run, plain).result["files"] == []
        assert session.get_one(RegisteredSource, source).deleted is not None
    written = log_of(world.service)
    names = [json.loads(line).get("command", {}).get("name") for line in written.splitlines()]
    assert [names.count(name) for name in ("source.delete", "result.delete", "upload.delete")] == [1, 3, 1]
    assert all(handle.encode() in written for handle in (source, plain, ended))
    assert CANARY.encode() not in written
    assert Chain.of(world.service.events.log, verify=True).problems == ()


def test_a_deletion_that_was_cut_short_is_ended_by_the_next_sweep(world):
    door = world.door("stella")
    source = uploaded(door, visits())
    with world.service.database.writing() as session:
        known = session.get_one(RegisteredSource, source)
        known.deleted, content = world.service.clock(), known.hash
    left = world.service.root / "uploads" / "forgotten"
    left.write_bytes(b"x")
    assert world.service.storage.has(content)
    sweep(after(world, days=3))
    assert not world.service.storage.has(content)
    assert not left.exists()


def test_what_a_killed_worker_left_in_the_storage_goes_after_a_day_and_nothing_else_does(world):
    door = world.door("stella")
    put(door, "sfumato.yaml", PROJECT)
    source = uploaded(door, visits())
    needed = door.get(f"{BASE}/sources/{source}").json()["hash"]
    result, left = (world.service.storage.keep(f"{CANARY} {name}".encode()) for name in ("result", "left"))
    a_run(world, result)
    (world.service.root / "files" / ".0123456789abcdef").write_text(CANARY)
    sweep(world.service)
    assert world.service.storage.has(left)  # its line may be on its way
    sweep(after(world, days=2))
    assert [world.service.storage.has(content) for content in (needed, result, left)] == [True, True, False]
    assert not list((world.service.root / "files").glob(".*"))
    assert door.get(f"{BASE}/versions/1/files/sfumato.yaml").status_code == 200
