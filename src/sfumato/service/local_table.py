"""A table of one person on their own machine: a service with one steward, one project and one source.

It is kept in the data folder of the person, and not beside the table: tables lie on shares that others read, or where
nothing can be written, and results show rows.
"""

from __future__ import annotations

import os
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from sfumato.outputs import write_text
from sfumato.project.user import who
from sfumato.service import runs
from sfumato.service.caller import Caller, Way
from sfumato.service.doors import BYTES
from sfumato.service.entities import Account, Membership, RegisteredSource, ServiceProject
from sfumato.service.permissions import ServiceRole
from sfumato.service.project_text import first_project_text
from sfumato.service.run_commands import PROJECT_FILE
from sfumato.service.service import Service
from sfumato.service.settings import FILE as SETTINGS
from sfumato.service.sources import delete_source, register_file
from sfumato.service.versions import replace_files

# Who the one account is outside of here, which no other can be; and the one folder that files are taken from.
IDENTITY, ROOT = "local", "table"
PLAIN = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class OpenedTable:
    """The table that was opened: its project, the run that looked at it first, and the secret of its address."""

    project: str
    run: str
    caller: Caller
    secret: str


def is_alone(caller: Caller) -> bool:
    """Whether this is the one person of `sfumato open`, who has nobody beside them to ask, vote or receive."""
    return caller.identity == IDENTITY


def local_root(table: Path) -> Path:
    """The folder in which the service of a table is kept: XDG_DATA_HOME, or where the system has such data."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    path = table.resolve()
    return data / "sfumato" / f"{PLAIN.sub('-', path.stem)[:50]}-{sha256(os.fsencode(path)).hexdigest()[:8]}"


def prepare_root(table: Path) -> Path:
    """The folder with its settings, which its worker reads too: files come from the folder of the table."""
    import yaml

    root = local_root(table)
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    said = {"roots": {ROOT: str(table.resolve().parent)}, "second_factor": False}
    write_text(root / SETTINGS, yaml.safe_dump(said, allow_unicode=True))
    return root


def opened_table(service: Service, table: Path) -> OpenedTable:
    """The table as a source of its project, looked at by `identify`; what is there from before stays."""
    file = table.resolve()
    with service.database.writing() as session:
        account, project = _account(session, service), _project(session, service, file)
        member = (project.handle, account.handle, ServiceRole.STEWARD)
        if session.get(Membership, member) is None:
            session.add(Membership(project=project.handle, account=account.handle, role=ServiceRole.STEWARD))
    caller = Caller(Way.LOCAL, account.handle, account.name, account.identity, address="127.0.0.1")
    _register(service, caller, project, file)
    if not project.current:
        text = first_project_text(file.name)
        files, words = {PROJECT_FILE: text.encode()}, f"The table {file.name}"
        replace_files(service, caller, project.name, files, require=lambda _hash: None, message=words)
    run = runs.start(service, caller, project.name, runs.RunWanted("identify", {}))
    return OpenedTable(project.name, run.handle, caller, secrets.token_urlsafe(BYTES))


def _account(session: Session, service: Service) -> Account:
    known = session.scalar(select(Account).where(Account.identity == IDENTITY))
    if known is None:
        known = Account(name=who()[:200], shown_name="You", identity=IDENTITY, created=service.clock())
        session.add(known)
        session.flush()
    known.name = who()[:200]  # whoever decides stands in the project file and in the evidence, as on the command line
    known.auditor = True  # whoever has the machine has the log: it is read and verified in the browser too
    return known


def _project(session: Session, service: Service, file: Path) -> ServiceProject:
    name = PLAIN.sub("-", file.stem).strip("-.").lower()[:100] or ROOT
    known = session.scalar(select(ServiceProject).where(ServiceProject.name == name))
    if known is None:
        known = ServiceProject(name=name, title=file.name[:200], created=service.clock())
        session.add(known)
        session.flush()
    return known


def _register(service: Service, caller: Caller, project: ServiceProject, file: Path) -> None:
    """Make the file the source; where it has changed since it was opened last, as a new one."""
    wanted = select(RegisteredSource).where(
        RegisteredSource.project == project.handle, RegisteredSource.name == file.name,
        RegisteredSource.deleted.is_(None),
    )  # fmt: skip
    with service.database.reading() as session:
        known = session.scalar(wanted)
    if known is not None and known.hash == service.hashes.of(file):
        return
    if known is not None:
        delete_source(service, caller, project.name, known.handle)
    register_file(service, caller, project.name, root=ROOT, path=file.name)
