"""Versions: who changed what of a project, undo, and its files to read, edit, take out and take in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from sfumato.errors import NotKnown, TooLarge
from sfumato.service.caller import Caller
from sfumato.service.differences import FileDifference, differences
from sfumato.service.project_archive import packed, unpacked
from sfumato.service.project_files import PROJECT_FILE
from sfumato.service.project_text import project_text
from sfumato.service.seen_state import unchanged
from sfumato.service.service import Service
from sfumato.service.versions import author_names, file_of, put_file, replace_files, undo, version
from sfumato.service.versions import versions as of_service
from sfumato.web.file_answers import file_answer
from sfumato.web.sent_file import SentFile, sent_file
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown
from sfumato.workbench.places import place_in
from sfumato.workbench.typed_commands import typed

router = APIRouter(prefix="/projects/{project}/versions")
PAGE = 30  # versions on one page
LARGEST = 2**31 - 1  # of a number that the database keeps
MOST_TEXT = 400_000  # letters of a file that are shown, and edited, on a page
Number = Annotated[int, Path(ge=1, le=LARGEST)]
Since = Annotated[str, Form(max_length=64)]
Message = Annotated[str, Form(max_length=1_000)]


@router.get("")
def versions(
    request: Request,
    service: TheService,
    caller: TheCaller,
    project: str,
    before: Annotated[int | None, Query(ge=1, le=LARGEST)] = None,
) -> Response:
    """The versions of a project, the newest first."""
    place = place_in(service, caller, project, "versions")
    listed, hashed = of_service(service, caller, project, limit=PAGE, before=before)
    return shown(
        request, "versions.html", caller=caller, place=place, versions=listed[:PAGE], hash=hashed,
        authors=author_names(service, listed), more=listed[PAGE - 1].number if len(listed) > PAGE else None,
        written=project_text(service, caller, project), most=MOST_TEXT, file=PROJECT_FILE,
        command=typed("assess", f"--project={PROJECT_FILE}"),
    )  # fmt: skip


@router.get("/{number}")
def one(
    request: Request,
    service: TheService,
    caller: TheCaller,
    project: str,
    *,
    number: Number,
    before: Annotated[int | None, Query(ge=0, le=LARGEST)] = None,
) -> Response:
    """A version: what it changed, and the files that it has."""
    place = place_in(service, caller, project, "versions")
    known = version(service, caller, project, number)
    since = number - 1 if before is None else before
    _, hashed = of_service(service, caller, project, limit=1)
    changed = [(each, _lines(each)) for each in differences(service, caller, project, since, number)]
    return shown(
        request, "version.html", caller=caller, place=place, known=known, before=since, changed=changed, hash=hashed,
        current=hashed == known.hash,
        author=author_names(service, [known]).get(known.author, ""),
        text=file_of(service, caller, project, number, PROJECT_FILE).decode("utf-8", "replace"), file=PROJECT_FILE,
    )  # fmt: skip


@router.get("/{number}/files")
def export(service: TheService, caller: TheCaller, project: str, number: Number) -> Response:
    """All files of a version as one archive: on the command line they do the same."""
    known = version(service, caller, project, number)
    files = {name: service.storage.read(content) for name, content in known.files.items()}
    return file_answer(packed(files), "application/zip", f"{project}-{number}.zip")


@router.get("/{number}/files/{file}")
def download(service: TheService, caller: TheCaller, project: str, number: Number, file: str) -> Response:
    """One file of a version."""
    return file_answer(file_of(service, caller, project, number, file), "text/plain", file)


@router.post("/{number}/undo")
def go_back(
    request: Request, service: TheService, caller: TheCaller, *, project: str, number: Number, since: Since
) -> Response:
    """Go back to an older version: the new one has its files, and nothing is lost."""
    undo(service, caller, project, number, require=unchanged(since))
    return gone_on(request, f"/projects/{project}/versions")


@router.post("/text")
def edit(
    request: Request,
    service: TheService,
    caller: TheCaller,
    *,
    project: str,
    text: Annotated[str, Form(max_length=MOST_TEXT)],
    since: Since,
    message: Message = "",
) -> Response:
    """Write the project file as somebody typed it; one that cannot be read is refused with its line."""
    content = text.replace("\r\n", "\n").encode()  # browsers end lines of forms with both
    put_file(service, caller, project, PROJECT_FILE, content, require=unchanged(since), message=message.strip())
    return gone_on(request, f"/projects/{project}/versions")


@router.post("/files")
async def take_in(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """Take in one file beside those that are there, or an archive in the place of all of them."""
    await run_in_threadpool(place_in, service, caller, project, "versions")
    sent = await sent_file(request)
    content = await _content(sent, service.settings.project_files_bytes)
    await run_in_threadpool(_taken_in, service, caller, project, sent, content)
    return gone_on(request, f"/projects/{project}/versions")


def _taken_in(service: Service, caller: Caller, project: str, sent: SentFile, content: bytes) -> None:
    require = unchanged(sent.fields.get("since", ""))
    message = f"Taken in: {sent.name}"
    if sent.name.lower().endswith(".zip"):
        files = unpacked(content, service.settings.project_files_bytes)
        if PROJECT_FILE not in files:
            raise NotKnown(f"a project file {PROJECT_FILE} in the archive")
        replace_files(service, caller, project, files, require=require, message=message)
    else:
        put_file(service, caller, project, sent.name, content, require=require, message=message)


async def _content(sent: SentFile, most: int) -> bytes:
    if sent.size > most:
        raise TooLarge(f"This may have {most:,} bytes at the most (project_files_bytes).")
    return b"".join([chunk async for chunk in sent.content()])


def _lines(difference: FileDifference) -> list[tuple[str, str]]:
    """The lines of a difference with what became of each: added, taken, or a line around them."""
    kinds = {"+": "added", "-": "taken"}
    told = (difference.text or "").splitlines()[2:]  # the first two name the files
    return [(kinds.get(line[:1], "around"), line) for line in told]
