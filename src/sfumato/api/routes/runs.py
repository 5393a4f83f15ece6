"""Runs: verbs of the command line as jobs, what becomes of them, and what they have found."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import Path, Response
from fastapi.responses import FileResponse, JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from sfumato.api.calls import WHOLE, Handle, Page, ProjectName, ThePaging, TheQuestion, of, paths
from sfumato.service import runs
from sfumato.service.entities import Run
from sfumato.service.permissions import Act
from sfumato.service.run_commands import COMMANDS
from sfumato.service.run_queue import RunState
from sfumato.service.run_results import ResultFile, files_of
from sfumato.web.who_asks import TheCaller, TheService

router = paths("runs")

ResultName = Annotated[str, Path(max_length=500, pattern=WHOLE)]


class RunQuestion(BaseModel):
    """A verb to run, with its options as the command line names them."""

    model_config = ConfigDict(extra="forbid")

    verb: Annotated[str, Field(max_length=50)]
    options: Annotated[dict[Annotated[str, Field(max_length=50)], Any], Field(max_length=100)] = {}
    version: Annotated[int | None, Field(ge=1, le=2**31 - 1)] = None
    source: Annotated[str | None, Field(max_length=64)] = None
    earlier: Annotated[str | None, Field(max_length=64)] = None


class RunFileDocument(BaseModel):
    """A file that a run has written; `rows` says that it shows records of people."""

    name: str
    sha256: str
    bytes: int
    rows: bool


class RunDocument(BaseModel):
    """A run: what it is, where it is, and what it has written."""

    handle: str
    verb: str
    options: dict[str, Any]
    command: str
    version: int
    source: str | None
    author: str
    state: RunState
    created: datetime
    started: datetime | None
    ended: datetime | None
    attempts: int
    words: str
    done: int
    total: int
    exit_code: int | None
    met: bool | None
    problem: str | None
    notes: list[str]
    files: list[RunFileDocument]
    expires: datetime | None

    @classmethod
    def of(cls, run: Run) -> RunDocument:
        """The document of a run."""
        same = {name: getattr(run, name) for name in cls.model_fields if name not in ("met", "files")}
        files = [RunFileDocument(**vars(file)) for file in files_of(run)]
        return cls(**same, met=(run.result or {}).get("met"), files=files)


class RunOptionDocument(BaseModel):
    """An option of a verb, and what it takes."""

    name: str
    takes: str


class VerbDocument(BaseModel):
    """A verb that can be run."""

    verb: str
    options: list[RunOptionDocument]


@router.get("/verbs", **of(Act.SELF_READ))
def verbs(service: TheService, caller: TheCaller) -> list[VerbDocument]:
    """The verbs that can be run, and the options of each."""
    with service.act(caller, Act.SELF_READ):
        return [
            VerbDocument(
                verb=command.verb,
                options=[RunOptionDocument(name=option.name, takes=option.words) for option in command.options],
            )
            for command in COMMANDS
        ]


@router.post("/projects/{project}/runs", status_code=201, response_model=RunDocument, **of(Act.RUN_START, 409))
def start(project: ProjectName, body: RunQuestion, question: TheQuestion) -> Response:
    """Queue a run of a verb."""
    wanted = runs.RunWanted(body.verb, body.options, body.version, body.source, body.earlier)
    return question.once(body, lambda: RunDocument.of(runs.start(question.service, question.caller, project, wanted)))


@router.get("/projects/{project}/runs", response_model=Page[RunDocument], **of(Act.RUN_READ))
def list_runs(
    project: ProjectName,
    service: TheService,
    caller: TheCaller,
    paging: ThePaging,
) -> Response:
    """The runs of a project, the newest first."""
    listed = runs.runs(service, caller, project, limit=paging.limit, after=paging.after)
    return paging.page([RunDocument.of(run) for run in listed], lambda run: run.handle)


@router.get("/projects/{project}/runs/{run}", **of(Act.RUN_READ))
def read_run(project: ProjectName, run: Handle, service: TheService, caller: TheCaller) -> RunDocument:
    """A run, and how far it is."""
    return RunDocument.of(runs.run_of(service, caller, project, run))


@router.post("/projects/{project}/runs/{run}/cancel", **of(Act.RUN_CANCEL, 409))
def cancel(project: ProjectName, run: Handle, service: TheService, caller: TheCaller) -> RunDocument:
    """Cancel a run that is queued or at work."""
    return RunDocument.of(runs.cancel(service, caller, project, run))


@router.get("/projects/{project}/runs/{run}/result", **of(Act.RESULT_READ, 409, 413))
def read_result(project: ProjectName, run: Handle, service: TheService, caller: TheCaller) -> Any:
    """What a run has found, as the command line writes it with `--json`."""
    return JSONResponse(runs.document(service, caller, project, run))


@router.get("/projects/{project}/runs/{run}/files/{name:path}", response_class=FileResponse, **of(Act.RESULT_READ))
def open_file(
    project: ProjectName, run: Handle, name: ResultName, service: TheService, caller: TheCaller
) -> FileResponse:
    """A file of a run that shows no records."""
    return _file(*runs.result_file(service, caller, project, run, name, rows=False))


@router.get("/projects/{project}/runs/{run}/rows/{name:path}", response_class=FileResponse, **of(Act.ROWS_VIEW))
def open_rows(
    project: ProjectName, run: Handle, name: ResultName, service: TheService, caller: TheCaller
) -> FileResponse:
    """A file of a run that shows records: flagged ones, scores, or what was released."""
    return _file(*runs.result_file(service, caller, project, run, name, rows=True))


def _file(file: ResultFile, path: Any) -> FileResponse:
    """A file as a download: no browser is to show it as a page of the service."""
    shown = file.name.rpartition("/")[2]
    return FileResponse(path, media_type="application/octet-stream", filename=shown)
