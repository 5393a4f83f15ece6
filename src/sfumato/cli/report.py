"""`sfumato report`: everything on a release, for those who have to be convinced."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import (
    BoundOptions,
    ByPosition,
    ColumnOptions,
    Json,
    KeyFile,
    MaybeSource,
    NoAttacks,
    ProjectFile,
    Require,
    Secret,
    secrets_of,
    shared,
)
from sfumato.cli.output import echo, progress, require_apart, spare_sources, write
from sfumato.cli.use_log import recorded

if TYPE_CHECKING:
    from sfumato.proof.report.document import Report
    from sfumato.proof.use_log.entry import Use
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions

By = Annotated[
    str | None,
    typer.Option(metavar="NAME", envvar="SFUMATO_USER", help="Who says what the columns named here are."),
]
Released = Annotated[
    str | None, typer.Option(metavar="FILE", help="A release that was made; else the project file makes one.")
]
Key = Annotated[str | None, typer.Option(metavar="COLUMN", help="The column that pairs the records of --released.")]
Least = Annotated[int, typer.Option(metavar="N", min=1, help="Hide groups of fewer than this.")]
NoCurve = Annotated[bool, typer.Option("--no-curve", help="Do not search other releases to compare with.")]
NoCharts = Annotated[bool, typer.Option("--no-charts", help="Draw nothing.")]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="One page that needs no other file.")]
Markdown = Annotated[Path | None, typer.Option(metavar="FILE", help="The same as Markdown.")]


@app.command(epilog="Example: sfumato report -p sfumato.yaml --html report.html")
@shared
@recorded
def report(
    *,
    data: MaybeSource = None,
    project: ProjectFile = None,
    released: Released = None,
    key: Key = None,
    by_position: ByPosition = False,
    columns: ColumnOptions,
    bounds: BoundOptions,
    require: Require = None,
    by: By = None,
    mask: Least = 11,
    no_attacks: NoAttacks = False,
    no_curve: NoCurve = False,
    no_charts: NoCharts = False,
    secret: Secret = None,
    key_file: KeyFile = None,
    html: Html = None,
    markdown: Markdown = None,
    json_file: Json = None,
    engine: Engine | None,
    options: ReadOptions,
    use: Use,
) -> None:
    """Context, data, identifiability, transformations, utility and governance of a release, in one report."""
    from sfumato.proof.report.make_report import report as reported

    _spare_all(data, project, released, json_file, {"--html": html, "--markdown": markdown})
    with progress() as tell:
        compiled = reported(
            data, project=project, released=released, key=key, by_position=by_position, **columns.named(),
            **vars(bounds), requirements=require or (), by=by, mask=mask,
            charts=bool(html or markdown or json_file) and not no_charts, attacks=not no_attacks, curve=not no_curve,
            secrets=secrets_of(secret, key_file), options=options, engine=engine, tell=tell,
        )  # fmt: skip
        files = _write(compiled, html, markdown, json_file)
    use.note(compiled.headline, files=len(files), met=compiled.met)
    _tell(compiled, files, json_file)
    raise typer.Exit(1 if compiled.met is False else 0)


def _tell(compiled: Report, files: list[str], json_file: str | None) -> None:
    """Say what was written; where nothing was, show the report itself."""
    from sfumato.show import terminal

    if files:
        echo(f"{compiled.headline}\nWrote {', '.join(files)}.", err=json_file == "-")
    elif json_file is None:
        terminal.show(compiled.sheet())


def _write(compiled: Report, html: Path | None, markdown: Path | None, json_file: str | None) -> list[str]:
    """Write each form that was asked for; the files that were written."""
    from sfumato.proof.report.page import report_page

    page = partial(report_page, compiled)
    forms = ((html, page), (markdown, compiled.markdown), (json_file, compiled.to_json))
    asked = {str(target): text for target, text in forms if target is not None}
    for target, text in asked.items():
        write(target, text())
    return [target for target in asked if target != "-"]


def _spare_all(
    data: str | None,
    project: Path | None,
    released: str | None,
    json_file: str | None,
    targets: dict[str, Path | None],
) -> None:
    """Refuse to write over what is read, or twice to the same file."""
    from sfumato.privacy.assess import sources_of

    spare_sources(json_file, data, project)
    read = [file for file in (*sources_of(data, project), released) if file]
    require_apart(json_file, released, *targets.values(), what="the release, or written by another option")
    for option, target in targets.items():
        require_apart(target, *read, what="read by this command", instead=f"Choose another file for {option}.")
    first, second = targets.values()
    require_apart(first, second, what="written twice", instead="Choose another file for --markdown.")
