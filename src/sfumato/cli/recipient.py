"""`sfumato recipient`: who will receive the data, graded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Force, Json
from sfumato.cli.output import as_json, require_apart, show, write
from sfumato.errors import OutputError


@app.command(epilog="Example: sfumato recipient --answers answers.yaml")
def recipient(
    answers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The answers, YAML or JSON. Without it the questions are asked.")
    ] = None,
    template: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a file of questions to fill in, and ask nothing.")
    ] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the answers to this file.")] = None,
    force: Force = False,
    json_file: Json = None,
) -> None:
    """Grade who will receive the data: fifteen questions, three scores, and the threshold for quasi-identifiers."""
    if template is not None:
        _template(template, json_file, alone=answers is None and save is None, overwrite=force)
        return
    from sfumato.project.recipient.ask import recipient_of

    require_apart(json_file, answers, save, what="the file of answers")
    grading = recipient_of(answers, save_to=save, overwrite=force)
    show(grading.sheet(), grading.to_json, json_file)
    if save is not None:
        typer.echo(f"Answers: {save}", err=json_file == "-")


def _template(target: Path, json_file: str | None, *, alone: bool, overwrite: bool) -> None:
    from sfumato.project.recipient.answers import save

    if not alone:
        raise OutputError("--template writes a file without answers. Leave out --answers and --save.")
    require_apart(json_file, target, what="the file of answers")
    save({}, target, overwrite=overwrite)
    if json_file:
        write(json_file, as_json({"written": str(target)}))
    if json_file != "-":
        typer.echo(f"Wrote {target}. Answer its questions, then run: sfumato recipient --answers {target}")
