"""The log of the service for auditors: its lines, whether they are as they were written, and all of it as a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sfumato.canonical import CHUNK
from sfumato.errors import ServiceUnavailable
from sfumato.proof.use_log.chain import Chain
from sfumato.proof.use_log.log import parsed_line
from sfumato.service.caller import Caller
from sfumato.service.permissions import Act
from sfumato.service.service import Service


@dataclass(frozen=True)
class LogVerdict:
    """Whether a log is whole: how many lines it has, its head, what is wrong with it, and what is worth knowing."""

    lines: int
    head: str | None
    problems: tuple[str, ...]
    remarks: tuple[str, ...]


def log_lines(service: Service, caller: Caller, *, after: int, limit: int) -> list[dict[str, Any]]:
    """Lines after a number, one more than the limit; of a line that was changed, no more than that it is there."""
    with service.act(caller, Act.LOG_READ):
        lines: list[dict[str, Any]] = []
        for number, line in enumerate(_opened(service), 1):
            if number > after and len(lines) <= limit:
                lines.append({"place": number, "line": parsed_line(line)})
            if len(lines) > limit:
                break
        return lines


def log_verdict(service: Service, caller: Caller) -> LogVerdict:
    """Whether no line was changed, removed or inserted."""
    with service.act(caller, Act.LOG_VERIFY):
        if not service.events.log.path.exists():
            return LogVerdict(0, None, (), ())
        chain = Chain.of(service.events.log, verify=True)
        kept = service.events.log.kept_head()
        return LogVerdict(
            lines=kept.head.lines if kept else 0,
            head=kept.head.hash if kept else None,
            problems=chain.problems or (),
            remarks=chain.remarks,
        )


def log_export(service: Service, caller: Caller) -> Iterator[bytes]:
    """The file as it is now, piece by piece; `sfumato log --verify` reads it."""
    with service.act(caller, Act.LOG_READ):
        path = service.events.log.path
        size = path.stat().st_size if path.exists() else 0
    return _pieces(service, size)


def _opened(service: Service) -> Iterator[bytes]:
    path = service.events.log.path
    if not path.exists():
        return
    try:
        with path.open("rb") as lines:
            yield from lines
    except OSError:
        raise ServiceUnavailable("The log of the service") from None


def _pieces(service: Service, size: int) -> Iterator[bytes]:
    if not size:
        return
    with service.events.log.path.open("rb") as stream:
        while size > 0 and (piece := stream.read(min(CHUNK, size))):
            size -= len(piece)
            yield piece
