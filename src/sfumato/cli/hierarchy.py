"""`sfumato hierarchy`: what the values of a column become at each level."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Force, Json, Source, pairs, shared
from sfumato.cli.output import progress, require_apart, show, spare_sources

if TYPE_CHECKING:
    from sfumato.tables.source import ReadOptions


@app.command(epilog="Example: sfumato hierarchy patients.csv age --kind intervals --set width=5 --out age.csv")
@shared
def hierarchy(
    data: Source,
    column: Annotated[str, typer.Argument(metavar="COLUMN", help="The column whose values are generalised.")],
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="ages, atc, dates, density, from_file, groups, icd10, intervals, masks, priority, quantiles or tree. "
            "Inferred when left out.",
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the kind. Repeatable.")
    ] = None,
    unknown: Annotated[
        str | None,
        typer.Option(metavar="WHAT", help="A value that has no place is an error (error), or goes to the top (top)."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write the hierarchy here as CSV.")
    ] = None,
    force: Force = False,
    tree: Annotated[bool, typer.Option("--tree", help="Show the whole tree, however big.")] = False,
    json_file: Json = None,
    *,
    options: ReadOptions,
) -> None:
    """Build a hierarchy for a column, or infer one, and show it as a tree. The values of that column are shown."""
    from sfumato.hierarchies.build import hierarchy_of, store

    spare_sources(json_file, data)
    require_apart(json_file, out, what="named for --out and for --json", instead="Choose two files.")
    require_apart(out, data, what="the data itself", instead="Choose another file for --out.")
    with progress() as tell:
        column_hierarchy = hierarchy_of(
            data, column, kind, pairs(parameters, "--set NAME=VALUE"), unknown=unknown, options=options, tell=tell
        )
    if out is not None:
        store(column_hierarchy, out, overwrite=force)
    show(column_hierarchy.sheet(whole=tree), column_hierarchy.to_json, json_file)
    if out is not None:
        typer.echo(f"Wrote {out}.", err=json_file == "-")
