"""The log, for auditors."""

from __future__ import annotations

from typing import Any

from fastapi import Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from sfumato.api.calls import Page, ThePaging, of, paths
from sfumato.service.permissions import Act
from sfumato.service.service_log import log_export, log_lines, log_verdict
from sfumato.web.who_asks import TheCaller, TheService

router = paths("log", "/log")
EXPORT: dict[str, Any] = of(Act.LOG_READ)
EXPORT["responses"][200] = {"content": {"application/jsonl": {}}, "description": "The log"}
LARGEST = 10**12


class LogLine(BaseModel):
    """A line by its place in the file; without a content where it cannot be read."""

    place: int
    line: dict[str, Any] | None


class LogVerdictDocument(BaseModel):
    """Whether the log is as it was written."""

    whole: bool
    lines: int
    head: str | None
    problems: list[str]
    remarks: list[str]


@router.get("", response_model=Page[LogLine], **of(Act.LOG_READ))
def lines(paging: ThePaging, service: TheService, caller: TheCaller) -> Response:
    """The lines of the log, oldest first; `after` is the place of a line."""
    given = paging.after or "0"
    after = min(int(given), LARGEST) if given.isascii() and given.isdecimal() else 0
    listed = [LogLine(**line) for line in log_lines(service, caller, after=after, limit=paging.limit)]
    return paging.page(listed, lambda one: str(one.place))


@router.get("/verification", **of(Act.LOG_VERIFY))
def verification(service: TheService, caller: TheCaller) -> LogVerdictDocument:
    """Whether no line was changed, removed or inserted."""
    verdict = log_verdict(service, caller)
    return LogVerdictDocument(whole=not verdict.problems, lines=verdict.lines, head=verdict.head,
                              problems=list(verdict.problems), remarks=list(verdict.remarks))  # fmt: skip


@router.get("/export", response_class=StreamingResponse, **EXPORT)
def export(service: TheService, caller: TheCaller) -> StreamingResponse:
    """The whole log as a file that `sfumato log --verify` checks."""
    headers = {"Content-Disposition": 'attachment; filename="sfumato.log.jsonl"'}
    return StreamingResponse(log_export(service, caller), media_type="application/jsonl", headers=headers)
