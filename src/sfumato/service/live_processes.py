"""Live processes: each holds the evaluator of one version of a project in memory, and answers questions about it.

A process is a child of the server, confined and limited as a run is. It ends with the server, after a while without a
question, when the project has a newer version, and when others are asked and there are too many.
"""

from __future__ import annotations

import json
import logging
import os
import re
import select
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Lock, Thread
from typing import Any

from sfumato.errors import ServiceRefusal, SfumatoError
from sfumato.service.run_process import RunLimits, RunProcess
from sfumato.temporary import held_folder, remove, sweep_free

PREFIX, FOLDER = "live-", re.compile(r"live-[a-z0-9_]{8}")
PROGRAM = (sys.executable, "-m", "sfumato.service.live_evaluator")
LOOK = 250  # milliseconds between two looks at whether a process is still wanted
PATIENCE = 20.0  # seconds for one answer: it takes milliseconds, and a machine may be busy
AGAIN = 20.0  # seconds after which a process that broke down is started anew, when somebody asks
MINUTE = 60
BROKE_DOWN = "The process that answers here has ended by itself. Ask again in a moment; nothing was lost."
TOO_LONG = "An answer took too long, so the process that answers here was ended. Ask again; nothing was lost."
LayOut = Callable[[Path], tuple[Mapping[str, str], RunLimits]]  # writes a folder; what a process in it may do
log = logging.getLogger(__name__)


class LiveEnded(ServiceRefusal):
    """A live process that cannot answer, or does not any more; in words for people."""

    status, kind = 409, "live-ended"


@dataclass(frozen=True)
class LiveKey:
    """What a process is about: a project, one of its versions, and its source, by their handles."""

    project: str
    version: int
    source: str | None


@dataclass
class LiveProcess:
    """One process. A thread attends it from start to end: the system ends a child with the thread that made it."""

    key: LiveKey
    idle: float  # seconds without a question after which it ends
    shape: dict[str, Any] | None = None  # what it said when it was ready
    problem: str | None = None  # why it will not answer, in words
    kind: str = ""  # of the problem: the class of the error
    lasting: bool = False  # whether it would say the same again: what is wrong is in the project
    opened_by: set[str] = field(default_factory=set)  # accounts that have a line in the log
    run: RunProcess | None = None
    used: float = field(default_factory=time.monotonic)
    ended_at: float = 0.0
    over: Event = field(default_factory=Event)
    _unwanted: Event = field(default_factory=Event)
    _asking: Lock = field(default_factory=Lock)
    _answers: Queue[dict[str, Any] | None] = field(default_factory=Queue)

    def begin(self, work: Path, lay_out: LayOut) -> None:
        """Start it, in a folder of its own; what comes of that is seen in `shape` and `problem`."""
        Thread(target=self._attend, args=(work, lay_out), daemon=True).start()

    @property
    def progress(self) -> tuple[str, int, int]:
        """What it does before it is ready: in words, and how much of it is done."""
        return ("", 0, 0) if self.run is None else (self.run.words, self.run.done, self.run.total)

    def ask(self, questions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The answers to some questions, together; `LiveEnded` where there will be none."""
        with self._asking:
            self.used = time.monotonic()
            answer = self._answer(json.dumps({"questions": list(questions)}).encode() + b"\n")
        if answer is None:
            raise LiveEnded(self.problem or BROKE_DOWN)
        answers: list[dict[str, Any]] = answer["answers"]
        return answers

    def end(self) -> None:
        """Let it end, within a second."""
        self._unwanted.set()

    def _answer(self, line: bytes) -> dict[str, Any] | None:
        if self.run is None or self.over.is_set():
            return None
        stream = self.run.process.stdin
        assert stream is not None
        try:
            stream.write(line)
            stream.flush()
            return self._answers.get(timeout=PATIENCE)
        except (OSError, ValueError):  # its end of the pipe is closed
            self.over.wait(PATIENCE)  # whoever attends it knows why
            return None
        except Empty:
            self.problem = self.problem or TOO_LONG
            self.end()
            return None

    def _attend(self, work: Path, lay_out: LayOut) -> None:
        folder, held = None, None
        try:
            sweep_free(work, FOLDER)
            folder, held = held_folder(work, PREFIX)
            environment, limits = lay_out(folder)
            self.run = RunProcess.start(PROGRAM, folder, environment, limits, None)
            self._listen(self.run)
        except SfumatoError as error:
            self.problem = str(error)
        except Exception as error:  # whatever it is: the server goes on, and whoever asks is told
            log.warning("A live process could not be started: %s.", type(error).__name__)
            self.problem = BROKE_DOWN
        finally:
            if self.run is not None:
                self.run.stop()
            if folder is not None:
                remove(folder)
            if held is not None:
                os.close(held)
            self.ended_at = time.monotonic()
            self.over.set()
            self._answers.put(None)

    def _listen(self, run: RunProcess) -> None:
        """Pass on what it says, line by line, until it ends or is not wanted any more."""
        stream, rest = run.process.stdout, b""
        assert stream is not None
        look = select.poll()
        look.register(stream, select.POLLIN | select.POLLHUP)
        while not self._unwanted.is_set() and time.monotonic() - self.used < self.idle:
            if not look.poll(LOOK):
                continue
            said = os.read(stream.fileno(), 1 << 16)
            if not said:
                self.problem = self.problem or self._said_of_end(run)
                return
            *lines, rest = (rest + said).split(b"\n")
            for line in lines:
                self._take(json.loads(line))

    def _take(self, said: dict[str, Any]) -> None:
        if "answers" in said:
            self._answers.put(said)
        elif "shape" in said:
            self.shape, self.used = said["shape"], time.monotonic()
        else:
            self.problem, self.kind, self.lasting = said["problem"], said["kind"], said["lasting"]

    @staticmethod
    def _said_of_end(run: RunProcess) -> str:
        """Why a process ended that was still wanted: it went beyond a limit, or it broke down."""
        run.ended(1)
        return run.beyond.replace("The run", "What answers here", 1) if run.beyond else BROKE_DOWN


@dataclass
class LiveProcesses:
    """The live processes of one server, the one that was asked last at the end."""

    _known: OrderedDict[LiveKey, LiveProcess] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def of(self, key: LiveKey) -> LiveProcess | None:
        """The process for a key, where there is one that answers, will answer, or knows why it cannot."""
        with self._lock:
            process = self._known.get(key)
            if process is None or _is_gone(process):
                return None
            self._known.move_to_end(key)
            process.used = time.monotonic()
            return process

    def opened(self, key: LiveKey, *, most: int, idle: float, work: Path, lay_out: LayOut) -> LiveProcess:
        """The process for a key, started where there is none; those that it takes the place of end."""
        with self._lock:
            known = self._known.get(key)
            if known is not None and not _is_gone(known):
                return known
            process = self._known[key] = LiveProcess(key, idle)
            self._known.move_to_end(key)
            for other in list(self._known.values()):
                older = other.key != key and other.key.project == key.project
                if older or (len(self._known) > most and other is not process):
                    other.end()
                    del self._known[other.key]
            process.begin(work, lay_out)
            return process

    def current(self, project: str, version: int) -> LiveProcess | None:
        """The process of a version of a project, where there is one."""
        with self._lock:
            keys = [key for key in self._known if (key.project, key.version) == (project, version)]
            return self._known[keys[0]] if keys else None

    def carry_over(self, project: str, before: int, after: int, changed: Mapping[str, Any]) -> None:
        """Let the process of a version answer for the next one, which differs only in what every question says anyway.

        `changed` is what can be asked for there, and was not so before.
        """
        with self._lock:
            for key in [key for key in self._known if key.project == project and key.version == before]:
                process = self._known.pop(key)
                process.key = replace(key, version=after)
                process.shape = {**process.shape, **changed} if process.shape is not None else None
                self._known[process.key] = process

    def end(self, within: float = 5.0) -> None:
        """End all of them, and wait for that."""
        with self._lock:
            ending = list(self._known.values())
            self._known.clear()
        for process in ending:
            process.end()
        for process in ending:
            with suppress(RuntimeError):
                process.over.wait(within)


def _is_gone(process: LiveProcess) -> bool:
    """Whether a process has ended and would answer if it were started again; one that broke down rests for a while."""
    if not process.over.is_set() or process.lasting:
        return False
    return process.problem is None or time.monotonic() - process.ended_at > AGAIN
