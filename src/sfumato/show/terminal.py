"""A sheet on the terminal: in colour where somebody is watching, plain text elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sfumato.show.sheet import Section, Sheet, State, plain

if TYPE_CHECKING:
    from rich.table import Table

COLOURS = {"NO": "bold red", "yes": "green"}
STATES = {State.MET: "bold green", State.OPEN: "bold yellow", State.NOT_MET: "bold red", None: "bold"}


def show(sheet: Sheet) -> None:
    """Print the sheet."""
    if not sys.stdout.isatty():
        sys.stdout.write(sheet.text())
        return
    from rich.console import Console  # here: nobody waits for colours that are not shown
    from rich.text import Text

    console = Console()
    console.print(Text(plain(sheet.title), style="bold"))
    console.print(Text(plain(sheet.verdict), style=STATES[sheet.state]))
    for section in sheet.sections:
        console.print()
        console.print(Text(plain(section.title), style="bold cyan"))
        if section.columns:
            console.print(_table(section))
        for remark in section.remarks:
            console.print(Text(plain(remark)))


def _table(section: Section) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim")
    for i, name in enumerate(section.columns):
        table.add_column(name, justify="right" if i in section.numbers else "left", overflow="fold")
    for row in section.rows:
        table.add_row(*(Text(plain(cell), style=COLOURS.get(cell, "")) for cell in row))
    return table
