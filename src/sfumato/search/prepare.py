"""A table on its way to a search, with what its columns mean, what must hold, and its hierarchies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import NothingRequired, PolicyError, ProjectError
from sfumato.hierarchies.build import Hierarchies, read_hierarchies
from sfumato.hierarchies.column_hierarchy import ColumnHierarchy, column_hierarchies
from sfumato.plans.decided_columns import Decisions
from sfumato.plans.draft import Draft
from sfumato.plans.made_columns import loaded_with_made, plan_of
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import read_plan
from sfumato.privacy.assess import asked, check, policy_of
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.meaning_of_columns import meant, unconfirmed
from sfumato.privacy.policy import Policy
from sfumato.privacy.question import Question
from sfumato.privacy.uncounted_persons import uncounted_persons
from sfumato.progress import Tell, quiet
from sfumato.schema import Role, Schema
from sfumato.secrets import Secrets
from sfumato.show.sheet import named
from sfumato.tables.engine import Engine, Table, listed, quoted
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions

if TYPE_CHECKING:
    from sfumato.project.file import Project


@dataclass(frozen=True)
class Source:
    """Where the table comes from, and what is done to it before the search."""

    data: Any
    project: Project | None = None
    hierarchies: Hierarchies | None = None
    plan: Plan | str | Path | None = None
    secrets: Mapping[str, str | Path] | Secrets = field(default_factory=dict)
    options: ReadOptions | None = None
    engine: Engine | None = None
    population: Any = None  # a table of everybody of whom the records are a sample


@dataclass(frozen=True, eq=False)
class PreparedTable:
    """A table ready to be searched."""

    extract: Extract
    before: Draft
    first: Plan  # what was done to it before the search
    draft: Draft  # after that
    dataset: Dataset  # the draft, and what its columns mean; as it is, whatever bins or levels were said
    policy: Policy
    hierarchies: Mapping[str, ColumnHierarchy]
    secrets: Secrets
    notes: tuple[str, ...]
    confirmed: Mapping[str, Role]  # the roles that a person gave
    undecided: tuple[str, ...] = ()  # columns that nobody decided about, and that therefore stay behind
    open: tuple[str, ...] = ()  # what a person has to answer for, though the policy may be met


def prepare(source: Source, question: Question, tell: Tell = quiet, *, proposals: bool = False) -> PreparedTable:
    """Read the table, follow the plan that comes before, and find a hierarchy for each quasi-identifier.

    Columns that nobody decided about stay behind; `proposals` are roles that nobody confirmed and that are taken for
    decisions, to see what would come of them.
    """
    project = source.project.with_given(question.roles) if source.project else None
    tell("Reading the data")
    first = _first(source)
    options = replace(source.options or ReadOptions(), counted=True)  # grouped, followed and compared
    extract = loaded_with_made(
        source.data, project, options, source.engine, named=question.named_columns, plan=first, watch=True
    )
    original = meant(extract, project, question)
    first = replace(first, subject=original.subject)
    secrets = Secrets.of(source.secrets, folder=Path(project.path).parent if project else first.folder)
    decisions = Decisions.of(project, question, first).with_columns(extract.made)  # what a step makes is decided
    taken = project.proposed - project.undecided if project and proposals else frozenset()
    undecided = tuple(name for name in decisions.undecided(original.schema.columns) if name not in taken)
    original = original.with_roles(dict.fromkeys(undecided, Role.NON_SENSITIVE))
    before = Draft.of(extract, subject=original.subject, roles={a.name: a.role for a in original.schema})
    before = before.held(extract.table.count(), made=True)
    if before.short is not None:
        before.engine.only_short(extract.table, before.short)
    known_from = [a.name for a in original.schema if a.role is Role.QUASI]  # compared with what becomes of them
    # Where each statement takes its time to start a join is saved; elsewhere it takes less than what comes instead.
    begun = before.taking_along(known_from) if before.engine.waits else before
    draft = first.apply(begun, secrets, tell)
    said = {**(project.decided() if project else {}), **question.roles}
    unsaid = {name: draft[name].role for name in extract.made if name in draft.names and name not in said}
    known = replace(original.with_roles(unsaid), population=_population(source, first, extract))
    dataset = dataset_of_draft(draft, known)
    policy = Policy(asked(dataset, question, policy_of(project) if project else Policy(())))
    _check_decided(dataset, policy, project, undecided)
    _check(dataset, policy)
    tell("Preparing the hierarchies")
    given = read_hierarchies(source.hierarchies, dataset.quasi_identifiers) | dict(dataset.hierarchies)
    bins = {a.name: a.bins for a in dataset.schema if a.bins}
    here = Extract(extract.name, _everywhere(dataset), tuple(c for c in extract.columns if c.name in draft.names))
    hierarchies = column_hierarchies(here, dataset.quasi_identifiers, given, bins)
    placed = {name: column.hierarchy for name, column in hierarchies.items()}
    plain = replace(dataset, table=draft.counted_table(), schema=_plain(dataset.schema), hierarchies=placed)
    used = project is not None and not project.proposed.issubset(undecided)
    return PreparedTable(
        extract=extract,
        before=before,
        first=first,
        draft=draft,
        dataset=plain,
        policy=policy,
        hierarchies=hierarchies,
        secrets=secrets,
        notes=tuple(extract.notes),
        confirmed=said,
        undecided=tuple(name for name in undecided if name in draft.names),
        open=(*(unconfirmed(project) if project and used else ()), *uncounted_persons(original)),
    )


def dataset_of_draft(draft: Draft, known: Dataset) -> Dataset:
    """A draft, understood as the table that it came from; a column of another kind now has the scale of that kind."""
    table = draft.released_table()
    detected, kinds = Dataset.of(table), known.table.kinds
    attributes = []
    for own in detected.schema:
        # What a step made is what the columns are that it comes from.
        said = known.schema[own.name] if own.name in kinds else replace(own, role=draft[own.name].role)
        if draft[own.name].sealed:  # nobody knows a token, and no two are the same
            said = replace(own, role=Role.NON_SENSITIVE)
        same = own.name in kinds and kinds[own.name] is table.kinds[own.name]
        attributes.append(said if same else replace(said, scale=own.scale, bins=()))
    place = {name: i for i, name in enumerate(known.schema.columns)}
    ordered = sorted(attributes, key=lambda attribute: place.get(attribute.name, len(place)))
    subject = known.subject if known.subject in table.columns else None
    return replace(known, table=table, schema=Schema(tuple(ordered)), subject=subject)


def _first(source: Source) -> Plan:
    """The plan that comes before: given, or in the project file."""
    if source.plan is None:
        return plan_of(source.project)
    return source.plan if isinstance(source.plan, Plan) else read_plan(source.plan)


def _population(source: Source, first: Plan, extract: Extract) -> Table | None:
    """The table of the population: given, or named in the project file."""
    named = source.project.population.get("table") if source.project else None
    population = source.population if source.population is not None else named
    if population is None:
        return None
    if first.steps:
        raise PolicyError(
            "A plan before the search changes the records and not the population, so they cannot be compared. Leave "
            "out the plan, or the population."
        )
    return load(population, None, extract.table.engine).table


def _everywhere(dataset: Dataset) -> Table:
    """The values that a hierarchy has to place: those of the records, and those of the population."""
    if dataset.population is None:
        return dataset.table
    names = listed(quoted(name) for name in dataset.quasi_identifiers)
    everybody = dataset.everybody().table
    return dataset.table.engine.view(f"SELECT {names} FROM {dataset.table} UNION ALL SELECT {names} FROM {everybody}")


def _plain(schema: Schema) -> Schema:
    """The quasi-identifiers as they are: a search begins with the values themselves."""
    return Schema(tuple(replace(a, bins=(), level=0) if a.role is Role.QUASI else a for a in schema))


def _check_decided(dataset: Dataset, policy: Policy, project: Project | None, undecided: tuple[str, ...]) -> None:
    """Refuse where what is asked for rests on roles that are only proposed."""
    proposed = [name for name in undecided if project and name in project.proposed]
    about = [str(getattr(r.measure, "sensitive", None)) for r in policy.requirements]
    needed = [name for name in proposed if name in about]
    if proposed and not dataset.schema.columns_with(Role.QUASI):
        needed = proposed
    if needed and project:
        raise ProjectError(
            project.path,
            f"what is asked for rests on roles that are only proposed ({named(needed)}), and what nobody decided about "
            f"is not released. Confirm them (`sfumato confirm`), give what is `undecided` a role, or take all "
            f"proposals with --release-rest.",
        )


def _check(dataset: Dataset, policy: Policy) -> None:
    if all(requirement.bound is None for requirement in policy.requirements):
        raise NothingRequired
    if not dataset.quasi_identifiers:
        return
    check(dataset, policy)
