"""A search of the log of the service: who did what, the newest first, read from its end piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.errors import ServiceUnavailable
from sfumato.proof.use_log.log import BEGIN, END, USE, parsed_line
from sfumato.service.caller import Caller
from sfumato.service.permissions import Act
from sfumato.service.service import Service

PIECE = 262_144  # bytes that are read at once
# Bytes that one search looks through: about a second. What is older is looked through from there by the next one.
MOST_BYTES = 32_000_000
# Bytes after the place where a search begins in which the end of something is looked for that began before it: runs
# and downloads end within a few lines of each other, and of what took longer the end stands on the page before.
BEYOND = 262_144


@dataclass(frozen=True)
class LogQuestion:
    """What is looked for; empty is everything."""

    person: str = ""
    project: str = ""
    act: str = ""
    refused: bool = False  # only what was refused

    def matches(self, line: LoggedAct) -> bool:
        """Whether a line is one of those."""
        wanted = ((self.person, line.person), (self.project, line.project), (self.act, line.act))
        return all(not asked or asked == there for asked, there in wanted) and (line.refused or not self.refused)


@dataclass(frozen=True)
class LoggedAct:
    """Something that somebody did, looked at or was refused."""

    number: int
    time: str
    person: str
    way: str
    address: str
    act: str
    about: Mapping[str, Any]
    outcome: Mapping[str, Any] | None  # None where it has no end yet

    @property
    def project(self) -> str:
        """The project that it is about."""
        return str(self.about.get("project") or "")

    @property
    def refused(self) -> bool:
        """Whether it was refused."""
        return bool((self.outcome or {}).get("refused"))


@dataclass(frozen=True)
class LogPage:
    """Some acts, the newest first; `before` is where the next search begins, None at the beginning of the log."""

    acts: tuple[LoggedAct, ...]
    before: int | None


def search_log(
    service: Service, caller: Caller, question: LogQuestion, *, before: int | None = None, limit: int = 50
) -> LogPage:
    """The newest acts that are looked for, before a place of the file in bytes."""
    with service.act(caller, Act.LOG_READ):
        path = service.events.log.path
        size = path.stat().st_size if path.exists() else 0
        until = size if before is None else max(0, min(before, size))
        ends: dict[int, Mapping[str, Any]] = {}
        acts: list[LoggedAct] = []
        for place, text in _backwards(path, min(size, until + BEYOND)):
            line = parsed_line(text)
            if line is None:
                continue
            if line.get(USE) == END:
                ends[int(line.get("of") or 0)] = line.get("outcome") or {}
            elif place < until:
                acted = _acted(line, ends)
                if question.matches(acted):
                    acts.append(acted)
                if len(acts) == limit or until - place > MOST_BYTES:
                    return LogPage(tuple(acts), place or None)
        return LogPage(tuple(acts), None)


def _acted(line: Mapping[str, Any], ends: Mapping[int, Mapping[str, Any]]) -> LoggedAct:
    who, command = line.get("who") or {}, line.get("command") or {}
    number = int(line.get("number") or 0)
    return LoggedAct(
        number=number,
        time=str(line.get("time") or ""),
        person=str(who.get("name") or ""),
        way=str(who.get("way") or ""),
        address=str(who.get("address") or ""),
        act=str(command.get("name") or ""),
        about=line.get("about") or {},
        outcome=ends.get(number) if line.get(USE) == BEGIN else line.get("outcome"),
    )


def _backwards(path: Path, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines of a file before a place, the last one first, each with where it begins."""
    if not end:
        return
    try:
        with path.open("rb") as stream:
            tail = b""  # the part of a line that follows what is read next
            while end > 0:
                start = max(0, end - PIECE)
                stream.seek(start)
                read = stream.read(end - start) + tail
                # Of a piece within the file the first line has its beginning further on.
                cut = read.find(b"\n") + 1 if start else 0
                tail, end = (read, start) if start and not cut else (read[:cut], start)
                if start and not cut:
                    continue
                place = start + len(read)
                for line in reversed(read[cut:].splitlines(keepends=True)):
                    place -= len(line)
                    yield place, line
    except OSError:
        raise ServiceUnavailable("The log of the service") from None
