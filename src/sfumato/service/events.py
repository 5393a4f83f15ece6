"""Events: what somebody did, looked at or was refused, in the hash-chained log that `sfumato log` reads.

No event holds a cell value: it names things by handle, name and hash.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from threading import Lock
from typing import Any

from sfumato.errors import SfumatoError
from sfumato.proof.use_log.log import BEGIN, END, USE, AuditLog
from sfumato.service.caller import Caller
from sfumato.service.permissions import Act
from sfumato.show.documents.use_log import Head

EVENT = "event"  # what a line is that stands for itself: something was looked at, handed out or refused
# Refusals of strangers from one address that have a line each within a minute: a person who mistypes makes a few, and a
# program that knocks without end must not fill the disk, since without its log the service does nothing.
LINES, MINUTE = 20, 60
ADDRESSES = 1000  # that are counted at a time; the one that was quiet for longest is forgotten


@dataclass
class Strangers:
    """How many refusals of somebody unknown were written of late, and how many were only counted."""

    clock: Callable[[], float] = time.monotonic
    lock: Lock = field(default_factory=Lock)
    seen: OrderedDict[str, tuple[float, int]] = field(default_factory=OrderedDict)  # since when, and how many

    def line_for(self, address: str) -> int | None:
        """How many refusals before this one have no line of their own; None where this one has none either."""
        with self.lock:
            since, count = self.seen.pop(address, (self.clock(), 0))
            uncounted = 0
            if self.clock() - since >= MINUTE:
                since, count, uncounted = self.clock(), 0, max(0, count - LINES)
            self.seen[address] = (since, count + 1)
            while len(self.seen) > ADDRESSES:
                self.seen.popitem(last=False)
        return uncounted if count < LINES else None


@dataclass(frozen=True)
class Events:
    """The log of the service; every process that works on one root writes to the same."""

    log: AuditLog
    strangers: Strangers = field(default_factory=Strangers)

    def begin(self, caller: Caller, act: StrEnum, about: Mapping[str, Any]) -> Head:
        """Write down what somebody is about to do, before it is done; `OutputError` where that cannot be written."""
        return self.log.append({USE: BEGIN, **_line(caller, act, about)})

    def end(self, begun: Head, error: BaseException | None = None, **outcome: Any) -> None:
        """Write down what came of it. Of an error that is none of ours only the kind is written: it may quote data."""
        said = {"verdict": "done", **outcome} if error is None else {**outcome, **said_of(error)}
        self.log.append({USE: END, "time": _now(), "of": begun.lines, "begun": begun.hash, "outcome": said})

    def once(self, caller: Caller, act: Act, about: Mapping[str, Any], verdict: str = "done") -> None:
        """Write down something that has no end of its own."""
        self.log.append({USE: EVENT, **_line(caller, act, about), "outcome": {"verdict": verdict}})

    def refused(self, caller: Caller, act: StrEnum, about: Mapping[str, Any], error: BaseException) -> None:
        """Write down what somebody was not allowed to do, and why; of many by one stranger, how many there were."""
        before = 0 if caller.signed_in else self.strangers.line_for(caller.address)
        if before is None:
            return
        more = {"before": before} if before else {}
        said = {"refused": True, **said_of(error), **more}
        self.log.append({USE: EVENT, **_line(caller, act, about), "outcome": said})


def said_of(error: BaseException) -> dict[str, Any]:
    """An error as the log has it."""
    words = {"reason": str(error)} if isinstance(error, SfumatoError) else {}
    return {"verdict": type(error).__name__, **words}


def _line(caller: Caller, act: StrEnum, about: Mapping[str, Any]) -> dict[str, Any]:
    known = {key: value for key, value in about.items() if value is not None}
    return {"time": _now(), "who": caller.plain(), "command": {"name": act.value, "options": []}, "about": known}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
