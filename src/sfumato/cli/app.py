"""The program: its commands are in the files beside this one."""

from __future__ import annotations

import atexit
import gc
import io
import os
import re
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import MutableMapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from sfumato.cli.messages import LogFormat, Messages, messages_of
from sfumato.cli.signals import BASE, Stop, stoppable
from sfumato.errors import EngineError, SfumatoError, exit_code
from sfumato.temporary import remove_run, sweep

# The file of each command, as the work goes: to know a table, to measure, to change, to release, and what to look up.
FILES = {
    "demo": "study", "columns": "assess", "init": "project", "identify": "identify", "confirm": "identify",
    "recipient": "recipient", "context": "context", "assess": "assess", "risk": "risk", "study": "study",
    "hierarchy": "hierarchy", "plan": "plan", "apply": "plan", "safe-harbor": "safe_harbor", "anonymise": "anonymise",
    "explore": "explore", "compare": "compare", "dimension": "dimension", "tabulate": "tabulate", "report": "report",
    "release": "release", "verify": "verify", "deliver": "deliver", "report-use": "deliver", "log": "log",
    "node": "node", "open": "open_table", "serve": "serve", "worker": "serve", "account": "account",
    "backup": "backup", "restore": "backup", "key": "key", "presets": "presets", "measures": "project",
    "models": "compare", "glossary": "glossary", "schema": "project",
}  # fmt: skip


FLAGS, FORMAT = ("--quiet", "--verbose"), "--log-format"  # options of the program that every command takes
INTERRUPTED = 130  # what Typer ends with after Ctrl-C, without a word
STOPPED = "stopped."
# The words in which systems and libraries say that memory is short: some of them have no class of errors for it.
NO_MEMORY = re.compile(r"allocate memory|bad_alloc|start new thread|failed to map segment|out of memory", re.IGNORECASE)


# Objects made before a look for garbage, instead of 700: what a start loads stays until the end, and looking through it
# two hundred times was a fortieth of a short command. What is freed at once, as most is, needs no look. An `anonymise`
# leaves 115,000 objects, and one look at 100,000 takes 35 ms, a fiftieth of it.
SELDOM = (200_000, 20, 20)


class InOrder(TyperGroup):
    """The commands as they are listed in the help: in the order of the work, none of them cut off in mid-sentence."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        said = {name: (command.help or "").split("\n\n")[0] for name, command in commands.items() if command}
        with formatter.section("Commands"):
            formatter.write_dl([(name, " ".join(text.split())) for name, text in said.items()])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The options of the program are taken wherever they stand: people add them at the end of a command."""
        parsed: list[str] = super().parse_args(ctx, _general_first(args) if ctx.parent is None else args)
        return parsed

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # Typer would end with 1, which says that a requirement is not met
            raise SystemExit(_told(BrokenPipeError(), Stop())[0]) from None
        except Exception as error:  # wrong use of a command, which Typer says in lines of its own
            messages = messages_of(ctx)
            if messages.log_format is None or not hasattr(error, "format_message"):
                raise
            messages.error(error.format_message())
            raise SystemExit(exit_code(error)) from None

    def list_commands(self, ctx: Any) -> list[str]:
        order = list(FILES)
        return sorted(super().list_commands(ctx), key=lambda name: order.index(name) if name in order else len(order))


class Program(InOrder):
    """All commands. The file of one is read when it is asked for: a command waits for none of the others."""

    @property
    def commands(self) -> MutableMapping[str, Any]:
        return self._read(*FILES)

    @commands.setter
    def commands(self, known: MutableMapping[str, Any]) -> None:
        self._known = known

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return self._read(*({cmd_name} & set(FILES))).get(cmd_name)

    def _read(self, *names: str) -> MutableMapping[str, Any]:
        """The commands that are known, with those of some names. A file gives its commands to the program itself."""
        unread = [name for name in names if name not in self._known]
        for name in unread:
            import_module(f".{FILES[name]}", __package__)
        if unread:
            self._known = {**get_command(app)._known, **self._known}  # type: ignore[attr-defined]
        return self._known


def _general_first(args: list[str]) -> list[str]:
    """Arguments with the options of the program before the command; what follows `--` stays where it is.

    >>> _general_first(["assess", "a.csv", "--quiet", "--log-format", "json", "--", "--verbose"])
    ['--quiet', '--log-format', 'json', 'assess', 'a.csv', '--', '--verbose']
    """
    end = args.index("--") if "--" in args else len(args)
    general: list[str] = []
    others: list[str] = []
    rest = iter(args[:end])
    for word in rest:
        if word in FLAGS or word.startswith(f"{FORMAT}="):
            general.append(word)
        elif word == FORMAT:
            general += [word, *([value] if (value := next(rest, None)) is not None else [])]
        else:
            others.append(word)
    return [*general, *others, *args[end:]]


app = typer.Typer(
    name="sfumato",
    cls=Program,
    epilog="Begin with made-up data: sfumato demo; or with your own: sfumato identify DATA.",
    help="Find, measure and remove what could re-identify people in tabular health data.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line. Errors are sentences, and never show what is in a cell."""
    gc.set_threshold(*SELDOM)
    _show_any_letter()
    messages = Messages()
    warnings.showwarning = partial(_noted, messages)
    with stoppable() as stop:
        try:
            sweep()
            try:
                app(prog_name="sfumato", obj=messages)
            finally:
                sys.stdout.flush()
                remove_run()
        except BaseException as error:
            code, words = (BASE + (stop.number or 0), STOPPED) if stop.final else _told(error, stop)
    if words:
        messages.error(words)
    messages.end(code)
    if _alone():
        _leave(code)
    sys.exit(code)


def _alone() -> bool:
    """Whether this process is the program and nothing else, and nothing of it still works.

    Whoever calls `main` from a program of their own goes on after it; a cluster is shut down by its own library.
    """
    program = sys.modules["__main__"]
    spec, file = getattr(program, "__spec__", None), getattr(program, "__file__", None)
    started = spec.name == "sfumato.__main__" if spec else Path(file or "").stem == "sfumato"
    return started and threading.active_count() == 1 and "pyspark" not in sys.modules


def _leave(code: int) -> None:
    """End at once: what was to be done at the end is done, and nothing is taken apart, which would take 0.1 s.

    Files were written and closed before, whole or not at all. Without this Python frees every object one by one.
    """
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _told(error: BaseException, stop: Stop) -> tuple[int, str]:
    """The exit code of an error and the sentence that is said of it."""
    if _interrupted(error, stop):
        return BASE + signal.SIGINT, STOPPED
    if isinstance(error, SystemExit | SfumatoError):
        return exit_code(error), str(error) if isinstance(error, SfumatoError) else ""
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left to be said goes nowhere, without a word
        return BASE + 13, "the output was closed before its end."  # as SIGPIPE ends other programs
    return 2, _unforeseen(error)


def _unforeseen(error: BaseException) -> str:
    """What to say of an error that nothing translated: it may carry a cell value in its message, which is not shown."""
    if isinstance(error, MemoryError) or NO_MEMORY.search(str(error)):
        return "There is not enough memory for this. Close other programs, allow more, or use --engine spark."
    from sfumato.tables.engine import full_disk

    full = full_disk(error)
    if full is not None:
        return str(full)
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}, line {last.lineno}"
    return f"Something unforeseen went wrong ({type(error).__name__} at {place}). Please report this."


def _interrupted(error: BaseException, stop: Stop) -> bool:
    """Whether an error is that of somebody who pressed Ctrl-C, in whatever words a library says so."""
    if isinstance(error, KeyboardInterrupt) or (isinstance(error, SystemExit) and error.code == INTERRUPTED):
        return True
    # Whatever a library makes of an interrupt within it: pandas says AttributeError where its import is cut off.
    foreseen = isinstance(error, SfumatoError) and not isinstance(error, EngineError)
    return stop.number == signal.SIGINT and isinstance(error, Exception) and not foreseen


def _noted(messages: Messages, message: Warning | str, category: type[Warning], *_place: Any, **_how: Any) -> None:
    """Say what Sfumato warns of, such as a key that was made; what libraries warn of may quote data."""
    if category.__module__.startswith("sfumato."):
        messages.note(str(message))


def _version(wanted: bool) -> None:  # noqa: FBT001
    if wanted:
        from sfumato import __version__

        typer.echo(f"sfumato {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", envvar="SFUMATO_QUIET", help="Say nothing but errors, and what - asks for.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", envvar="SFUMATO_VERBOSE", help="Say in lines what is going on, as for a log.")
    ] = False,
    log_format: Annotated[
        LogFormat | None,
        typer.Option(envvar="SFUMATO_LOG_FORMAT", help="Progress, notes and errors as lines of a log."),
    ] = None,
) -> None:
    """Find, measure and remove what could re-identify people in tabular health data."""
    messages = context.obj if isinstance(context.obj, Messages) else Messages()
    context.obj, messages.silent = messages, quiet
    messages.log_format = log_format or (LogFormat.TEXT if verbose else None)
    messages.begin(context.invoked_subcommand)
    if quiet:
        context.with_resource(messages.without_results())


def _show_any_letter() -> None:
    """A name that the terminal has no letters for is shown in numbers, instead of stopping the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
