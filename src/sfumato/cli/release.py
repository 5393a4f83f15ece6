"""`sfumato release`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Force, Format, Json, KeyFile, Secret, UsualProject, secrets_of, shared
from sfumato.cli.output import asking, echo, progress, release_name, show
from sfumato.cli.use_log import recorded

if TYPE_CHECKING:
    from sfumato.proof.use_log.entry import Use
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions


EvidenceFolder = Annotated[
    Path | None,
    typer.Option("--evidence", metavar="DIR", help="The folder that stays with you; OUT-evidence if not said."),
]


@app.command(epilog="Example: sfumato release -p clinic.yaml --out package --key steward.pem")
@shared
@recorded
def release(
    project: UsualProject = Path("sfumato.yaml"),
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="The folder of the package.")] = Path(
        "release"
    ),
    file_format: Format = "csv",
    evidence: EvidenceFolder = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A private key that signs the manifest: `sfumato key new`.")
    ] = None,
    no_report: Annotated[bool, typer.Option("--no-report", help="Leave out the reports.")] = False,
    secret: Secret = None,
    key_file: KeyFile = None,
    force: Force = False,
    json_file: Json = None,
    *,
    engine: Engine | None,
    options: ReadOptions,
    use: Use,
) -> None:
    """Run a project file from end to end: a package to hand on and the evidence that stays, or a refusal."""
    from sfumato.proof.package.signature import SigningKey
    from sfumato.proof.release import release as released

    secrets = secrets_of(secret, key_file)
    sign = SigningKey.read(key, secrets, asking(f"The passphrase of {key}")) if key else None
    with progress() as tell:
        package = released(
            project, out, name=release_name(file_format), evidence=evidence, key=sign, report=not no_report,
            overwrite=force, secrets=secrets, options=options, engine=engine, tell=tell,
        )  # fmt: skip
    use.wrote(package.folder)
    solution = package.anonymised.solution
    use.note(package.anonymised.sheet().verdict, records=solution.records, suppressed=solution.suppressed, met=True)
    show(package.anonymised.sheet(), package.anonymised.to_json, json_file)
    if json_file != "-":
        typer.echo(f"Wrote the package {package.folder}: {', '.join(package.files)}.")
        typer.echo(f"Wrote the evidence {package.evidence}: it stays with you, and is not to be handed on.")
        if package.kept_choice:
            typer.echo(f"Wrote the way that was taken into {project}, so that it stays; another one goes there too.")
        echo(f"Verdict: {package.anonymised.verdict.words}.")
