"""`sfumato node run`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import InOrder, app
from sfumato.cli.options import KeyFile, Secret, secrets_of, shared
from sfumato.cli.output import progress, say

if TYPE_CHECKING:
    from sfumato.tables.engine import Engine

node_app = typer.Typer(
    cls=InOrder,
    help="Run the projects of a node by themselves: what comes into its inbox is released, or refused.",
    epilog="Example: sfumato node run /srv/sfumato",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(node_app, name="node")


@node_app.command("run", epilog="Example: sfumato node run /srv/sfumato --log-format json")
@shared
def run(
    folder: Annotated[
        Path, typer.Argument(metavar="NODE", envvar="SFUMATO_NODE", help="The folder with inbox/ and projects/.")
    ] = Path(),
    key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", envvar="SFUMATO_SIGNING_KEY_FILE", help="A private key that signs the manifests."),
    ] = None,
    no_report: Annotated[bool, typer.Option("--no-report", help="Leave out the reports.")] = False,
    secret: Secret = None,
    key_file: KeyFile = None,
    *,
    engine: Engine | None,
) -> None:
    """Release every new extract in the inbox by its project, log it, and say so; without a new one, do nothing."""
    from sfumato.proof.node import ExtractState, outcome_lines, run_node
    from sfumato.proof.package.signature import SigningKey

    secrets = secrets_of(secret, key_file)
    sign = SigningKey.read(key, secrets) if key else None
    with progress() as tell:
        done = run_node(folder, sign=sign, secrets=secrets, engine=engine, report=not no_report, tell=tell)
    for state, line in outcome_lines(done):
        say(line, wrong=state is not ExtractState.RELEASED)
    say(done.words)
    raise typer.Exit(done.code)
