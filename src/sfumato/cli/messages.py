"""Messages: what is said beside the results, on the second stream, for a person who watches or for a log.

On a terminal progress is drawn and taken away again. In a log each message is a line of its own, as text or as a JSON
object, with its time and level. No message holds a cell value.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TextIO

from sfumato.progress import quiet

if TYPE_CHECKING:
    from sfumato.progress import Tell

PARTS = 10  # lines at most for one piece of work that can be counted: a search tells of thousands of steps


class LogFormat(StrEnum):
    """How a line of a log is written."""

    TEXT = "text"
    JSON = "json"


class MessageLevel(StrEnum):
    """How much a message matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass
class Messages:
    """What is said of a run, and how. The options of the program are known only once they are parsed."""

    silent: bool = False  # nothing but errors
    log_format: LogFormat | None = None  # None: for a person, progress on a terminal only
    command: str | None = None
    results: TextIO | None = None  # where results go that were asked for by name, while all others go nowhere
    begun: float = field(default_factory=time.monotonic)

    def begin(self, command: str | None) -> None:
        """Say which command begins, where a log is kept."""
        self.command = command
        if self.log_format is not None and not self.silent:
            self._line(MessageLevel.INFO, f"{command} begins")

    def end(self, code: int) -> None:
        """Say that the command has ended, with what code and after how long, where a log is kept."""
        if self.log_format is not None and self.command is not None and not self.silent:
            took = f"{time.monotonic() - self.begun:.1f}"
            self._line(MessageLevel.INFO, f"{self.command} ended with exit code {code} after {took} s", exit=code)

    def note(self, words: str) -> None:
        """Say what somebody should know, such as that a key was made."""
        if self.log_format is not None and not self.silent:
            self._line(MessageLevel.WARNING, words)
        elif not self.silent:
            sys.stderr.write(f"Note: {words}\n")

    def say(self, words: str, *, wrong: bool = False) -> None:
        """Say what was done, or what is wrong, as a line of its own."""
        if self.log_format is not None and (wrong or not self.silent):
            self._line(MessageLevel.ERROR if wrong else MessageLevel.INFO, words)
        elif self.log_format is None:
            (sys.stderr if wrong else sys.stdout).write(f"{words}\n")

    def error(self, words: str) -> None:
        """Say why the command stopped."""
        if self.log_format is not None:
            self._line(MessageLevel.ERROR, words)
        else:
            sys.stderr.write(f"sfumato: {words}\n")

    @contextmanager
    def progress(self) -> Iterator[Tell]:
        """Says what is going on: in lines for a log, drawn on a terminal, not at all where nobody watches."""
        if self.silent:
            yield quiet
        elif self.log_format is not None:
            yield Steps(self).tell
        elif sys.stderr.isatty():
            with _drawn() as tell:
                yield tell
        else:
            yield quiet

    @contextmanager
    def without_results(self) -> Iterator[None]:
        """Show no results, but for those that a file name of `-` asks for."""
        self.results = sys.stdout
        with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
            yield

    def step(self, words: str, done: int, total: int) -> None:
        """A line on work that goes on."""
        self._line(MessageLevel.INFO, words, **({"done": done, "total": total} if total else {}))

    def _line(self, level: MessageLevel, words: str, **more: int) -> None:
        from datetime import UTC, datetime

        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        if self.log_format is LogFormat.JSON:
            import json

            known = {"command": self.command} if self.command else {}
            line = json.dumps({"time": now, "level": level.value, "message": words, **known, **more}, ensure_ascii=True)
        else:
            counted = f" ({more['done']} of {more['total']})" if "total" in more else ""
            line = f"{now} {level.value.upper()} {' '.join(words.splitlines())}{counted}"
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()  # whoever reads a log reads it while the run goes on


@dataclass
class Steps:
    """Progress as lines: one when something else is done, and one for each tenth of what can be counted."""

    messages: Messages
    last: tuple[str, int] | None = None

    def tell(self, words: str, /, done: int = 0, total: int = 0) -> None:
        """Say it, unless nothing has changed that is worth a line."""
        part = PARTS * done // total if total else 0
        if (words, part) != self.last:
            self.last = (words, part)
            self.messages.step(words, done, total)


@contextmanager
def _drawn() -> Iterator[Tell]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    parts = SpinnerColumn(), TextColumn("{task.description} ..."), BarColumn(), TimeElapsedColumn()
    with Progress(*parts, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("Starting", total=None)

        def tell(words: str, /, done: int = 0, total: int = 0) -> None:
            shown.update(task, description=words, completed=done, total=total or None)

        yield tell


def messages_of(context: Any) -> Messages:
    """The messages of the run that a command belongs to; plain ones where it was called from elsewhere."""
    known = context.find_root().obj if context is not None else None
    return known if isinstance(known, Messages) else Messages()
