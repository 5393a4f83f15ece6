"""Understanding: what the columns of a table mean, by a project file and by what is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.dataset import Dataset
from sfumato.engine import Engine
from sfumato.errors import UnusableInput
from sfumato.hierarchies.from_file import read_hierarchy
from sfumato.loading import engine_named, load
from sfumato.project import Project, told_apart
from sfumato.question import Question
from sfumato.source import Extract, ReadOptions

NAMED = 6  # columns of a list that are named before the rest is counted


def understood(dataset: Dataset, question: Question) -> Dataset:
    """A dataset whose columns mean what a question says; what it leaves out stays as it was."""
    schema = question.schema(dataset.schema)
    subject = question.subject or dataset.subject
    if subject is not None:
        schema[subject]
    hierarchies = {a.name: read_hierarchy(a.hierarchy) for a in schema if a.hierarchy}
    missing = question.missing or dataset.missing
    return replace(
        dataset,
        schema=schema,
        subject=subject,
        missing=missing,
        hierarchies=hierarchies,
        separator=question.separator,
    )


def project_and_source(data: Any, project: Project | str | Path | None, purpose: str) -> tuple[Project | None, Any]:
    """The project file, where there is one, and the source: the data given, or those that the file names.

    A path may be either; without any, it is the sfumato.yaml of this folder.
    """
    known: Project | None
    if isinstance(project, Project):
        known, found = project, project.source if data is None else data
    elif data is not None and not isinstance(data, str | Path):
        known, found = (Project.read(project) if project else None), data
    else:
        given, file = told_apart(None if data is None else str(data), project)
        known = Project.read(file) if file is not None else None
        found = given or (known.source if known else None)
    if found is None:
        raise UnusableInput(f"There is nothing to {purpose}: name a file, or a project file with --project.")
    return known, found


def loaded(data: Any, project: Project | None, options: ReadOptions | None, engine: Engine | None) -> Extract:
    """A source, read as a project file says where the options say nothing, into the engine that it names."""
    if isinstance(data, Extract):
        return data
    if project is None:
        return load(data, options, engine)
    given = completed(options or ReadOptions(), project.read_options())
    return load(data, given, engine or engine_named(project.engine))


def meant(extract: Extract, project: Project | None, question: Question) -> Dataset:
    """A table whose columns mean what a question says, and a project file where it says nothing."""
    return understood(project_dataset(project, extract) if project else Dataset.of(extract.table), question)


def project_dataset(project: Project, extract: Extract) -> Dataset:
    """A table whose columns mean what a project file says."""
    detected = Dataset.of(extract.table)
    schema = project.schema(extract.table.columns)
    for attribute in schema:
        if attribute.name not in project.scaled:
            schema = schema.with_attribute(attribute.name, scale=detected.schema[attribute.name].scale)
    return replace(detected, schema=schema, subject=project.subject, missing=project.missing_values)


def completed(options: ReadOptions, others: ReadOptions) -> ReadOptions:
    """Options, completed by others where they say nothing."""
    given = {name: value for name, value in vars(options).items() if value not in (None, {}, ())}
    kinds = {**others.kinds, **options.kinds}
    return replace(others, **{**given, "kinds": kinds})


def unconfirmed(project: Project) -> tuple[str, ...]:
    """What to say where roles are only proposed."""
    number = len(project.proposed)
    if not number:
        return ()
    whose = "The role of 1 column is" if number == 1 else f"The roles of {number} columns are"
    return (f"{whose} only proposed in {Path(project.path).name}: confirm by deleting `proposed: true`.",)


def undecided(columns: Iterable[str], project: Project | None, question: Question) -> tuple[str, ...]:
    """What to say of columns that nobody gave a role: nothing is asked of them, and they are in the release."""
    decided = {attribute.name for attribute in project.attributes} if project else set()
    decided |= {*question.quasi, *question.sensitive, *question.direct}
    subject = question.subject or (project.subject if project else None)
    names = [name for name in columns if name not in decided and name != subject]
    if not names:
        return ()
    more = len(names) - NAMED
    listed = ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")
    has, them = ("1 column has", "it is") if len(names) == 1 else (f"{len(names)} columns have", "they are")
    return (f"{has} no role, so no protection was asked for, and {them} released: {listed}.",)
