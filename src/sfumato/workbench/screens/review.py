"""Review: one request from the question to the end of the release, with what each role may do there, and who may."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from sfumato.errors import NotAllowed, NotSignedIn, SfumatoError
from sfumato.proof.package.folder import ASSESSMENT, COMPARISON
from sfumato.service import releases, requests, review_comments, review_material, reviews, runs
from sfumato.service.caller import Caller
from sfumato.service.package_verification import Verification, released_verification
from sfumato.service.permissions import ROWS, Act
from sfumato.service.projects import project_settings
from sfumato.service.releases import ReleasePreview
from sfumato.service.request_documents import OwnRequestDocument, RequestDocument
from sfumato.service.request_states import AT_STAKE, IN_REVIEW, OUT, TRANSITIONS, RequestState
from sfumato.service.review_comments import CommentDocument
from sfumato.service.review_material import ReviewDocument
from sfumato.service.reviews import DONE, RELEASE, ReviewVerdict, VoteDocument
from sfumato.service.service import Service
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown, texts_for
from sfumato.workbench.form_fields import TheForm, text_of
from sfumato.workbench.form_keys import done_once, fresh_key
from sfumato.workbench.number_sources import measure_sources
from sfumato.workbench.places import ScreenPlace, place_in
from sfumato.workbench.request_steps import STEPS, TakenStep

router = APIRouter(prefix="/projects/{project}/requests/{asked}")
Asked = Annotated[str, Path(pattern="^[0-9a-z]{1,64}$")]
COMMENTS = 200  # that are shown; a request with more of them is one that people should talk about
RUNS = 200  # that are looked through for releases to submit
ASKED, PREPARING, SUBMITTED, REVIEWED, APPROVED, RELEASED, EXPIRED, REVOKED, WITHDRAWN, REJECTED = RequestState
WAY = (ASKED, PREPARING, SUBMITTED, REVIEWED, APPROVED, RELEASED)
KINDS = {"met": "good", "met, but": "mind"}  # of verdicts; every other is bad


@dataclass(frozen=True)
class Standing:
    """All that a page shows of a request, as far as the caller may know of it."""

    whole: RequestDocument | None
    own: OwnRequestDocument | None
    review: ReviewDocument | None = None
    assessment: dict[str, Any] = field(default_factory=dict)
    comparison: dict[str, Any] = field(default_factory=dict)  # of the release with its original
    denied: str = ""  # why there is no review to read
    votes: list[VoteDocument] = field(default_factory=list)
    comments: list[CommentDocument] = field(default_factory=list)
    preview: ReleasePreview | None = None
    candidates: list[Any] = field(default_factory=list)  # runs of the release that can be submitted
    verification: Verification | None = None
    rows: bool = False  # whether the caller may look at the released rows

    @property
    def asked(self) -> RequestDocument | OwnRequestDocument:
        """The request, in the words of whoever looks."""
        known = self.whole or self.own
        assert known is not None
        return known

    @property
    def voted(self) -> bool:
        """Whether a round is under way in which votes were cast."""
        return any(self.whole is not None and vote.round == self.whole.round for vote in self.votes)


@router.get("")
def one(
    request: Request,
    service: TheService,
    caller: TheCaller,
    project: str,
    *,
    asked: Asked,
    about: Annotated[str, Query(max_length=200)] = "",
    done: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """One request, and what can be done with it."""
    return _page(request, service, caller, project, asked, typed={"about": about}, done=done)


@router.post("/{step}")
def act(
    request: Request, service: TheService, caller: TheCaller, project: str, *, asked: Asked, step: str, given: TheForm
) -> Response:
    """Do one of the steps; a refusal stands above the page as it is now, with what was typed."""
    typed = {name: text_of(given, name) for name in given}
    incomplete = str(texts_for(request)("review.not_whole"))
    taken = TakenStep(
        service=service, caller=caller, project=project, request=asked, given=given, incomplete=incomplete
    )
    try:
        done = STEPS.get(step)
        if done is None:
            return _page(request, service, caller, project, asked, typed={}, status=404)
        said = {name: value for name, value in typed.items() if name != "once"}
        after = done_once(
            service, caller, typed.get("once", ""), {"request": asked, "step": step, **said},
            lambda: {"to": done(taken) or ""},
        )  # fmt: skip
    except NotSignedIn:
        raise
    except SfumatoError as error:
        status = getattr(error, "status", 422)
        return _page(request, service, caller, project, asked, typed=typed, problem=str(error), status=status)
    return gone_on(request, after["to"] or f"/projects/{project}/requests/{asked}")


def _page(
    request: Request,
    service: Service,
    caller: Caller,
    project: str,
    asked: str,
    *,
    typed: dict[str, str],
    problem: str = "",
    status: int = 200,
    done: str = "",
) -> Response:
    place = place_in(service, caller, project, "requests")
    seen = _standing(service, caller, place, asked)
    state = seen.asked.state
    verdict = seen.review.verdict if seen.review else None
    return shown(
        request, "review.html", caller=caller, place=place, status=status, seen=seen, state=state.value,
        way=_way(state), kind=KINDS.get(verdict or "", "bad"), typed=defaultdict(str, typed), problem=problem,
        once=fresh_key(), others=_others(place, state), verdicts=[one.value for one in ReviewVerdict],
        in_review=state in IN_REVIEW, done=done, out=state in OUT, mine=_own_work(seen, caller),
        sources=measure_sources(),
    )  # fmt: skip


def _standing(service: Service, caller: Caller, place: ScreenPlace, asked: str) -> Standing:
    """What the caller may see of a request; nothing is asked for that would be refused for their role or its state."""
    project = place.project
    if not place.may(Act.REQUEST_READ):
        theirs = requests.read_own_request(service, caller, project, asked)
        return Standing(None, theirs, verification=_verified(service, caller, project, asked, theirs.state))
    whole = requests.read_request(service, caller, project, asked)
    its = caller.name in (whole.requester, whole.recipient) and place.may(Act.REQUEST_READ_OWN)
    own = requests.read_own_request(service, caller, project, asked) if its else None
    readable: dict[str, Any] = {}
    try:
        readable = _readable(service, caller, project, whole)
    except NotAllowed as error:  # they asked for it, or receive it
        readable["denied"] = str(error)
    return Standing(
        whole, own, **readable, candidates=_candidates(service, caller, place, whole.state),
        verification=_verified(service, caller, project, asked, whole.state),
    )  # fmt: skip


def _readable(service: Service, caller: Caller, project: str, whole: RequestDocument) -> dict[str, Any]:
    """What a review stands on, for who may read it; that they read it is in the log."""
    asked = whole.request
    seen: dict[str, Any] = {
        "votes": reviews.list_votes(service, caller, project, asked),
        "comments": review_comments.list_comments(service, caller, project, asked, limit=COMMENTS)[:COMMENTS],
    }
    if whole.state in (*AT_STAKE, *OUT):
        seen["review"] = review_material.read_review(service, caller, project, asked)
        seen["assessment"] = _evidence(service, caller, project, seen["review"], ASSESSMENT)
        seen["comparison"] = _evidence(service, caller, project, seen["review"], COMPARISON)
        place = place_in(service, caller, project, "requests")
        seen["rows"] = place.may(Act.ROWS_VIEW) or project_settings(service, caller, project).rows_for_reviewers
    if whole.state is APPROVED:
        seen["preview"] = releases.preview_release(service, caller, project, asked)
    return seen


def _evidence(service: Service, caller: Caller, project: str, review: ReviewDocument, name: str) -> dict[str, Any]:
    """The readings of the release against their bounds, or what it lost, where they are still kept."""
    if not any((file.folder, file.name) == ("evidence", name) for file in review.files):
        return {}
    opened = review_material.open_file(service, caller, project, review.request.request, folder="evidence", name=name)
    read: dict[str, Any] = json.loads(opened.path.read_text(encoding="utf-8"))
    return read


def _candidates(service: Service, caller: Caller, place: ScreenPlace, state: RequestState) -> list[Any]:
    if state is not PREPARING or not place.may(Act.REQUEST_SUBMIT):
        return []
    done = runs.runs(service, caller, place.project, limit=RUNS, state=DONE)
    return [run for run in done if run.verb == RELEASE]


def _verified(service: Service, caller: Caller, project: str, asked: str, state: RequestState) -> Verification | None:
    return released_verification(service, caller, project, asked) if state in (*AT_STAKE, *OUT) else None


def _way(state: RequestState) -> list[tuple[str, str]]:
    """The states on the way of a request, each with whether it is past, here or to come."""
    ends = {WITHDRAWN: (ASKED, WITHDRAWN), REJECTED: (ASKED, REJECTED), REVOKED: (*WAY, REVOKED)}
    states = ends.get(state, (*WAY, EXPIRED))
    states = tuple(
        one for one in states if one is not REVIEWED or state is REVIEWED
    )  # where votes differed, and only there
    here = states.index(state)
    return [(one.value, "past" if at < here else "here" if at == here else "") for at, one in enumerate(states)]


def _others(place: ScreenPlace, state: RequestState) -> list[tuple[str, list[str]]]:
    """What can be done now that the caller may not do, each with the roles that may."""
    acts = dict.fromkeys(row.act for row in TRANSITIONS if row.state is state and row.act is not None)
    return [(one.value, [role.value for role in ROWS[one].roles]) for one in acts if not place.may(one)]


def _own_work(seen: Standing, caller: Caller) -> str:
    """Why somebody does not review a release: they prepared it, asked for it, or receive it."""
    if seen.whole is None:
        return ""
    whose = {
        "prepared": seen.review.preparers if seen.review else [],
        "asked": [seen.whole.requester],
        "receives": [seen.whole.recipient],
    }
    return next((why for why, names in whose.items() if caller.name in names), "")
