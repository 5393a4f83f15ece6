"""Live questions on a page: what is shown while the process that answers is made ready, and when it cannot be."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from sfumato.service.live_questions import ask
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import shown
from sfumato.workbench.places import place_in

router = APIRouter(prefix="/projects/{project}/live")


@router.get("")
def opening(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """How far the process is: asked again and again by a page that waits for it, and shows itself anew then."""
    place = place_in(service, caller, project, "")
    reply = ask(service, caller, project)
    answer = shown(request, "_live_opening.html", caller=caller, place=place, reply=reply)
    if reply.ready or reply.problem is not None:
        answer.headers["HX-Refresh"] = "true"
    return answer
