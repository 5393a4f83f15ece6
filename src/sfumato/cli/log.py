"""`sfumato log`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Json
from sfumato.cli.output import require_apart, show


@app.command(epilog="Example: sfumato log --verify")
def log(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A log, or a project file; sfumato.log.jsonl if not said.")
    ] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Check that no line was changed or removed.")] = False,
    head: Annotated[
        str | None,
        typer.Option(metavar="FILE|HASH", help="A head that was kept elsewhere: it must be a line of the log."),
    ] = None,
    json_file: Json = None,
) -> None:
    """Who used a project, with which input and outcome; and whether that log is as it was written."""
    from sfumato.proof.use_log.chain import Chain
    from sfumato.proof.use_log.log import AuditLog, known_head, log_of

    path = file if file is not None and file.suffix not in (".yaml", ".yml") else log_of(file or "sfumato.yaml")
    require_apart(json_file, path, what="the log")
    chain = Chain.of(AuditLog(path), verify=verify, known=known_head(head) if head is not None else None)
    show(chain.sheet(), chain.to_json, json_file)
    raise typer.Exit(1 if chain.problems else 0)
