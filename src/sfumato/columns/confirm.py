"""The verb of decisions: confirm the roles that are proposed in a project file, or give others."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from sfumato.columns.gather_evidence import Inquiry, column_proposals
from sfumato.columns.identify import identify_data
from sfumato.columns.open_roles import Decider, OpenRole, OpenRoles, open_columns, today, together
from sfumato.columns.write_roles import write_roles
from sfumato.errors import PolicyError, ProjectError, UnusableInput, did_you_mean
from sfumato.progress import Tell, quiet
from sfumato.project.file import Project, RoleDecision, source_and_project
from sfumato.project.places import allowing
from sfumato.project.user import who
from sfumato.schema import Role, role_name
from sfumato.show.documents.confirmation import ConfirmationDocument, ConfirmedColumnDocument, OpenRoleDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.confirmation import confirmation_sheet
from sfumato.tables.engine import Engine
from sfumato.tables.load import engine_named, load
from sfumato.tables.source import ReadOptions

UNNAMED = "not said"  # who decided, where a project file does not say


@dataclass(frozen=True, repr=False)
class Confirmed(Presented):
    """What was decided in a project file, and what is still open."""

    roles: OpenRoles
    decider: Decider
    decisions: Mapping[str, RoleDecision]  # those made now

    @property
    def open(self) -> tuple[OpenRole, ...]:
        """The columns that nobody has decided about, after this."""
        return tuple(column for column in self.roles.open if column.name not in self.decisions)

    def content(self) -> ConfirmationDocument:
        """Everything as plain values."""
        every = {**self.roles.decided, **self.decisions}
        deciders = Counter(decision.by or UNNAMED for decision in every.values())
        return ConfirmationDocument(
            project=str(self.roles.path),
            by=self.decider.by,
            on=self.decider.on,
            decided=[_confirmed(self.roles[name], decision) for name, decision in self.decisions.items()],
            deciders=dict(sorted(deciders.items())),
            open=[
                OpenRoleDocument(
                    name=c.name, proposed=role_name(c.proposed), sure=c.level, evidence=c.evidence,
                    would_decide=c.would_decide,
                )
                for c in self.open
            ],
            next=f"sfumato {'confirm' if self.open else 'assess'} --project {quote(str(self.roles.path))}",
        )  # fmt: skip

    def sheet(self) -> Sheet:
        """The same for people."""
        return confirmation_sheet(self.content())


def confirm(
    project: Project | str | os.PathLike[str] = "sfumato.yaml",
    *,
    roles: Mapping[str, Role | str] | None = None,
    sure: str | None = None,
    every_proposal: bool = False,
    by: str | None = None,
    on: str | None = None,
    reason: str | None = None,
    again: bool = False,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Confirmed:
    """Decide on the roles of columns, and write down in the project file who decided, when and why.

    `project` is a project file, or data: then the `sfumato.yaml` of this folder, which is made where there is none.
    `roles` gives columns their roles. `sure` keeps every proposal that is at least so sure (high, middle or low), and
    `every_proposal` all of them. `by` is who decides (SFUMATO_USER, or the user of the system), `on` the day (today),
    `reason` why. What is decided already stays, but for columns of `roles` where it is decided `again`. Columns for
    which nothing is proposed stay undecided. Without `roles`, `sure` and `every_proposal` nothing is written, and the
    answer says what is open.
    """
    file, data = (project.path, None) if isinstance(project, Project) else (None, os.fspath(project))
    with allowing(*([data] if data else [])):
        open_roles = read_open_roles(data, file, options=options, engine=engine, tell=tell)
        decider = Decider(by or who(), on or today(), reason)
        decisions = decide(open_roles, decider, roles or {}, sure=sure, every_proposal=every_proposal, again=again)
        open_roles.with_written(decisions, open_roles.text, again=again)
    return Confirmed(open_roles, decider, decisions)


def read_open_roles(
    source: str | None,
    project: str | Path | None,
    *,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> OpenRoles:
    """The roles that are open in a project file, with the evidence for each; a file that lacks is made of the data."""
    source, project = source_and_project(source, project)
    path = Path(project or "sfumato.yaml")
    if not path.exists():
        if source is None:
            raise UnusableInput(
                f"There is no project file {path}, and nothing to make one of: name the data, or a project file."
            )
        asked = Inquiry(largest=0)
        write_roles(identify_data(source, asked, options=options, engine=engine, tell=tell), source, path)
    known = Project.read(path)
    tell("Reading the data")
    read = (options or ReadOptions()).completed_by(known.read_options())
    extract = load(_source_of(known, source), read, engine or engine_named(known.engine))
    known.schema(extract.table.columns)  # a column that the data lack is an error with its line
    columns = open_columns(column_proposals(extract, known.decided()), known)
    return OpenRoles(path, path.read_bytes().decode("utf-8"), columns, known.decisions)


def decide(
    roles: OpenRoles,
    decider: Decider,
    given: Mapping[str, Role | str],
    *,
    sure: str | None = None,
    every_proposal: bool = False,
    again: bool = False,
) -> dict[str, RoleDecision]:
    """What is decided by roles that are given, and by keeping proposals; a given role goes before its proposal."""
    said = {roles[name].name: _role(name, role) for name, role in given.items()}
    same = [name for name, role in said.items() if name in roles.decided and roles.decided[name].role is role]
    named = {name: role for name, role in said.items() if again or name not in same}
    settled = [name for name in named if name in roles.decided and not again]
    if settled:
        raise ProjectError(
            roles.path,
            f"column {settled[0]!r} is decided already: {role_name(roles.decided[settled[0]].role)}, "
            f"{roles.decided[settled[0]].words}. To decide anew, add --again (again=True in Python).",
        )
    kept = roles.proposals(None if every_proposal else sure) if every_proposal or sure is not None else ()
    by_name = {name: decider.on_column(roles[name], role) for name, role in named.items()}
    return {**together((column for column in kept if column.name not in by_name), decider), **by_name}


def _confirmed(column: OpenRole, decision: RoleDecision) -> ConfirmedColumnDocument:
    return ConfirmedColumnDocument(
        name=column.name, role=decision.role.value, proposed=role_name(column.proposed), sure=column.level,
        reason=decision.reason, against_evidence=column.against(decision.role),
    )  # fmt: skip


def _source_of(known: Project, source: str | None) -> str:
    """Where the data are; what is given must be what the project file describes."""
    if source is not None and known.source is not None and not _same(source, known.source):
        raise ProjectError(
            known.path,
            "this project file describes another table. Name the one of these data with --project, or leave the data "
            "out.",
            line=known.line_of("data", "source"),
        )
    place = source or known.source
    if place is None:
        raise ProjectError(known.path, "there is no `data: source:`, so there is no evidence to decide by.")
    return place


def _same(one: str, other: str) -> bool:
    return one == other or ("://" not in one + other and Path(one).resolve() == Path(other).resolve())


def _role(column: str, role: Role | str) -> Role:
    if role not in list(Role):
        raise PolicyError(f"Column {column!r}: there is no role {str(role)!r}.{did_you_mean(str(role), list(Role))}")
    return Role(role)
