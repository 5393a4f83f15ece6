"""Understanding: what the columns of a table mean, by a project file and by what is asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sfumato.dataset import Dataset
from sfumato.hierarchies.from_file import read_hierarchy
from sfumato.project import Project
from sfumato.question import Question
from sfumato.source import Extract, ReadOptions


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
