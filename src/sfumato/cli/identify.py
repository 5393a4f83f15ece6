"""`sfumato identify`: what each column seems to be; `sfumato recipient`: who will receive the data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import (
    Columns,
    Decimal,
    Delimiter,
    Encoding,
    Json,
    MaybeSource,
    Query,
    Table,
    Tokens,
    Types,
    engine_of,
    listed,
    read_options_of,
)
from sfumato.cli.showing import progress, show, spare

if TYPE_CHECKING:
    from sfumato.identification import Identification, Identifications
    from sfumato.source import ReadOptions


@app.command(epilog="Example: sfumato identify patients.csv --write")
def identify(
    data: MaybeSource = None,
    project: Annotated[Path | None, typer.Option(help="A project file (sfumato.yaml).")] = None,
    direct: Columns = None,
    quasi: Columns = None,
    sensitive: Columns = None,
    non_sensitive: Columns = None,
    method: Annotated[str, typer.Option(help="evidence (all together), or risk-rate (g-distinct alone).")] = "evidence",
    alpha: Annotated[float, typer.Option(help="Risk rate in per cent: above it, sensitive.")] = 10.0,
    beta: Annotated[float, typer.Option(help="Risk rate in per cent: from it on, quasi-identifier.")] = 1.0,
    scope: Annotated[
        str, typer.Option(help="Influence among the primary quasi-identifiers, or among all columns: primary, all.")
    ] = "primary",
    missing_values: Annotated[
        str, typer.Option(help="Missing matches missing (own_value), or nothing (never_matches).")
    ] = "own_value",
    combinations: Annotated[int, typer.Option(min=0, help="Combine up to this many quasi-identifiers.")] = 3,
    dictionary: Annotated[Path | None, typer.Option(help="A REDCap data dictionary (CSV).")] = None,
    recipient: Annotated[Path | None, typer.Option(help="Answers about the recipient (YAML); see: recipient.")] = None,
    write_roles: Annotated[
        bool, typer.Option("--write", help="Write the roles into sfumato.yaml; a decision of yours stays.")
    ] = False,
    json_file: Json = None,
    engine: Annotated[str | None, typer.Option(help="duckdb or spark.")] = None,
    memory: Annotated[str | None, typer.Option(help="What DuckDB may use before it spills to disk, e.g. 4GB.")] = None,
    master: Annotated[str | None, typer.Option(help="The Spark master, for --engine spark.")] = None,
    table: Table = None,
    query: Query = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing_token: Tokens = None,
    type_: Types = None,
) -> None:
    """Which columns identify, which combine to identify, which are sensitive: evidence, and a proposed role for each.

    DATA may be several tables: a folder of files, a database, a workbook.
    """
    from sfumato.identify_flow import identify_asked, inquiry

    spare(json_file, data, project)
    asked = inquiry(
        direct=listed(direct), quasi=listed(quasi), sensitive=listed(sensitive), non_sensitive=listed(non_sensitive),
        method=method, alpha=alpha, beta=beta, scope=scope, missing_values=missing_values, dictionary=dictionary,
        recipient=recipient, combinations=combinations,
    )  # fmt: skip
    options = read_options_of(table, query, delimiter, encoding, decimal, missing_token, type_)
    with progress() as tell:
        held = engine_of(engine, master, memory)
        found = identify_asked(data, project, asked, options=options, engine=held, tell=tell)
    show(found.sheet(), found.to_json(), json_file)
    if write_roles:
        typer.echo(_written(found, data, project, options), err=json_file == "-")
    raise typer.Exit(2 if getattr(found, "failures", ()) else 0)


def _written(
    found: Identification | Identifications, data: str | None, project: Path | None, options: ReadOptions
) -> str:
    from sfumato.identify_flow import write_roles

    path, proposals = write_roles(found, data, project, options)
    return f"Wrote {path}: {proposals} proposed roles. Confirm each: delete its `proposed: true`."
