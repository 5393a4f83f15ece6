"""Sources: the tables of a project. A file under an allowed root, a table of a named connection, or an upload."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from sqlalchemy import bindparam, select

from sfumato.errors import Conflict, NotKnown, ServiceRefusal, shown
from sfumato.outputs import is_plain_name
from sfumato.service.allowed_roots import opened_within, parts_of
from sfumato.service.caller import Caller
from sfumato.service.changes import project_changed
from sfumato.service.connections import connection_for
from sfumato.service.entities import RegisteredSource
from sfumato.service.permissions import Act
from sfumato.service.references import let_go
from sfumato.service.service import Deed, Service
from sfumato.service.versions import current_files
from sfumato.service.work_folder import CONNECTION, FILE, UPLOAD
from sfumato.tables.catalogue import formats

# A name of a table, with or without its schema; in SQL it stands in quotes, and only if the catalogue has it.
TABLE = re.compile(r"[^\W\d][\w$ -]{0,62}(\.[^\W\d][\w$ -]{0,62})?")
RESERVED = ("sfumato.yaml", "sfumato.yml", "sfumato.key", "sfumato.log.jsonl")  # that stand beside it in a folder
LONGEST = 200  # letters of a name
IN_ORDER = (
    select(RegisteredSource)
    .where(
        RegisteredSource.project == bindparam("project"),
        RegisteredSource.deleted.is_(None),
        RegisteredSource.handle > bindparam("after"),
    )
    .order_by(RegisteredSource.handle)
    .limit(bindparam("limit"))
)


class WrongSource(ServiceRefusal):
    """What was given is no name of a source, or no table."""

    status, kind = 422, "wrong-source"


def sources(
    service: Service, caller: Caller, project: str, *, limit: int = 50, after: str | None = None
) -> Sequence[RegisteredSource]:
    """The sources of a project in the order in which they came, one more than asked for."""
    with service.act(caller, Act.SOURCE_READ, project=project) as deed:
        given = {"project": deed.project.handle, "after": after or "", "limit": limit + 1}
        return deed.session.scalars(IN_ORDER, given).all()


def source(service: Service, caller: Caller, project: str, handle: str) -> RegisteredSource:
    """A source by its handle."""
    with service.act(caller, Act.SOURCE_READ, project=project) as deed:
        return source_of(deed, handle)


def register_file(
    service: Service, caller: Caller, project: str, *, root: str, path: str, name: str | None = None
) -> RegisteredSource:
    """Make a file under an allowed root a source; its hash is taken, and it counts as long as it has that hash."""
    known = name or path.rpartition("/")[2]
    with service.act(caller, Act.SOURCE_CHANGE, project=project, name=known, root=root, step="read") as deed:
        require_free_name(deed, known)
        parts_of(path)
        stream = os.fdopen(opened_within(service.settings.roots, root, path), "rb")
    with stream:  # outside of the transaction: the file may be large
        hashed, size = service.hashes.of_open(stream), os.fstat(stream.fileno()).st_size
    with service.act(caller, Act.SOURCE_CHANGE, project=project, name=known, root=root, step="register") as deed:
        require_free_name(deed, known)
        made = RegisteredSource(name=known, kind=FILE, root=root, path=path, hash=hashed, bytes=size)
        return added(deed, made)


def register_table(
    service: Service, caller: Caller, project: str, *, connection: str, table: str, name: str
) -> RegisteredSource:
    """Make a table of a named connection a source."""
    with service.act(caller, Act.SOURCE_CHANGE, project=project, name=name, connection=connection) as deed:
        known = connection_for(deed, connection)
        if not TABLE.fullmatch(table):
            raise WrongSource("This is no name of a table: write TABLE or SCHEMA.TABLE, in letters, digits and _.")
        require_free_name(deed, name, table=True)
        return added(
            deed, RegisteredSource(name=name, kind=CONNECTION, connection=known.handle, table=table, hash=None)
        )


def delete_source(service: Service, caller: Caller, project: str, handle: str) -> None:
    """Delete a source: an upload with its content, of others only that they are one. The log keeps that it was."""
    with service.act(caller, Act.SOURCE_CHANGE, project=project, source=handle, deleted=True) as deed:
        delete_in(service, deed, source_of(deed, handle))


def delete_in(service: Service, deed: Deed, known: RegisteredSource) -> None:
    """Delete a source within a deed; its content goes once that is kept, where nothing else needs it."""
    known.deleted = deed.now
    deed.note(name=known.name, hash=known.hash)
    project_changed(deed)
    deed.session.flush()
    content = known.hash
    if known.kind == UPLOAD and content is not None:
        deed.then(lambda: let_go(service, content))


def source_of(deed: Deed, handle: str) -> RegisteredSource:
    """A source of the project of a deed; one that was deleted is none."""
    known = deed.session.get(RegisteredSource, handle)
    if known is None or known.project != deed.project.handle or known.deleted is not None:
        raise NotKnown("the source")
    return known


def added(deed: Deed, made: RegisteredSource) -> RegisteredSource:
    """A new source in the project of a deed."""
    made.project, made.author, made.created = deed.project.handle, deed.account, deed.now
    deed.session.add(made)
    deed.session.flush()
    deed.note(source=made.handle, hash=made.hash, bytes=made.bytes)
    return made


def require_free_name(deed: Deed, name: str, *, table: bool = False) -> None:
    """Refuse what is no plain name of a source, or is taken by a file or another source of the project."""
    if deed.project.closed:
        raise Conflict("The project is closed.")
    if not is_plain_name(name) or len(name) > LONGEST or name.casefold() in RESERVED:
        raise WrongSource(
            f"{shown(name)} is no plain name of a source. Write one without a folder, such as visits.csv."
        )
    endings = sorted({ending for known in formats() for ending in known.suffixes})
    if not table and not name.lower().endswith(tuple(endings)):
        raise WrongSource(f"No reader knows this kind of file. Known endings: {', '.join(endings)}.")
    if table and name.lower().endswith((".yaml", ".yml")):
        raise WrongSource("The name of a table must not look like that of a project file.")
    others = select(RegisteredSource.name).where(
        RegisteredSource.project == deed.project.handle, RegisteredSource.deleted.is_(None)
    )
    taken = {*deed.session.scalars(others), *current_files(deed.session, deed.project)}
    if name.casefold() in {other.casefold() for other in taken}:
        raise Conflict(f"There is a file or a source of the name {shown(name)} in this project already.")
