"""Signals: a run that is asked to stop ends soon, removes what it had laid down, and says so."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType

BASE = 128  # a program that a signal ended is known by this and the number of the signal
TOGETHER = 1.0  # seconds within which signals are one: `timeout` and some terminals send the same one twice
GRACE = 10.0  # seconds for a library that does not look up from its work; then the run ends without it
AGAIN = 0.1  # seconds until engines are interrupted again: after one query that was given up there may come another


class Stopped(SystemExit):
    """The run was asked to end: raised wherever the work is, so that every `finally` on the way is done."""

    def __init__(self, number: int) -> None:
        super().__init__(BASE + number)


@dataclass
class Stop:
    """Whether this run was asked to stop. SIGINT may be meant for a search alone, which then takes the best so far."""

    number: int | None = None  # the signal
    since: float = 0.0  # when it came
    seen: bool = False  # whether the main thread knows

    @property
    def final(self) -> bool:
        """Whether nothing may go on."""
        return self.number not in (None, signal.SIGINT)

    def handle(self, number: int, frame: FrameType | None) -> None:
        """What the main thread does on a signal, as soon as it is back in Python."""
        again = self.seen and (self.final or time.monotonic() - self.since < TOGETHER)
        if not again:
            self._note(number)
            self.seen = True
            raise KeyboardInterrupt if number == signal.SIGINT else Stopped(number)

    def watch(self, heard: int) -> None:
        """Beside the main thread: what it cannot do while it is in a library that returns when all is done."""
        while True:
            if select.select([heard], [], [], AGAIN)[0]:
                numbers = os.read(heard, 1)
                if not numbers:  # closed: the run is over
                    return
                self._hear(numbers[0])
            elif self.final or (self.number is not None and not self.seen):
                self._press()

    def _hear(self, number: int) -> None:
        if self.number is not None and time.monotonic() - self.since > TOGETHER and (self.final or not self.seen):
            os._exit(BASE + number)  # asked twice
        if not self.final:
            self._note(number)
        _interrupt_engines()

    def _press(self) -> None:
        """Interrupt what still goes on; where it never looks up, end without it. Drafts are swept by the next run."""
        _interrupt_engines()
        if self.number is not None and not self.seen and time.monotonic() - self.since > GRACE:
            from sfumato.temporary import remove_run

            remove_run()
            os.write(2, b"sfumato: stopped.\n")
            os._exit(BASE + self.number)

    def _note(self, number: int) -> None:
        if number != self.number:
            self.number, self.since, self.seen = number, time.monotonic(), False


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Let SIGTERM, SIGHUP and SIGINT end the block by an exception; what the caller ignores (nohup) stays ignored.

    Only the command line does so: in a notebook or a program of others, signals are theirs.
    """
    stop = Stop()
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield stop
        return
    heard, written = os.pipe()
    os.set_blocking(written, False)
    former = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    watcher = threading.Thread(target=stop.watch, args=(heard,), daemon=True)
    watcher.start()
    wakeup = signal.set_wakeup_fd(written, warn_on_full_buffer=False)
    for number, handler in former.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, stop.handle)
    try:
        yield stop
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup)
        os.close(written)
        watcher.join()
        os.close(heard)


def _interrupt_engines() -> None:
    """Let the engines give up their queries, where there are any; a query that begins later is not hit."""
    module = sys.modules.get("sfumato.tables.engines.duckdb")
    with suppress(Exception):  # one may be gone by now
        for engine in list(module.living if module is not None else ()):
            engine.interrupt()
