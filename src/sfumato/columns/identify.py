"""The verbs of identification: identify a table or many, and write the proposed roles into a project file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfumato.columns.gather_evidence import Inquiry, identify_extract
from sfumato.columns.identification import Identification, Identifications
from sfumato.columns.open_roles import Decider, open_columns, today, together
from sfumato.columns.person_key import repeated_person_key, tells_persons_apart
from sfumato.columns.proposal import SURE
from sfumato.columns.redcap_dictionary import read_dictionary
from sfumato.columns.several_tables import SeveralTables
from sfumato.errors import OutputError, PolicyError, ProjectError, UnusableInput
from sfumato.outputs import write_text
from sfumato.progress import Tell, quiet
from sfumato.project.file import (
    Project,
    project_template,
    relative_source,
    source_and_project,
    with_decisions,
    with_proposals,
)
from sfumato.project.places import allowing, said_of_outside
from sfumato.project.recipient.recipient import Recipient
from sfumato.project.user import who
from sfumato.schema import Missing, Role
from sfumato.show.sheet import counted
from sfumato.tables.engine import Engine
from sfumato.tables.load import engine_named, load, table_locations
from sfumato.tables.read.store import masked
from sfumato.tables.source import Extract, ReadOptions


def identify(
    data: Any,
    *,
    direct: Sequence[str] | str = (),
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    non_sensitive: Sequence[str] | str = (),
    method: str = "evidence",
    alpha: float = 10.0,
    beta: float = 1.0,
    scope: str = "primary",
    missing_values: str = "own_value",
    dictionary: str | os.PathLike[str] | None = None,
    recipient: Recipient | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    combinations: int = 3,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Identification | Identifications:
    """Which columns identify, which combine to identify, and which are sensitive.

    `data` is a frame, a file, an `Extract`, or several tables: a folder, a database, a workbook. `direct`, `quasi`,
    `sensitive` and `non_sensitive` are columns whose role you have decided. `method` is evidence, or risk-rate for
    g-distinct with `alpha` and `beta` in per cent. `scope` is primary (influence among the quasi-identifiers) or all.
    `dictionary` is a REDCap data dictionary; `recipient` answers about who will receive the data.

    >>> import pyarrow as pa
    >>> table = pa.table({"e-mail": ["a@x.org", "b@x.org"], "sex": ["f", "m"]})
    >>> {name: str(role) for name, role in identify(table).roles.items()}
    {'e-mail': 'direct', 'sex': 'quasi'}
    """
    asked = inquiry(
        direct=direct, quasi=quasi, sensitive=sensitive, non_sensitive=non_sensitive, method=method, alpha=alpha,
        beta=beta, scope=scope, missing_values=missing_values, dictionary=dictionary, recipient=recipient,
        combinations=combinations,
    )  # fmt: skip
    return identify_data(data, asked, options=options, engine=engine, tell=tell)


def inquiry(
    *,
    dictionary: str | os.PathLike[str] | None = None,
    recipient: Recipient | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    missing_values: str = "own_value",
    combinations: int = 3,
    method: str = "evidence",
    alpha: float = 10.0,
    beta: float = 1.0,
    scope: str = "primary",
    **columns: Sequence[str] | str,
) -> Inquiry:
    """What is asked, from options as people write them; `columns` are the names for each role."""
    return Inquiry(
        roles=_decided(**columns), method=method, alpha=alpha, beta=beta, scope=scope,
        missing=_missing(missing_values), dictionary=read_dictionary(Path(dictionary)) if dictionary else {},
        recipient=_recipient(recipient), largest=combinations,
    )  # fmt: skip


def identify_source(
    source: str | None,
    project: str | Path | None,
    asked: Inquiry,
    *,
    options: ReadOptions,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Identification | Identifications:
    """Identify a source, or what a project file describes."""
    source, project = source_and_project(source, project)
    if project is not None and Path(project).exists():
        described = Project.read(project)
        return identify_project(described, asked, source=source, options=options, engine=engine, tell=tell)
    if source is None:
        raise UnusableInput("There is nothing to identify: name a file, or a project file with --project.")
    return identify_data(source, asked, options=options, engine=engine, tell=tell)


def identify_data(
    data: Any, inquiry: Inquiry, *, options: ReadOptions | None = None, engine: Engine | None = None,
    tell: Tell = quiet,
) -> Identification | Identifications:  # fmt: skip
    """Identify one table, or each of several beside the keys of the others."""
    several = table_locations(data, options)
    if len(several) > 1:
        name = masked(str(data)) if "://" in str(data) else Path(str(data)).name
        return SeveralTables(name, several, inquiry, options or ReadOptions(), engine).identify(tell)
    tell("Reading the data")
    extract = data if isinstance(data, Extract) else load(several[0].source if several else data, options, engine)
    return identify_extract(extract, inquiry, tell=tell)


def identify_project(
    project: Project, inquiry: Inquiry, *, source: str | None = None, options: ReadOptions | None = None,
    engine: Engine | None = None, tell: Tell = quiet,
) -> Identification | Identifications:  # fmt: skip
    """Identify what a project file describes; the roles that it decides stay, unless the inquiry decides otherwise."""
    source = source or project.source
    if source is None:
        raise ProjectError(project.path, "there is no `data: source:`, so there is nothing to identify.")
    inquiry = replace(inquiry, roles={**project.decided(), **inquiry.roles})
    read = (options or ReadOptions()).completed_by(project.read_options())
    return identify_data(source, inquiry, options=read, engine=engine or engine_named(project.engine), tell=tell)


@dataclass(frozen=True)
class WrittenRoles:
    """What was written into a project file: the file, and how many columns are proposed, undecided, decided."""

    path: Path
    proposed: int
    undecided: int
    confirmed: int
    given: int = 0  # decided, since they were given for the identification
    outside: str = ""  # what to say where the data lie outside of the folder of the file

    @property
    def words(self) -> str:
        """The same in words, with what is left to do."""
        confirmed = f" {counted(self.confirmed, 'role')} that {'is' if self.confirmed == 1 else 'are'} sure: decided."
        is_undecided = "column is undecided: give it" if self.undecided == 1 else "columns are undecided: give each"
        return (
            f"Wrote {self.path}: {counted(self.proposed, 'proposed role')}. Confirm them: sfumato confirm."
            + (f" {self.undecided} {is_undecided} a role." if self.undecided else "")
            + (confirmed if self.confirmed else "")
            + (f" {counted(self.given, 'role')} given as options: decided." if self.given else "")
            + self.outside
        )


def write_roles(
    identification: Identification | Identifications,
    source: str | None,
    project: str | Path | None,
    *,
    confirm_sure: bool = False,
    decider: Decider | None = None,
) -> WrittenRoles:
    """Write the proposed roles into the project file, never over a decision.

    Roles that were given for the identification are decisions. With `confirm_sure` those that are sure enough to be
    confirmed together are written as decided as well. `decider` is who decides: the user, today, if none is named.
    """
    if isinstance(identification, Identifications):
        raise OutputError("A project file describes one table: name it with --table, or give its file, to write roles.")
    if identification.method == "risk-rate":
        raise PolicyError(
            "The risk rate proposes no roles to write: it sees how rare values are, not what they mean. "
            "Leave out --method, or write the roles into sfumato.yaml yourself."
        )
    source, project = source_and_project(source, project)
    path, roles = Path(project or "sfumato.yaml"), identification.roles
    if path.exists():
        text, outside = with_proposals(path.read_bytes().decode("utf-8"), roles, path), ""
    else:
        extract = identification.extract or load(source)
        text = project_template(extract, relative_source(path, str(source)), roles, _person_key(identification))
        outside = said_of_outside(relative_source(path, str(source)), path.parent)
    with allowing(*([source] if source else [])):
        return _written_roles(identification, path, text, decider, outside, confirm_sure=confirm_sure)


def _written_roles(
    identification: Identification, path: Path, text: str, decider: Decider | None, outside: str, *, confirm_sure: bool
) -> WrittenRoles:
    known, roles = Project.parse(text, str(path)), identification.roles
    decider = decider or Decider(who(), today())
    columns = {c.name: c for c in open_columns(identification, known) if c.name not in known.decisions}
    sure = [c for c in columns.values() if confirm_sure and c.sure >= SURE and not c.set_aside]
    said = {c.name: c.role for c in identification if c.decided and c.role is not None and c.name in columns}
    given = {name: decider.on_column(columns[name], role) for name, role in said.items()}
    decisions = {**together(sure, decider), **given}
    write_text(path, with_decisions(text, decisions, path))
    left = [role for name, role in roles.items() if name in columns and name not in decisions]
    undecided = sum(role is None for role in left)
    return WrittenRoles(path, len(left) - undecided, undecided, len(decisions) - len(given), len(given), outside)


def _person_key(identification: Identification) -> str | None:
    """The column that tells persons apart where some have several records."""
    keys = [c for c in identification if c.role is Role.DIRECT and tells_persons_apart(c.name)]
    return repeated_person_key({c.name: (c.profile.present, c.profile.known) for c in keys})


def _decided(**columns: Sequence[str] | str) -> dict[str, Role]:
    roles: dict[str, Role] = {}
    for role, names in columns.items():
        for name in [names] if isinstance(names, str) else names:
            decided = Role(role.replace("_", "-"))
            if roles.setdefault(name, decided) is not decided:
                raise PolicyError(f"Column {name!r} has two roles: {roles[name]} and {decided}. Give it one.")
    return roles


def _missing(name: str) -> Missing:
    try:
        return Missing(name)
    except ValueError:
        raise PolicyError(f"There is no reading of missing values {name!r}. Use own_value or never_matches.") from None


def _recipient(given: Recipient | Mapping[str, Any] | str | os.PathLike[str] | None) -> Recipient | None:
    return given if given is None or isinstance(given, Recipient) else Recipient.of(given)
