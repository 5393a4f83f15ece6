"""Releases: handing a package over, downloading it, revoking it, and hearing of its use."""

from __future__ import annotations

from typing import Any

from fastapi import Response
from fastapi.responses import StreamingResponse

from sfumato.api.calls import Handle, ProjectName, TheQuestion, of, paths
from sfumato.service import releases
from sfumato.service.permissions import Act
from sfumato.service.releases import ReleaseGiven, ReleasePreview, UseGiven
from sfumato.service.request_documents import OwnRequestDocument, ReasonGiven, RequestDocument
from sfumato.web.who_asks import TheCaller, TheService

router = paths("releases", "/projects/{project}")
DOWNLOAD: dict[str, Any] = of(Act.DOWNLOAD, 409)
DOWNLOAD["responses"][200] = {"content": {"application/zip": {}}, "description": "The package"}


@router.get("/requests/{request}/release", **of(Act.REQUEST_READ, 409))
def preview_release(service: TheService, caller: TheCaller, project: ProjectName, request: Handle) -> ReleasePreview:
    """What would leave and to whom, and the words that confirm it."""
    return releases.preview_release(service, caller, project, request)


@router.post(
    "/requests/{request}/release",
    status_code=201,
    response_model=RequestDocument,
    **of(Act.RELEASE, 409, 412),
)
def release(
    service: TheService,
    caller: TheCaller,
    project: ProjectName,
    request: Handle,
    given: ReleaseGiven,
    *,
    question: TheQuestion,
) -> Response:
    """Release what was approved."""
    return question.once(given, lambda: releases.release(service, caller, project, request, given))


@router.post("/requests/{request}/revoke", **of(Act.REVOKE, 409))
def revoke(
    service: TheService, caller: TheCaller, project: ProjectName, request: Handle, given: ReasonGiven
) -> RequestDocument:
    """Stop further downloads."""
    return releases.revoke(service, caller, project, request, given.reason)


@router.get("/own-requests/{request}/package", response_class=StreamingResponse, **DOWNLOAD)
def download(service: TheService, caller: TheCaller, project: ProjectName, request: Handle) -> StreamingResponse:
    """The package that was released to the caller, as a ZIP archive."""
    package = releases.download(service, caller, project, request)
    headers = {"Content-Disposition": f'attachment; filename="{package.name}"'}
    return StreamingResponse(package.chunks, media_type="application/zip", headers=headers)


@router.post(
    "/own-requests/{request}/uses",
    status_code=201,
    response_model=OwnRequestDocument,
    **of(Act.USE_REPORT, 409),
)
def report_use(
    service: TheService,
    caller: TheCaller,
    project: ProjectName,
    request: Handle,
    given: UseGiven,
    *,
    question: TheQuestion,
) -> Response:
    """Report what became of a package."""
    return question.once(given, lambda: releases.report_use(service, caller, project, request, given))
