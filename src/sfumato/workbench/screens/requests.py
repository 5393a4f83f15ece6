"""Requests: those of a project, one's own, and the form that asks for data."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.datastructures import FormData

from sfumato.errors import NotAllowed, NotKnown, NotSignedIn, SfumatoError
from sfumato.service import requests as of_service
from sfumato.service.caller import Caller
from sfumato.service.permissions import ROWS, Act
from sfumato.service.request_documents import AskedDocument
from sfumato.service.request_states import RequestState
from sfumato.service.service import Service
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown, texts_for
from sfumato.workbench.form_fields import TheForm, answers_given, several_lines, text_of, within
from sfumato.workbench.form_keys import done_once, fresh_key
from sfumato.workbench.places import ScreenPlace, place_in

router = APIRouter(prefix="/projects/{project}/requests")
PAGE = 50  # requests on one page
NOT_HERE = (NotAllowed, NotKnown, NotSignedIn)  # refusals that are pages of their own: whoever asks may not be here


@router.get("")
def listed(
    request: Request,
    service: TheService,
    caller: TheCaller,
    project: str,
    *,
    after: Annotated[str | None, Query(max_length=64)] = None,
    state: RequestState | Literal[""] | None = None,  # of a form whose list is at no state
) -> Response:
    """The requests of a project for who prepares and reviews, and one's own for who asks and receives."""
    place = place_in(service, caller, project, "requests")
    whole = (
        of_service.list_requests(service, caller, project, limit=PAGE, after=after, state=state or None)
        if place.may(Act.REQUEST_READ)
        else None
    )
    own = (
        of_service.list_own_requests(service, caller, project, limit=PAGE, after=after)
        if place.may(Act.REQUEST_READ_OWN)
        else None
    )
    more = next((rows[PAGE - 1].request for rows in (whole, own) if rows and len(rows) > PAGE), None)
    return shown(
        request, "requests.html", caller=caller, place=place, whole=whole and whole[:PAGE], own=own and own[:PAGE],
        more=more, state=state, states=list(RequestState), askers=ROWS[Act.REQUEST_CREATE].roles,
    )  # fmt: skip


@router.get("/ask")
def form(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """The form that asks for data: for what, which columns, and fifteen questions about the recipient."""
    return _form(request, service, caller, place_in(service, caller, project, "requests"), typed={}, problem="")


@router.post("")
def ask(request: Request, service: TheService, caller: TheCaller, project: str, given: TheForm) -> Response:
    """Ask for data."""
    place = place_in(service, caller, project, "requests")
    asked = _asked(given)
    try:
        document = within(AskedDocument, asked, str(texts_for(request)("requests.not_whole")))
        made = done_once(
            service, caller, text_of(given, "once"), {"project": project, **asked},
            lambda: {"request": of_service.ask(service, caller, project, document).request},
        )  # fmt: skip
    except NOT_HERE:
        raise
    except SfumatoError as error:
        return _form(request, service, caller, place, typed=asked, problem=str(error))
    return gone_on(request, f"/projects/{project}/requests/{made['request']}")


def _asked(given: FormData) -> dict[str, Any]:
    return {
        "purpose": text_of(given, "purpose"),
        "columns": several_lines(text_of(given, "columns")),
        "recipient": text_of(given, "recipient").strip() or None,
        "answers": answers_given(given),
    }


def _form(
    request: Request, service: Service, caller: Caller, place: ScreenPlace, *, typed: dict[str, Any], problem: str
) -> Response:
    questions = of_service.recipient_questions(service, caller, place.project)
    return shown(
        request, "request_form.html", caller=caller, place=place, status=422 if problem else 200, questions=questions,
        typed=defaultdict(str, typed), problem=problem, once=fresh_key(), may=place.may(Act.REQUEST_CREATE),
        askers=ROWS[Act.REQUEST_CREATE].roles,
    )  # fmt: skip
