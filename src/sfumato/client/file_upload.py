"""A file on its way to a service: in parts, each of which may be sent again, and taken up where it was cut off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sfumato.canonical import sha256_of
from sfumato.client.wire import OFFSET, Wire
from sfumato.errors import Conflict, UnreadableFile
from sfumato.progress import Tell, quiet

PART = 8_000_000  # bytes: what is lost when a connection breaks, and what is in memory


def upload(wire: Wire, project: str, path: str | Path, *, name: str | None = None, tell: Tell = quiet) -> Any:
    """Send a file, from where an earlier try was cut off; the document of the source that it becomes."""
    file = Path(path)
    try:
        size = file.stat().st_size
    except OSError as error:
        raise UnreadableFile(file, f"this cannot be sent ({error.strerror}).") from None
    source = name or file.name
    begun = _begun(wire, project, source, size)
    handle, received = str(begun["handle"]), int(begun["received"])
    with file.open("rb") as stream:
        while received < size:
            tell(f"Sending {file.name}", received, size)
            stream.seek(received)
            received = _sent(wire, project, handle, received, stream.read(PART))
    tell(f"Sending {file.name}", size, size)
    body = {"sha256": sha256_of(file)}
    return wire.post("projects", project, "uploads", handle, "source", body=body).document


def _begun(wire: Wire, project: str, name: str, size: int) -> Any:
    """The upload of that name and size that was cut off, or a new one."""
    for known in wire.get("projects", project, "uploads").document:
        if known["name"] == name and known["bytes"] == size:
            return known
    return wire.post("projects", project, "uploads", body={"name": name, "bytes": size}).document


def _sent(wire: Wire, project: str, handle: str, at: int, part: bytes) -> int:
    """How much has arrived after a part was sent; one that arrived already is not sent twice."""
    headers = {OFFSET: str(at), "Content-Type": "application/octet-stream"}
    try:
        answer = wire.ask("PATCH", "projects", project, "uploads", handle, "parts", content=part, headers=headers)
    except Conflict:  # the answer to an earlier try was lost: the part is there
        answer = wire.get("projects", project, "uploads", handle)
    return int(answer.document["received"])
