"""Runs: what is at work or was, with progress, the command that does the same, and what came of it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from sfumato.service import runs as of_service
from sfumato.service.caller import Caller
from sfumato.service.permissions import ServiceRole
from sfumato.service.run_queue import OVER, RunState
from sfumato.service.run_results import SHEET, files_of
from sfumato.service.service import Service
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown
from sfumato.workbench.places import place_in

router = APIRouter(prefix="/projects/{project}/runs")
PAGE = 50  # runs on one page


@router.get("")
def listed(
    request: Request, service: TheService, caller: TheCaller, project: str, after: str | None = None
) -> Response:
    """The runs of a project, the newest first."""
    place = place_in(service, caller, project, "runs")
    several = of_service.runs(service, caller, project, limit=PAGE, after=after)
    more = several[PAGE - 1].handle if len(several) > PAGE else None
    return shown(request, "runs.html", caller=caller, place=place, runs=several[:PAGE], more=more)


@router.get("/{run}")
def one(request: Request, service: TheService, caller: TheCaller, project: str, run: str) -> Response:
    """One run: progress while it is at work, and what it showed when it is over."""
    place = place_in(service, caller, project, "runs")
    known = of_service.run_of(service, caller, project, run)
    sheet = _sheet(service, caller, project, run) if _opens(place.roles) and known.state == RunState.DONE else ""
    return shown(
        request, "run.html", caller=caller, place=place, run=known, over=known.state in OVER, sheet=sheet,
        files=files_of(known) if known.result else [],
    )  # fmt: skip


@router.get("/{run}/state")
def state(request: Request, service: TheService, caller: TheCaller, project: str, run: str) -> Response:
    """Where a run is: asked again and again by the page while it is at work."""
    known = of_service.run_of(service, caller, project, run)
    answer = shown(request, "_run_state.html", place=place_in(service, caller, project, "runs"), run=known,
                   over=known.state in OVER)  # fmt: skip
    if known.state in OVER:
        answer.headers["HX-Refresh"] = "true"  # the page shows what came of it
    return answer


@router.post("/{run}/cancel")
def cancelled(request: Request, service: TheService, caller: TheCaller, project: str, run: str) -> Response:
    """Cancel a run."""
    of_service.cancel(service, caller, project, run)
    return gone_on(request, f"/projects/{project}/runs/{run}")


def _opens(roles: frozenset[ServiceRole]) -> bool:
    return ServiceRole.STEWARD in roles


def _sheet(service: Service, caller: Caller, project: str, run: str) -> str:
    _, path = of_service.result_file(service, caller, project, run, SHEET, rows=False)
    return path.read_text(encoding="utf-8", errors="replace")
