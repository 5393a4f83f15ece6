"""Settings of a project: how many votes a release needs, who sees rows, how long things are kept; and its people."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from sfumato.service.caller import Caller
from sfumato.service.members import list_members
from sfumato.service.permissions import ROWS, Act
from sfumato.service.projects import SETTINGS, UNLIMITED, change_project_settings, project_settings, settings_tag
from sfumato.service.seen_state import unchanged
from sfumato.service.service import Service
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown
from sfumato.workbench.attempts import attempt
from sfumato.workbench.form_fields import TheForm, text_of, whole_number
from sfumato.workbench.places import place_in

router = APIRouter(prefix="/projects/{project}/settings")
NO_NUMBER = -1  # that no setting may be: the service refuses it, and names the setting


@router.get("")
def seen(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """The settings of a project, and who is in it."""
    return _page(request, service, caller, project)


@router.post("")
def changed(request: Request, service: TheService, caller: TheCaller, project: str, given: TheForm) -> Response:
    """Change settings; of two tabs the second is told."""
    changes: dict[str, Any] = {"title": text_of(given, "title").strip()}
    for name, bounds in SETTINGS.items():
        if bounds is None:
            changes[name] = name in given
        else:
            unlimited = name in UNLIMITED and not text_of(given, name).strip()
            changes[name] = None if unlimited else whole_number(given, name, NO_NUMBER)
    check = unchanged(text_of(given, "tag"))
    return attempt(
        lambda: change_project_settings(service, caller, project, changes, check),
        lambda problem, status: _page(request, service, caller, project, problem=problem, status=status),
    ) or gone_on(request, f"/projects/{project}/settings")


def _page(
    request: Request, service: Service, caller: Caller, project: str, *, problem: str = "", status: int = 200
) -> Response:
    place = place_in(service, caller, project, "settings")
    known = project_settings(service, caller, project)
    members = list_members(service, caller, project) if place.may(Act.MEMBER_READ) else []
    return shown(
        request, "settings.html", caller=caller, place=place, status=status, project=known, tag=settings_tag(known),
        members=members, numbers={name: bounds for name, bounds in SETTINGS.items() if bounds}, unlimited=UNLIMITED,
        problem=problem, may=place.may(Act.PROJECT_CHANGE), who=[one.value for one in ROWS[Act.PROJECT_CHANGE].roles],
    )  # fmt: skip
