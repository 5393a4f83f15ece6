"""`sfumato tabulate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Bins, Force, Json, MaybeSource, ProjectFile, Subject, columns, listed, pairs, shared
from sfumato.cli.output import progress, require_apart, show, spare_sources
from sfumato.cli.use_log import recorded
from sfumato.errors import PolicyError

if TYPE_CHECKING:
    from sfumato.proof.use_log.entry import Use
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions


@app.command(epilog="Example: sfumato tabulate patients.csv --by sex,region --mean age --preset acro -o table.csv")
@shared
@recorded
def tabulate(
    *,
    data: MaybeSource = None,
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="The columns of a table, comma separated. Again: a further table with it."),
    ] = None,
    sum_: Annotated[list[str] | None, typer.Option("--sum", metavar="A,B", help="Numbers to add up.")] = None,
    mean: Annotated[list[str] | None, columns("Numbers of which the mean is given.")] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="acro (below 10), opensafely (7 or fewer, rounded to 5), datashield (below 3)."
        ),
    ] = None,
    threshold: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Hide counts below N; 10 if not said.")
    ] = None,
    round_: Annotated[
        int | None, typer.Option("--round", metavar="N", min=1, help="Round counts to the nearest multiple of N.")
    ] = None,
    zeros: Annotated[
        str | None, typer.Option(metavar="hidden|shown", help="Empty cells: hidden as small ones (usual), or shown.")
    ] = None,
    p: Annotated[
        float | None,
        typer.Option("--p", metavar="PERCENT", help="Hide sums of which a part is known so closely; 10 if not said."),
    ] = None,
    dominance: Annotated[
        str | None,
        typer.Option(metavar="N,PERCENT", help="Hide sums of which N parts make more than this; 2,90 if not said."),
    ] = None,
    subject: Subject = None,
    bins: Bins = None,
    hierarchy: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=FILE@LEVEL", help="Read a column at a level of a hierarchy."),
    ] = None,
    project: ProjectFile = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="The table, as CSV; beside it its audit, which stays here."),
    ] = None,
    force: Force = False,
    json_file: Json = None,
    engine: Engine | None,
    options: ReadOptions,
    use: Use,
) -> None:
    """Counts, sums and means instead of rows: small cells hidden, and others so that nobody works them out."""
    from sfumato.outputs import require_new
    from sfumato.statistics.tabulate import tabulate as tabulated
    from sfumato.statistics.tabulation import audit_path

    spare_sources(json_file, data, project)
    if out is not None:
        spare_sources(str(out), data, project)
        require_apart(json_file, out, audit_path(out), what="the table, or its audit")
        for file in (out, audit_path(out)):
            require_new(file, overwrite=force)
    with progress() as tell:
        table = tabulated(
            data, [listed([each]) for each in by or ()], sums=listed(sum_), means=listed(mean), preset=preset,
            threshold=threshold, round_to=round_, zeros=zeros, p=p, dominance=_dominance(dominance), subject=subject,
            bins=pairs(bins, "--bins COLUMN=EDGES"), hierarchies=pairs(hierarchy, "--hierarchy COLUMN=FILE@LEVEL"),
            project=project, options=options, engine=engine, tell=tell,
        )  # fmt: skip
        files = table.write(out, overwrite=force) if out is not None else ()
    show(table.sheet(), table.to_json, json_file)
    use.note(table.sheet().verdict, hidden=table.hidden)
    if files:
        typer.echo(f"Wrote {files[0]}, and {files[1]}, which stays with you.", err=json_file == "-")
    else:
        typer.echo("Nothing was written: add --out.", err=json_file == "-")


def _dominance(text: str | None) -> tuple[int, float] | None:
    if text is None:
        return None
    try:
        number, share = text.split(",")
        return int(number), float(share)
    except ValueError:
        raise PolicyError("--dominance takes a number of parts and per cent: --dominance 2,90.") from None
