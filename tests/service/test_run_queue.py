"""The queue of runs: fairness, leases that fence, workers that are lost, clocks that lie, a database that is gone."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta

import pytest
from sqlalchemy import insert, select, text
from tests.service.conftest import a_world
from tests.service.run_world import STAND_IN, AtWork, queued, state_of, until, with_project, worked

from sfumato.errors import ServiceUnavailable
from sfumato.proof.use_log.chain import Chain
from sfumato.service import run_end
from sfumato.service.database import ServiceDatabase
from sfumato.service.entities import Run, ServiceProject
from sfumato.service.handles import new_handle
from sfumato.service.references import let_go
from sfumato.service.run_queue import Lease, LeaseLost, Watch, beat, claim, held, is_cancelled, people_waiting
from sfumato.service.run_results import collected, files_of
from sfumato.service.settings import Settings
from sfumato.service.worker import Worker, sweep_work
from sfumato.service.worker_names import is_gone, own_name


@pytest.fixture
def waiting(tmp_path):
    world = a_world(tmp_path / "root", Settings(runs_per_person=2))
    with_project(world)
    with_project(world, "elsewhere", "other")
    yield world
    world.service.database.close()


class Clock:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_whoever_has_fewest_at_work_is_next_then_who_waits_longest_and_nobody_beyond_the_limit(waiting):
    stellas = [queued(waiting) for _ in range(4)]
    others = [queued(waiting, who="other", project="elsewhere") for _ in range(3)]
    taken = []
    while (lease := claim(waiting.service, "w")) is not None:
        taken.append(lease.run)
    assert taken == [stellas[0], others[0], stellas[1], others[1]]


def test_with_one_run_at_a_time_who_has_queued_many_waits_for_a_turn_as_others_do(waiting):
    stellas = [queued(waiting) for _ in range(4)]
    others = [queued(waiting, who="other", project="elsewhere") for _ in range(2)]  # all of hers are older
    worker, taken = Worker(waiting.service, STAND_IN), []
    while (lease := claim(waiting.service, worker.name)) is not None:
        taken.append(lease.run)
        worker.take(lease)
    assert taken == [stellas[0], others[0], stellas[1], others[1], *stellas[2:]]


def test_a_claim_among_ten_thousand_looks_things_up_and_reads_no_list(waiting):
    service, author = waiting.service, waiting.accounts["stella"].handle
    with service.database.writing() as session:
        project = session.scalars(select(ServiceProject).where(ServiceProject.name == "clinic")).one().handle
        row = {"project": project, "version": 1, "verb": "assess", "options": {}, "command": "", "state": "queued",
               "author": author, "attempts": 0, "turn": 0, "lost": 0, "beat": 0, "cancel": False, "words": "",
               "done": 0, "total": 0, "notes": []}  # fmt: skip
        now = service.clock()
        session.execute(
            insert(Run),
            [{**row, "handle": new_handle(), "created": now + timedelta(milliseconds=n)} for n in range(10_000)],
        )
        sql = people_waiting(2).compile(service.database.engine, compile_kwargs={"literal_binds": True})
        plan = [line[3] for line in session.execute(text(f"EXPLAIN QUERY PLAN {sql}"))]
    for line in plan:
        assert "SCAN run" not in line, plan
    assert sum("USING" in line and "INDEX run_queue (state=? AND author=?" in line for line in plan) >= 2, plan
    assert sum("INDEX run_turns_of_people (author=?" in line for line in plan) >= 1, plan
    other = queued(waiting, who="other", project="elsewhere")
    assert {claim(service, "w").run for _ in range(2)} >= {other}


def test_a_worker_that_lost_its_lease_can_neither_beat_nor_finish(waiting):
    queued(waiting)
    old = claim(waiting.service, "old")
    clock = Clock()
    watch = Watch(clock)
    assert watch.look(waiting.service) == []
    clock.now += waiting.service.settings.lease_seconds + 1
    assert watch.look(waiting.service) == [old.run]
    new = claim(waiting.service, "new")
    assert (new.run, new.attempt) == (old.run, 2)
    for attempt in (old, Lease(old.run, 1, "new"), Lease(old.run, 2, "old")):
        with pytest.raises(LeaseLost):
            beat(waiting.service, attempt, "", 0, 0)
        with pytest.raises(LeaseLost):
            is_cancelled(waiting.service, attempt)
        with waiting.service.database.writing() as session, pytest.raises(LeaseLost):
            held(session, attempt)
    beat(waiting.service, new, "going on", 1, 2)


def test_a_worker_that_comes_back_too_late_leaves_nothing_and_nothing_is_done_twice(waiting):
    handle = queued(waiting, "short")
    worker = Worker(waiting.service, STAND_IN, name="late")
    lease = claim(waiting.service, "late")
    with waiting.service.database.writing() as session:  # taken for dead, and done by another
        run = held(session, lease)
        run.attempts, run.worker = 2, "another"
    before = sorted(path.name for path in waiting.service.storage.root.glob("files/*/*"))
    worker.take(lease)
    assert (state_of(waiting.service, handle).state, state_of(waiting.service, handle).worker) == ("running", "another")
    assert sorted(path.name for path in waiting.service.storage.root.glob("files/*/*")) == before
    assert os.listdir(waiting.service.storage.work) == []


def test_a_result_that_another_attempt_let_go_of_meanwhile_is_whole_all_the_same(waiting, monkeypatch):
    """Both have written the same bytes, which have one name in the storage."""
    handle = queued(waiting)

    def beside_another(command, folder, storage):
        files = collected(command, folder, storage)
        let_go(waiting.service, *(file.sha256 for file in files))  # of the attempt that came too late
        return files

    monkeypatch.setattr(run_end, "collected", beside_another)
    worked(waiting)
    run = state_of(waiting.service, handle)
    assert run.state == "done"
    assert files_of(run)
    assert [file.name for file in files_of(run) if not waiting.service.storage.has(file.sha256)] == []
    assert os.listdir(waiting.service.storage.work) == []


def test_a_lost_run_is_taken_up_again_and_given_up_after_the_third_worker(waiting):
    handle, clock = queued(waiting), Clock()
    watch = Watch(clock)
    for attempt in (1, 2, 3):
        assert claim(waiting.service, f"w{attempt}").attempt == attempt
        watch.look(waiting.service)
        clock.now += waiting.service.settings.lease_seconds + 1
        assert watch.look(waiting.service) == [handle]
    run = state_of(waiting.service, handle)
    assert (run.state, run.lost) == ("failed", 3)
    assert run.problem.startswith("Its worker ended 3 times")
    assert [note[:20] for note in run.notes] == ["Attempt 1 was lost: ", "Attempt 2 was lost: ", "Its worker ended 3 t"]
    assert claim(waiting.service, "w4") is None


def test_a_lease_is_kept_by_a_beat_whatever_the_clock_of_the_machine_says(waiting, monkeypatch):
    """A clock that is set back by a year or on by one changes nothing: beats are counted, and not dated."""
    handle, clock = queued(waiting), Clock()
    lease, watch = claim(waiting.service, "w"), Watch(clock)
    now = waiting.service.clock()
    for moved in (timedelta(days=-365), timedelta(days=365), timedelta(0)):
        object.__setattr__(waiting.service, "clock", lambda moved=moved: now + moved)
        watch.look(waiting.service)
        clock.now += waiting.service.settings.lease_seconds - 1
        beat(waiting.service, lease, "", 0, 0)
        assert watch.look(waiting.service) == []
    object.__setattr__(waiting.service, "clock", lambda: now - timedelta(days=365))
    clock.now += waiting.service.settings.lease_seconds + 1
    assert watch.look(waiting.service) == [handle]  # nor is it kept for ever


def test_while_the_database_did_not_answer_nobody_is_taken_for_dead(waiting):
    queued(waiting)
    claim(waiting.service, "w")
    clock = Clock()
    watch = Watch(clock)
    watch.look(waiting.service)
    clock.now += waiting.service.settings.lease_seconds + 1
    watch.forget()
    assert watch.look(waiting.service) == []


def test_a_worker_that_has_ended_on_this_machine_is_known_to_be_gone_at_once():
    assert not is_gone(own_name())
    code = "from sfumato.service.worker_names import own_name; print(own_name())"
    name = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert is_gone(name)
    assert not is_gone("elsewhere-1234-5/77/88")  # of another machine nothing is known


def test_a_database_that_is_gone_for_a_while_costs_no_run(waiting, monkeypatch):
    handle, gone = queued(waiting, "short"), []
    reading, writing = ServiceDatabase.reading, ServiceDatabase.writing

    def away(usual):
        def attempt(database):
            if gone:
                gone.append(1)
                raise ServiceUnavailable
            return usual(database)

        return attempt

    with AtWork(waiting):
        until(lambda: state_of(waiting.service, handle).state == "running")
        monkeypatch.setattr(ServiceDatabase, "reading", away(reading))
        monkeypatch.setattr(ServiceDatabase, "writing", away(writing))
        gone.append(1)
        until(lambda: len(gone) > 6)  # it asked again and again, and the process has ended by now
        gone.clear()
        until(lambda: state_of(waiting.service, handle).state == "done")
    assert state_of(waiting.service, handle).attempts == 1


def test_folders_of_dead_attempts_are_swept_and_that_of_a_living_one_stays(waiting):
    queued(waiting)
    lease = claim(waiting.service, "w")
    for name in (f"{lease.run}-1", f"{lease.run}-0", f"{new_handle()}-1"):
        (waiting.service.storage.work / name).mkdir()
    sweep_work(waiting.service)
    assert os.listdir(waiting.service.storage.work) == [f"{lease.run}-1"]


def test_no_run_is_done_that_the_log_cannot_be_told_of(waiting):
    handle = queued(waiting)
    log = waiting.service.events.log.path
    log.chmod(0o400)
    kept = log.rename(log.with_name("away"))
    log.mkdir()
    worker = Worker(waiting.service, STAND_IN)
    worker.take(claim(waiting.service, worker.name))
    run = state_of(waiting.service, handle)
    assert (run.state, run.lost, run.result) == ("queued", 1, None)
    log.rmdir()
    kept.rename(log)
    log.chmod(0o600)
    worker.take(claim(waiting.service, worker.name))
    assert state_of(waiting.service, handle).state == "done"
    assert Chain.of(waiting.service.events.log, verify=True).problems == ()
