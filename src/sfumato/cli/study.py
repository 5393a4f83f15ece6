"""`sfumato study ...` and the demonstration data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import InOrder, app
from sfumato.cli.options import Force, Json, KeyFile, Secret, secrets_of, shared
from sfumato.cli.output import asking, echo, progress, write
from sfumato.cli.use_log import typed_options
from sfumato.errors import SchemaError

if TYPE_CHECKING:
    from sfumato.proof.release_study import StudyOutcome
    from sfumato.tables.engine import Engine

study_app = typer.Typer(
    cls=InOrder,
    help="Assess a study folder: its files are combined into one table first.",
    epilog="Example: sfumato study bio-streams --root demo",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(study_app, name="study")


@study_app.command("bio-streams", epilog="Example: sfumato study bio-streams --root . --pilot PENTELI")
@shared
def bio_streams(
    root: Annotated[Path, typer.Option(metavar="DIR", help="The folder with .env and pilot_report/.")] = Path(),
    pilot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A pilot; else BIOSTREAMS_PILOT of the environment or .env. Repeatable: several are set side by side.",
        ),
    ] = None,
    all_pilots: Annotated[bool, typer.Option("--all", help="Every pilot below the folder.")] = False,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="The configuration, JSON or YAML.")] = None,
    project: Annotated[
        Path | None,
        typer.Option(
            "-p", "--project", metavar="FILE", help="Roles, bins and bounds by a project file, or by each pilot's own."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="DIR", help="Release each pilot by its project: a package, and evidence."),
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A private key that signs the manifests: `sfumato key new`.")
    ] = None,
    no_report: Annotated[bool, typer.Option("--no-report", help="Leave out the reports of releases.")] = False,
    secret: Secret = None,
    key_file: KeyFile = None,
    force: Force = False,
    json_file: Json = None,
    *,
    engine: Engine | None,
) -> None:
    """CDISC domain files of BIO-STREAMS pilots: combined, assessed on k, l and t, risky rows and summaries written."""
    from sfumato.proof.package.signature import SigningKey
    from sfumato.proof.release_study import StudyRelease, assess_and_release
    from sfumato.proof.use_log.entry import logged
    from sfumato.studies.bio_streams.study import pilots_of
    from sfumato.studies.study import opened

    if pilot and all_pilots:
        raise SchemaError("--all is every pilot: leave out --pilot.")
    secrets = secrets_of(secret, key_file)
    sign = SigningKey.read(key, secrets, asking(f"The passphrase of {key}")) if key else None
    chosen = pilots_of(root) if all_pilots else (*(pilot or ()),) or (None,)
    studies = opened(root, chosen, config=config, project=project)
    release = (
        StudyRelease(out, sign=sign, secrets=secrets, report=not no_report, overwrite=force)
        if out is not None
        else None
    )
    inputs = [file for study in studies for file in (*study.settings, *study.domain_files.values())]
    with logged("study", project, options=typed_options(), inputs=inputs, folder=root) as use:
        with progress() as tell:
            outcome = assess_and_release(studies, release, engine=engine, tell=tell)
        for package in outcome.packages:
            use.wrote(package.folder)
        use.note(outcome.verdict, records=outcome.records, flagged=outcome.flagged, met=outcome.met)
        _show_study(outcome, json_file)
        raise typer.Exit(0 if outcome.met else 1)


def _show_study(outcome: StudyOutcome, json_file: str | None) -> None:
    if json_file:
        write(json_file, outcome.to_json())
    if json_file == "-":
        return
    echo(outcome.summary)
    for file in outcome.files:
        typer.echo(f"Wrote {file}")
    for package in outcome.packages:
        typer.echo(f"Wrote the package {package.folder}, and its evidence {package.evidence}, which stays with you.")
    for refusal in outcome.refusals:
        echo(refusal)


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
