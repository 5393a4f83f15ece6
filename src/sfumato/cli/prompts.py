"""What is asked at a terminal where a command is called without saying what it is about."""

from __future__ import annotations

import sys

import typer

from sfumato.errors import UnusableInput

ENDED = "the input ended before the last question was answered. Give the answers as options: see --help."


def watched() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin.isatty()


def ask(question: str, default: str | None = None) -> str:
    """The answer to a question, on the error stream: what is found may go to another program."""
    try:
        answer: str = typer.prompt(question, default=default, show_default=bool(default), err=True)
    except typer.Abort:
        raise UnusableInput(f"Nothing was done: {ENDED}") from None
    return answer.strip()


def ask_columns(question: str) -> list[str]:
    """Columns that somebody names as an option names them, with commas between them; Enter for none."""
    return [ask(f"{question} (with commas between them; Enter for none)", "")]


def ask_number(question: str, default: float) -> float:
    """A number, asked again until it is one."""
    while True:
        try:
            return float(ask(question, f"{default:g}"))
        except ValueError:
            typer.echo("This is no number.", err=True)


def ask_files(question: str) -> list[str]:
    """Files, one after the other, until Enter."""
    files: list[str] = []
    while answer := ask(f"{question} {len(files) + 1} (Enter when there are no more)", ""):
        files.append(answer)
    return files
