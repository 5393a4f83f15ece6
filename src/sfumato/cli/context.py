"""`sfumato context`: why and for whom data are released, and whether the benefit bears the risk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Force, Json, UsualProject, shared
from sfumato.cli.output import progress, require_apart, show, spare_sources
from sfumato.errors import OutputError

if TYPE_CHECKING:
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions


@app.command(epilog="Example: sfumato context release.csv -p sfumato.yaml --html context.html")
@shared
def context(
    data: Annotated[
        str | None, typer.Argument(metavar="RELEASE", help="The table to be released; else the file's source.")
    ] = None,
    project: UsualProject = Path("sfumato.yaml"),
    ask: Annotated[bool, typer.Option("--ask", help="Ask every question, and write the answers.")] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --ask: write the answers here, not into the project file.")
    ] = None,
    template: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the questions to fill in, and ask nothing.")
    ] = None,
    no_data: Annotated[bool, typer.Option("--no-data", help="Read no table: the risk stays unanswered.")] = False,
    force: Force = False,
    json_file: Json = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A page with the matrix drawn (needs [plots]).")
    ] = None,
    *,
    engine: Engine | None,
    options: ReadOptions,
) -> None:
    """Five Safes, impact assessment, benefit of each column, and where that puts the release in the matrix."""
    from sfumato.outputs import write_text
    from sfumato.proof.report.context_page import context_page
    from sfumato.proof.report.show_context import answered, template_for
    from sfumato.proof.report.show_context import context as context_of

    _spare_all(data, project, json_file, {"--html": html, "--save": save, "--template": template})
    if template is not None:
        typer.echo(f"Wrote {template_for(project, template, overwrite=force)}. Fill it in.", err=json_file == "-")
        return
    if save is not None and not ask:
        raise OutputError("--save keeps what was asked: use it with --ask.")
    known, written = answered(project, save, overwrite=force) if ask else (project, None)
    with progress() as tell:
        release_context = context_of(known, data, measure=not no_data, options=options, engine=engine, tell=tell)
        if html is not None:
            write_text(html, context_page(release_context))
    show(release_context.sheet(), release_context.to_json, json_file)
    if written is not None:
        typer.echo(f"Answers: {written}", err=json_file == "-")


def _spare_all(data: str | None, project: Path, json_file: str | None, targets: dict[str, Path | None]) -> None:
    """Refuse to write over the project file and the data, whatever is forced, or twice to the same file."""
    from sfumato.privacy.assess import sources_of

    spare_sources(json_file, data, project)
    require_apart(json_file, *targets.values(), what="written by another option")
    for option, target in targets.items():
        if target is not None and target.exists():
            read = sources_of(data, project if project.exists() else None)
            what = "the data itself, or its project file"
            require_apart(target, *read, what=what, instead=f"Choose another file for {option}.")
