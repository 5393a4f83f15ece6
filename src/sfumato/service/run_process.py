"""The process of a run: the command line at work in a folder of its own, with limits, watched and stopped for sure."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

from sfumato.temporary import private_file

PROC = Path("/proc")
GRACE = 0.5  # seconds between asking a process to end and ending it
LOOK = 0.1  # seconds between two looks at its memory; its disk is looked at every tenth time
PATIENCE = 5.0  # seconds for the last words of a process that has ended
LONGEST_LINE = 100_000  # bytes of a message
MOST_NOTES = 20
ROOM = 2  # times the limit of memory that it may reserve: much of what is reserved is never used
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True)
class RunLimits:
    """What a run may use."""

    memory: int
    seconds: int
    disk: int
    network: bool = False
    user: tuple[int, int] | None = None  # numbers of a user of the system and of its group

    def plain(self) -> str:
        """As the process gets to know them before it becomes the command."""
        limits = {"data": ROOM * self.memory, "file": self.disk, "network": self.network, "user": self.user}
        return json.dumps({**limits, "parent": os.getpid()})


@dataclass
class RunProcess:
    """A command at work. A thread reads what it says and ends it where it goes beyond a limit."""

    process: subprocess.Popen[bytes]
    limits: RunLimits
    folder: Path
    laid_out: int = 0  # bytes that were in the folder before: the source is not the run's doing
    listener: Thread | None = None
    words: str = ""
    done: int = 0
    total: int = 0
    notes: list[str] = field(default_factory=list)
    error: str | None = None  # the last one it told of
    told_exit: int | None = None  # the code that it said it ends with
    beyond: str | None = None  # the limit that it went beyond, in words

    @classmethod
    def start(
        cls,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        limits: RunLimits,
        output: Path | None,
    ) -> RunProcess:
        """Start a command in a folder, in a session of its own so that all that it starts ends with it.

        What it shows goes into the file `output`; without one it is asked and answers by pipes.
        """
        confinement = str(Path(__file__).with_name("confinement.py"))
        with ExitStack() as opened:
            given, shown = subprocess.PIPE, subprocess.PIPE
            if output is not None:
                given = subprocess.DEVNULL
                shown = opened.enter_context(open(output, "wb", opener=private_file))  # type: ignore[assignment]
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", confinement, limits.plain(), *command],
                cwd=folder, env=dict(environment), stdin=given, stdout=shown, stderr=subprocess.PIPE,
                start_new_session=True,
            )  # fmt: skip
        run = cls(process, limits, folder, laid_out=disk_of(folder))
        run.listener = Thread(target=run._listen, daemon=True)
        run.listener.start()
        Thread(target=run._guard, daemon=True).start()
        return run

    def ended(self, within: float) -> bool:
        """Whether it has ended, after waiting for so many seconds at the most."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(within)
        return self.process.poll() is not None

    def stop(self) -> None:
        """End it and all that it started: it is asked, and half a second later it is not asked any more."""
        self._signal(signal.SIGTERM)
        if not self.ended(GRACE):
            self._signal(signal.SIGKILL)
            self.process.wait()
        self.clear()

    def clear(self) -> None:
        """End what is left of its session after it has ended itself, and hear the last of what it said."""
        self._signal(signal.SIGKILL)
        if self.listener is not None:
            self.listener.join(PATIENCE)

    def _signal(self, number: int) -> None:
        for process in _session(self.process.pid) or [self.process.pid]:
            if process != self.process.pid or self.process.poll() is None:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(process, number)

    def _listen(self) -> None:
        stream = self.process.stderr
        assert stream is not None
        while line := stream.readline(LONGEST_LINE):
            with suppress(ValueError):  # what is no line of ours may quote data, and is not kept
                message = json.loads(line)
                if isinstance(message, dict) and isinstance(message.get("message"), str):
                    self._take(message)

    def _take(self, message: Mapping[str, Any]) -> None:
        level, words = message.get("level"), message["message"]
        if isinstance(message.get("exit"), int):
            self.told_exit = message["exit"]
        elif level == "error":
            self.error = words
        elif level == "warning":
            if len(self.notes) < MOST_NOTES and words not in self.notes:
                self.notes.append(words)
        else:
            counts = (message.get("done"), message.get("total"))
            done, total = counts if all(isinstance(count, int) for count in counts) else (0, 0)
            self.words, self.done, self.total = words[:1000], int(done or 0), int(total or 0)

    def _guard(self) -> None:
        begun, looks = time.monotonic(), 0
        while not self.ended(LOOK):
            looks += 1
            if memory_of(self.process.pid) > self.limits.memory:
                self.beyond = f"The run took more memory than its limit of {_size(self.limits.memory)} (run_memory)."
            elif time.monotonic() - begun > self.limits.seconds:
                self.beyond = f"The run took longer than its limit of {self.limits.seconds} seconds (run_seconds)."
            elif looks % 10 == 0 and disk_of(self.folder) - self.laid_out > self.limits.disk:
                self.beyond = f"The run took more disk than its limit of {_size(self.limits.disk)} (run_disk)."
            if self.beyond is not None:
                self._signal(signal.SIGKILL)
                return


def _size(count: int) -> str:
    return f"{count / 10**9:g} GB" if count >= 10**9 else f"{count / 10**6:g} MB"


def _session(leader: int) -> list[int]:
    """The processes of a session; none where the system has no list of them."""
    return [process for process, fields in _listed() if int(fields[3]) == leader]


def memory_of(leader: int) -> int:
    """The memory that a session holds, in bytes; what two of its processes share counts twice."""
    return PAGE * sum(int(fields[21]) for _, fields in _listed() if int(fields[3]) == leader)


def _listed() -> list[tuple[int, list[str]]]:
    """Every process with what the system says of it after its name: state, parent, group, session and so on."""
    known = []
    for entry in os.listdir(PROC) if PROC.is_dir() else ():
        if entry.isdecimal():
            with suppress(OSError):
                known.append((int(entry), (PROC / entry / "stat").read_text().rpartition(")")[2].split()))
    return known


def disk_of(folder: Path) -> int:
    """The bytes that the files of a folder take on the disk."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_blocks * 512
    return total
