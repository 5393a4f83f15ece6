"""`sfumato deliver` and `sfumato report-use`: to whom a package was handed, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Json, UsualProject
from sfumato.cli.output import progress, require_apart, show

On = Annotated[str | None, typer.Option(metavar="DAY", help="When: 2026-05-31; today.")]


@app.command(epilog="Example: sfumato deliver release --to 'University of Aba' --purpose 'Asthma registry, study 12'")
def deliver(
    package: Annotated[Path, typer.Argument(metavar="PACKAGE", help="A release package: a folder with manifest.json.")],
    to: Annotated[str, typer.Option(metavar="WHOM", help="Who receives it.")],
    purpose: Annotated[str, typer.Option(metavar="WHY", help="What for.")],
    on: On = None,
    project: UsualProject = Path("sfumato.yaml"),
    anyway: Annotated[
        str | None, typer.Option(metavar="REASON", help="Although a check fails: why. It is written down.")
    ] = None,
    json_file: Json = None,
) -> None:
    """Write to the log of use to whom a package is handed, when and for which purpose.

    The package must be one that the log says was released, and be what it says.
    """
    from sfumato.proof.deliver import deliver as delivered

    require_apart(json_file, project, what="the project file")
    with progress() as tell:
        delivery = delivered(package, to=to, purpose=purpose, on=on, project=project, anyway=anyway, tell=tell)
    show(delivery.sheet(), delivery.to_json, json_file)


@app.command(epilog="Example: sfumato report-use release --by 'University of Aba' --use 'Figure 2 of a report'")
def report_use(
    package: Annotated[
        str, typer.Argument(metavar="PACKAGE", help="The package: its folder, or the hash of its manifest.")
    ],
    by: Annotated[str, typer.Option(metavar="WHOM", help="Who received it, as `deliver` named them.")],
    use: Annotated[str, typer.Option(metavar="TEXT", help="What it was used for, as they say.")],
    on: On = None,
    project: UsualProject = Path("sfumato.yaml"),
    json_file: Json = None,
) -> None:
    """Write to the log of use what the recipient of a package reports of its use."""
    from sfumato.proof.deliver import report_use as reported

    require_apart(json_file, project, what="the project file")
    told = reported(package, by=by, use=use, on=on, project=project)
    show(told.sheet(), told.to_json, json_file)
