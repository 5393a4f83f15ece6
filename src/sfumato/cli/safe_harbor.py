"""`sfumato safe-harbor`: the 18 identifiers of HIPAA, removed and ticked off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Json, ProjectFile, Release, Source, columns, listed, shared
from sfumato.cli.output import progress, require_apart, show, spare_sources

if TYPE_CHECKING:
    from sfumato.tables.source import ReadOptions


@app.command("safe-harbor", epilog="Example: sfumato safe-harbor patients.csv -o release.csv")
@shared
def safe_harbor(
    data: Source,
    out: Release,
    keep: Annotated[list[str] | None, columns("Released as they are, whatever they hold.")] = None,
    drop: Annotated[list[str] | None, columns("Left out, as decided.")] = None,
    project: ProjectFile = None,
    year: Annotated[
        int | None,
        typer.Option(
            metavar="YEAR", min=1000, max=9999, help="The year in which ages are counted; else the latest date's."
        ),
    ] = None,
    json_file: Json = None,
    *,
    options: ReadOptions,
) -> None:
    """Remove the 18 identifiers of HIPAA's Safe Harbor, and say for each whether anything is left (exit code 1)."""
    from sfumato.plans.safe_harbor.apply import safe_harbor as run

    spare_sources(json_file, data)
    require_apart(json_file, out, what="the release")
    with progress() as tell:
        checklist = run(
            data, out, keep=listed(keep), drop=listed(drop), project=project, year=year, options=options, tell=tell
        )
    show(checklist.sheet(), checklist.to_json, json_file)
    raise typer.Exit(0 if checklist.met else 1)
