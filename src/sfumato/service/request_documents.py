"""The documents of requests: what stewards and reviewers see of one, and what those see who asked for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlalchemy.orm import Session

from sfumato.project.file.selection import GradeSelection, with_selection
from sfumato.project.file.yaml_text import yaml_text
from sfumato.project.recipient.answers import template
from sfumato.project.recipient.questions import QUESTIONS
from sfumato.project.recipient.recipient import Recipient
from sfumato.proof.deliver import LONGEST
from sfumato.service.entities import Account, DataRequest
from sfumato.service.request_states import OUT, RequestState, possible, state_now

# What people write: no control characters, which logs and databases understand each in their way.
PLAIN = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST, pattern=PLAIN)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=PLAIN)]
Handle = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[0-9a-z]+$")]
Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$", max_length=64)]


class Given(BaseModel):
    """Something that a client sends: no more than what is expected."""

    model_config = ConfigDict(extra="forbid")


class AskedDocument(Given):
    """A request for data: for what, which columns, who receives them, and the fifteen answers about that recipient."""

    purpose: Words
    columns: Annotated[list[Name], Field(min_length=1, max_length=1000)]
    recipient: Name | None = None  # the name of an account; whoever asks, where there is none
    answers: Annotated[dict[Name, Name | bool | int | float], Field(max_length=100)]


class ReasonGiven(Given):
    """Why somebody does something."""

    reason: Words


class QuestionDocument(BaseModel):
    """One of the questions about the recipient."""

    key: str
    asks: str
    hint: str
    score: str
    allowed: str
    answers: list[str]


class PolicyDocument(BaseModel):
    """What the grade of the recipient asks of the project."""

    grade: str
    threshold: float  # the score from which on a column is a quasi-identifier
    linkage: int
    reidentifiability: int
    understanding: int
    reasons: list[str]
    answers_file: str  # to save as a file of the project
    command: str  # what selects the quasi-identifiers by it
    lines: str  # what the project file says then, but for the columns


class RequestDocument(BaseModel):
    """A request as stewards and reviewers see it."""

    request: str
    project: str
    state: RequestState
    possible: str
    requester: str
    recipient: str
    purpose: str
    columns: list[str]
    grade: str | None
    round: int
    run: str | None
    version: int | None
    package_hash: str | None
    verdict: str | None
    reason: str
    created: datetime
    changed: datetime
    released: datetime | None
    expires: datetime | None
    downloads: int
    policy: PolicyDocument | None = None


class OwnRequestDocument(BaseModel):
    """A request as those see it who asked for it or receive it; the verdict once it was released, and no readings."""

    request: str
    project: str
    state: RequestState
    requester: str
    recipient: str
    purpose: str
    columns: list[str]
    grade: str | None
    reason: str
    created: datetime
    changed: datetime
    released: datetime | None
    expires: datetime | None
    verdict: str | None
    package_hash: str | None
    records: int | None


def request_document(
    session: Session, request: DataRequest, *, project: str, now: datetime, policy: bool = False
) -> RequestDocument:
    """A request for stewards and reviewers."""
    state = state_now(request, now)
    return RequestDocument(
        **_shared(session, request, project, state),
        possible=possible(state),
        round=request.round,
        run=request.run,
        version=request.version,
        package_hash=request.package_hash,
        verdict=(request.summary or {}).get("verdict") if state in OUT else None,  # before: in the review
        reason=request.reason,
        downloads=request.downloads,
        policy=policy_of(request.answers) if policy else None,
    )


def own_document(session: Session, request: DataRequest, *, project: str, now: datetime) -> OwnRequestDocument:
    """A request for whoever asked for it or receives it."""
    state = state_now(request, now)
    told = (request.summary or {}) if state in OUT else {}
    return OwnRequestDocument(
        **_shared(session, request, project, state),
        reason=request.reason if state in (RequestState.REJECTED, RequestState.REVOKED) else "",
        verdict=told.get("verdict"),
        package_hash=request.package_hash if told else None,
        records=told.get("records"),
    )


def policy_of(answers: Mapping[str, Any]) -> PolicyDocument:
    """What the grade of a recipient asks for, from the answers."""
    graded = Recipient.of(answers)
    scores = {name: getattr(graded, name) for name in ("linkage", "reidentifiability", "understanding")}
    file = "recipient.yaml"
    context = f"context:\n  recipient: {yaml_text(file)}\n"
    return PolicyDocument(
        grade=graded.grade.value,
        threshold=graded.threshold,
        **scores,
        reasons=[str(reason) for reason in graded.reasons],
        answers_file=template(graded.answers),
        command=f"sfumato identify --recipient {file} --write",
        lines=with_selection(context, GradeSelection(graded.grade, answers=file, scores=scores), "sfumato.yaml"),
    )


def questions() -> list[QuestionDocument]:
    """The fifteen questions about the recipient."""
    return [
        QuestionDocument(
            key=one.key,
            asks=one.asks,
            hint=one.hint,
            score=one.score.value,
            allowed=one.allowed,
            answers=[answer.text for answer in one.answers],
        )
        for one in QUESTIONS
    ]


def names_of(session: Session, accounts: Sequence[str]) -> dict[str, str]:
    """The names of accounts by their handles."""
    return {handle: session.get_one(Account, handle).name for handle in dict.fromkeys(accounts)}


def _shared(session: Session, request: DataRequest, project: str, state: RequestState) -> dict[str, Any]:
    names = names_of(session, [request.requester, request.recipient])
    return {
        "request": request.handle,
        "project": project,
        "state": state,
        "requester": names[request.requester],
        "recipient": names[request.recipient],
        "purpose": request.purpose,
        "columns": request.columns,
        "grade": request.grade,
        "created": request.created,
        "changed": request.changed,
        "released": request.released,
        "expires": request.expires,
    }
