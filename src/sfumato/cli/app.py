"""The program: its commands are in the files beside this one."""

from __future__ import annotations

import io
import sys
import traceback
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from sfumato.errors import InfeasiblePolicy, SfumatoError

# As the work goes: to know a table, to measure, to change, to release, and what to look up.
ORDER = (
    "demo", "columns", "init", "identify", "recipient", "context", "assess", "risk", "study", "hierarchy", "plan",
    "apply", "safe-harbor", "anonymise", "explore", "compare", "dimension", "report", "release", "verify", "log", "key",
    "presets", "measures", "models", "glossary", "schema",
)  # fmt: skip


INTERRUPTED = 130  # what Typer ends with after Ctrl-C, without a word


class InOrder(TyperGroup):
    """The commands as they are listed in the help: in the order of the work, none of them cut off in mid-sentence."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        said = {name: (command.help or "").split("\n\n")[0] for name, command in commands.items() if command}
        with formatter.section("Commands"):
            formatter.write_dl([(name, " ".join(text.split())) for name, text in said.items()])

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))


app = typer.Typer(
    name="sfumato",
    cls=InOrder,
    epilog="Begin with made-up data: sfumato demo; or with your own: sfumato identify DATA.",
    help="Find, measure and remove what could re-identify people in tabular health data.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
study_app = typer.Typer(
    cls=InOrder,
    help="Assess a study folder: its files are combined into one table first.",
    epilog="Example: sfumato study bio-streams --root demo",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(study_app, name="study")


def main() -> None:
    """Run the command line. Errors are sentences, and never show what is in a cell."""
    _show_any_letter()
    warnings.showwarning = _noted
    try:
        app(prog_name="sfumato")
    except InfeasiblePolicy as error:
        _fail(str(error), code=1)
    except SfumatoError as error:
        _fail(str(error))
    except KeyboardInterrupt:
        _fail("stopped.")
    except SystemExit as ended:
        if ended.code != INTERRUPTED:
            raise
        _fail("stopped.")
    except Exception as error:
        if "interrupt" in str(error).lower():
            _fail("stopped.")
        # An unforeseen error may carry a cell value in its message, so only its kind and place are shown.
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}, line {last.lineno}"
        _fail(f"Something unforeseen went wrong ({type(error).__name__} at {place}). Please report this.")


def _noted(message: Warning | str, category: type[Warning], *_place: Any, **_how: Any) -> None:
    """Say what Sfumato warns of, such as a key that was made; what libraries warn of may quote data."""
    if category.__module__.startswith("sfumato."):
        typer.echo(f"Note: {message}", err=True)


def _version(wanted: bool) -> None:  # noqa: FBT001
    if wanted:
        from sfumato import __version__

        typer.echo(f"sfumato {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Find, measure and remove what could re-identify people in tabular health data."""


def _show_any_letter() -> None:
    """A name that the terminal has no letters for is shown in numbers, instead of stopping the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _fail(message: str, code: int = 2) -> None:
    sys.stderr.write(f"sfumato: {message}\n")
    sys.exit(code)
