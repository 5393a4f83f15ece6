"""Connections: databases that an administrator names. The address and its secret stay with the server."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from sfumato.errors import Conflict, NotKnown
from sfumato.outputs import is_plain_name
from sfumato.service.caller import Caller
from sfumato.service.database_address import WrongAddress, cut_up
from sfumato.service.entities import Connection, RegisteredSource, ServiceProject
from sfumato.service.permissions import Act
from sfumato.service.service import Deed, Service

LONGEST = 64  # letters of a name
PURPOSE = "connection"  # for which an address is sealed


def connections(
    service: Service, caller: Caller, *, limit: int = 50, after: str | None = None
) -> Sequence[tuple[Connection, list[str]]]:
    """The connections by name with the projects that may use each, one more than asked for."""
    with service.act(caller, Act.CONNECTION_READ) as deed:
        wanted = select(Connection).where(Connection.name > (after or "")).order_by(Connection.name).limit(limit + 1)
        return [(one, _names(deed, one)) for one in deed.session.scalars(wanted)]


def name_connection(
    service: Service, caller: Caller, name: str, url: str, projects: Sequence[str]
) -> tuple[Connection, list[str]]:
    """Name a database, or give one that is named another address; for the projects that are listed, and no others."""
    with service.act(caller, Act.CONNECTION_CHANGE, connection=name, projects=list(projects)) as deed:
        if not is_plain_name(name) or len(name) > LONGEST:
            raise WrongAddress("The name of a connection is a plain name, such as registry.")
        cut_up(url)  # refuses what cannot be used
        handles = [_project(deed, project) for project in projects]
        sealed = service.keys.seal(url.encode(), PURPOSE)
        known = deed.session.scalar(select(Connection).where(Connection.name == name))
        if known is None:
            known = Connection(name=name, kind="postgresql", url=sealed, projects=handles, created=deed.now)
            deed.session.add(known)
        known.url, known.projects = sealed, handles
        deed.session.flush()
        return known, _names(deed, known)


def delete_connection(service: Service, caller: Caller, name: str) -> None:
    """Forget a database; sources that are tables of it have to be deleted before."""
    with service.act(caller, Act.CONNECTION_CHANGE, connection=name, deleted=True) as deed:
        known = deed.session.scalar(select(Connection).where(Connection.name == name))
        if known is None:
            raise NotKnown("the connection")
        tables = select(RegisteredSource).where(RegisteredSource.connection == known.handle)
        if deed.session.scalar(tables.where(RegisteredSource.deleted.is_(None)).limit(1)) is not None:
            raise Conflict("Sources of projects are tables of this connection. Have them deleted first.")
        for source in deed.session.scalars(tables):
            source.connection = None
        deed.session.flush()
        deed.session.delete(known)


def connection_for(deed: Deed, name: str) -> Connection:
    """A connection that the project of a deed may use; for others there is none of that name."""
    known = deed.session.scalar(select(Connection).where(Connection.name == name))
    if known is None or deed.project.handle not in known.projects:
        raise NotKnown("the connection")
    return known


def _project(deed: Deed, name: str) -> str:
    handle = deed.session.scalar(select(ServiceProject.handle).where(ServiceProject.name == name))
    if handle is None:
        raise NotKnown("the project")
    return handle


def _names(deed: Deed, connection: Connection) -> list[str]:
    wanted = select(ServiceProject.name).where(ServiceProject.handle.in_(connection.projects))
    return sorted(deed.session.scalars(wanted))
