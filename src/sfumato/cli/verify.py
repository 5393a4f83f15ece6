"""`sfumato verify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Evidence, HierarchyFolder, Json, KeyFile, Secret, secrets_of, shared
from sfumato.cli.output import progress, require_apart, show

if TYPE_CHECKING:
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions


@app.command(epilog="Example: sfumato verify release --key hospital.pem.pub")
@shared
def verify(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A release package: a folder with manifest.json.")],
    evidence: Evidence = None,
    original: Annotated[
        str | None, typer.Option(metavar="DATA", help="The original: the plan of the evidence is followed on it.")
    ] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The public key of whoever signed.")] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The log of use, for the head in the manifest.")
    ] = None,
    project: Annotated[
        Path | None,
        typer.Option("-p", "--project", metavar="FILE", help="The project file, for how the original is read."),
    ] = None,
    hierarchies: HierarchyFolder = None,
    secret: Secret = None,
    key_file: KeyFile = None,
    json_file: Json = None,
    *,
    engine: Engine | None,
    options: ReadOptions,
) -> None:
    """Whether a release is what it says: files, words and readings; with evidence and original, all of it."""
    from sfumato.project.file import Project
    from sfumato.proof.package.follow_again import Original
    from sfumato.proof.verify import verify as verified

    require_apart(json_file, original, key, log, project, what="something that is read")
    known = Project.read(project) if project else None
    secrets = secrets_of(secret, key_file)
    before = Original(original, known, hierarchies, secrets, options, engine) if original else None
    with progress() as tell:
        verification = verified(folder, before, evidence=evidence, key=key, log=log, engine=engine, tell=tell)
    show(verification.sheet(), verification.to_json, json_file)
    raise typer.Exit(0 if verification.agrees else 1)
