"""The commands with their arguments and options, as the program itself declares them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from sfumato.cli import app


def commands() -> str:
    """A section for each command, by the alphabet."""
    return "\n\n".join(_section(name, command) for name, command in _commands(typer.main.get_command(app)))


def _commands(group: Any, before: str = "sfumato") -> Iterator[tuple[str, Any]]:
    for name, command in sorted(group.commands.items()):
        if getattr(command, "commands", None):
            yield from _commands(command, f"{before} {name}")
        else:
            yield f"{before} {name}", command


def _section(name: str, command: Any) -> str:
    arguments = [one for one in command.params if not one.opts[0].startswith("-")]
    options = [one for one in command.params if one.opts[0].startswith("-") and not getattr(one, "hidden", False)]
    written = [_metavar(one) if one.required else f"[{_metavar(one)}]" for one in arguments]
    usage = " ".join([name, *written, *(["[OPTIONS]"] if options else [])])
    parts = [f"## `{name}`", _prose(command.help or ""), f"```text\n{usage}\n```"]
    parts += [_table("argument", arguments)] if arguments else []
    parts += [_table("option", options)] if options else []
    if command.epilog:
        parts.append(f"```sh\n{command.epilog.removeprefix('Example:').strip()}\n```")
    return "\n\n".join(parts)


def _table(kind: str, parameters: list[Any]) -> str:
    rows = "".join(
        f"\n| {_written(one)} | {_cell(getattr(one, 'help', None) or '')} {_remarks(one)} |" for one in parameters
    )
    return f"| {kind} | what it is |\n|---|---|{rows}"


def _written(one: Any) -> str:
    if not one.opts[0].startswith("-"):
        return f"`{_metavar(one)}`"
    value = "" if getattr(one, "is_flag", False) else f" {_metavar(one)}"
    return ", ".join(f"`{_cell(option + value)}`" for option in [*one.opts, *one.secondary_opts])


def _remarks(one: Any) -> str:
    remarks = ["Required."] if one.required and one.opts[0].startswith("-") else []
    if one.default not in (None, False, [], ()) and not callable(one.default):
        remarks.append(f"If not given: `{_cell(str(one.default))}`.")
    least, most = getattr(one, "min", None), getattr(one, "max", None)
    if least is not None:
        remarks.append(f"At least {least}." if most is None else f"From {least} to {most}.")
    return " ".join(remarks)


def _metavar(one: Any) -> str:
    return str(one.metavar or one.name.strip("_").upper())


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("\n", " ").replace("<", r"\<").replace("*", r"\*")


def _prose(text: str) -> str:
    return re.sub(r"([*<\[])", r"\\\1", text)
