"""Effects: every column before and after, how many look alike, whom leaving out hits, and what a release lost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from sfumato.errors import NotKnown
from sfumato.service.caller import Caller
from sfumato.service.entities import Run
from sfumato.service.live_questions import Shape, ask_by_shape
from sfumato.service.release_packages import newest_about, package_seen, release_runs
from sfumato.service.run_queue import RunState
from sfumato.service.runs import RunWanted, result_file, run_of, start
from sfumato.service.service import Service
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown
from sfumato.workbench.effect_pictures import multiple
from sfumato.workbench.number_sources import model_sources
from sfumato.workbench.places import place_in
from sfumato.workbench.release_pictures import bar, dot
from sfumato.workbench.release_setting import ReleaseSetting
from sfumato.workbench.release_view import setting_of

router = APIRouter(prefix="/projects/{project}/effects")
COMPARISON = "package-evidence/comparison.json"
HIT = 6  # groups of a column that are drawn, those that are hit most often first
RUNS = 5  # releases that can be chosen, the newest first
RISK = "risk"


@dataclass(frozen=True)
class ReleasedEffects:
    """What a run of `release` has made: its levels, what each model says was lost, and who was looked for in it."""

    run: Run
    levels: Mapping[str, int]
    losses: Mapping[str, Any] | None
    risk: Run | None

    def setting(self, shape: Shape) -> ReleaseSetting | None:
        """Its levels as a setting of today; None where the columns are others, or it was not made by levels."""
        names = [column["name"] for column in shape["columns"]]
        if set(names) != set(self.levels):
            return None
        usual = ReleaseSetting.usual(shape)
        return usual.at({"levels": [self.levels[name] for name in names]}).within(shape)


@router.get("")
def effects(request: Request, service: TheService, caller: TheCaller, project: str, run: str | None = None) -> Response:
    """The effects of the levels that an address names, or of what a run of `release` has made."""
    place = place_in(service, caller, project, "effects")
    if not place.may("live.ask"):
        return shown(request, "release_denied.html", caller=caller, place=place, built=[])
    released = _released(service, caller, project, run) if run else None

    def setting_in(shape: Shape) -> ReleaseSetting:
        own = released.setting(shape) if released is not None else None
        return own or setting_of(request.query_params, shape)

    def questions(shape: Shape) -> list[dict[str, Any]]:
        return [setting_in(shape).question(what, shape) for what in ("at", "counts")]

    reply = ask_by_shape(service, caller, project, questions)
    if reply.shape is None:
        return shown(request, "live_state.html", caller=caller, place=place, reply=reply)
    reading, counts = reply.answers
    built = release_runs(service, caller, project, limit=RUNS)
    return shown(
        request, "effects.html", caller=caller, place=place, reply=reply, reading=reading, counts=counts,
        setting=setting_in(reply.shape), released=released, built=[one for one in built if one.state == RunState.DONE],
        by_levels=released is None or released.setting(reply.shape) is not None, multiple=multiple, bar=bar, dot=dot,
        hit=HIT, sources=model_sources(),
    )  # fmt: skip


@router.post("/risk")
def risk(
    request: Request, service: TheService, caller: TheCaller, project: str, run: Annotated[str, Form(max_length=100)]
) -> Response:
    """Find out who can still be found in a release: a run of `risk` with the table that it was made of."""
    start(service, caller, project, RunWanted(RISK, {}, earlier=run))
    return gone_on(request, f"/projects/{project}/effects?run={run}#found")


def _released(service: Service, caller: Caller, project: str, run: str) -> ReleasedEffects:
    known = run_of(service, caller, project, run)
    if known.verb != "release" or known.state != RunState.DONE:
        raise NotKnown("the release")
    levels = package_seen(service, caller, project, run).levels
    looked = newest_about(service, caller, project, run, RISK)
    return ReleasedEffects(known, levels, _losses(service, caller, project, run), looked)


def _losses(service: Service, caller: Caller, project: str, run: str) -> Mapping[str, Any] | None:
    """What was lost by each model: the comparison that lies with the evidence of a release."""
    try:
        _, path = result_file(service, caller, project, run, COMPARISON, rows=False)
    except NotKnown:
        return None
    document: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document
