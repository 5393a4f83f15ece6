"""Runs as people see them, and the worker that does them, with a stand-in for the command line."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.service.conftest import a_world
from tests.service.run_world import (
    PROJECT,
    STAND_IN,
    AtWork,
    queued,
    state_of,
    until,
    versions_of,
    with_project,
    worked,
)

from sfumato.errors import Conflict
from sfumato.proof.use_log.chain import Chain
from sfumato.service import runs
from sfumato.service.confinement import NO_ISOLATION
from sfumato.service.run_process import GRACE, _listed
from sfumato.service.run_queue import claim
from sfumato.service.settings import Settings
from sfumato.service.versions import put_file
from sfumato.service.worker import POLL, Worker

MB = 10**6
SYSTEM = ("/usr", "/lib", "/lib64", "/etc", "/proc", "/sys", "/dev")  # of a program, where no data of people are
# A program that writes who it is, and says that it has ended well.
SAYS_WHO = """
echo "{\\"user\\": $(id -u), \\"groups\\": \\"$(id -G)\\"}" > result.json
echo '{"level": "info", "message": "ended", "exit": 0}' >&2
"""


@pytest.fixture
def running(world):
    with_project(world)
    return world


def limited(tmp_path: Path, **settings):
    world = a_world(tmp_path / "limited", Settings(**settings))
    with_project(world)
    return world


def left_in_work(world) -> list[str]:
    return os.listdir(world.service.storage.work)


def test_a_run_is_queued_with_its_version_source_and_command_and_done_with_its_files(running):
    door = running.door("stella")
    asked = {"verb": "assess", "options": {"quasi": ["age", 'a "b", c'], "k": 5, "bins": {"x=y": "0,5"}}}
    run = door.post("/api/v1/projects/clinic/runs", json=asked).json()
    assert run["state"] == "queued"
    assert run["version"] == 1
    assert run["command"] == (
        """sfumato assess --project=sfumato.yaml '--quasi=age,"a ""b"", c"' --k=5 '--bins="x=y"=0,5' """
        "--json=result.json --out=flagged"
    )
    worked(running)
    done = door.get(f"/api/v1/projects/clinic/runs/{run['handle']}").json()
    assert (done["state"], done["met"], done["exit_code"], done["problem"]) == ("done", True, 0, None)
    assert {file["name"]: file["rows"] for file in done["files"]} == {
        "sheet.txt": False, "result.json": False, "flagged/flagged.csv": True,
    }  # fmt: skip
    at = f"/api/v1/projects/clinic/runs/{run['handle']}"
    assert door.get(f"{at}/result").json() == {"words": "done"}
    assert door.get(f"{at}/files/result.json").json() == {"words": "done"}
    assert door.get(f"{at}/rows/flagged/flagged.csv").content == b"a\n1\n"
    assert door.get(f"{at}/files/flagged/flagged.csv").status_code == 404  # rows are opened as rows
    assert door.get(f"{at}/files/sfumato.key").status_code == 404
    assert left_in_work(running) == []
    chain = Chain.of(running.service.events.log, verify=True)
    assert chain.problems == ()
    by_name = {use["command"]["name"]: use for use in chain.uses if "refused" not in use["outcome"]}
    assert by_name["run.work"]["who"] | {"account": None} == {
        "name": "stella", "account": None, "way": "worker", "address": "",
    }  # fmt: skip
    assert by_name["run.work"]["outcome"]["state"] == "done"
    assert by_name["rows.view"]["about"]["file"] == "flagged/flagged.csv"


def test_a_requirement_that_is_not_met_is_done_and_an_error_is_failed_in_its_words(running):
    unmet, wrong, crash = queued(running, "unmet"), queued(running, "wrong"), queued(running, "crash")
    worked(running)
    run = state_of(running.service, unmet)
    assert (run.state, run.result["met"]) == ("done", False)
    run = state_of(running.service, wrong)
    assert (run.state, run.problem, run.result) == ("failed", "the column is not there.", None)
    run = state_of(running.service, crash)
    assert run.state == "failed"  # it ended with 1 as well, and had not said so
    assert "4711" not in run.problem


def test_a_result_that_leads_elsewhere_is_no_result(running):
    handle = queued(running, "link")
    worked(running)
    assert [file["name"] for file in state_of(running.service, handle).result["files"]] == ["sheet.txt"]


def test_a_run_sees_no_setting_or_secret_of_the_server_and_no_network(running, monkeypatch):
    monkeypatch.setenv("SFUMATO_SERVICE_DATABASE", "postgresql://secret")
    monkeypatch.setenv("SFUMATO_KEY", "11" * 32)
    handle = queued(running, "environment")
    worked(running)
    document = runs.document(running.service, running.caller("stella"), "clinic", handle)
    environment = document["environment"]
    assert not [name for name in environment if name.startswith(("SFUMATO_SERVICE", "SFUMATO_KEY", "AWS"))]
    assert environment["SFUMATO_USER"] == "stella"
    for name in ("HOME", "TMPDIR", "SFUMATO_TMP", "SFUMATO_LOG"):
        assert environment[name].startswith(str(running.service.storage.work))
    if NO_ISOLATION in state_of(running.service, handle).notes:
        pytest.skip("this system lets no process give up its network: the run says so, and that is all there is to see")
    assert document["network"] == []


def test_a_run_that_does_not_listen_is_gone_within_a_second_of_its_cancel(running):
    handle = queued(running, "stubborn")
    door = running.door("stella")
    with AtWork(running):
        until(lambda: state_of(running.service, handle).words == "stubborn")
        assert door.get(f"/api/v1/projects/clinic/runs/{handle}").json()["total"] == 10
        late = lateness()
        begun = time.monotonic()
        assert door.post(f"/api/v1/projects/clinic/runs/{handle}/cancel").status_code == 200
        until(lambda: state_of(running.service, handle).state == "cancelled")
        took = time.monotonic() - begun
    # A quarter of a second until it is seen, half a second of grace. How much later a busy machine does some thirty
    # things in a row is measured and not guessed: on an idle one it is a second.
    assert POLL + GRACE < 1
    assert took < 1 + 30 * late
    assert not [process for process, fields in _listed() if "stand_in" in command_of(process)]
    assert left_in_work(running) == []
    assert door.post(f"/api/v1/projects/clinic/runs/{handle}/cancel").status_code == 409


def lateness() -> float:
    """How much later than asked for this machine wakes a thread, at the worst of some times."""
    worst = 0.0
    for _ in range(20):
        begun = time.monotonic()
        time.sleep(0.01)
        worst = max(worst, time.monotonic() - begun - 0.01)
    return worst


def command_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


def test_a_queued_run_is_cancelled_at_once_and_never_taken_up(running):
    handle = queued(running)
    runs.cancel(running.service, running.caller("stella"), "clinic", handle)
    assert claim(running.service, "w") is None
    assert state_of(running.service, handle).state == "cancelled"


@pytest.mark.parametrize(
    ("mode", "setting", "value"),
    [("bomb", "run_memory", 300 * MB), ("slow", "run_seconds", 1), ("disk", "run_disk", 20 * MB)],
)
def test_a_run_beyond_a_limit_ends_and_says_which_and_the_worker_goes_on(tmp_path, mode, setting, value):
    world = limited(tmp_path, **{setting: value})
    handle, after = queued(world, mode), queued(world)
    worker = Worker(world.service, STAND_IN)
    worker.take(claim(world.service, worker.name))
    run = state_of(world.service, handle)
    assert run.state == "failed"
    assert setting in run.problem or mode == "disk"  # the system may be first to end a file that is too large
    assert run.result is None
    # The same worker, and no limit any more: on a busy machine a second passes before any program has started.
    worker.service = replace(world.service, settings=Settings())
    worker.take(claim(world.service, worker.name))
    assert state_of(world.service, after).state == "done"
    assert left_in_work(world) == []


def test_a_run_that_writes_into_the_project_file_makes_a_version_where_nobody_else_has(running):
    first, second = queued(running, "choose"), queued(running, "choose")
    worked(running)
    versions = versions_of(running.service)
    assert [(version.number, version.run) for version in versions] == [(1, None), (2, first)]
    assert running.service.storage.read(versions[1].files["sfumato.yaml"]).endswith(b"# chosen\n")
    assert versions[1].author == running.accounts["stella"].handle
    assert any("changed meanwhile" in note for note in state_of(running.service, second).notes)


def test_a_run_keeps_the_version_it_was_started_with(running):
    handle = queued(running)
    put_file(running.service, running.caller("stella"), "clinic", "more.txt", b"x", require=lambda _hash: None)
    worked(running)
    assert state_of(running.service, handle).version == 1


def test_a_worker_that_is_told_to_stop_puts_its_run_back_and_that_counts_for_nothing(running):
    handle = queued(running, "slow")
    with AtWork(running):
        until(lambda: state_of(running.service, handle).state == "running")
    run = state_of(running.service, handle)
    assert (run.state, run.lost, run.worker) == ("queued", 0, None)
    assert left_in_work(running) == []


def test_results_expire_when_the_project_says_so(tmp_path):
    world = limited(tmp_path, keep_results_days=3)
    handle = queued(world)
    worked(world)
    run = state_of(world.service, handle)
    assert (run.expires - run.ended).days in (2, 3)


def test_a_run_of_a_project_without_files_says_what_to_save_first(world):
    refused = world.door("stella").post("/api/v1/projects/clinic/runs", json={"verb": "assess"})
    assert (refused.status_code, refused.json()["type"]) == (409, "urn:sfumato:problem:conflict")
    assert "sfumato.yaml" in refused.json()["detail"]


def test_nobody_queues_more_than_the_limit(tmp_path):
    world = limited(tmp_path, queued_per_person=2)
    for _ in range(2):
        queued(world)
    with pytest.raises(Conflict, match="2 runs"):
        queued(world)


@pytest.mark.parametrize(
    "asked",
    [
        {"verb": "demo"}, {"verb": "assess", "options": {"out": "/etc"}}, {"verb": "assess", "options": {"k": "5"}},
        {"verb": "assess", "options": {"k": 0}}, {"verb": "assess", "options": {"k": True}},
        {"verb": "assess", "options": {"quasi": "age"}}, {"verb": "assess", "options": {"quasi": ["a\nb"]}},
        {"verb": "assess", "options": {"master": "spark://x"}}, {"verb": "assess", "options": {"query": "SELECT 1"}},
        {"verb": "risk", "options": {"plan": "/etc/passwd"}}, {"verb": "risk", "options": {"plan": "../plan.yaml"}},
        {"verb": "compare", "options": {"hierarchies": "x"}}, {"verb": "verify"}, {"verb": "assess", "more": 1},
        {"verb": "release", "options": {"key": "x"}}, {"verb": "assess", "earlier": "x"},
    ],
)  # fmt: skip
def test_what_a_verb_does_not_take_is_refused_without_being_repeated(running, asked):
    answer = running.door("stella").post("/api/v1/projects/clinic/runs", json=asked)
    assert answer.status_code == 422
    assert "/etc" not in answer.text


@pytest.mark.parametrize("said", ["{role: undecided}", "{role: sensitive, proposed: true}"])
def test_a_release_with_a_column_that_nobody_decided_about_is_refused_before_it_is_queued_and_logged(running, said):
    text = PROJECT.replace("diagnosis: {role: sensitive}", f"diagnosis: {said}").encode()
    put_file(running.service, running.caller("stella"), "clinic", "sfumato.yaml", text, require=lambda _hash: None)
    answer = running.door("stella").post("/api/v1/projects/clinic/runs", json={"verb": "release"})
    words = "undecided (diagnosis)" if "undecided" in said else "the role of 1 column is only proposed"
    assert (answer.status_code, words in answer.json()["detail"]) == (422, True)
    assert claim(running.service, "w") is None
    use = Chain.of(running.service.events.log, verify=True).uses[-1]
    assert (use["command"]["name"], use["outcome"]["verdict"]) == ("run.start", "ProjectError")


@pytest.mark.skipif(shutil.which("strace") is None, reason="what a run opens is seen by strace: tools/system-packages")
def test_a_run_opens_no_file_outside_its_folder_but_the_program_itself(running, tmp_path):
    trace = tmp_path / "trace"
    real = (sys.executable, "-m", "sfumato")
    wanted = runs.RunWanted("release", {})
    handle = runs.start(running.service, running.caller("stella"), "clinic", wanted).handle
    worked(running, (shutil.which("strace"), "-f", "-qq", "-e", "trace=open,openat,creat", "-o", str(trace), *real))
    assert state_of(running.service, handle).state == "done"
    opened = {Path(path) for path in re.findall(r'open(?:at)?\([^"]*"([^"]+)"[^)]*\) = \d', trace.read_text())}
    folder = running.service.storage.work / f"{handle}-1"
    program = {Path(place).resolve() for place in (*sys.path, sys.prefix, sys.base_prefix, *SYSTEM) if place}
    places = {(folder / path).resolve() for path in opened}  # a run is at work in its folder
    assert {path for path in places if not any(path.is_relative_to(place) for place in (folder, *program))} == set()
    assert {folder / "patients.csv", folder / "package" / "released.csv"} & places  # it does see what is opened


def test_runs_of_another_project_are_not_known_and_a_reviewer_starts_none(running):
    with_project(running, "elsewhere", "other")
    handle = queued(running, who="other", project="elsewhere")
    stella = running.door("stella")
    assert stella.get(f"/api/v1/projects/clinic/runs/{handle}").status_code == 404
    assert stella.get(f"/api/v1/projects/elsewhere/runs/{handle}").status_code == 404
    rita = running.door("rita")
    assert rita.post("/api/v1/projects/clinic/runs", json={"verb": "assess"}).status_code == 403
    assert rita.get("/api/v1/projects/clinic/runs").json() == {"items": [], "next": None}


def test_the_same_key_starts_one_run_and_lists_are_in_pages(running):
    door = running.door("stella")
    asked = {"verb": "assess", "options": {}}
    handles = {
        door.post("/api/v1/projects/clinic/runs", json=asked, headers={"Idempotency-Key": key}).json()["handle"]
        for key in ("a", "a", "b", "c")
    }
    assert len(handles) == 3
    first = door.get("/api/v1/projects/clinic/runs", params={"limit": 2}).json()
    rest = door.get("/api/v1/projects/clinic/runs", params={"limit": 2, "after": first["next"]}).json()
    assert [run["handle"] for run in first["items"] + rest["items"]] == sorted(handles, reverse=True)
    assert rest["next"] is None


@pytest.fixture
def passable() -> Iterator[Path]:
    """A folder that every user of the system can pass through, as those of other tests cannot be."""
    with tempfile.TemporaryDirectory(prefix="sfumato-user-", dir="/tmp") as place:
        Path(place).chmod(0o711)
        yield Path(place)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give a run to another user")
def test_a_run_belongs_to_the_user_that_the_service_names_and_what_it_writes_to_the_service(passable):
    """The program is a shell: the Python of the tests may lie where that user cannot read it."""
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        pytest.skip("there is no user called nobody on this system")
    running = limited(passable, run_user="nobody")
    for folder in (running.service.root, running.service.storage.work):
        folder.chmod(0o711)
    handle = queued(running)
    worked(running, ("/bin/sh", "-c", SAYS_WHO))
    run = state_of(running.service, handle)
    assert run.state == "done", run.problem
    document = runs.document(running.service, running.caller("stella"), "clinic", handle)
    assert document == {"user": nobody.pw_uid, "groups": str(nobody.pw_gid)}
    files = {file["name"]: file["sha256"] for file in run.result["files"]}
    assert running.service.storage.path(files["result.json"]).stat().st_uid == os.geteuid()


@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java: run tools/system-packages")
def test_a_project_that_names_spark_is_run_by_spark(running, monkeypatch):
    """Without Java the same run fails, and says so: it was not DuckDB that did it."""
    text = f"engine: spark\n{PROJECT}".encode()
    put_file(running.service, running.caller("stella"), "clinic", "sfumato.yaml", text, require=lambda _hash: None)
    assert assessed(running).state == "done"
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    without = assessed(running)
    assert without.state == "failed"
    assert "Java" in without.problem


def assessed(world):
    """A run of the real command line."""
    wanted = runs.RunWanted("assess", {"k": 2})
    handle = runs.start(world.service, world.caller("stella"), "clinic", wanted).handle
    worked(world, (sys.executable, "-m", "sfumato"))
    return state_of(world.service, handle)
