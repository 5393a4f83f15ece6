"""The verb of assessments for a project file, whose plan may make columns that it speaks of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import ProjectError, UnusableInput
from sfumato.privacy.assess import answer, policy_of
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.meaning_of_columns import loaded, project_dataset, unconfirmed
from sfumato.privacy.question import Question
from sfumato.progress import Tell, quiet
from sfumato.project.file.source_or_project import read_project, source_and_project
from sfumato.tables.engine import Engine
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions

if TYPE_CHECKING:
    from sfumato.project.file import Project


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
        return assess_project(read_project(project), question, source=source, options=options, engine=engine, tell=tell)
    if source is None:
        raise UnusableInput("There is nothing to assess: name a file, or a project file with --project.")
    tell("Reading the data")
    return answer(load(source, options, engine), question, tell=tell)


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
    extract = _loaded(source, project, question, options, engine)
    dataset = project_dataset(project, extract)
    asked, policy = question or Question(), policy_of(project)
    assessment = answer(extract, asked, dataset=dataset, policy=policy, dropped=_dropped(project), tell=tell)
    return replace(
        assessment, open=(*assessment.open, *unconfirmed(project.with_given(question.roles if question else {})))
    )


def _dropped(project: Project) -> set[str]:
    if not project.has_plan:
        return set()
    from sfumato.project.dropped_columns import dropped  # here: most assessments have no plan

    return dropped(project)


def _loaded(
    source: str, project: Project, question: Question | None, options: ReadOptions | None, engine: Engine | None
) -> Extract:
    if not project.has_plan:
        return loaded(source, project, options, engine)
    from sfumato.plans.made_columns import loaded_with_made  # here, since all steps come with it

    return loaded_with_made(source, project, options, engine, named=question.named_columns if question else ())
