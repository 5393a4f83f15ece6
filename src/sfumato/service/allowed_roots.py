"""Allowed roots: folders that an administrator names, and files in them that are opened without following a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from sfumato.errors import NotKnown

LONGEST = 1_000  # letters of a path within a root
# A link is refused on the way as well as at its end: who can write into a root cannot lead out of it.
STEP = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def opened_within(roots: Mapping[str, Path], root: str, path: str) -> int:
    """A file under an allowed root, opened for reading; `NotKnown` for whatever is no plain file there.

    The path is relative and goes downwards only. What is not there, is a link or is a folder looks the same: nothing
    is told of what lies around.
    """
    if root not in roots:
        raise NotKnown("the root, or the file under it")
    parts = parts_of(path)
    try:
        here = os.open(roots[root], STEP & ~getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0))
        for place, part in enumerate(parts, 1):
            last = place == len(parts)
            kind = getattr(os, "O_NONBLOCK", 0) if last else getattr(os, "O_DIRECTORY", 0)
            try:
                below = os.open(part, STEP | kind, dir_fd=here)
            finally:
                os.close(here)
            here = below
    except (OSError, ValueError):
        raise NotKnown("the root, or the file under it") from None
    if not stat.S_ISREG(os.fstat(here).st_mode):
        os.close(here)
        raise NotKnown("the root, or the file under it")
    return here


def parts_of(path: str) -> tuple[str, ...]:
    """The names that a path goes through; `NotKnown` where it is no path downwards.

    >>> parts_of("2024/visits.csv")
    ('2024', 'visits.csv')
    """
    written = path.split("/")
    downwards = all(part not in ("", ".", "..") and part.isprintable() and "\\" not in part for part in written)
    if not downwards or len(path) > LONGEST or ":" in written[0] or path.startswith("~"):
        raise NotKnown("the root, or the file under it")
    return PurePosixPath(path).parts
