"""`sfumato apply` and `sfumato plan ...`: what is done to a table, and what that means."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import InOrder, app
from sfumato.cli.options import (
    ColumnOptions,
    Evidence,
    HierarchyFolder,
    Json,
    KeyFile,
    Quasi,
    Release,
    Secret,
    Source,
    Subject,
    listed,
    secrets_of,
    shared,
)
from sfumato.cli.output import as_json, echo, progress, require_apart, show, spare_sources, write
from sfumato.cli.use_log import recorded

if TYPE_CHECKING:
    from sfumato.proof.use_log.entry import Use
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions


plan_app = typer.Typer(
    cls=InOrder,
    help="What a plan does, step by step.",
    epilog="Example: sfumato plan show plan.yaml",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(plan_app, name="plan")

PlanFile = Annotated[
    Path, typer.Argument(metavar="PLAN", help="A plan, or a project file with a plan (YAML); or recipe:NAME.")
]


@app.command(epilog="Example: sfumato apply plan.yaml patients.csv -o release.parquet --subject patient_id")
@shared
@recorded
def apply(
    plan: PlanFile,
    data: Source,
    out: Release,
    *,
    columns: ColumnOptions,
    secret: Secret = None,
    key_file: KeyFile = None,
    hierarchies: HierarchyFolder = None,
    evidence: Evidence = None,
    json_file: Json = None,
    engine: Engine | None,
    options: ReadOptions,
    use: Use,
) -> None:
    """Apply a plan to a table: the release is written whole or not at all, with a record of how it came about."""
    from sfumato.plans.apply import apply_plan, provenance_path
    from sfumato.privacy.question import Question

    question = Question.written(**columns.named())
    spare_sources(json_file, data)
    require_apart(json_file, plan, out, provenance_path(out), what="the plan or the release")
    with progress() as tell:
        applied = apply_plan(
            plan, data, out, subject=question.subject, roles=question.roles, release_rest=question.release_rest,
            secrets=secrets_of(secret, key_file), hierarchies=hierarchies, evidence=evidence, options=options,
            engine=engine, tell=tell,
        )  # fmt: skip
    released = applied.content.output
    use.wrote(applied.path)
    use.note("The release was written.", records=released.records, columns=len(released.columns))
    if json_file:
        write(json_file, as_json(applied.document()))
    if json_file != "-":
        columns_written = f"{len(released.columns)} column{'s' if len(released.columns) != 1 else ''}"
        typer.echo(f"Wrote {applied.path}: {released.records} records, {columns_written}.")
        for words in applied.words:
            echo(words)
        typer.echo(f"How it came about: {applied.record}")


@plan_app.command("show", epilog="Example: sfumato plan show plan.yaml")
@shared
def show_plan(plan: PlanFile, json_file: Json = None) -> None:
    """Every step of a plan in a sentence, with made-up examples; the data are not looked at."""
    from sfumato.plans.apply import plan_document
    from sfumato.plans.plan_file import read_plan
    from sfumato.show.sheets.plan import plan_sheet

    document = plan_document(read_plan(plan))
    show(plan_sheet(document), lambda: as_json(document.plain()), json_file)


@plan_app.command("effects", epilog="Example: sfumato plan effects plan.yaml patients.csv --quasi age,sex,postcode")
@shared
def effects(
    plan: PlanFile,
    data: Source,
    quasi: Quasi = None,
    subject: Subject = None,
    secret: Secret = None,
    key_file: KeyFile = None,
    hierarchies: HierarchyFolder = None,
    json_file: Json = None,
    *,
    engine: Engine | None,
    options: ReadOptions,
) -> None:
    """Risk and utility before a plan and after each of its steps; nothing is written."""
    from sfumato.show.sheets.effects import effects_sheet
    from sfumato.utility.step_effects import effects as effects_of

    spare_sources(json_file, data)
    require_apart(json_file, plan, what="the plan")
    with progress() as tell:
        document = effects_of(
            plan, data, quasi=listed(quasi), subject=subject, secrets=secrets_of(secret, key_file),
            hierarchies=hierarchies, options=options, engine=engine, tell=tell,
        )  # fmt: skip
    show(effects_sheet(document), lambda: as_json(document.plain()), json_file)


@plan_app.command("steps", epilog="Example: sfumato plan steps top_code")
def steps(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One transformation, in full.")] = None,
    json_file: Json = None,
) -> None:
    """The transformations there are, what each does, and its parameters."""
    from sfumato.plans.catalogue import transformations_document
    from sfumato.show.sheets.plan import transformations_sheet

    document = transformations_document(name)
    show(transformations_sheet(document), lambda: as_json(document.plain()), json_file)


@plan_app.command("recipes", epilog="Example: sfumato plan recipes")
def recipes(json_file: Json = None) -> None:
    """The plans that come with Sfumato: apply one as recipe:NAME."""
    from sfumato.plans.recipes import recipes_document
    from sfumato.show.sheets.plan import recipes_sheet

    document = recipes_document()
    show(recipes_sheet(document), lambda: as_json(document.plain()), json_file)
