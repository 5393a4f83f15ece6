"""The service: everything that belongs to one root folder, and the one way to do something with it.

ROOT/service.yaml      settings
ROOT/service.sqlite    the database, unless it is PostgreSQL
ROOT/files, uploads, work
ROOT/keys              keys of the server
ROOT/log               the log of everything
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import and_, bindparam, select
from sqlalchemy.orm import Session

from sfumato.errors import NotAllowed, NotKnown, NotSignedIn, ServiceRefusal, UnusableInput
from sfumato.proof.use_log.log import LOG, AuditLog
from sfumato.service.caller import Caller
from sfumato.service.database import ServiceDatabase
from sfumato.service.entities import DataRequest, Membership, ServiceProject
from sfumato.service.events import Events
from sfumato.service.file_hashes import FileHashes
from sfumato.service.live_processes import LiveProcesses
from sfumato.service.permissions import OF_SERVICE, ROWS, Act, Permission, Scope, ServiceRole, Trace
from sfumato.service.server_keys import ServerKeys
from sfumato.service.settings import Settings
from sfumato.service.storage import Storage

KEYS = "keys"  # the folder of the keys of the server, in its root
# A project by its name, with each role that somebody has in it; built once, since almost every call asks it.
PROJECT_AND_ROLES = (
    select(ServiceProject, Membership.role)
    .outerjoin(
        Membership,
        and_(Membership.project == ServiceProject.handle, Membership.account == bindparam("account")),
    )
    .where(ServiceProject.name == bindparam("name"))
)


def utc_now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


@dataclass
class Deed:
    """An act while it goes on: within one transaction, by somebody who may do it."""

    session: Session
    caller: Caller
    now: datetime
    roles: frozenset[ServiceRole] = frozenset()
    project_found: ServiceProject | None = None
    request_found: DataRequest | None = None
    outcome: dict[str, Any] = field(default_factory=dict)
    afterwards: list[Callable[[], None]] = field(default_factory=list)

    @property
    def project(self) -> ServiceProject:
        """The project that it is about."""
        if self.project_found is None:
            raise NotKnown("the project")
        return self.project_found

    @property
    def request(self) -> DataRequest:
        """The request that it is about."""
        if self.request_found is None:
            raise NotKnown("the request")
        return self.request_found

    @property
    def account(self) -> str:
        """The handle of who is acting."""
        if self.caller.account is None:
            raise NotSignedIn
        return self.caller.account

    def note(self, **outcome: Any) -> None:
        """What the log is to know of what came of it: handles, names, hashes, counts."""
        self.outcome.update(outcome)

    def then(self, something: Callable[[], None]) -> None:
        """Do something once all is kept, such as waking a worker; it must not fail."""
        self.afterwards.append(something)


@dataclass(frozen=True)
class Service:
    """One root folder with its database, files, keys and log."""

    root: Path
    settings: Settings
    database: ServiceDatabase
    storage: Storage
    keys: ServerKeys
    events: Events
    clock: Callable[[], datetime] = utc_now
    live: LiveProcesses = field(default_factory=LiveProcesses)
    hashes: FileHashes = field(default_factory=FileHashes)

    @classmethod
    def at(cls, root: str | Path, settings: Settings | None = None, *, database: str | None = None) -> Service:
        """The service of a root folder, made ready where it is new; `database` goes before what the settings say."""
        folder = Path(root).absolute()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / "log").mkdir(mode=0o700, exist_ok=True)
        known = settings or Settings.read(folder)
        known = known.model_copy(update={"database": database}) if database else known
        service = cls(
            root=folder,
            settings=known,
            database=ServiceDatabase(known.database) if known.database else ServiceDatabase.in_folder(folder),
            storage=Storage(folder),
            keys=ServerKeys(folder / KEYS),
            events=Events(AuditLog(folder / "log" / LOG, known.second_head)),
        )
        service._require_own_database()
        service.storage.prepare()
        service.database.prepare()
        service.keys.prepare()  # the last: where there are keys, there was a database
        return service

    def _require_own_database(self) -> None:
        """Refuse the database of another service, or an empty one, for a folder that is one already.

        Nobody would be known, and the sweep would delete every file: none would be one that the database speaks of. The
        keys of projects are made here when one first works, and no project is ever taken out of its database.
        """
        if not (self.root / KEYS).is_dir():
            return
        projects = self.keys.projects()
        foreign = self.database.is_new()
        if projects and not foreign:
            with self.database.looking() as connection:
                listed = set(connection.scalars(select(ServiceProject.handle)))
            foreign = not listed & projects
        if foreign:
            self.database.close()
            raise UnusableInput(
                f"{self.root} is the folder of a service whose database is another one than this. Name it: `database` "
                "in service.yaml, SFUMATO_SERVICE_DATABASE, or --database where the command has it."
            )

    @classmethod
    def there(cls, root: str | Path, *, database: str | None = None) -> Service:
        """The service of a root folder that is one already: a folder that was mistyped does not become one."""
        if not (Path(root) / KEYS).is_dir():
            raise UnusableInput(f"There is no service in {root}. `sfumato serve --root FOLDER` makes one.")
        return cls.at(root, database=database)

    @contextmanager
    def act(
        self,
        caller: Caller,
        act: Act,
        *,
        project: str | None = None,
        request: str | None = None,
        **about: Any,
    ) -> Iterator[Deed]:
        """Do something, where the table of permissions has it: in one transaction, and written to the log.

        `project` is the name of the project that it is about, `request` the handle of the request; `about` says more
        of it for the log. A refusal is written down and raised. What changes something is written down before it
        begins and when it has ended; where the log cannot be written, nothing is done.
        """
        row = ROWS[act]
        known = {"project": project, "request": request, **about}
        try:
            with self.database.reading() as session:
                deed = self._permitted(session, caller, row, project, request)
                if row.trace is Trace.NOTHING:
                    yield deed
                    return
                if row.trace is Trace.ONCE:
                    self.events.once(caller, act, known)
                    yield deed
        except ServiceRefusal as error:
            self.events.refused(caller, act, known, error)
            raise
        if row.trace is Trace.ONCE:
            _afterwards(deed)
            return
        yield from self._changing(caller, row, known)

    def require(self, caller: Caller, act: Act, *, project: str | None = None, request: str | None = None) -> None:
        """Refuse somebody who may not do something, without doing it; what is refused is written to the log."""
        try:
            with self.database.reading() as session:
                self._permitted(session, caller, ROWS[act], project, request)
        except ServiceRefusal as error:
            self.events.refused(caller, act, {"project": project, "request": request}, error)
            raise

    def _changing(self, caller: Caller, row: Permission, known: Mapping[str, Any]) -> Iterator[Deed]:
        """An act that changes something; the permission is looked up once more in the transaction that does it."""
        begun = self.events.begin(caller, row.act, known)
        deed: Deed | None = None
        try:
            with self.database.writing() as session:
                deed = self._permitted(session, caller, row, known["project"], known["request"])
                yield deed
        except BaseException as error:
            self.events.end(begun, error, **(deed.outcome if deed is not None else {}))
            raise
        self.events.end(begun, **deed.outcome)
        _afterwards(deed)

    def _permitted(
        self, session: Session, caller: Caller, row: Permission, project: str | None, request: str | None
    ) -> Deed:
        """The deed, where the caller may do it; `NotKnown` where they may not even know of what it is about."""
        deed = Deed(session, caller, self.clock())
        if row.scope is Scope.PUBLIC:
            return deed
        if not caller.signed_in:
            raise NotSignedIn
        if caller.scopes is not None and row.act not in caller.scopes:
            raise NotAllowed(f"This token or session may not {row.words}.")
        if row.scope is Scope.SELF:
            return deed
        return self._placed(deed, row, project, request)

    def _placed(self, deed: Deed, row: Permission, project: str | None, request: str | None) -> Deed:
        """The deed with the project and the request that it is about, and what the caller is there."""
        if row.scope is Scope.SERVICE:
            deed.roles = deed.caller.roles
        else:
            deed.project_found, deed.roles = self._project(deed.session, deed.caller, project)
        if not deed.roles & set(row.roles):
            raise NotAllowed(f"Your role does not let you {row.words}. Who may: {', '.join(row.roles)}.")
        if request is not None:
            deed.request_found = deed.session.get(DataRequest, request)
            if deed.request.project != deed.project.handle or (row.scope is Scope.OWN and not _own(deed, row)):
                raise NotKnown("the request")
        return deed

    @staticmethod
    def _project(session: Session, caller: Caller, name: str | None) -> tuple[ServiceProject, frozenset[ServiceRole]]:
        """A project and what the caller is in it; for whoever is nothing in it there is no such project."""
        rows = session.execute(PROJECT_AND_ROLES, {"name": name, "account": caller.account}).all()
        if not rows or caller.only_project not in (None, rows[0][0].handle):
            raise NotKnown("the project")
        known = rows[0][0]
        held = frozenset(ServiceRole(role) for _, role in rows if role is not None)
        roles = held | (caller.roles & set(OF_SERVICE))
        if not roles - {ServiceRole.AUDITOR}:  # an auditor reads the log, and no project
            raise NotKnown("the project")
        return known, roles


def _own(deed: Deed, row: Permission) -> bool:
    """Whether a request is the caller's, as one who asked for it or as one who receives it."""
    mine = {
        ServiceRole.REQUESTER: deed.request.requester == deed.caller.account,
        ServiceRole.RECIPIENT: deed.request.recipient == deed.caller.account,
    }
    return any(mine[role] for role in row.roles if role in deed.roles)


def _afterwards(deed: Deed) -> None:
    for something in deed.afterwards:
        something()
