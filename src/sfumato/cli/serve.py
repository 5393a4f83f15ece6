"""`sfumato serve` and `sfumato worker`: the service of a root folder, and those who do its runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.errors import MissingExtra

if TYPE_CHECKING:
    from sfumato.service.service import Service

Root = Annotated[
    Path, typer.Option("--root", metavar="FOLDER", envvar="SFUMATO_ROOT", help="The folder of the service.")
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="PostgreSQL, before what the settings say. Others see a command: leave a password to the settings.",
    ),
]


@app.command(epilog="Example: sfumato serve --root /srv/sfumato --port 8140")
def serve(
    root: Root,
    database: Database = None,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where it listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="The port; 0: a free one.")] = 8140,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=64, help="Workers; as the settings say if not said.")
    ] = None,
) -> None:
    """Run the service of a folder: its API and its workers. The first start shows a link that works once."""
    service = service_at(root, database=database)
    from sfumato.cli.server import ServiceServer

    serving = ServiceServer(service, host, port, service.settings.workers if workers is None else workers)
    typer.echo(f"Sfumato listens on {serving.address} with {serving.workers} workers. Ctrl-C ends it.")
    from sfumato.service.first_start import first_start_link

    link = first_start_link(serving.service)
    if link is not None:
        typer.echo(f"There is no account yet. This link works once, and makes the first one: {link}")
    raise typer.Exit(serving.run())


@app.command(epilog="Example: sfumato worker --root /srv/sfumato")
def worker(root: Root, database: Database = None) -> None:
    """Do the runs of a service, one at a time, here or on another machine with the same folder and database."""
    import threading

    service = service_at(root, new=False, database=database)
    from sfumato.cli.server import PARENT, own_signals
    from sfumato.service.worker import Worker

    told = threading.Event()
    own_signals(lambda _number, _frame: told.set())
    parent = int(os.environ.get(PARENT) or 0)
    Worker(service, stopping=lambda: told.is_set() or (parent > 0 and os.getppid() != parent)).work()


def service_at(root: Path, *, new: bool = True, database: str | None = None) -> Service:
    """The service of a folder, which is made where it may be `new`; imported here, so that help is instant."""
    try:
        from sfumato.service.service import Service
    except ImportError:
        raise MissingExtra("The service", "service") from None
    return (Service.at if new else Service.there)(root, database=database)
