"""A tour of the demonstration project: one step for each screen, with the words of the glossary that belong to it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from sfumato.errors import NotKnown
from sfumato.service.overview import overview
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import shown
from sfumato.workbench.places import ScreenPlace, screens_for

router = APIRouter(prefix="/tour")
# The steps in the order in which one works, and the words that open in place there.
STEPS: dict[str, tuple[str, ...]] = {
    "table": (),
    "columns": ("direct_identifier", "quasi_identifier", "sensitive_attribute"),
    "attackers": ("prosecutor", "singleton"),
    "policy": ("class", "k", "threshold"),
    "hierarchies": ("hierarchy", "generalisation"),
    "release": ("suppression", "maximum_risk"),
    "effects": ("utility",),
    "context": ("five_safes", "dpia", "risk_benefit_matrix"),
    "requests": ("recipient",),
    "runs": (),
    "versions": (),
}
DEMONSTRATION = "sfumato demo\nsfumato open demo/hospital_admissions.csv"


@router.get("")
@router.get("/{step}")
def tour(
    request: Request,
    service: TheService,
    caller: TheCaller,
    step: str = "",
    project: Annotated[str, Query(max_length=64)] = "",
) -> Response:
    """The beginning of the tour, or one of its steps."""
    if step and step not in STEPS:
        raise NotKnown("the step of the tour")
    projects = overview(service, caller).projects
    chosen = next((one for one in projects if one.name == project), projects[0] if projects else None)
    names = list(STEPS)
    at = names.index(step) if step else -1
    return shown(
        request, "tour.html", caller=caller, place=ScreenPlace("tour"), step=step, steps=names, at=at,
        words=STEPS.get(step, ()), demonstration=DEMONSTRATION, project=chosen,
        open_to=screens_for(frozenset(chosen.roles)) if chosen else [],
    )  # fmt: skip
