"""The states of a request, from the question to the end of the release: one table of who moves it where.

Refusals, documentation and tests are made from this table. What is not in it is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sfumato.errors import Conflict
from sfumato.service.entities import DataRequest
from sfumato.service.permissions import ROWS, Act


class RequestState(StrEnum):
    """Where a request stands."""

    ASKED = "asked"
    PREPARING = "preparing"
    SUBMITTED = "submitted"  # the reviewers vote
    REVIEWED = "reviewed"  # all votes were in and disagreed: they are shown, and the reviewers vote again
    APPROVED = "approved"
    RELEASED = "released"
    EXPIRED = "expired"
    REVOKED = "revoked"
    WITHDRAWN = "withdrawn"
    REJECTED = "rejected"


class Move(StrEnum):
    """What moves a request on, or leaves it where it is."""

    TAKE_UP = "take up"
    WITHDRAW = "withdraw"
    REJECT = "reject"
    SUBMIT = "submit"
    VOTE = "vote"
    ALL_APPROVE = "last vote: all approve"
    ALL_RETURN = "last vote: all return"
    ALL_REJECT = "last vote: all reject"
    DISAGREE = "last vote: they disagree"
    CHANGE = "change project, plan or data"
    RELEASE = "release"
    DOWNLOAD = "download"
    REPORT_USE = "report use"
    REVOKE = "revoke"
    EXPIRE = "the last day of download passes"


@dataclass(frozen=True)
class Transition:
    """A row of the table: in this state, this move, which is part of this act, leads there. Time is nobody's act."""

    state: RequestState
    move: Move
    act: Act | None
    next: RequestState

    @property
    def who(self) -> str:
        """Who may do it, for people."""
        return "nobody: time does" if self.act is None else " or ".join(role.value for role in ROWS[self.act].roles)


ASKED, PREPARING, SUBMITTED, REVIEWED, APPROVED, RELEASED, EXPIRED, REVOKED, WITHDRAWN, REJECTED = RequestState
IN_REVIEW = (SUBMITTED, REVIEWED)
AT_STAKE = (*IN_REVIEW, APPROVED)  # a change of what was submitted begins anew
OUT = (RELEASED, EXPIRED, REVOKED)  # somebody has it, or could have had it

TRANSITIONS: tuple[Transition, ...] = (
    Transition(ASKED, Move.TAKE_UP, Act.REQUEST_PREPARE, PREPARING),
    Transition(ASKED, Move.WITHDRAW, Act.REQUEST_WITHDRAW, WITHDRAWN),
    Transition(ASKED, Move.REJECT, Act.REQUEST_REJECT, REJECTED),
    Transition(PREPARING, Move.SUBMIT, Act.REQUEST_SUBMIT, SUBMITTED),
    Transition(PREPARING, Move.WITHDRAW, Act.REQUEST_WITHDRAW, WITHDRAWN),
    Transition(PREPARING, Move.REJECT, Act.REQUEST_REJECT, REJECTED),
    *(
        Transition(state, move, act, then)
        for state in IN_REVIEW
        for move, act, then in (
            (Move.VOTE, Act.VOTE, state),
            (Move.ALL_APPROVE, Act.VOTE, APPROVED),
            (Move.ALL_RETURN, Act.VOTE, PREPARING),
            (Move.ALL_REJECT, Act.VOTE, REJECTED),
            (Move.DISAGREE, Act.VOTE, REVIEWED),
            (Move.CHANGE, Act.PROJECT_CHANGE, PREPARING),
        )
    ),
    Transition(APPROVED, Move.RELEASE, Act.RELEASE, RELEASED),
    Transition(APPROVED, Move.CHANGE, Act.PROJECT_CHANGE, PREPARING),
    Transition(RELEASED, Move.DOWNLOAD, Act.DOWNLOAD, RELEASED),
    Transition(RELEASED, Move.REVOKE, Act.REVOKE, REVOKED),
    Transition(RELEASED, Move.EXPIRE, None, EXPIRED),
    *(Transition(state, Move.REPORT_USE, Act.USE_REPORT, state) for state in OUT),
)
BY_STATE = {(row.state, row.move): row for row in TRANSITIONS}


def next_state(state: RequestState, move: Move) -> RequestState:
    """The state that follows; `Conflict` says the state and what is possible, where nothing does.

    >>> next_state(RequestState.ASKED, Move.TAKE_UP).value
    'preparing'
    """
    row = BY_STATE.get((state, move))
    if row is None:
        raise Conflict(f"The request is {state}, and this does not go with that: {move}. {possible(state)}")
    return row.next


def possible(state: RequestState) -> str:
    """What can be done in a state, in a sentence.

    >>> possible(RequestState.WITHDRAWN)
    'Nothing more can be done with it.'
    """
    acts = dict.fromkeys(row.act for row in TRANSITIONS if row.state is state and row.act is not None)
    words = [f"{ROWS[act].words} ({' or '.join(ROWS[act].roles)})" for act in acts]
    return f"What can be done: {'; '.join(words)}." if words else "Nothing more can be done with it."


def move_on(request: DataRequest, move: Move, now: datetime) -> None:
    """Move a request on, where the table has it."""
    request.state = next_state(RequestState(request.state), move)
    request.changed = now


def state_now(request: DataRequest, now: datetime) -> RequestState:
    """The state as of now: a release whose last day has passed is expired, whether or not anybody asked since."""
    state = RequestState(request.state)
    over = state is RELEASED and request.expires is not None and request.expires <= now
    return EXPIRED if over else state


def markdown() -> str:
    """The table for the documentation."""
    rows = [f"| {row.state} | {row.move} | {row.who} | {row.next} |" for row in TRANSITIONS]
    return "\n".join(["| state | what happens | who | then |", "|---|---|---|---|", *rows]) + "\n"
