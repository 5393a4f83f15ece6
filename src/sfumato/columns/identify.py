"""The verb of identification: what the columns of a table, or of many, seem to be."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.columns.evidence.risk_rate import fraction
from sfumato.columns.gather_evidence import Inquiry, identify_extract
from sfumato.columns.identification import Identification, Identifications
from sfumato.columns.redcap_dictionary import read_dictionary
from sfumato.columns.several_tables import SeveralTables
from sfumato.errors import PolicyError, ProjectError, UnusableInput
from sfumato.progress import Tell, quiet
from sfumato.project.file import (
    Project,
    source_and_project,
)
from sfumato.project.recipient.recipient import Recipient
from sfumato.schema import Missing, Role
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
    """What is asked, from options as people write them, per cent as in the thesis; `columns` are the names by role."""
    return Inquiry(
        roles=_decided(**columns), method=method, alpha=fraction(alpha), beta=fraction(beta), scope=scope,
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
    if project is not None and Path(project).is_file():
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
