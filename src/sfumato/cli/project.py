"""`sfumato init`, `sfumato schema` and `sfumato measures`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Force, Json, Source, shared
from sfumato.cli.output import as_json, progress, require_apart, show, write

if TYPE_CHECKING:
    from sfumato.tables.source import ReadOptions


@app.command(epilog="Example: sfumato init patients.csv --out sfumato.yaml")
@shared
def init(
    data: Source,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The project file to write.")] = Path(
        "sfumato.yaml"
    ),
    preset: Annotated[str | None, typer.Option(metavar="NAME", help="A preset to begin with; see: presets.")] = None,
    force: Force = False,
    json_file: Json = None,
    *,
    options: ReadOptions,
) -> None:
    """Write a commented first project file (sfumato.yaml) for a table; the roles are yours to decide."""
    from sfumato.project.file import relative_source
    from sfumato.project.init import init_project
    from sfumato.project.places import said_of_outside

    require_apart(out, data, what="the data itself", instead="Choose another file for --out.")
    with progress() as tell:
        tell("Reading the data")
        columns = init_project(data, out, options, preset=preset, overwrite=force)
    if json_file:
        write(json_file, as_json({"written": str(out), "columns": columns}))
    if json_file != "-":
        outside = said_of_outside(relative_source(out, data), out.parent)
        typer.echo(f"Wrote {out}: {columns} columns. Give each its role, then run: sfumato assess --project {out}")
        if outside:
            typer.echo(outside.strip())


@app.command(epilog="Example: sfumato schema > sfumato.schema.json")
def schema(json_file: Json = None) -> None:
    """The JSON Schema of the project file, for editors that check and complete it."""
    from sfumato.project.file import Project

    write(json_file or "-", as_json(Project.json_schema()))


@app.command(epilog="Example: sfumato measures t_closeness")
def measures(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One measure, in full.")] = None,
    json_file: Json = None,
) -> None:
    """The measures there are, what each says, and which way is safer."""
    from sfumato.privacy.catalogue import described
    from sfumato.show.sheets.measures import measure_sheet

    document = described(name)
    show(measure_sheet(document), lambda: as_json(document.plain()), json_file)
