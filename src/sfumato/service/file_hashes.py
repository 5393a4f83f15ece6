"""Hashes of files under the roots of a service: a file that nobody has touched since is not read to its end again.

A page of rows is shown of the very file that was registered. To read two gigabytes for each page, so as to know that
they are the same, takes longer than the page; the system knows it at once.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path
from typing import IO

# A clock of files ticks slowly (every 2 s on some systems): what was written in the tick in which it was read may
# differ without a difference in its times. Such a file is read again.
TICK = 2_000_000_000  # nanoseconds
MOST = 1_000  # files that are remembered


@dataclass(frozen=True)
class FileMark:
    """What the system says of a file, which changes with every writing.

    The time of its last change of any kind is set by the system alone: who sets back the other one does not hide it.
    """

    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, stream: IO[bytes]) -> FileMark:
        """The mark of an open file now."""
        known = os.fstat(stream.fileno())
        return cls(known.st_dev, known.st_ino, known.st_size, known.st_mtime_ns, known.st_ctime_ns)


@dataclass(frozen=True)
class FileHashes:
    """The hash of a file, remembered by its mark for as long as the process lives."""

    known: dict[FileMark, str] = field(default_factory=dict)

    def of(self, path: Path) -> str:
        """The SHA-256 of a file in hexadecimal."""
        with path.open("rb") as stream:
            return self.of_open(stream)

    def of_open(self, stream: IO[bytes]) -> str:
        """The SHA-256 of a file that is open at its beginning."""
        mark = FileMark.of(stream)
        if mark in self.known:
            return self.known[mark]
        begun = time.time_ns()
        hashed = file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
        if FileMark.of(stream) == mark and max(mark.modified, mark.changed) < begun - TICK:
            if len(self.known) >= MOST:
                self.known.clear()
            self.known[mark] = hashed
        return hashed
