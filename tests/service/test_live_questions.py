"""Live questions: a process for each project that is worked on, which answers as the evaluator does, and ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.service.conftest import a_world
from tests.service.project_of_visits import log_of
from tests.service.run_world import PROJECT, TABLE, until, with_project

from sfumato.errors import NotAllowed, NotKnown
from sfumato.project.file import Project
from sfumato.proof.use_log.chain import Chain
from sfumato.service import live_processes
from sfumato.service.entities import Membership, ServiceProject
from sfumato.service.live_answers import plain_evaluation, plain_neighbour
from sfumato.service.live_evaluator import evaluator_of
from sfumato.service.live_questions import LiveReply, ask, asked_for_a_glance
from sfumato.service.settings import Settings
from sfumato.service.versions import put_file

STAND_IN = (sys.executable, "-S", str(Path(__file__).with_name("stand_in_evaluator.py")))
PARENT = """
import sys, time
from sfumato.service import live_processes
from sfumato.service.caller import Caller, Way
from sfumato.service.live_questions import ask
from sfumato.service.service import Service
live_processes.PROGRAM = tuple(sys.argv[3:])
service, caller = Service.at(sys.argv[1]), Caller(Way.SESSION, sys.argv[2], "stella")
while not (reply := ask(service, caller, "clinic", {"what": "at"})).ready:
    time.sleep(0.1)
print(reply.answers[0]["process"], flush=True)
time.sleep(600)
"""


@pytest.fixture
def stand_in(world, monkeypatch):
    monkeypatch.setattr(live_processes, "PROGRAM", STAND_IN)
    with_project(world)
    return world


def ready(world, *questions, who="stella", project="clinic") -> LiveReply:
    """The reply once the process is ready, or knows why it never will be."""
    replies = []

    def is_there() -> bool:
        replies.append(ask(world.service, world.caller(who), project, *questions))
        return replies[-1].ready or replies[-1].problem is not None

    until(is_there, 300)
    return replies[-1]


def process_of(world, **more) -> int:
    return ready(world, {"what": "at"}, **more).answers[0]["process"]


def alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_answers_are_those_of_the_evaluator_and_opening_is_one_line_in_the_log(world, tmp_path, monkeypatch):
    with_project(world)
    question = {"levels": {"age": 1}, "bounds": {"k_anonymity": 2}, "suppress": 0.5}
    reply = ready(world, {"what": "at", **question}, {"what": "neighbours", **question}, {"what": "at"})
    assert reply.problem is None
    (tmp_path / "patients.csv").write_text(TABLE)
    (tmp_path / "sfumato.yaml").write_text(PROJECT)
    monkeypatch.chdir(tmp_path)
    evaluator = evaluator_of(Project.read("sfumato.yaml"))
    here = evaluator.at({"age": 1}, bounds={"k": 2}, suppress=0.5)
    assert reply.answers[0] == json.loads(json.dumps(plain_evaluation(here)))
    by = -1 if here.met else 1
    assert reply.answers[1]["neighbours"] == [plain_neighbour(one) for one in here.neighbours() if one.by == by]
    assert reply.answers[2] == json.loads(json.dumps(plain_evaluation(evaluator.at())))
    best = asked_for_a_glance(world.service, world.caller("stella"), "clinic", {"what": "best"})
    until(lambda: ready(world, {"what": "best"}).answers[0]["state"] == "done")
    assert ready(world, {"what": "best"}).answers[0]["best"] == json.loads(
        json.dumps(plain_evaluation(evaluator.best()))
    )
    assert best.ready
    until(lambda: ready(world, {"what": "curve"}).answers[0]["state"] == "done")
    lines = ready(world, {"what": "lines", "levels": {"age": 1}}, {"what": "counts"}, {"what": "nothing"}).answers
    assert "levels:\n    age: 1" in lines[0]["sections"]
    assert [column["column"] for column in lines[1]["columns"]] == ["age", "sex"]
    assert "Live questions are" in lines[2]["problem"]
    assert ready(world, {"what": "at", "levels": {"nothing": 1}}).answers[0]["problem"]
    opened = [use for use in Chain.of(world.service.events.log).uses if use["command"]["name"] == "live.open"]
    assert [use["about"]["project"] for use in opened] == ["clinic"]
    assert b"angina" not in log_of(world.service)  # a value that is in no handle and no hash by chance


def test_two_people_of_a_project_share_a_process_and_each_has_a_line(stand_in):
    with stand_in.service.database.writing() as session:
        project = session.query(ServiceProject).filter_by(name="clinic").one().handle
        session.add(Membership(project=project, account=stand_in.accounts["rex"].handle, role="steward"))
    assert process_of(stand_in) == process_of(stand_in, who="rex") == process_of(stand_in)
    uses = [use for use in Chain.of(stand_in.service.events.log).uses if use["command"]["name"] == "live.open"]
    assert [use["who"]["name"] for use in uses] == ["stella", "rex"]


def test_strangers_do_not_know_of_it_and_reviewers_may_not(stand_in):
    with pytest.raises(NotKnown):
        ask(stand_in.service, stand_in.caller("other"), "clinic")
    with pytest.raises(NotAllowed):
        ask(stand_in.service, stand_in.caller("rita"), "clinic")


def test_it_ends_after_a_while_without_a_question_and_its_folder_is_gone(stand_in):
    process = process_of(stand_in)
    (known,) = stand_in.service.live._known.values()
    known.idle = 0.2
    until(lambda: not alive(process))
    until(lambda: list(stand_in.service.storage.work.iterdir()) == [])
    assert process_of(stand_in) != process


def test_a_new_version_has_a_process_of_its_own_and_the_old_one_ends(stand_in):
    process = process_of(stand_in)
    text = PROJECT.replace("at_least: 3", "at_least: 4").encode()
    put_file(stand_in.service, stand_in.caller("stella"), "clinic", "sfumato.yaml", text, require=lambda _hash: None)
    assert process_of(stand_in) != process
    until(lambda: not alive(process))


def test_of_too_many_the_one_ends_that_was_asked_longest_ago(tmp_path, monkeypatch):
    monkeypatch.setattr(live_processes, "PROGRAM", STAND_IN)
    world = a_world(tmp_path / "root", Settings(live_processes=1))
    with_project(world)
    with_project(world, "elsewhere", "other")
    first = process_of(world)
    second = process_of(world, who="other", project="elsewhere")
    until(lambda: not alive(first))
    assert alive(second)
    world.service.live.end()
    assert not alive(second)


def test_one_that_breaks_down_is_a_sentence_and_is_started_anew(stand_in, monkeypatch):
    process_of(stand_in)
    broken = ask(stand_in.service, stand_in.caller("stella"), "clinic", {"what": "crash"})
    assert broken.problem == live_processes.BROKE_DOWN
    assert ask(stand_in.service, stand_in.caller("stella"), "clinic").problem == live_processes.BROKE_DOWN
    monkeypatch.setattr(live_processes, "AGAIN", 0.0)
    assert process_of(stand_in)


def test_one_that_takes_too_much_memory_says_which_limit_that_is(tmp_path, monkeypatch):
    monkeypatch.setattr(live_processes, "PROGRAM", STAND_IN)
    world = a_world(tmp_path / "root", Settings(run_memory=300_000_000))
    with_project(world)
    process_of(world)
    reply = ask(world.service, world.caller("stella"), "clinic", {"what": "memory"})
    assert "run_memory" in (reply.problem or "")
    world.service.live.end()


def test_what_is_wrong_with_a_project_is_said_in_the_words_of_the_command_line(world):
    with_project(world)
    text = PROJECT.split("measures:", maxsplit=1)[0].encode()
    put_file(world.service, world.caller("stella"), "clinic", "sfumato.yaml", text, require=lambda _hash: None)
    reply = ready(world)
    assert (reply.problem or "").startswith("Nothing is required of the release")
    assert reply.kind == "NothingRequired"  # so that a page can lead to where a policy is set


def test_it_ends_with_a_server_that_is_killed_and_what_it_left_is_swept(stand_in):
    service = stand_in.service
    command = [sys.executable, "-c", PARENT, str(service.root), stand_in.accounts["stella"].handle, *STAND_IN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        assert alive(process)
        os.kill(parent.pid, signal.SIGKILL)
    until(lambda: not alive(process))
    assert [path.name[:5] for path in service.storage.work.iterdir()] == ["live-"]
    assert process_of(stand_in)
    assert len(list(service.storage.work.iterdir())) == 1
