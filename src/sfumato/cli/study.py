"""`sfumato study ...` and the demonstration data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.app import app, study_app
from sfumato.cli.options import Json
from sfumato.cli.output import progress, write


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


@app.command(epilog="Example: sfumato demo --folder demo")
def demo(
    folder: Annotated[Path, typer.Option(metavar="DIR", help="Where to write the made-up data.")] = Path("demo"),
    table: Annotated[
        str, typer.Option(metavar="NAME", help="What to make up: pilot, ms, hospital, identified, census.")
    ] = "pilot",
    rows: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="How many rows, for all but pilot and hospital.")
    ] = None,
) -> None:
    """Write made-up data for trying things out: a pilot of 633 children, or one table."""
    if table != "pilot":
        from sfumato.studies.demonstrations import write_demonstration

        typer.echo(f"Wrote {write_demonstration(table, folder, rows)}")
        return
    from sfumato.studies.bio_streams.pilot import write_pilot

    write_pilot(folder)
    typer.echo(f"Wrote a made-up pilot to {folder}")
