"""Columns that a plan makes, such as the length of a stay: known before the step that makes them, to be compared.

A project file may give such a column a role, bins, a hierarchy or a place in a scenario. What it would be in the
original is computed there, by the step itself, and stands beside the columns of the source; a plan begins without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import PlanError, SfumatoError
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan, Step
from sfumato.plans.plan_file import read_plan
from sfumato.plans.step_interface import Resources
from sfumato.privacy.meaning_of_columns import loaded
from sfumato.secrets import Secrets
from sfumato.tables.engine import Engine, listed, quoted
from sfumato.tables.source import Column, Extract, ReadOptions

if TYPE_CHECKING:
    from sfumato.project.file import Project


def loaded_with_made(
    data: Any,
    project: Project | None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    *,
    named: Iterable[str] = (),
    plan: Plan | str | Path | None = None,
    watch: bool = False,
) -> Extract:
    """A source, read as a project file says, with the columns that a plan makes and that it, or somebody, names.

    The plan is the one that is given, or that of the project file.
    """
    extract = loaded(data, project, options, engine, watch=watch)
    known = plan if isinstance(plan, Plan) else read_plan(plan) if plan is not None else plan_of(project)
    return with_made_columns(extract, known, (*(project.named_columns if project else ()), *named))


def plan_of(project: Project | None) -> Plan:
    """The plan in a project file; one without steps where there is none."""
    return read_plan(project.path) if project is not None and project.has_plan else Plan()


def with_made_columns(extract: Extract, plan: Plan, names: Iterable[str]) -> Extract:
    """A table with those of some columns that it lacks and a plan makes, computed from its records as they are."""
    wanted = set(names) - set(extract.table.columns)
    steps = [step for step in plan.steps if wanted.intersection(step.transformation.makes())]
    if not steps:
        return extract
    draft = Draft.of(extract)
    for step in steps:
        draft = with_made(draft, step, plan)
    made = tuple(_described(draft, steps, wanted))
    items = listed(quoted(name) for name in (*extract.table.columns, *(column.name for column in made)))
    order = "" if draft.ordered else f" ORDER BY {quoted(draft.row)}"
    table = draft.engine.view(f"SELECT {items} FROM {draft.table}{order}")
    return replace(extract, table=table, columns=(*extract.columns, *made), made=tuple(c.name for c in made))


def with_made(draft: Draft, step: Step, plan: Plan) -> Draft:
    """A draft with what a step makes, beside all that it had: what the step drops is still there."""
    resources = Resources(step=step.id, folder=plan.folder, secrets=Secrets())
    try:
        after = step.transformation.apply(draft, resources)
    except SfumatoError as error:
        line = f", line {step.line}" if step.line else ""
        raise PlanError(f"{plan.path}{line}: {error}") from None
    made = tuple(after[name] for name in step.transformation.makes())
    return replace(after, columns=(*draft.columns, *made))


def _described(draft: Draft, steps: list[Step], wanted: set[str]) -> Iterator[Column]:
    for step in steps:
        for name in step.transformation.makes():
            if name in wanted:
                yield Column(name, draft.kind(name), f"made by the plan: {step.name.replace('_', ' ')}")
