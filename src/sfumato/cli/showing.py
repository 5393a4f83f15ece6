"""What is shown on the terminal, and what is written to a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import OutputError
from sfumato.progress import quiet

if TYPE_CHECKING:
    from sfumato.progress import Tell


@contextmanager
def progress() -> Iterator[Tell]:
    """Says on the terminal what is going on; silent when nobody is watching."""
    if not sys.stderr.isatty():
        yield quiet
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    parts = SpinnerColumn(), TextColumn("{task.description} ..."), BarColumn(), TimeElapsedColumn()
    with Progress(*parts, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("Starting", total=None)

        def tell(words: str, /, done: int = 0, total: int = 0) -> None:
            shown.update(task, description=words, completed=done, total=total or None)

        yield tell


def show(sheet: Any, document: str, json_file: str | None) -> None:
    """Show a sheet, and write the same as JSON where that is asked for."""
    if json_file:
        write(json_file, document)
    if json_file != "-":
        from sfumato.reports import terminal

        terminal.show(sheet)


def spare(target: str | None, *sources: str | Path | None) -> None:
    """Refuse to write over the data, or over the project file and the data that it names."""
    from sfumato.flow import sources_of

    if target in (None, "-") or not Path(str(target)).exists():
        return
    for source in sources_of(*sources):
        if source.exists() and Path(str(target)).samefile(source):
            raise OutputError(f"{target} is the data itself, or its project file. Choose another file for --json.")


def write(target: str, text: str) -> None:
    """Write a text to a file, whole or not at all, or to the terminal (-)."""
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))  # JSON is UTF-8, whatever the terminal is
        return
    from sfumato.outputs import write_text

    write_text(target, text)


def as_json(document: object) -> str:
    """Plain values as JSON."""
    import json

    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
