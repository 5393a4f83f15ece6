"""Understanding: what the columns of a table mean, by a project file and by what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import HierarchyError, PolicyError, ProjectError, SchemaError, UnusableInput
from sfumato.hierarchies.builders.from_file import read_hierarchy
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.question import Question
from sfumato.project.file.source_or_project import read_project, source_and_project
from sfumato.schema import Attribute, Schema
from sfumato.tables.engine import Engine, Kind
from sfumato.tables.load import engine_named, load
from sfumato.tables.source import Extract, ReadOptions

if TYPE_CHECKING:
    from sfumato.project.file import Project


def understood(dataset: Dataset, question: Question) -> Dataset:
    """A dataset whose columns mean what a question says; what it leaves out stays as it was."""
    schema = question.schema(dataset.schema)
    subject = question.subject or dataset.subject
    if subject is not None:
        schema[subject]
    hierarchies = {a.name: _hierarchy(a) for a in schema if a.hierarchy}
    missing = question.missing or dataset.missing
    return replace(
        dataset,
        schema=schema,
        subject=subject,
        missing=missing,
        hierarchies=hierarchies,
        separator=question.separator,
    )


def _hierarchy(attribute: Attribute) -> Hierarchy:
    hierarchy = read_hierarchy(str(attribute.hierarchy))
    if attribute.level > hierarchy.height:
        problem = f"its hierarchy has levels 0 to {hierarchy.height}; there is no level {attribute.level}."
        raise HierarchyError(f"Column {attribute.name!r}: {problem}")
    return hierarchy


def project_and_source(data: Any, project: Project | str | Path | None, purpose: str) -> tuple[Project | None, Any]:
    """The project file, where there is one, and the source: the data given, or those that the file names.

    A path may be either; without any, it is the sfumato.yaml of this folder.
    """
    known: Project | None
    if project is not None and not isinstance(project, str | Path):
        known, source = project, project.source if data is None else data
    elif data is not None and not isinstance(data, str | Path):
        known, source = (read_project(project) if project else None), data
    else:
        named, file = source_and_project(None if data is None else str(data), project)
        known = read_project(file) if file is not None else None
        source = named or (known.source if known else None)
    if source is None:
        raise UnusableInput(f"There is nothing to {purpose}: name a file, or a project file with --project.")
    return known, source


def loaded(
    data: Any,
    project: Project | None,
    options: ReadOptions | None,
    engine: Engine | None,
    *,
    watch: bool = False,
) -> Extract:
    """A source, read as a project file says where the options say nothing, into the engine that it names."""
    if isinstance(data, Extract):
        return data
    if project is None:
        return load(data, options, engine, watch=watch)
    said = options or ReadOptions()
    try:
        return load(data, said.completed_by(project.read_options()), engine or _engine(project), watch=watch)
    except SchemaError as error:
        raise _typed_in(project, said, error) from None


def _engine(project: Project) -> Engine:
    try:
        return engine_named(project.engine)
    except PolicyError as error:
        raise ProjectError(project.path, str(error), line=project.line_of("engine")) from None


def _typed_in(project: Project, said: ReadOptions, error: SchemaError) -> Exception:
    """The error with the line of the project file that decides the type of the column, where one does."""
    known = project.read_options()
    if error.column is None or error.column in {**said.kinds, **said.date_formats}:
        return error
    for key, decided in (("type", known.kinds), ("date_format", known.date_formats)):
        if error.column in decided:
            return ProjectError(project.path, str(error), line=project.line_of("columns", error.column, key))
    return error


def meant(extract: Extract, project: Project | None, question: Question) -> Dataset:
    """A table whose columns mean what a question says, and a project file where it says nothing."""
    return understood(project_dataset(project, extract) if project else Dataset.of(extract.table), question)


def project_dataset(project: Project, extract: Extract) -> Dataset:
    """A table whose columns mean what a project file says."""
    detected = Dataset.of(extract.table)
    schema = project.schema(extract.table.columns)
    _check_coarseness(project, schema, extract.table.kinds)
    scales = {each.name: {"scale": each.scale} for each in detected.schema if each.name not in project.scaled}
    schema = schema.with_attributes(scales)
    return replace(detected, schema=schema, subject=project.subject, missing=project.missing_values)


def _check_coarseness(project: Project, schema: Schema, kinds: Mapping[str, Kind]) -> None:
    """Refuse bins of what is no number, and hierarchies that are not there, with their line in the project file."""
    for attribute in schema:
        place, kind = ("columns", attribute.name), kinds[attribute.name]
        if attribute.bins and not kind.numeric:
            problem = f"bins of column {attribute.name!r}: bins need numbers, and the column holds {kind}."
            raise ProjectError(project.path, problem, line=project.line_of(*place, "bins"))
        if attribute.hierarchy and not Path(attribute.hierarchy).exists():
            problem = f"hierarchy of column {attribute.name!r}: there is no such file: {attribute.hierarchy}."
            raise ProjectError(project.path, problem, line=project.line_of(*place, "hierarchy"))


def unconfirmed(project: Project) -> tuple[str, ...]:
    """What to say where roles are only proposed, or not even that."""
    file, said = Path(project.path).name, []
    number = len(project.proposed - project.undecided)
    if number:
        whose = "The role of 1 column is" if number == 1 else f"The roles of {number} columns are"
        said.append(f"{whose} only proposed in {file}: confirm with `sfumato confirm`.")
    if project.undecided:
        are = "1 column is" if len(project.undecided) == 1 else f"{len(project.undecided)} columns are"
        said.append(f"{are} undecided in {file}: say what they are, by `role:`.")
    return tuple(said)
