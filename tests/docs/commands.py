"""Commands as a page writes them: which of them the tests run, and whether the others could be run."""

from __future__ import annotations

import re
import shlex
import tomllib
from functools import cache
from typing import Any

import typer
from tests.docs.pages import ROOT

from sfumato import cli
from sfumato.cli.app import FLAGS, FORMAT

RUNNABLE = ("sfumato ", "cat ", "cp ", "mkdir ", "printf ", "cd ")  # run as they stand
NOT_RUN = {  # a sign in a command: why it is not run, but only read
    "spark://": "it needs a cluster; test_spark_page.py does the same on one machine",
    "-completion": "it writes to the files of a shell; tests/doors/test_shell_completion.py does, in a home of its own",
    "sfumato open ": "it answers until it is ended; tests/service/test_local_table.py starts and ends it",
    "sfumato serve ": "it answers until it is ended; tests/service/test_whole_path.py starts and ends it",
    " [--": "a synopsis: what stands in brackets may be left out",
}
GENERAL = {*FLAGS, FORMAT, "--help", "-h"}  # options that every command takes
# Of the system and its shell, in what is said on installing; tests/engines/test_cluster.py starts what is said of Java.
SYSTEM = {"sha256sum", "python3", ".", "export", "java"}


def not_run(line: str) -> str | None:
    """Why a command is only read."""
    return next((reason for sign, reason in NOT_RUN.items() if sign in line), None)


def fault(line: str) -> str | None:
    """What is wrong with a command that is not run; None where it could be."""
    words = shlex.split(line, comments=True)
    if words[0] in SYSTEM:
        return None
    checks = {"sfumato": _sfumato, "make": _make, "pip": _pip, "python": _python, "pytest": _python}
    check = checks.get(words[0].rpartition("/")[2])
    return f"nobody knows whether `{line}` would run" if check is None else check(words[1:])


def _sfumato(words: list[str]) -> str | None:
    """Whether there is such a command with such options; `...` and words in capitals stand for something else."""
    words = [word.strip("[]") for word in words]
    command: Any = typer.main.get_command(cli.app)
    while words and getattr(command, "commands", None) and words[0] in command.commands:
        command, words = command.commands[words[0]], words[1:]
    if getattr(command, "commands", None) and words and not words[0].startswith("-"):
        return f"there is no command {words[0]}"
    if not getattr(command, "commands", None) and len([w for w in words if not w.startswith("-")]) < _needed(command):
        return "an argument lacks"
    known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)} | GENERAL
    return next(
        (f"there is no option {word}" for word in words if re.match(r"--?[a-z]", word) and word not in known), None
    )


def _needed(command: Any) -> int:
    return sum(one.required and not one.opts[0].startswith("-") for one in command.params)


def _make(words: list[str]) -> str | None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    return next((f"there is no target {word}" for word in words if word not in targets), None)


@cache
def _extras() -> frozenset[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return frozenset(project["optional-dependencies"])


def _pip(words: list[str]) -> str | None:
    """Whether pip knows the command, and we the extras and the package."""
    wanted = [re.fullmatch(r"(\.|sfumato)(?:\[([\w,-]+)\])?", word) for word in words[1:] if word[0] not in "-"]
    found = [one for one in wanted if one]
    if words[0] not in {"install", "wheel", "download"} or not found:
        return "pip would not install Sfumato"
    unknown = {extra for one in found if one[2] for extra in one[2].split(",")} - _extras()
    return f"there is no extra {', '.join(sorted(unknown))}" if unknown else None


def _python(words: list[str]) -> str | None:
    """Whether the file or folder is there, and a script has the options."""
    place = ROOT / words[0]
    if not place.exists():
        return f"there is no {words[0]}"
    text = place.read_text(encoding="utf-8") if place.is_file() else ""
    return next(
        (f"there is no option {word}" for word in words[1:] if word[0] == "-" and f'"{word}"' not in text), None
    )
