"""Table: how a table comes in, how each column was read and why, and its rows by page for who may see them."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from sfumato.errors import ServiceRefusal
from sfumato.project.file.section_edits import section_lines
from sfumato.service.caller import Caller
from sfumato.service.entities import RegisteredSource
from sfumato.service.first_source import choose_table, read_anew, take_up_source, use_source
from sfumato.service.newest_runs import newest_runs
from sfumato.service.project_text import ProjectText, project_text
from sfumato.service.service import Service
from sfumato.service.source_rows import rows as rows_of
from sfumato.service.sources import delete_source, register_file, register_table, source, sources
from sfumato.service.table_overview import VERB, ReadColumn, ReadTable, read_table
from sfumato.service.uploads import begin_part, begin_upload, delete_upload, finish_upload
from sfumato.web.part_stream import arrived
from sfumato.web.sent_file import SentFile, sent_file
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown
from sfumato.workbench.list_pages import page_of
from sfumato.workbench.places import place_in
from sfumato.workbench.typed_commands import typed

router = APIRouter(prefix="/projects/{project}/table")
MOST_SOURCES = 200  # on the page; the API lists all of them
ROWS, WIDTH = 25, 20  # rows and columns of one page of cells: what fits a screen without being lost in it
Text = Annotated[str, Form(max_length=1_000)]
Since = Annotated[str, Form(max_length=64)]


@router.get("")
def table(  # noqa: PLR0917
    request: Request,
    service: TheService,
    caller: TheCaller,
    project: str,
    find: Annotated[str, Query(max_length=200)] = "",
    kind: Annotated[str, Query(max_length=20)] = "",
    page: int = 1,
) -> Response:
    """The sources of a project, and how the columns of its table were read."""
    place = place_in(service, caller, project, "table")
    listed = sources(service, caller, project, limit=MOST_SOURCES)
    written, newest = project_text(service, caller, project), newest_runs(service, caller, project, VERB)
    read = read_table(service, caller, project)
    columns = _wanted(read, find, kind)
    named = next((one for one in listed if one.name == written.source), None)
    part = request.headers.get("hx-target") == "columns"
    return shown(
        request, "_table_columns.html" if part else "table.html", caller=caller, place=place, sources=listed,
        named=named, written=written, read=read, runs=newest, page=page_of(columns, page), find=find, kind=kind,
        kinds=sorted({one.type for one in read.columns}) if read else [], roots=sorted(service.settings.roots),
        most_bytes=service.settings.upload_bytes, outdated=_outdated(read, named),
        command=typed("identify", "--project=sfumato.yaml"), lines=_lines(written),
    )  # fmt: skip


@router.get("/rows")
def rows(  # noqa: PLR0917
    request: Request,
    service: TheService,
    caller: TheCaller,
    project: str,
    of: Annotated[str, Query(max_length=64)],
    after: Annotated[int, Query(ge=0)] = 0,
    first: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """A page of the rows of a source, some columns of it: each look stands in the log."""
    place = place_in(service, caller, project, "table")
    known = source(service, caller, project, of)
    page = rows_of(service, caller, project, of, after=after, limit=ROWS + 1, quick=True)
    first = min(first, max(0, len(page.columns) - 1))
    return shown(
        request, "table_rows.html", caller=caller, place=place, source=known, after=after, first=first, size=ROWS,
        width=WIDTH, total=len(page.columns), records=page.records, names=page.columns[first : first + WIDTH],
        rows=[row[first : first + WIDTH] for row in page.rows[:ROWS]], more=len(page.rows) > ROWS,
    )  # fmt: skip


@router.post("/files")
async def upload(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """Take a file that a form sends, as it comes; the first one makes the project file, and is read."""
    sent = await sent_file(request)
    made = await _uploaded(service, caller, project, sent)
    await run_in_threadpool(take_up_source, service, caller, project, made)
    return gone_on(request, f"/projects/{project}/table")


@router.post("/registered")
def register(
    request: Request, service: TheService, caller: TheCaller, *, project: str, root: Text, path: Text
) -> Response:
    """Make a file under an allowed root a source."""
    made = register_file(service, caller, project, root=root, path=path.strip())
    take_up_source(service, caller, project, made)
    return gone_on(request, f"/projects/{project}/table")


@router.post("/connected")
def connect(
    request: Request, service: TheService, caller: TheCaller, *, project: str, connection: Text, table: Text, name: Text
) -> Response:
    """Make a table of a named connection a source."""
    made = register_table(
        service, caller, project, connection=connection.strip(), table=table.strip(), name=name.strip() or table.strip()
    )
    take_up_source(service, caller, project, made)
    return gone_on(request, f"/projects/{project}/table")


@router.post("/read")
def read(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """Read the table, again where it was."""
    read_anew(service, caller, project)
    return gone_on(request, f"/projects/{project}/table")


@router.post("/use")
def use(request: Request, service: TheService, caller: TheCaller, *, project: str, of: Text, since: Since) -> Response:
    """Let the project be about another of its sources."""
    use_source(service, caller, project, source(service, caller, project, of), since=since)
    return gone_on(request, f"/projects/{project}/table")


@router.post("/choose")
def choose(
    request: Request, service: TheService, caller: TheCaller, *, project: str, name: Text, since: Since
) -> Response:
    """Say which of several tables of a source is meant."""
    choose_table(service, caller, project, name, since=since)
    return gone_on(request, f"/projects/{project}/table")


@router.post("/delete")
def delete(request: Request, service: TheService, caller: TheCaller, *, project: str, of: Text) -> Response:
    """Delete a source."""
    delete_source(service, caller, project, of)
    return gone_on(request, f"/projects/{project}/table")


def _lines(written: ProjectText) -> str:
    """What the project file says of the table."""
    known = written.project
    data = (known.file.value or {}).get("data") if known else None
    return section_lines("data", data).strip() if data else ""


def _wanted(read: ReadTable | None, find: str, kind: str) -> list[ReadColumn]:
    """The columns whose name or label has some letters in it, of one type where one is asked for."""
    letters = find.casefold()
    listed = read.columns if read else ()
    return [
        one
        for one in listed
        if letters in f"{one.name} {one.label}".casefold()
        and (kind in ("", one.type) or (kind == "missing" and one.missing > 0))
    ]


def _outdated(read: ReadTable | None, named: RegisteredSource | None) -> bool:
    """Whether what was read last is another source than the one that the project is about now."""
    return read is not None and named is not None and read.run.source != named.handle


async def _uploaded(service: Service, caller: Caller, project: str, sent: SentFile) -> RegisteredSource:
    """The source that a file becomes which a form sends; what is cut on the way is not kept: a form begins anew."""
    name = sent.fields.get("name", "").strip() or sent.name
    begun = await run_in_threadpool(begin_upload, service, caller, project, file=name, size=sent.size)
    try:
        arrival = await run_in_threadpool(begin_part, service, caller, project, begun.handle, 0)
        await arrived(sent.content(), service, begun.handle, arrival)
        return await run_in_threadpool(finish_upload, service, caller, project, begun.handle)
    except BaseException:
        with suppress(ServiceRefusal):
            await run_in_threadpool(delete_upload, service, caller, project, begun.handle)
        raise
