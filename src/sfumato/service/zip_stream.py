"""A ZIP archive as a stream: the same files give the same bytes, and one chunk is in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, cast
from zipfile import ZIP_STORED, ZipFile, ZipInfo

CHUNK = 1 << 20
# The first time that a ZIP archive can name. Nothing is compressed: what compressors write differs with their version.
ALWAYS = (1980, 1, 1, 0, 0, 0)
PLAIN_FILE = 0o100644 << 16


class _Outlet:
    """Takes what the archive writes until somebody carries it away; it cannot go back, and so nothing is kept."""

    def __init__(self) -> None:
        self.waiting: list[bytes] = []

    def write(self, content: bytes) -> int:
        self.waiting.append(bytes(content))
        return len(content)

    def flush(self) -> None:
        """There is nothing behind it."""

    def close(self) -> None:
        """There is nothing to close."""

    def taken(self) -> bytes:
        content, self.waiting = b"".join(self.waiting), []
        return content


def zip_stream(files: Mapping[str, Path], folder: str) -> Iterator[bytes]:
    """The chunks of an archive that holds these files, by name, in one folder."""
    outlet = _Outlet()
    with ZipFile(cast("IO[bytes]", outlet), "w", ZIP_STORED) as archive:
        for name, path in sorted(files.items()):
            entry = ZipInfo(f"{folder}/{name}", ALWAYS)
            entry.external_attr, entry.create_system, entry.file_size = PLAIN_FILE, 3, path.stat().st_size
            with path.open("rb") as source, archive.open(entry, "w") as target:
                while chunk := source.read(CHUNK):
                    target.write(chunk)
                    yield outlet.taken()
    yield outlet.taken()
