"""Events: what somebody did, looked at or was refused, in the hash-chained log that `sfumato log` reads.

No event holds a cell value: it names things by handle, name and hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sfumato.errors import SfumatoError
from sfumato.proof.use_log.log import BEGIN, END, USE, AuditLog
from sfumato.service.caller import Caller
from sfumato.service.permissions import Act
from sfumato.show.documents.use_log import Head

EVENT = "event"  # what a line is that stands for itself: something was looked at, handed out or refused


@dataclass(frozen=True)
class Events:
    """The log of the service; every process that works on one root writes to the same."""

    log: AuditLog

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

    def refused(self, caller: Caller, act: Act, about: Mapping[str, Any], error: BaseException) -> None:
        """Write down what somebody was not allowed to do, and why."""
        self.log.append({USE: EVENT, **_line(caller, act, about), "outcome": {"refused": True, **said_of(error)}})


def said_of(error: BaseException) -> dict[str, Any]:
    """An error as the log has it."""
    words = {"reason": str(error)} if isinstance(error, SfumatoError) else {}
    return {"verdict": type(error).__name__, **words}


def _line(caller: Caller, act: StrEnum, about: Mapping[str, Any]) -> dict[str, Any]:
    known = {key: value for key, value in about.items() if value is not None}
    return {"time": _now(), "who": caller.plain(), "command": {"name": act.value, "options": []}, "about": known}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
