"""`sfumato hierarchy`: what the values of a column become at each level."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import (
    Decimal,
    Delimiter,
    Encoding,
    Json,
    Query,
    Source,
    Table,
    Tokens,
    Types,
    pairs,
    read_options_of,
)
from sfumato.cli.showing import progress, show, spare
from sfumato.errors import OutputError


@app.command(epilog="Example: sfumato hierarchy patients.csv age --kind intervals --set width=5 --out age.csv")
def hierarchy(
    data: Source,
    column: Annotated[str, typer.Argument(metavar="COLUMN", help="The column whose values are generalised.")],
    kind: Annotated[
        str | None, typer.Option(help="Such as ages, dates, density, intervals, masks. Inferred when left out.")
    ] = None,
    parameters: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the kind. Repeatable.")
    ] = None,
    unknown: Annotated[
        str | None, typer.Option(help="A value that has no place is an error (error), or goes to the top (top).")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the hierarchy here as CSV.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
    tree: Annotated[bool, typer.Option("--tree", help="Show the whole tree, however big.")] = False,
    json_file: Json = None,
    table: Table = None,
    query: Query = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing_token: Tokens = None,
    type_: Types = None,
) -> None:
    """Build a hierarchy for a column, or infer one, and show it as a tree. The values of that column are shown."""
    from sfumato.hierarchy_flow import hierarchy_of, store

    spare(json_file, data, None)
    options = read_options_of(table, query, delimiter, encoding, decimal, missing_token, type_)
    with progress() as tell:
        found = hierarchy_of(data, column, kind, pairs(parameters), unknown=unknown, options=options, tell=tell)
    if out is not None:
        _apart(out, data, json_file)
        store(found, out, overwrite=force)
    show(found.sheet(whole=tree), found.to_json(), json_file)
    if out is not None:
        typer.echo(f"Wrote {out}.", err=json_file == "-")


def _apart(out: Path, data: str, json_file: str | None) -> None:
    """Refuse to write the hierarchy over the data, or over the JSON."""
    if out.exists() and Path(data).exists() and out.samefile(data):
        raise OutputError(f"{out} is the data itself. Choose another file for --out.")
    if json_file not in (None, "-") and out.resolve() == Path(str(json_file)).resolve():
        raise OutputError(f"{out} is named for --out and for --json. Choose two files.")
