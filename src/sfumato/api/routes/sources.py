"""The sources of a project, what their columns are, and pages of their rows."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from sfumato.api.calls import WHOLE, Handle, Page, ProjectName, ThePaging, TheQuestion, of, paths
from sfumato.service.entities import RegisteredSource
from sfumato.service.permissions import Act
from sfumato.service.source_rows import columns, rows
from sfumato.service.sources import delete_source, register_file, register_table, source, sources
from sfumato.web.who_asks import TheCaller, TheService

router = paths("sources", "/projects/{name}/sources")
Text = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=WHOLE)]


class RegisteredSourceDocument(BaseModel):
    """A source: the name by which a project file speaks of it, of which kind it is, its hash and its size."""

    handle: str
    name: str
    kind: Literal["file", "upload", "connection"]
    root: str | None
    table: str | None
    hash: str | None
    bytes: int | None
    created: datetime

    @classmethod
    def of(cls, known: RegisteredSource) -> RegisteredSourceDocument:
        """The document of a source."""
        return cls.model_validate({field: getattr(known, field) for field in cls.model_fields})


class FileToRegister(BaseModel):
    """A file under an allowed root: the name of the root, and the path below it."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["file"]
    root: Text
    path: Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
    name: Text | None = None


class TableToRegister(BaseModel):
    """A table of a connection that an administrator has named."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["connection"]
    connection: Text
    table: Text
    name: Text


class ColumnReadingDocument(BaseModel):
    """How a column was read."""

    name: str
    type: str
    missing: int


class ColumnsDocument(BaseModel):
    """How many records a source has, and its columns."""

    records: int
    columns: list[ColumnReadingDocument]


class RowsDocument(BaseModel):
    """A page of rows; `next` is what `after` has to be for the page that follows."""

    columns: list[str]
    rows: list[list[Any]]
    records: int
    next: int | None


@router.get("", response_model=Page[RegisteredSourceDocument], **of(Act.SOURCE_READ))
def list_sources(name: ProjectName, paging: ThePaging, service: TheService, caller: TheCaller) -> Response:
    """The sources of a project."""
    listed = sources(service, caller, name, limit=paging.limit, after=paging.after)
    return paging.page([RegisteredSourceDocument.of(known) for known in listed], lambda one: one.handle)


@router.post("", status_code=201, response_model=RegisteredSourceDocument, **of(Act.SOURCE_CHANGE, 409))
def register(
    name: ProjectName,
    body: Annotated[FileToRegister | TableToRegister, Field(discriminator="kind")],
    question: TheQuestion,
    service: TheService,
    caller: TheCaller,
) -> Response:
    """Register a file under an allowed root, or a table of a named connection."""

    def answer() -> RegisteredSourceDocument:
        given = body.model_dump(exclude={"kind"})
        make = register_file if isinstance(body, FileToRegister) else register_table
        return RegisteredSourceDocument.of(make(service, caller, name, **given))

    return question.once(body, answer)


@router.get("/{handle}", **of(Act.SOURCE_READ))
def read(name: ProjectName, handle: Handle, service: TheService, caller: TheCaller) -> RegisteredSourceDocument:
    """A source."""
    return RegisteredSourceDocument.of(source(service, caller, name, handle))


@router.delete("/{handle}", status_code=204, **of(Act.SOURCE_CHANGE, 409))
def delete(name: ProjectName, handle: Handle, service: TheService, caller: TheCaller) -> Response:
    """Delete a source; of an upload, its content."""
    delete_source(service, caller, name, handle)
    return Response(status_code=204)


@router.get("/{handle}/columns", **of(Act.SOURCE_READ, 409, 413))
def read_columns(name: ProjectName, handle: Handle, service: TheService, caller: TheCaller) -> ColumnsDocument:
    """How each column of a source was read; no value is shown."""
    records, listed = columns(service, caller, name, handle)
    shown = [ColumnReadingDocument(name=one.name, type=one.type, missing=one.missing) for one in listed]
    return ColumnsDocument(records=records, columns=shown)


@router.get("/{handle}/rows", **of(Act.ROWS_VIEW, 409, 413))
def read_rows(
    name: ProjectName,
    *,
    handle: Handle,
    service: TheService,
    caller: TheCaller,
    after: Annotated[int, Query(ge=0, le=10**12)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> RowsDocument:
    """A page of the rows of a source. That they were looked at is written to the log."""
    page = rows(service, caller, name, handle, after=after, limit=limit)
    end = after + len(page.rows)
    counted = page.records or 0  # it is, where rows are not asked for quickly
    further = end if page.rows and end < counted else None
    return RowsDocument(
        columns=list(page.columns), rows=[list(row) for row in page.rows], records=counted, next=further
    )
