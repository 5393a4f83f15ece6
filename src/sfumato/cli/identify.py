"""`sfumato identify`: what each column seems to be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Direct, Json, MaybeSource, ProjectFile, Quasi, Sensitive, columns, listed, shared
from sfumato.cli.output import progress, show, spare_sources

if TYPE_CHECKING:
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions


@app.command(epilog="Example: sfumato identify patients.csv --write")
@shared
def identify(
    data: MaybeSource = None,
    project: ProjectFile = None,
    direct: Direct = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    non_sensitive: Annotated[list[str] | None, columns("None of these.")] = None,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="evidence (all together), or risk-rate (how rare values are, alone).")
    ] = "evidence",
    alpha: Annotated[float, typer.Option(metavar="X", help="Risk rate in per cent: above it, sensitive.")] = 10.0,
    beta: Annotated[
        float, typer.Option(metavar="X", help="Risk rate in per cent: from it on, quasi-identifier.")
    ] = 1.0,
    scope: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Influence among the primary quasi-identifiers, or among all columns: primary, all."
        ),
    ] = "primary",
    missing_values: Annotated[
        str, typer.Option(metavar="READING", help="Missing matches missing (own_value), or nothing (never_matches).")
    ] = "own_value",
    combinations: Annotated[
        int, typer.Option(metavar="N", min=0, help="Combine up to this many quasi-identifiers.")
    ] = 3,
    dictionary: Annotated[Path | None, typer.Option(metavar="FILE", help="A REDCap data dictionary (CSV).")] = None,
    recipient: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Answers about the recipient (YAML); see: recipient.")
    ] = None,
    write_roles: Annotated[
        bool, typer.Option("--write", help="Write the roles into sfumato.yaml; a decision of yours stays.")
    ] = False,
    confirm_sure: Annotated[
        bool, typer.Option("--confirm-sure", help="With --write: what is sure (0.8 and above) is written as decided.")
    ] = False,
    every_column: Annotated[
        bool, typer.Option("--every-column", help="A line for each column of a wide table, too.")
    ] = False,
    json_file: Json = None,
    *,
    engine: Engine | None,
    options: ReadOptions,
) -> None:
    """Which columns identify, which combine to identify, which are sensitive: evidence, and a proposed role for each.

    DATA may be several tables: a folder of files, a database, a workbook.
    """
    from sfumato.columns.identify import identify_source, inquiry
    from sfumato.columns.identify import write_roles as write

    spare_sources(json_file, data, project)
    asked = inquiry(
        direct=listed(direct), quasi=listed(quasi), sensitive=listed(sensitive), non_sensitive=listed(non_sensitive),
        method=method, alpha=alpha, beta=beta, scope=scope, missing_values=missing_values, dictionary=dictionary,
        recipient=recipient, combinations=combinations,
    )  # fmt: skip
    with progress() as tell:
        identification = identify_source(data, project, asked, options=options, engine=engine, tell=tell)
    show(identification.sheet(every_column=every_column), identification.to_json(), json_file)
    if write_roles:
        written = write(identification, data, project, confirm_sure=confirm_sure)
        typer.echo(written.words, err=json_file == "-")
    raise typer.Exit(2 if getattr(identification, "failures", ()) else 0)
