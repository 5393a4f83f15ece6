"""Differences between two versions of a project, file by file, as programmers read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import unified_diff

from sfumato.service.caller import Caller
from sfumato.service.service import Service
from sfumato.service.versions import version

# Beyond these a difference is neither read by anybody nor quick to make.
MOST_BYTES = 1_000_000
MOST_LINES = 10_000


@dataclass(frozen=True)
class FileDifference:
    """What has become of one file: added, deleted or changed, and how its text differs; None where it is too large."""

    name: str
    change: str
    text: str | None


def differences(service: Service, caller: Caller, project: str, before: int, after: int) -> Sequence[FileDifference]:
    """What differs between two versions; before the first one there was nothing, and its number is 0."""
    new = version(service, caller, project, after).files
    old = version(service, caller, project, before).files if before else {}
    names = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    return [_difference(service, name, old.get(name), new.get(name)) for name in names]


def _difference(service: Service, name: str, old: str | None, new: str | None) -> FileDifference:
    change = "added" if old is None else "deleted" if new is None else "changed"
    one, other = (_lines(service, content) for content in (old, new))
    if one is None or other is None:
        return FileDifference(name, change, None)
    return FileDifference(name, change, "".join(_ended(unified_diff(one, other, f"before/{name}", f"after/{name}"))))


def _ended(lines: Iterable[str]) -> Sequence[str]:
    """Lines that all end: the last one of a file may not."""
    return [line if line.endswith("\n") else f"{line}\n" for line in lines]


def _lines(service: Service, content: str | None) -> list[str] | None:
    if content is None:
        return []
    if service.storage.path(content).stat().st_size > MOST_BYTES:
        return None
    lines = service.storage.read(content).decode("utf-8", errors="replace").splitlines(keepends=True)
    return lines if len(lines) <= MOST_LINES else None
