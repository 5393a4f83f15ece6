"""Policy: what must be true of a release, by preset or bound by bound, and who breaks what."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from sfumato.privacy.catalogue import described, measures
from sfumato.privacy.measure_interface import SensitiveMeasure
from sfumato.project.file.section_edits import section_lines
from sfumato.project.presets import preset_named, preset_names
from sfumato.service import runs as of_service
from sfumato.service.column_decisions import column_evidence
from sfumato.service.newest_runs import newest_runs
from sfumato.service.project_policy import (
    VERB,
    Assessed,
    WrongBound,
    change_bounds,
    change_preset,
    change_subject,
    columns_by_role,
    last_assessment,
    own_measures,
    requirements,
    uncounted_persons_by,
)
from sfumato.service.project_text import ProjectText, project_text
from sfumato.service.run_results import files_of
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown
from sfumato.workbench.number_sources import measure_sources
from sfumato.workbench.places import place_in
from sfumato.workbench.typed_commands import typed

router = APIRouter(prefix="/projects/{project}/policy")
ROWS = 50  # flagged records on one page
FLAGGED = "flagged/"  # the folder of a run in which they are
Since = Annotated[str, Form(max_length=64)]
Text = Annotated[str, Form(max_length=2_000)]
SENSITIVE, DIRECT = "sensitive", "direct"


@router.get("")
def policy(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """What is required, what was read last, and what may be required."""
    place = place_in(service, caller, project, "policy")
    written = project_text(service, caller, project)
    assessed = last_assessment(service, caller, project) if place.may("result.read") else None
    known = written.project
    by_role = columns_by_role(known)
    evidence = column_evidence(service, caller, project) if place.may("result.read") else None
    return shown(
        request, "policy.html", caller=caller, place=place, written=written, assessed=assessed,
        required=requirements(written, assessed), runs=newest_runs(service, caller, project, VERB),
        presets=[preset_named(name) for name in preset_names()], chosen=known.preset if known else None,
        catalogue={one.name: one for one in described().measures}, about=_about(), by_role=by_role,
        sensitive=by_role.get(SENSITIVE, ()), subject=known.subject if known else None,
        subjects=[*by_role.get(DIRECT, ()), *_others(by_role, DIRECT)],
        several=uncounted_persons_by(known, evidence), grade=_grade(known),
        flagged=_flagged(assessed), lines=_lines(written), sources=measure_sources(),
        command=typed(VERB, "--project=sfumato.yaml"),
    )  # fmt: skip


@router.get("/readings")
def readings(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """What the last readings say to bounds that are being moved: nothing is written, and nothing is read anew."""
    place = place_in(service, caller, project, "policy")
    written = project_text(service, caller, project)
    assessed = last_assessment(service, caller, project)
    moved = _numbers(request.query_params.multi_items())
    required = [
        one if one.place is None or one.place not in moved else one.with_bound(moved[one.place])
        for one in requirements(written, assessed)
    ]
    return shown(
        request, "_policy_readings.html", caller=caller, place=place, required=required, assessed=assessed,
        written=written, catalogue={one.name: one for one in described().measures},
    )  # fmt: skip


@router.post("/bounds")
async def bounds(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """Write the bounds as they stand in the form; take one requirement out, or add one."""
    from fastapi.concurrency import run_in_threadpool

    form = {name: str(value) for name, value in (await request.form()).multi_items()}
    added = None
    if "add" in form:
        bound = _number(form.get("new_bound", ""))
        if bound is None:
            raise WrongBound("Give the bound of the new requirement as a number.")
        added = (form.get("new_measure", ""), form.get("new_sensitive") or None, bound)
    removed = form.get("remove", "")
    await run_in_threadpool(
        change_bounds, service, caller, project, _numbers(list(form.items())), since=form.get("since", "")[:64],
        removed=int(removed) if removed.isdecimal() else None, added=added,
    )  # fmt: skip
    return gone_on(request, f"/projects/{project}/policy")


@router.post("/preset")
def preset(
    request: Request, service: TheService, caller: TheCaller, *, project: str, since: Since, name: Text = ""
) -> Response:
    """Put a preset behind the project, or none."""
    change_preset(service, caller, project, name, since=since)
    return gone_on(request, f"/projects/{project}/policy")


@router.post("/subject")
def subject(
    request: Request, service: TheService, caller: TheCaller, *, project: str, since: Since, column: Text = "",
    back: Annotated[str, Form(pattern="^(policy|release)$")] = "policy",
) -> Response:  # fmt: skip
    """Say whether persons are counted, and which column tells them apart."""
    change_subject(service, caller, project, column, since=since)
    return gone_on(request, f"/projects/{project}/{back}")


@router.post("/read")
def read(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """Read the table against the policy."""
    of_service.start(service, caller, project, of_service.RunWanted(VERB, {}))
    return gone_on(request, f"/projects/{project}/policy")


@router.get("/flagged")
def flagged(
    request: Request,
    service: TheService,
    caller: TheCaller,
    *,
    project: str,
    run: Annotated[str, Query(max_length=64)],
    file: Annotated[str, Query(max_length=200)],
    after: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """Records that break a requirement, the worst first: each look stands in the log."""
    place = place_in(service, caller, project, "policy")
    _, path = of_service.result_file(service, caller, project, run, file, rows=True)
    with path.open(encoding="utf-8", newline="") as stream:
        lines = csv.reader(stream)
        names = next(lines, [])
        page = list(islice(lines, after, after + ROWS + 1))
    return shown(
        request, "policy_flagged.html", caller=caller, place=place, run=run, file=file, after=after, size=ROWS,
        names=names, rows=page[:ROWS], more=len(page) > ROWS,
    )  # fmt: skip


def _about() -> Mapping[str, bool]:
    """Which measures are about a sensitive column."""
    return {name: issubclass(known, SensitiveMeasure) for name, known in measures().items()}


def _others(by_role: Mapping[str, Sequence[str]], role: str) -> list[str]:
    """The columns of all roles but one."""
    return [name for other, names in by_role.items() if other != role for name in names]


def _grade(known: Any) -> str | None:
    """The grade of the recipient, where the project file says one."""
    if known is None:
        return None
    if known.selection is not None:
        return str(known.selection.grade)
    return known.context.get("recipient") if known.context else None


def _flagged(assessed: Assessed | None) -> Sequence[str]:
    """The files of the last assessment in which records are that break something."""
    return [one.name for one in files_of(assessed.run) if one.rows and one.name.startswith(FLAGGED)] if assessed else []


def _lines(written: ProjectText) -> str:
    """What the project file says of this, as the screen writes it."""
    known = written.project
    if known is None:
        return ""
    said = {
        "preset": known.preset,
        "subject": (known.file.value or {}).get("subject"),
        "measures": own_measures(written.text),
    }
    return "".join(section_lines(key, value) for key, value in said.items() if value).strip()


def _numbers(items: Sequence[tuple[str, str]]) -> dict[int, float]:
    """The bounds of a form by the places of their requirements: `bound-0`, `bound-1` and so on."""
    places = {name.removeprefix("bound-"): value for name, value in items if name.startswith("bound-")}
    numbers = {int(place): _number(value) for place, value in places.items() if place.isdecimal()}
    return {place: number for place, number in numbers.items() if number is not None}


def _number(text: str) -> float | None:
    """A number as somebody types it; None where it is none."""
    try:
        number = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return int(number) if number.is_integer() else number
