"""`sfumato explore`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import ColumnOptions, HierarchyFolder, Json, MaybeSource, ProjectFile, listed, shared
from sfumato.cli.output import progress, show, spare_sources
from sfumato.cli.use_log import recorded
from sfumato.errors import PolicyError

if TYPE_CHECKING:
    from sfumato.proof.use_log.entry import Use
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions


@app.command(
    epilog="Example: sfumato explore patients.csv --quasi age,sex,postcode --k 2,3,5 --suppress 0,0.1 --out curve"
)
@shared
@recorded
def explore(
    *,
    data: MaybeSource = None,
    project: ProjectFile = None,
    columns: ColumnOptions,
    k: Annotated[
        list[str] | None,
        typer.Option("--k", metavar="N,N", help="Bounds on k to try; 2,3,5,10,15,20 if not said."),
    ] = None,
    l: Annotated[list[str] | None, typer.Option("--l", metavar="N,N", help="Bounds on l to try.")] = None,
    t: Annotated[list[str] | None, typer.Option("--t", metavar="N,N", help="Bounds on t to try.")] = None,
    suppress: Annotated[
        list[str] | None,
        typer.Option(metavar="N,N", help="Shares that may be left out (0.02 is 2 %); 0,0.01,0.02,0.05 if not said."),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="optimal (usual), local, mondrian or cells; several are compared."),
    ] = None,
    require: Annotated[list[str] | None, typer.Option(metavar="TEXT", help="What must hold in all cases.")] = None,
    hierarchies: HierarchyFolder = None,
    objective: Annotated[str, typer.Option(metavar="NAME", help="What is made small; see: anonymise.")] = "loss",
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="DIR", help="Folder for the curve and its plans.")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="A page with the curve (needs [plots]).")] = None,
    json_file: Json = None,
    engine: Engine | None,
    options: ReadOptions,
    use: Use,
) -> None:
    """Risk against loss: the releases worth choosing over bounds, suppression and methods, with a plan for each."""
    from sfumato.outputs import write_text
    from sfumato.privacy.question import Question
    from sfumato.search.explore import KS, SUPPRESSIONS, SearchGrid, explore_source
    from sfumato.show.page import page

    spare_sources(json_file, data, project)
    question = Question.written(**columns.named(), requirements=require or ())
    grid = SearchGrid(
        k=_whole("--k", k) or KS, l=_numbers("--l", l), t=_numbers("--t", t),
        suppress=_numbers("--suppress", suppress) or SUPPRESSIONS, methods=listed(method) or ("optimal",),
    )  # fmt: skip
    settings = {"objective": objective, **({"hierarchies": hierarchies} if hierarchies else {})}
    with progress() as tell:
        curve = explore_source(data, project, question, grid, settings, options=options, engine=engine, tell=tell)
        files = curve.write(out) if out else ()
        if html:
            write_text(html, page(curve.sheet(), [curve.chart()]))
    show(curve.sheet(), curve.to_json, json_file)
    use.note(curve.sheet().verdict, files=len(files))
    if json_file != "-":
        typer.echo(f"Wrote {files[0]} and {len(files) - 1} plans." if files else "Nothing was written: add --out.")


def _numbers(name: str, texts: list[str] | None) -> list[float]:
    try:
        return [float(text) for text in listed(texts)]
    except ValueError:
        raise PolicyError(f"{name} takes numbers, comma separated: {name} 2,3,5.") from None


def _whole(name: str, texts: list[str] | None) -> list[int]:
    numbers = _numbers(name, texts)
    if any(not number.is_integer() or number < 1 for number in numbers):
        raise PolicyError(f"{name} takes whole numbers from 1 on, comma separated: {name} 2,3,5.")
    return [int(number) for number in numbers]
