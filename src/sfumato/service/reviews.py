"""Reviews: a release is submitted, and reviewers vote on it, each without knowing of the others until all have."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any

from pydantic import BaseModel
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from sfumato.canonical import canonical
from sfumato.errors import Conflict, NotAllowed, NotKnown, Stale
from sfumato.project.context.result import require_selected_for_recipient
from sfumato.project.file import Project
from sfumato.service.caller import Caller
from sfumato.service.earlier_releases import require_within_limit
from sfumato.service.entities import DataRequest, ProjectVersion, RegisteredSource, Run, ServiceProject, Vote
from sfumato.service.independence import independent_reviewers, marks, require_independent, require_reader
from sfumato.service.notices import NoticeKind, notify, settle
from sfumato.service.permissions import Act
from sfumato.service.request_documents import Given, Handle, Hash, RequestDocument, Words, names_of, request_document
from sfumato.service.request_states import OUT, Move, RequestState, next_state
from sfumato.service.requests import locked, moved, tell_requester
from sfumato.service.review_comments import reveal_comments
from sfumato.service.service import Deed, Service
from sfumato.service.storage import Storage
from sfumato.service.submitted_package import SubmittedPackage

PROJECT_FILE = "sfumato.yaml"
DONE, RELEASE = "done", "release"  # of a run: its state, and its verb
NO_VOTES = "The project asks for no votes, so that nothing can be released: a release needs one vote at the least."


class ReviewVerdict(StrEnum):
    """What a reviewer says of a release."""

    APPROVE = "approve"
    RETURN = "return"
    REJECT = "reject"


class SubmittedGiven(Given):
    """The run whose package is submitted."""

    run: Handle


class VoteGiven(Given):
    """A vote, on one package."""

    package_hash: Hash
    verdict: ReviewVerdict
    reason: Words


class VoteDocument(BaseModel):
    """A vote, as far as it may be known: of another's in a round that is not over, that it was cast."""

    round: int
    reviewer: str
    package_hash: str
    verdict: ReviewVerdict | None
    reason: str | None
    created: datetime


UNANIMOUS = {
    ReviewVerdict.APPROVE: (Move.ALL_APPROVE, NoticeKind.APPROVED),
    ReviewVerdict.RETURN: (Move.ALL_RETURN, NoticeKind.RETURNED),
    ReviewVerdict.REJECT: (Move.ALL_REJECT, NoticeKind.REJECTED),
}


def submit(service: Service, caller: Caller, project: str, request: str, run: str) -> RequestDocument:
    """Submit the package of a release for review: it is known by the hash of its manifest from now on."""
    with service.act(caller, Act.REQUEST_SUBMIT, project=project, request=request, run=run) as deed:
        asked = moved(deed, Move.SUBMIT)
        asked.votes_needed = votes_needed(deed.project)
        made = _release_run(deed, run)
        package = SubmittedPackage.of(made, service.storage)
        source = deed.session.get(RegisteredSource, made.source) if made.source else None
        summary = package.summary(source)
        require_within_limit(deed.session, deed.project, summary)
        require_policy_of_grade(deed.session, deed.project, asked, service.storage)
        asked.run, asked.version, asked.package_hash = made.handle, deed.project.current, package.hash
        asked.summary = summary
        asked.preparers = _preparers(deed, made, source)
        reviewers = independent_reviewers(deed.session, deed.project, asked)
        deed.note(package=package.hash, version=asked.version, round=asked.round, preparers=asked.preparers)
        tell_requester(deed)
        notify(deed, NoticeKind.VOTE_NEEDED, reviewers, asked)
        return request_document(deed.session, asked, project=project, now=deed.now)


def vote(service: Service, caller: Caller, project: str, request: str, given: VoteGiven) -> list[VoteDocument]:
    """Vote on a package. The log knows of the vote by a hash, and of what it says once all votes are in."""
    with service.act(caller, Act.VOTE, project=project, request=request, package=given.package_hash) as deed:
        asked = locked(deed)
        next_state(RequestState(asked.state), Move.VOTE)
        require_independent(deed.session, asked, deed.account)
        if asked.package_hash != given.package_hash:
            raise Stale("This vote names another package than the one that was submitted. Read it again, then vote.")
        require_unchanged(deed.session, deed.project, asked)
        _require_first(deed, asked)
        cast = Vote(
            request=asked.handle,
            round=asked.round,
            reviewer=deed.account,
            package_hash=given.package_hash,
            verdict=given.verdict,
            reason=given.reason,
            created=deed.now,
        )
        deed.session.add(cast)
        deed.session.flush()
        deed.note(round=cast.round, vote=commitment(cast))
        settle(deed, asked, deed.account)
        _counted(deed, asked)
        return _votes(deed, asked)


def list_votes(service: Service, caller: Caller, project: str, request: str) -> list[VoteDocument]:
    """The votes of all rounds, as far as the caller may know of them."""
    with service.act(caller, Act.REQUEST_READ, project=project, request=request) as deed:
        require_reader(deed.session, deed.request, deed.account)
        return _votes(deed, deed.request)


def votes_needed(project: ServiceProject) -> int:
    """How many votes a release of a project needs: one at the least."""
    if project.reviewers < 1:
        raise Conflict(NO_VOTES)
    return project.reviewers


def approvals(session: Session, project: ServiceProject, request: DataRequest) -> list[Vote]:
    """The votes that approve a request; `Conflict` where they are too few, or are no longer independent."""
    cast = _of_round(session, request)
    needed = max(request.votes_needed, votes_needed(project))
    valid = [one for one in cast if one.verdict == ReviewVerdict.APPROVE and one.package_hash == request.package_hash]
    if len(valid) != len(cast) or len(valid) < needed:
        raise Conflict(f"A release of this project needs {needed} votes that approve it, and this has {len(valid)}.")
    for one in valid:
        try:
            require_independent(session, request, one.reviewer)
        except NotAllowed:
            raise Conflict("A reviewer is somebody who prepared it, asked for it or receives it.") from None
    return valid


def require_unchanged(session: Session, project: ServiceProject, request: DataRequest) -> None:
    """Refuse where the project has another version than the one that was submitted."""
    if request.version != project.current:
        raise Stale("The project has changed since this was submitted. It has to be released and submitted again.")


def require_policy_of_grade(session: Session, project: ServiceProject, request: DataRequest, storage: Storage) -> None:
    """Refuse quasi-identifiers that were selected for a lower grade than that of the request's recipient."""
    version = version_of(session, project, project.current)
    file = version.files.get(PROJECT_FILE) if version is not None else None
    if file is None:
        raise Conflict(f"The project has no {PROJECT_FILE}.")
    known = Project.parse(storage.read(file).decode(), PROJECT_FILE)
    require_selected_for_recipient(replace(known, context={**known.context, "recipient": request.grade}))


def version_of(session: Session, project: ServiceProject, number: int) -> ProjectVersion | None:
    """A version of a project by its number."""
    wanted = select(ProjectVersion).where(ProjectVersion.project == project.handle, ProjectVersion.number == number)
    return session.scalar(wanted)


def last_release(session: Session, project: ServiceProject) -> DataRequest | None:
    """What was released of a project last."""
    out = select(DataRequest).where(
        DataRequest.project == project.handle, DataRequest.state.in_([state.value for state in OUT])
    )
    return session.scalars(out.order_by(DataRequest.released.desc()).limit(1)).first()


def commitment(vote: Vote) -> str:
    """A hash that says nothing of a vote, and that no other vote has: its handle is known to whoever cast it."""
    return sha256(canonical(revelation(vote))).hexdigest()


def revelation(vote: Vote) -> dict[str, Any]:
    """What the log has of a vote once all are in, with which its hash can be made again. The reason is a hash here."""
    return {
        "vote": vote.handle,
        "reviewer": vote.reviewer,
        "package": vote.package_hash,
        "verdict": str(vote.verdict),
        "reason": sha256(vote.reason.encode()).hexdigest(),
    }


def _release_run(deed: Deed, handle: str) -> Run:
    """The run of a release of the current version; a version that it wrote itself, with its choice, is the same."""
    run = deed.session.get(Run, handle)
    if run is None or run.project != deed.project.handle:
        raise NotKnown("the run")
    if run.verb != RELEASE or run.state != DONE:
        raise Conflict(f"This is a run of `{run.verb}` that is {run.state}. Submit a run of `release` that is done.")
    later = select(ProjectVersion).where(
        ProjectVersion.project == deed.project.handle, ProjectVersion.number > run.version
    )
    if any(version.run != run.handle for version in deed.session.scalars(later)):
        raise Stale("The project has changed since this run. Run the release again, then submit it.")
    return run


def _preparers(deed: Deed, run: Run, source: RegisteredSource | None) -> list[str]:
    """Whose work a release is: who took the request up, registered the source, wrote the files, ran it, submits it.

    Of versions these are the authors since the last release, and those of the files as they are now, also where nobody
    has changed them since: what was reviewed for one recipient is for another the work of the same people.
    """
    wanted = select(ProjectVersion).where(ProjectVersion.project == deed.project.handle)
    versions = list(deed.session.scalars(wanted.order_by(ProjectVersion.number)))
    last = last_release(deed.session, deed.project)
    since = {one.author for one in versions if one.number > ((last.version or 0) if last else 0)}
    current = next((one.files for one in versions if one.number == deed.project.current), {})
    before: dict[str, str] = {}
    written: set[str] = set()
    for one in versions:
        if any(before.get(name) != content == one.files.get(name) for name, content in current.items()):
            written.add(one.author)
        before = one.files
    registered = {source.author} if source is not None else set()
    return sorted({*deed.request.preparers, *since, *written, *registered, run.author, deed.account})


def _require_first(deed: Deed, request: DataRequest) -> None:
    """Refuse a second vote of one person, also by another account of theirs."""
    for one in _of_round(deed.session, request):
        if one.reviewer == deed.account:
            raise Conflict("You have voted in this round already.")
        if marks(deed.session, [one.reviewer]) & marks(deed.session, [deed.account]):
            raise NotAllowed("You have voted in this round already, by another account of yours.")


def _counted(deed: Deed, request: DataRequest) -> None:
    """Count the votes: once all are in they are shown, and the request moves on or is voted on again."""
    cast = _of_round(deed.session, request)
    if len(cast) < max(request.votes_needed, votes_needed(deed.project)):
        return
    deed.session.execute(
        update(Vote).where(Vote.request == request.handle, Vote.round == request.round).values(revealed=True)
    )
    reveal_comments(deed.session, request)
    deed.note(revealed=[revelation(one) for one in cast])
    verdicts = {ReviewVerdict(one.verdict) for one in cast}
    if len(verdicts) > 1:
        moved(deed, Move.DISAGREE)
        request.round += 1
        notify(deed, NoticeKind.VOTE_AGAIN, [one.reviewer for one in cast], request)
        return
    move, kind = UNANIMOUS[verdicts.pop()]
    moved(deed, move)
    tell_requester(deed)
    notify(deed, kind, request.preparers, request)
    if move is Move.ALL_RETURN:
        request.round += 1
        request.package_hash = None
    if move is Move.ALL_REJECT:
        request.reason = "The reviewers rejected the release."  # theirs name readings, which are not for whoever asked


def _of_round(session: Session, request: DataRequest) -> list[Vote]:
    cast = select(Vote).where(Vote.request == request.handle, Vote.round == request.round).order_by(Vote.handle)
    return list(session.scalars(cast))


def _votes(deed: Deed, request: DataRequest) -> list[VoteDocument]:
    """The votes that somebody may know of. Who has voted is told; what they said is not, while others are to vote."""
    cast = list(deed.session.scalars(select(Vote).where(Vote.request == request.handle).order_by(Vote.handle)))
    names = names_of(deed.session, [one.reviewer for one in cast])
    return [
        VoteDocument(
            round=one.round,
            reviewer=names[one.reviewer],
            package_hash=one.package_hash,
            verdict=ReviewVerdict(one.verdict) if _seen(one, deed) else None,
            reason=one.reason if _seen(one, deed) else None,
            created=one.created,
        )
        for one in cast
    ]


def _seen(vote: Vote, deed: Deed) -> bool:
    return vote.revealed or vote.reviewer == deed.account
