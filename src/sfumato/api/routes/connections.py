"""Connections: databases by name, for administrators. An address goes in, and never comes out."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints

from sfumato.api.calls import WHOLE, Page, ProjectName, ThePaging, of, paths
from sfumato.service.connections import connections, delete_connection, name_connection
from sfumato.service.entities import Connection
from sfumato.service.permissions import Act
from sfumato.web.who_asks import TheCaller, TheService

router = paths("connections", "/connections")
Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=WHOLE)]


class ConnectionDocument(BaseModel):
    """A connection: its name, its kind, and the projects that may use it."""

    name: str
    kind: str
    projects: list[str]
    created: datetime

    @classmethod
    def of(cls, known: Connection, projects: list[str]) -> ConnectionDocument:
        """The document of a connection."""
        return cls(name=known.name, kind=known.kind, projects=projects, created=known.created)


class ConnectionToName(BaseModel):
    """The address of a database, with its secret, and the projects that may use it."""

    model_config = ConfigDict(extra="forbid")

    url: Annotated[SecretStr, Field(max_length=2_000)]
    projects: Annotated[list[Name], Field(max_length=1_000)] = []


@router.get("", response_model=Page[ConnectionDocument], **of(Act.CONNECTION_READ))
def list_connections(paging: ThePaging, service: TheService, caller: TheCaller) -> Response:
    """The connections by name."""
    listed = connections(service, caller, limit=paging.limit, after=paging.after)
    return paging.page([ConnectionDocument.of(*known) for known in listed], lambda one: one.name)


@router.put("/{name}", **of(Act.CONNECTION_CHANGE, 409))
def name_database(
    name: ProjectName, body: ConnectionToName, service: TheService, caller: TheCaller
) -> ConnectionDocument:
    """Name a database, or give one that is named another address."""
    address = body.url.get_secret_value()
    return ConnectionDocument.of(*name_connection(service, caller, name, address, body.projects))


@router.delete("/{name}", status_code=204, **of(Act.CONNECTION_CHANGE, 409))
def delete(name: ProjectName, service: TheService, caller: TheCaller) -> Response:
    """Forget a database."""
    delete_connection(service, caller, name)
    return Response(status_code=204)
