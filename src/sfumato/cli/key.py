"""`sfumato key ...`: keys that sign releases."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.app import InOrder, app
from sfumato.cli.options import Json, Secret, secrets_of
from sfumato.cli.output import as_json, asking, require_apart, write
from sfumato.cli.serve import Root, service_at

key_app = typer.Typer(
    cls=InOrder,
    help="Keys that sign releases.",
    epilog="Example: sfumato key new hospital.pem",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(key_app, name="key")


@key_app.command("new", epilog="Example: sfumato key new hospital.pem")
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The private key; FILE.pub will be the public one.")],
    passphrase: Annotated[
        bool, typer.Option("--passphrase", help="Let a passphrase open it: the secret signing_key, or you are asked.")
    ] = False,
    secret: Secret = None,
    json_file: Json = None,
) -> None:
    """Make a key (Ed25519) that signs releases: keep the private part, and give the public one to recipients."""
    from sfumato.proof.package.signature import SIGNING, fingerprint, new_key, public_path

    require_apart(json_file, file, public_path(file), what="the key")
    given = secrets_of(secret, None)
    words = given(SIGNING) if given.has(SIGNING) and (passphrase or secret) else None
    if passphrase and words is None:
        words = (asking(f"A passphrase for {file}", twice=True) or partial(given, SIGNING))()
    public = new_key(file, words)
    name = fingerprint(public.read_bytes(), public)
    if json_file:
        write(json_file, as_json({"private": str(file), "public": str(public), "fingerprint": name}))
    if json_file != "-":
        opened = ", which only you can read and a passphrase opens," if words else ", which only you can read,"
        typer.echo(f"Wrote {file}{opened} and {public}, which is for everybody.")
        typer.echo(f"Fingerprint: {name}")


@key_app.command("rotate", epilog="Example: sfumato key rotate --root /srv/sfumato-service")
def rotate(root: Root) -> None:
    """Give a service new keys. The older ones still open what they have sealed and verify what they have signed."""
    from sfumato.service.caller import at_console
    from sfumato.service.permissions import Act

    service = service_at(root, new=False)
    try:
        with service.act(at_console(), Act.CONNECTION_CHANGE, change="rotate keys"):
            service.keys.rotate()
    finally:
        service.database.close()
    typer.echo("The service has new keys. Keep the older ones: what was made with them needs them.")
