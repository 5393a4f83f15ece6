"""The states of a request: what the table has happens, and nothing else."""

from __future__ import annotations

import pytest
from tests.service.released_package import ASKED, Clinic

from sfumato.errors import Conflict
from sfumato.service.entities import DataRequest
from sfumato.service.request_states import BY_STATE, TRANSITIONS, Move, RequestState, markdown, next_state

S = RequestState
HASH = "a" * 64


def test_the_table_is_the_picture_of_the_design():
    ways = {(row.state, row.next) for row in TRANSITIONS if row.state is not row.next}
    assert ways == {
        (S.ASKED, S.PREPARING), (S.ASKED, S.WITHDRAWN), (S.ASKED, S.REJECTED),
        (S.PREPARING, S.SUBMITTED), (S.PREPARING, S.WITHDRAWN), (S.PREPARING, S.REJECTED),
        (S.SUBMITTED, S.REVIEWED), (S.SUBMITTED, S.APPROVED), (S.SUBMITTED, S.PREPARING), (S.SUBMITTED, S.REJECTED),
        (S.REVIEWED, S.APPROVED), (S.REVIEWED, S.PREPARING), (S.REVIEWED, S.REJECTED),
        (S.APPROVED, S.RELEASED), (S.APPROVED, S.PREPARING), (S.RELEASED, S.EXPIRED), (S.RELEASED, S.REVOKED),
    }  # fmt: skip
    assert len(BY_STATE) == len(TRANSITIONS)


@pytest.mark.parametrize("state", list(RequestState))
@pytest.mark.parametrize("move", list(Move))
def test_what_is_not_in_the_table_is_refused_with_the_state_and_what_is_possible(state, move):
    if (state, move) in BY_STATE:
        assert next_state(state, move) is BY_STATE[state, move].next
        return
    with pytest.raises(Conflict) as refused:
        next_state(state, move)
    assert f"The request is {state}" in str(refused.value)
    assert ("What can be done" in str(refused.value)) == any(row.state is state and row.act for row in TRANSITIONS)


def test_the_documentation_has_a_line_for_each_transition():
    lines = markdown().splitlines()
    assert len(lines) == 2 + len(TRANSITIONS)
    assert "| approved | release | steward | released |" in lines
    assert "| released | the last day of download passes | nobody: time does | expired |" in lines


PATHS = {
    Move.TAKE_UP: ("stella", "take-up", None),
    Move.WITHDRAW: ("quentin", "withdraw", None),
    Move.REJECT: ("stella", "reject", {"reason": "No basis."}),
    Move.SUBMIT: ("stella", "submit", {"run": "0" * 26}),
    Move.VOTE: ("rita", "votes", {"package_hash": HASH, "verdict": "approve", "reason": "Fine."}),
    Move.RELEASE: ("stella", "release", {"package_hash": HASH, "confirmation": "Yes."}),
    Move.REVOKE: ("stella", "revoke", {"reason": "Wrong."}),
    Move.REPORT_USE: ("rex", "uses", {"use": "A paper."}),
}
OWN = {Move.WITHDRAW, Move.REPORT_USE}


def test_every_path_refuses_every_state_that_the_table_does_not_have_for_it(world):
    """Generated over all states and paths: 409, and the state stays."""
    clinic = Clinic.of(world)
    request = clinic.post("quentin", "/requests", {**ASKED, "recipient": "rex"}).json()["request"]
    for state in RequestState:
        with clinic.session as session:
            session.get_one(DataRequest, request).state = state
        for move, (who, path, body) in PATHS.items():
            if (state, move) in BY_STATE:
                continue
            place = "own-requests" if move in OWN else "requests"
            answer = clinic.post(who, f"/{place}/{request}/{path}", body)
            assert answer.status_code == 409, (state, move, answer.text)
            assert answer.json()["detail"].startswith(f"The request is {state}")
        if state is not RequestState.RELEASED:
            assert clinic.get("rex", f"/own-requests/{request}/package").status_code == 409
        assert clinic.row(request).state == state
