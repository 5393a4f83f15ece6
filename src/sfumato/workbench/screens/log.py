"""The log, for auditors: who did what, refusals too, whether it is whole, and all of it as a file."""

from __future__ import annotations

import json
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse

from sfumato.service.log_search import LogQuestion, search_log
from sfumato.service.permissions import Act
from sfumato.service.service_log import log_export, log_verdict
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import shown
from sfumato.workbench.places import ScreenPlace

router = APIRouter(prefix="/log")
HERE = ScreenPlace("log")
PAGE = 50  # acts on one page
Word = Annotated[str, Query(max_length=200)]


@router.get("")
def listed(
    request: Request,
    service: TheService,
    caller: TheCaller,
    *,
    person: Word = "",
    project: Word = "",
    act: Word = "",
    refused: bool = False,
    before: Annotated[int | None, Query(ge=0, le=10**15)] = None,
) -> Response:
    """What people did, the newest first; by person, project, act, or only what was refused."""
    question = LogQuestion(person.strip(), project.strip(), act, refused)
    page = search_log(service, caller, question, before=before, limit=PAGE)
    asked = {
        "person": question.person,
        "project": question.project,
        "act": act,
        **({"refused": "1"} if refused else {}),
    }
    older = urlencode({**asked, "before": page.before}) if page.before is not None else ""
    details = {one.number: json.dumps({"about": dict(one.about), "outcome": one.outcome}, ensure_ascii=False, indent=1)
               for one in page.acts}  # fmt: skip
    return shown(
        request, "log.html", caller=caller, place=HERE, page=page, question=question, older=older, details=details,
        acts=sorted(one.value for one in Act),
    )  # fmt: skip


@router.get("/verification")
def verification(request: Request, service: TheService, caller: TheCaller) -> Response:
    """Whether no line of the log was changed, removed or inserted."""
    return shown(request, "log_verdict.html", caller=caller, place=HERE, verdict=log_verdict(service, caller))


@router.get("/export")
def export(service: TheService, caller: TheCaller) -> Response:
    """The whole log as a file that `sfumato log --verify` checks."""
    headers = {"Content-Disposition": 'attachment; filename="sfumato.log.jsonl"'}
    return StreamingResponse(log_export(service, caller), media_type="application/jsonl", headers=headers)
