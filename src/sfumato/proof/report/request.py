"""ReportRequest: what a report is about: which table, what its columns mean, what must hold, and how far to look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sfumato.plans.made_columns import loaded_with_made
from sfumato.privacy.assess import asked, check, policy_of
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.meaning_of_columns import meant
from sfumato.privacy.policy import Policy
from sfumato.privacy.question import Question
from sfumato.progress import Tell, quiet
from sfumato.project.file import Project, RoleDecision
from sfumato.schema import Role, Schema
from sfumato.search.anonymisation import Anonymised
from sfumato.secrets import Secrets
from sfumato.tables.engine import Engine, Table, listed, quoted
from sfumato.tables.load import load
from sfumato.tables.source import Column, Extract, NumberedRows, ReadOptions


@dataclass(frozen=True)
class ReportRequest:
    """What a report is about, and how far to look."""

    data: Any = None
    project: Project | None = None
    question: Question = field(default_factory=Question)
    released: Any = None
    key: str | None = None
    by_position: bool = False
    anonymised: Anonymised | None = None
    attacks: bool = True
    curve: bool = True
    secrets: Mapping[str, str | Path] | Secrets = field(default_factory=dict)
    options: ReadOptions | None = None
    engine: Engine | None = None
    by: str | None = None  # who says what the question says

    @property
    def decisions(self) -> Mapping[str, RoleDecision]:
        """The roles that somebody decided, in the project file or for this report, by column."""
        return (self.project or Project("no project file")).with_given(self.question.roles, self.by).decisions


def extract_of(request: ReportRequest, tell: Tell = quiet) -> Extract:
    """The original: what a search began with, or the source."""
    if request.anonymised is not None:
        before = request.anonymised.followed.before
        names = (*before.names, *before.made)
        table = before.engine.view(f"SELECT {listed(map(quoted, names))} FROM {before.table}")
        labels = {c.name: c.label for c in before.columns}
        columns = tuple(Column(name, table.kinds[name], "", label=labels.get(name)) for name in names)
        held = NumberedRows(table, before.short, before.row) if before.short is not None else None
        return Extract(request.anonymised.followed.source, table, columns, made=before.made, held=held)
    tell("Reading the data")
    return loaded_with_made(
        request.data, request.project, request.options, request.engine, named=request.question.named_columns
    )


def dataset_of(request: ReportRequest, extract: Extract) -> Dataset:
    """What the columns mean; the values as they are, whatever bins or levels were said."""
    project = request.project
    dataset = meant(extract, project, request.question)
    if request.anonymised is not None and project is None and not request.question.quasi:
        begun = request.anonymised.followed.before
        dataset = replace(dataset.with_roles({c.name: c.role.value for c in begun.columns}), subject=begun.subject)
    plain = (replace(a, bins=(), level=0) if a.role is Role.QUASI else a for a in dataset.schema)
    dataset = replace(dataset, schema=Schema(tuple(plain)), table=_held(request, dataset.table))
    table = project.population.get("table") if project else None
    return dataset if table is None else dataset.with_population(load(table, None, extract.table.engine).table)


def _held(request: ReportRequest, table: Table) -> Table:
    """The table as the search before held it, for whoever counts its records."""
    before = request.anonymised.followed.before if request.anonymised is not None else None
    if before is None or before.short is None or not set(table.columns) <= set(before.counted.columns):
        return table
    return before.engine.view(f"SELECT {listed(map(quoted, table.columns))} FROM {before.counted}")


def required_of(request: ReportRequest, dataset: Dataset) -> Policy:
    """What must hold; k, l and t without a bound where nothing was said."""
    if request.anonymised is not None and request.project is None:
        return request.anonymised.request.policy
    known = policy_of(request.project) if request.project else Policy(())
    required = asked(dataset, request.question, known)
    policy = Policy(required or request.question.shorthand.usual(dataset.schema, dataset.sensitive))
    check(dataset, policy)
    return policy
