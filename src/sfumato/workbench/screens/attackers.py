"""Attackers: what somebody may know of a person, as sets of columns, and whom that singles out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from sfumato.attackers.population.country_populations import residents_by_region
from sfumato.privacy.policy import Scenario
from sfumato.project.file.section_edits import section_lines
from sfumato.schema import Role
from sfumato.service import runs as of_service
from sfumato.service.attack_scenarios import (
    VERB,
    alone_on,
    change_population,
    change_scenario,
    last_exposure,
    population_of,
    remove_scenario,
    scenario_standings,
)
from sfumato.service.column_decisions import column_evidence
from sfumato.service.live_questions import Shape, ask_by_shape
from sfumato.service.newest_runs import newest_runs
from sfumato.service.project_policy import columns_by_role
from sfumato.service.project_text import ProjectText, project_text
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown
from sfumato.workbench.places import place_in
from sfumato.workbench.release_setting import ReleaseSetting
from sfumato.workbench.typed_commands import typed

router = APIRouter(prefix="/projects/{project}/attackers")
QUICK = {"no-attacks": True, "uniques": 0}  # who is singled out, without the attacks that take long
Since = Annotated[str, Form(max_length=64)]
Text = Annotated[str, Form(max_length=2_000)]
Names = Annotated[list[str], Form()]


@router.get("")
def attackers(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """The scenarios of a project and what was read of each; the population that the table is a sample of."""
    place = place_in(service, caller, project, "attackers")
    written = project_text(service, caller, project)
    known = written.project
    exposed = last_exposure(service, caller, project) if place.may("result.read") else None
    by_role = columns_by_role(known)
    first = by_role.get(Role.QUASI.value, ())
    return shown(
        request, "attackers.html", caller=caller, place=place, written=written, exposed=exposed,
        scenarios=scenario_standings(written, exposed), subsets=known.subsets if known else (), quasi=first,
        others=[name for role, names in by_role.items() if role != Role.QUASI for name in names],
        population=population_of(written), regions=sorted(residents_by_region()),
        runs=newest_runs(service, caller, project, VERB), lines=_lines(written),
        command=typed(VERB, "--project=sfumato.yaml", "--no-attacks", "--uniques=0"),
    )  # fmt: skip


@router.get("/reading")
def reading(
    request: Request,
    service: TheService,
    caller: TheCaller,
    project: str,
    column: Annotated[list[str] | None, Query(max_length=200)] = None,
) -> Response:
    """Who is alone on columns that are being ticked, without reading the table again.

    Asked of the process that holds the table in memory; while it is made ready, and for columns that it does not
    hold, the last identification may have counted them together.
    """
    place = place_in(service, caller, project, "attackers")
    evidence, columns = column_evidence(service, caller, project), column or []
    quasi = columns_by_role(project_text(service, caller, project).project).get(Role.QUASI.value, ())
    asked = bool(columns) and set(columns) <= set(quasi)
    live = ask_by_shape(service, caller, project, lambda shape: _known_only(shape, columns)) if asked else None
    return shown(
        request, "_attackers_reading.html", caller=caller, place=place, columns=columns, live=live,
        sizes=live.answers[0] if live is not None and live.answers else None, alone=alone_on(evidence, columns),
        records=evidence.records if evidence else 0, again=urlencode({"column": columns}, doseq=True),
    )  # fmt: skip


def _known_only(shape: Shape, known: Sequence[str]) -> list[dict[str, Any]]:
    """The question who looks alike to somebody who knows these columns: all others are one label for everybody."""
    if not set(known) <= {column["name"] for column in shape["columns"]}:
        return []
    levels = [0 if column["name"] in known else column["height"] for column in shape["columns"]]
    return [ReleaseSetting.usual(shape).at({"levels": levels}).question("at", shape)]


@router.post("/scenario")
def scenario(  # noqa: PLR0917
    request: Request,
    service: TheService,
    caller: TheCaller,
    project: str,
    since: Since,
    name: Text,
    column: Names = [],  # noqa: B006  never changed: FastAPI makes a new list of what was sent
    other: Text = "",
    at: Annotated[int | None, Form(ge=0)] = None,
    read: Annotated[str | None, Form(max_length=10)] = None,
    remove: Annotated[str | None, Form(max_length=10)] = None,
) -> Response:
    """Write a scenario, take it out, or write it and have it read."""
    if remove and at is not None:
        remove_scenario(service, caller, project, at, since=since)
    else:
        known = Scenario(name.strip(), [*column, *([other] if other else [])])
        change_scenario(service, caller, project, at, known, since=since)
    if read:
        of_service.start(service, caller, project, of_service.RunWanted(VERB, QUICK))
    return gone_on(request, f"/projects/{project}/attackers")


@router.post("/population")
def population(
    request: Request, service: TheService, caller: TheCaller, *, project: str, since: Since, kind: Text = "",
    value: Text = "",
) -> Response:  # fmt: skip
    """Say what the population is."""
    change_population(service, caller, project, kind, value, since=since)
    return gone_on(request, f"/projects/{project}/attackers")


@router.post("/read")
def risks(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """Read whom each scenario singles out."""
    of_service.start(service, caller, project, of_service.RunWanted(VERB, QUICK))
    return gone_on(request, f"/projects/{project}/attackers")


def _lines(written: ProjectText) -> str:
    """What the project file says of attackers."""
    known = written.project
    said = (known.file.value or {}) if known else {}
    sections = ((key, said.get(key)) for key in ("scenarios", "subsets", "population"))
    return "".join(section_lines(key, value) for key, value in sections if value).strip()
