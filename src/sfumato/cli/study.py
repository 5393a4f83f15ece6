"""`sfumato study ...` and the demonstration data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.app import app, study_app
from sfumato.cli.options import Force, Json
from sfumato.cli.output import progress, write
from sfumato.errors import SchemaError


@study_app.command("bio-streams", epilog="Example: sfumato study bio-streams --root . --pilot PENTELI")
def bio_streams(
    root: Annotated[Path, typer.Option(metavar="DIR", help="The folder with .env and pilot_report/.")] = Path(),
    pilot: Annotated[
        str | None, typer.Option(metavar="NAME", help="The pilot; else BIOSTREAMS_PILOT of the environment or .env.")
    ] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="The configuration, JSON or YAML.")] = None,
    json_file: Json = None,
) -> None:
    """CDISC domain files of a BIO-STREAMS pilot: combined, assessed on k, l and t, risky rows and summary written."""
    from sfumato.studies.study import bio_streams as run

    with progress() as tell:
        outcome = run(root, pilot=pilot, config=config, tell=tell)
    if json_file:
        write(json_file, outcome.assessment.to_json())
    if json_file != "-":
        typer.echo(outcome.summary)
        for file in outcome.files:
            typer.echo(f"Wrote {file}")
    raise typer.Exit(1 if outcome.assessment.met is False else 0)


@app.command(epilog="Example: sfumato demo")
def demo(
    folder: Annotated[Path, typer.Option(metavar="DIR", help="Where to write the made-up data.")] = Path("demo"),
    table: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Only one: ms, hospital, identified, census, pilot (a study), pages (what the documentation uses).",
        ),
    ] = None,
    rows: Annotated[int | None, typer.Option(metavar="N", min=1, help="How many, of ms, identified or census.")] = None,
    force: Force = False,
) -> None:
    """Write a folder of made-up data for trying things out, or one table: nobody in it ever lived."""
    from sfumato.studies.demo import demo_folder, demo_part

    if table is None and rows is not None:
        raise SchemaError("--rows belongs to one table: name it with --table.")
    made = demo_part(table, folder, rows, overwrite=force) if table else demo_folder(folder, overwrite=force)
    for line in made.lines():
        typer.echo(line)
