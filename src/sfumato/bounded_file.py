"""Files that people write, read with bounds: what is no file, or larger than any that people write, is refused."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

# Bytes of a plan or a hierarchy: the plan of a local recoding of a million records has 20 MB, all codes
# of SNOMED CT with four levels 60 MB.
MOST_BYTES = 200_000_000
NO_FILE = "it is no file"


def opened_file(path: str | Path, *, links: bool = True) -> int:
    """Open a file to read it; `OSError` where it is a folder, a pipe or a device, or a link where those are none.

    It is opened without waiting, since a pipe may never have a writer.
    """
    no_links = 0 if links else getattr(os, "O_NOFOLLOW", 0)
    opened = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | no_links)
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise OSError(errno.EINVAL, NO_FILE)
    return opened


def file_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """The content of a file; `OSError` where it is none, or too large: no more than `most` bytes are read of it."""
    opened = opened_file(path)
    with os.fdopen(opened, "rb") as file:
        content = file.read(most + 1) if os.fstat(opened).st_size <= most else None
    if content is None or len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most // 1_000_000} MB")
    return content
