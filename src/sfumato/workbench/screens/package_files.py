"""Files of a package: its report, its plan and its evidence opened in the browser, and the package itself to take away.

A report is a page that others wrote: it is answered with a policy of its own, in which no script runs and nothing is
asked for, and opened by a link, never within a page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter
from fastapi import Path as InPath
from fastapi.responses import FileResponse, Response, StreamingResponse

from sfumato.service import releases, review_material
from sfumato.web.who_asks import TheCaller, TheService

router = APIRouter(prefix="/projects/{project}/requests/{asked}")
Asked = Annotated[str, InPath(pattern="^[0-9a-z]{1,64}$")]
FileName = Annotated[str, InPath(max_length=200)]
SEALED = {
    "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    # Browsers refuse a sealed page that also asks for a group of windows of its own.
    "Cross-Origin-Opener-Policy": "unsafe-none",
}
TYPES = {".html": "text/html", ".json": "text/plain", ".yaml": "text/plain", ".md": "text/plain", ".txt": "text/plain"}


@router.get("/documents/{folder}/{name}")
def document(
    service: TheService, caller: TheCaller, project: str, *, asked: Asked, folder: FileName, name: FileName
) -> Response:
    """A file that reviewers may open."""
    opened = review_material.open_file(service, caller, project, asked, folder=folder, name=name)
    return sealed(opened.path, opened.name)


@router.get("/report")
def report(service: TheService, caller: TheCaller, project: str, asked: Asked) -> Response:
    """The report of a package, for whoever asked for it or receives it."""
    return sealed(releases.released_report(service, caller, project, asked), "report.html")


@router.get("/rows")
def rows(service: TheService, caller: TheCaller, project: str, asked: Asked) -> Response:
    """The released rows as a file, where the project shows them to reviewers. That they were looked at is logged."""
    opened = review_material.open_rows(service, caller, project, asked)
    return FileResponse(opened.path, media_type="application/octet-stream", filename=opened.name)


@router.get("/package")
def package(service: TheService, caller: TheCaller, project: str, asked: Asked) -> Response:
    """The package for its recipient, as a ZIP archive."""
    taken = releases.download(service, caller, project, asked)
    headers = {"Content-Disposition": f'attachment; filename="{taken.name}"'}
    return StreamingResponse(taken.chunks, media_type="application/zip", headers=headers)


def sealed(path: Path, name: str) -> Response:
    """A file that is read in the browser as it is, by itself; of a kind that no browser reads, to be saved."""
    kind = TYPES.get(Path(name).suffix)
    if kind is None:
        return FileResponse(path, media_type="application/octet-stream", filename=name)
    return FileResponse(path, media_type=f"{kind}; charset=utf-8", headers=SEALED)
