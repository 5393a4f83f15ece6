"""`sfumato backup` and `sfumato restore`: the whole of a service as one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import Secret, secrets_of
from sfumato.cli.output import asking, progress, say
from sfumato.errors import MissingExtra

BACKUP = "backup"  # the secret that opens the keys in a backup
Root = Annotated[Path, typer.Option("--root", metavar="FOLDER", help="The folder of the service.")]


@app.command(epilog="Example: sfumato backup monday.sfumato --root /srv/sfumato-service")
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup, which only you can read.")],
    root: Root,
    with_keys: Annotated[
        bool,
        typer.Option(
            "--with-keys", help="The keys of the server too, under a passphrase: the secret backup, or asked."
        ),
    ] = False,
    secret: Secret = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a backup of that name.")] = False,
) -> None:
    """Copy a service as of one moment while it goes on working: database, files, log, settings."""
    try:
        from sfumato.service.backup import back_up
    except ImportError:
        raise MissingExtra("The service", "service") from None
    passphrase = _passphrase(secret, f"A passphrase for the keys in {file}", twice=True) if with_keys else None
    with progress() as tell:
        made = back_up(root, file, passphrase=passphrase, overwrite=force, tell=tell)
    say(f"Wrote {file}: {made.rows} rows, {made.files} files, {made.log_lines} lines of the log, "
        f"{'and the keys under their passphrase' if made.with_keys else 'without the keys'}.")  # fmt: skip
    if not made.with_keys:
        say(f"Keep a copy of {root / 'keys'} elsewhere: without it connections and second factors cannot be opened.")


@app.command(epilog="Example: sfumato restore monday.sfumato --root /srv/sfumato-again")
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup that `sfumato backup` wrote.")],
    root: Root,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="An empty PostgreSQL database; without it, a file of the folder."),
    ] = None,
    secret: Secret = None,
    keep_tokens: Annotated[
        bool, typer.Option("--keep-tokens", help="Tokens stay valid, also those that were revoked after the backup.")
    ] = False,
) -> None:
    """Make a new service of a backup, once every hash in it and its log are verified; everybody signs in anew."""
    try:
        from sfumato.service.backup_archive import has_keys
        from sfumato.service.restoration import restore_service
    except ImportError:
        raise MissingExtra("The service", "service") from None
    passphrase = _passphrase(secret, f"The passphrase of the keys in {file}") if has_keys(file) else None
    with progress() as tell:
        done = restore_service(
            file, root, database=database, passphrase=passphrase, keep_tokens=keep_tokens, tell=tell
        )  # fmt: skip
    say(f"Restored {root} as of {done.made}: {done.rows} rows, {done.files} files. Nobody is signed in.")
    if not done.with_keys:
        say(f"The backup holds no keys: put the keys of the server into {root / 'keys'} before it starts.")


def _passphrase(secret: list[str] | None, words: str, *, twice: bool = False) -> bytes:
    """The passphrase, from a file or the environment, or from whoever is there to be asked."""
    given = secrets_of(secret, None)
    asked = None if given.has(BACKUP) else asking(words, twice=twice)
    return asked() if asked is not None else given(BACKUP)
