"""`sfumato safe-harbor`: the 18 identifiers of HIPAA, removed and ticked off."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import (
    Columns,
    Decimal,
    Delimiter,
    Encoding,
    Json,
    Query,
    Source,
    Table,
    Tokens,
    Types,
    listed,
    read_options_of,
)
from sfumato.cli.showing import progress, show, spare


@app.command("safe-harbor", epilog="Example: sfumato safe-harbor patients.csv -o release.csv")
def safe_harbor(
    data: Source,
    out: Annotated[
        Path, typer.Option("-o", "--out", help="The release: csv, parquet, xpt, sav, dta or xlsx by its ending.")
    ],
    keep: Columns = None,
    year: Annotated[
        int | None, typer.Option(min=1000, max=9999, help="The year in which ages are counted; else the latest date's.")
    ] = None,
    json_file: Json = None,
    table: Table = None,
    query: Query = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing_token: Tokens = None,
    type_: Types = None,
) -> None:
    """Remove the 18 identifiers of HIPAA's Safe Harbor, and say for each whether anything is left (exit code 1)."""
    from sfumato.safe_harbor_flow import safe_harbor as run

    spare(json_file, data)
    options = read_options_of(table, query, delimiter, encoding, decimal, missing_token, type_)
    with progress() as tell:
        found = run(data, out, keep=listed(keep), year=year, options=options, tell=tell)
    show(found.sheet(), found.to_json(), json_file)
    raise typer.Exit(0 if found.met else 1)
