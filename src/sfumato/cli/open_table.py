"""`sfumato open`: the service for one person on their own machine, at one table, without accounts to be seen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.serve import service_at


@app.command("open", epilog="Example: sfumato open patients.csv")
def open_table(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="A file with a table.")],
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="The port; 0: a free one.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only show the address.")] = False,
) -> None:
    """Open a table in the browser, served on this machine only. What is kept of it is in your data folder."""
    import threading
    import webbrowser

    from sfumato.errors import MissingExtra, UnreadableFile

    if not table.is_file():
        raise UnreadableFile(table, "there is no such file.", hint="Check the path.")
    try:
        from sfumato.cli.server import ServiceServer
        from sfumato.service.local_table import opened_table, prepare_root
    except ImportError:
        raise MissingExtra("The service", "service") from None
    service = service_at(prepare_root(table))
    opened = opened_table(service, table)
    server = ServiceServer(service, "127.0.0.1", port, workers=1, opened=opened)
    address = f"{server.address}/open/{opened.secret}"
    typer.echo(f"Opened at {address}\nThis address works once, for you alone. Ctrl-C ends it; {service.root} keeps it.")
    if not no_browser:
        threading.Timer(1.0, webbrowser.open, [address]).start()
    raise typer.Exit(server.run())
