"""The one way to do something: the table of permissions, the transaction, and the log."""

from __future__ import annotations

import pytest
from tests.service.test_permission_table import address, operations, question, things

from sfumato.api.app import application
from sfumato.errors import NotAllowed, NotKnown, NotSignedIn
from sfumato.proof.use_log.chain import Chain
from sfumato.service.caller import Caller
from sfumato.service.entities import ServiceProject
from sfumato.service.events import LINES, MINUTE
from sfumato.service.permissions import ROWS, TABLE, Act


def test_every_act_has_one_row_in_the_table_and_no_row_is_of_nothing():
    assert [row.act for row in TABLE] == list(Act)
    assert set(ROWS) == set(Act)


def test_what_is_done_is_written_before_and_after_and_the_chain_is_whole(world):
    with world.service.act(world.caller("stella"), Act.PROJECT_CHANGE, project="clinic") as deed:
        deed.project.title = "Another"
        deed.note(version=1)
    chain = Chain.of(world.service.events.log, verify=True)
    assert chain.problems == ()
    (use,) = chain.uses
    assert use["who"]["name"] == "stella"
    assert use["command"]["name"] == "project.change"
    assert use["about"] == {"project": "clinic"}
    assert use["outcome"] == {"verdict": "done", "version": 1}


def test_an_act_that_fails_changes_nothing_and_the_log_says_so(world):
    with pytest.raises(RuntimeError), world.service.act(world.caller("stella"), Act.PROJECT_CHANGE, project="clinic") as deed:  # fmt: skip # noqa: E501, PT012
        deed.project.title = "Another"
        deed.session.flush()
        raise RuntimeError("cell value 4711")
    with world.service.database.reading() as session:
        assert session.query(ServiceProject).filter_by(name="clinic").one().title == "Clinic"
    (use,) = Chain.of(world.service.events.log).uses
    assert use["outcome"] == {"verdict": "RuntimeError"}
    assert b"4711" not in world.service.events.log.path.read_bytes()


@pytest.mark.parametrize(
    ("who", "project", "error"),
    [("rita", "clinic", NotAllowed), ("other", "clinic", NotKnown), ("stella", "nothing", NotKnown),
     ("otto", "clinic", NotKnown), ("ada", "clinic", NotAllowed), (None, "clinic", NotSignedIn)],
)  # fmt: skip
def test_whoever_may_not_is_refused_and_that_is_written_down(world, who, project, error):
    caller = world.caller(who) if who else Caller()
    with pytest.raises(error), world.service.act(caller, Act.PROJECT_CHANGE, project=project):
        pytest.fail("It was done.")
    (use,) = Chain.of(world.service.events.log).uses
    assert use["outcome"]["refused"] is True
    assert use["outcome"]["verdict"] == error.__name__


def test_what_one_may_not_know_of_looks_like_what_is_not_there(world):
    other, words = world.caller("other"), []
    for project in ("clinic", "nothing"):
        with (
            pytest.raises(NotKnown) as refused,
            world.service.act(other, Act.RUN_READ, project=project),
        ):
            pass
        words.append(str(refused.value))
    assert words[0] == words[1]


def test_health_and_readiness_answer_whoever_asks(world):
    door = world.door()
    assert door.get("/api/v1/health").json()["status"] == "up"
    assert door.get("/api/v1/ready").json()["status"] == "ready"
    answer = door.get("/api/v1/nothing")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_stranger_who_knocks_without_end_does_not_fill_the_log_and_is_counted(world):
    strangers = world.service.events.strangers
    now = [0.0]
    strangers.clock = lambda: now[0]
    knocks = LINES + 30
    for place in ["192.0.2.1"] * knocks + ["192.0.2.2"]:
        with pytest.raises(NotSignedIn), world.service.act(Caller(address=place), Act.PROJECT_LIST):
            pass
    assert len(Chain.of(world.service.events.log).uses) == LINES + 1
    now[0] = MINUTE
    with pytest.raises(NotSignedIn), world.service.act(Caller(address="192.0.2.1"), Act.PROJECT_LIST):
        pass
    assert Chain.of(world.service.events.log).uses[-1]["outcome"]["before"] == 30


def test_no_path_lets_a_stranger_write_line_after_line_into_the_log(world):
    """Asked again and again from one address: of refusals some have a line, and of tries those that need not wait."""
    known, document = things(world), application(world.service).openapi()
    door, log = world.door(), world.service.events.log.path
    log.touch()
    filled = []
    for method, path, operation in operations(document):
        before = log.read_bytes().count(b"\n")
        for _ in range(LINES + 10):
            asked = question(path, operation, document)
            door.request(method.upper(), address(path, known), follow_redirects=False, **asked)
        written = log.read_bytes().count(b"\n") - before
        if written > LINES:
            filled.append((method, path, written))
        world.service.events.strangers.seen.clear()
    # Of wrong passwords and links up to 20 from an address are free, with a line before and after; then one waits.
    waits = {f"/api/v1/sign-in{which}" for which in ("", "/link", "/first-start")}
    assert [one for one in filled if one[1] not in waits or one[2] > 2 * 20 + LINES] == []
