"""What is shown on the terminal, and what is written to a file."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.cli.address_space import check_address_space
from sfumato.cli.messages import messages_of
from sfumato.errors import OutputError

if TYPE_CHECKING:
    from sfumato.progress import Tell


@contextmanager
def progress() -> Iterator[Tell]:
    """Says what is going on, as the options of the program ask for it; here the work of a command begins."""
    check_address_space()
    with messages_of(running()).progress() as tell:
        yield tell


def say(words: str, *, wrong: bool = False) -> None:
    """Say what was done: on the terminal, or where a log is kept as a line of it; what is `wrong` is never left out."""
    messages_of(running()).say(words, wrong=wrong)


def echo(words: str, *, err: bool = False) -> None:
    """Print words in which names of columns may stand: nothing that moves a cursor or turns a text is sent."""
    from sfumato.show.sheet import plain

    stream = sys.stderr if err else sys.stdout
    stream.write("".join(f"{plain(line)}\n" for line in words.split("\n")))


def show(sheet: Any, document: Callable[[], str], json_file: str | None) -> None:
    """Show a sheet, and write the same as JSON, which `document` gives, where that is asked for."""
    if json_file:
        write(json_file, document())
    if json_file != "-":
        from sfumato.show import terminal

        terminal.show(sheet)


def spare_sources(target: str | None, data: str | None, project: Path | None = None) -> None:
    """Refuse to write over the data, or over the project file and the data that it names."""
    from sfumato.privacy.assess import sources_of

    if target not in (None, "-") and Path(str(target)).exists():
        require_apart(target, *sources_of(data, project), what="the data itself, or its project file")


def require_apart(
    target: str | Path | None, *others: str | Path | None, what: str, instead: str = "Choose another file for --json."
) -> None:
    """Refuse to write over a file that is read, or that is written too."""
    for other in others:
        if target not in (None, "-") and other is not None and _same(Path(str(target)), Path(other)):
            raise OutputError(f"{target} is {what}. {instead}")


def _same(one: Path, other: Path) -> bool:
    if one.exists() and other.exists():
        return one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)  # links in a circle are left as they are


def asking(words: str, *, twice: bool = False) -> Callable[[], bytes] | None:
    """Asks for a passphrase, which is not shown; None where nobody is there to be asked.

    It is never the value of an option, where others see it and a shell keeps it.
    """
    if not sys.stdin.isatty():
        return None
    import typer

    return lambda: str(typer.prompt(words, hide_input=True, confirmation_prompt=twice, err=True)).encode()


def release_name(file_format: str) -> str:
    """The name of the released file; a format that nothing writes is refused before there is anything to write."""
    from sfumato.tables.write.table import writer_of

    name = f"released.{file_format}"
    writer_of(Path(name))
    return name


def write(target: str, text: str) -> None:
    """Write a text to a file, whole or not at all, or to the terminal (-)."""
    if target == "-":
        out = messages_of(running()).results or sys.stdout
        out.flush()
        out.buffer.write(text.encode("utf-8"))  # JSON is UTF-8, whatever the terminal is
        return
    from sfumato.outputs import write_text

    write_text(target, text)


def as_json(document: object) -> str:
    """Plain values as JSON."""
    import json

    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def typed(*, without: Sequence[str] = ()) -> str:
    """The command that is running, as it could be typed again, without some of its options."""
    context = running()
    words: list[str] = []
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name)
        if source is None or source.name != "COMMANDLINE" or parameter.name in without:
            continue
        value = context.params[parameter.name]
        for each in value if isinstance(value, list | tuple) else [value]:
            option = [] if parameter.param_type_name == "argument" else [max(parameter.opts, key=len)]
            text = f"{each:g}" if isinstance(each, float) else str(each)
            words += option if each is True else [*option, text]
    return f"sfumato {context.info_name} {shlex.join(words)}"


def running() -> Any:
    """What is known of the command that is running; later versions of Typer have a click of their own."""
    import typer.main

    own = getattr(typer.main, "get_current_context", None)
    if own is not None:
        return own()
    import click

    return click.get_current_context()
