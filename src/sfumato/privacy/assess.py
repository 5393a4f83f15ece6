"""The verbs: load, assess. What the command line, a notebook and a service call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.errors import (
    PolicyError,
    ProjectError,
    SfumatoError,
    UnusableInput,
    WrongScale,
)
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.meaning_of_columns import loaded, project_dataset, unconfirmed, understood
from sfumato.privacy.policy import Policy, Requirement
from sfumato.privacy.question import Question
from sfumato.privacy.read_measures import assess_dataset
from sfumato.privacy.requirement_text import bounded
from sfumato.progress import Tell, quiet
from sfumato.project.file import Project, source_and_project
from sfumato.tables.engine import Engine
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions


def assess(
    data: Any,
    *,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    subject: str | None = None,
    k: int | None = None,
    l: float | None = None,  # noqa: E741
    t: float | None = None,
    distance: str | Mapping[str, str] | None = None,
    bins: Mapping[str, Sequence[float]] | None = None,
    sensitive_bins: Mapping[str, Sequence[float]] | None = None,
    hierarchies: Mapping[str, str] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    scales: Mapping[str, str] | None = None,
    count_missing: bool = False,
    requirements: Iterable[Requirement | str] = (),
    missing_values: str = "own_value",
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Assessment:
    """Read k, l, t and any other measure off a table, and flag every record.

    `data` is a pandas, polars or Arrow frame, a file, or an `Extract` that was loaded before. `l` and `t` hold
    for each sensitive column; `distance` is total-variation, ordered or wasserstein, for all of them or by
    column. `bins` are edges by column for numeric quasi-identifiers, `sensitive_bins` for l only; `hierarchies`
    are files and levels ("postcode.csv@2"), `orders` the values of ordinal columns, `scales` nominal for codes that
    only look like numbers.
    `requirements` are further ones, such as "entropy_l_diversity(diagnosis) >= 2".

    >>> import pyarrow as pa
    >>> table = pa.table({"age": [30, 30, 40], "diagnosis": ["flu", "cold", "flu"]})
    >>> found = assess(table, quasi=["age"], sensitive=["diagnosis"], k=2)
    >>> found.met, found.sizes.smallest, found.readings[0].flagged
    (False, 1, 1)
    """
    question = Question.written(
        quasi=quasi, sensitive=sensitive, subject=subject, k=k, l=l, t=t,
        distances={"": distance} if isinstance(distance, str) else distance, requirements=requirements,
        bins=bins, sensitive_bins=sensitive_bins, hierarchies=hierarchies, orders=orders, scales=scales,
        missing=missing_values, count_missing=count_missing,
    )  # fmt: skip
    extract = data if isinstance(data, Extract) else load(data, options, engine)
    return answer(extract, question, tell=tell)


def assess_source(
    source: str | None,
    project: str | Path | None,
    question: Question,
    *,
    options: ReadOptions,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Assessment:
    """Assess a source, or what a project file describes; what the question says goes before the file."""
    source, project = source_and_project(source, project)
    if project is not None:
        return assess_project(Project.read(project), question, source=source, options=options, engine=engine, tell=tell)
    if source is None:
        raise UnusableInput("There is nothing to assess: name a file, or a project file with --project.")
    tell("Reading the data")
    return answer(load(source, options, engine), question, tell=tell)


def sources_of(source: str | Path | None, project: str | Path | None) -> tuple[Path, ...]:
    """The files that an assessment reads: data, project file, and the data that it names."""
    source, project = source_and_project(None if source is None else str(source), project)
    named = Project.read(project).source if project is not None else None
    return tuple(Path(file) for file in (source, project, named) if file and "://" not in str(file))


def assess_project(
    project: Project,
    question: Question | None = None,
    *,
    source: str | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Assessment:
    """Assess what a project file describes; what the question says goes before the file."""
    source = source or project.source
    if source is None:
        raise ProjectError(project.path, "there is no `data: source:`, so there is nothing to assess.")
    tell("Reading the data")
    extract = loaded(source, project, options, engine)
    dataset = project_dataset(project, extract)
    found = answer(extract, question or Question(), dataset=dataset, policy=policy_of(project), tell=tell)
    return replace(found, notes=(*found.notes, *unconfirmed(project)))


def answer(
    extract: Extract,
    question: Question,
    *,
    dataset: Dataset | None = None,
    policy: Policy | None = None,
    tell: Tell = quiet,
) -> Assessment:
    """Assess a table that was loaded before."""
    dataset = understood(dataset or Dataset.of(extract.table), question)
    required = asked(dataset, question, policy or Policy(()))
    policy = Policy(required or question.shorthand.usual(dataset.schema, dataset.sensitive))
    check(dataset, policy)
    found = assess_dataset(dataset, policy, source=extract.name, tell=tell)
    return replace(found, columns=extract.columns, notes=(*extract.notes, *found.notes))


def asked(dataset: Dataset, question: Question, policy: Policy) -> tuple[Requirement, ...]:
    """What a file requires, and what a question asks for, which goes before it."""
    more = question.shorthand.requirements(dataset.schema, dataset.sensitive) + question.requirements
    return _overruled(policy.requirements, more)


def check(dataset: Dataset, policy: Policy) -> None:
    """Refuse a requirement about a column that is not sensitive, or of another kind."""
    for requirement in policy.requirements:
        named = getattr(requirement.measure, "sensitive", None)
        if named is not None and named not in dataset.sensitive:
            dataset.schema[named]
            raise PolicyError(
                f"{requirement.measure.name()} is about {named!r}, which is not a sensitive column. "
                f"Name it with --sensitive, or give it the role sensitive."
            )
        if named and getattr(requirement.measure, "bins", ()) and not dataset.table.kinds[named].numeric:
            raise WrongScale(f"{requirement.measure.name()} has bins, which needs numbers in {named!r}.")
    dataset.quasi_identifiers  # noqa: B018  a table without quasi-identifiers is refused before it is read


def policy_of(project: Project) -> Policy:
    """What a project file requires."""
    found = []
    for entry in project.measures:
        try:
            found.append(bounded(entry.measure, entry.parameters, at_least=entry.at_least, at_most=entry.at_most))
        except SfumatoError as error:
            raise ProjectError(project.path, str(error), line=entry.line) from None
    return Policy(tuple(found))


def _overruled(before: Iterable[Requirement], asked: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """The requirements of a file, except those that were asked for with another bound, and what was asked for."""
    asked = tuple(dict.fromkeys(asked))
    measured = {requirement.measure for requirement in asked}
    return (*(requirement for requirement in before if requirement.measure not in measured), *asked)
