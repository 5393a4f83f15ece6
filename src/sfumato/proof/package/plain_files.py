"""Files of a folder that somebody else made: only plain ones are opened, and no more of them is read than is said.

A package is one flat folder of plain files. Whatever else is in it (a link, a pipe, a device, a folder) is named and
never opened: a link leads out of the folder, a pipe waits for ever, a device never ends.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from sfumato.bounded_file import opened_file
from sfumato.canonical import CHUNK

LONGEST = 255  # letters of a name that are shown
SHOWN = 100  # entries that are named one by one; of a million more, their number says it all
# A file of more bytes that takes less than a thousandth of them on the disk is full of holes: reading what is not there
# would take hours. No compression of a file system gets as far.
HOLLOW, HOLES = 2**30, 1000
BLOCK = 512  # bytes in which a system counts what a file takes

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class NotPlain(OSError):
    """What has this name is no plain file, or more than is to be read of one. It says in `strerror` what it is."""

    def __init__(self, what: str) -> None:
        super().__init__(0, what)


@dataclass(frozen=True)
class OtherEntries:
    """What is in a folder besides the files that were named: some of it, and how much there is beyond."""

    entries: dict[str, str]  # what each is, by name
    beyond: int = 0


def told_name(name: str) -> str:
    """A name as a message may show it: what cannot be printed is written out, and what is too long is cut."""
    begins = name[: LONGEST + 1]
    text = "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in begins)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def what_is(path: Path) -> str:
    """What has this name, in words: a file, a symbolic link, a pipe; nothing where there is nothing."""
    try:
        kind = stat.S_IFMT(path.lstat().st_mode)
    except (OSError, ValueError):
        return "nothing"
    return KINDS.get(kind, "a file")


def other_entries(folder: Path, known: Collection[str]) -> OtherEntries:
    """What is in a folder besides what is known of it. No link is followed, and no folder entered."""
    named: dict[str, str] = {}
    beyond = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name in known:
                continue
            if len(named) < SHOWN:
                named[entry.name] = what_is(folder / entry.name)
            else:
                beyond += 1
    return OtherEntries(dict(sorted(named.items())), beyond)


def plain_size(path: Path) -> int:
    """The bytes of a plain file; `NotPlain` for anything else, also for a file that is nothing but holes."""
    what, state = what_is(path), path.lstat()
    if what != "a file":
        raise NotPlain(what)
    taken = getattr(state, "st_blocks", state.st_size) * BLOCK  # not every system counts what a file takes
    if state.st_size > HOLLOW and taken * HOLES < state.st_size:
        raise NotPlain(f"{state.st_size} bytes, nearly all of them holes")
    return state.st_size


def plain_bytes(path: Path, most: int) -> bytes:
    """What a plain file holds; `NotPlain` where it is none, or larger than it may be."""
    file = _opened(path)
    with os.fdopen(file, "rb") as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise NotPlain(f"more than {most} bytes")
    return content


def plain_beginning(path: Path, most: int) -> bytes:
    """The first bytes of a plain file."""
    with os.fdopen(_opened(path), "rb") as stream:
        return stream.read(most)


def plain_sha256(path: Path, size: int) -> str:
    """The SHA-256 of a plain file that is said to have so many bytes; of one with more, that of one byte more."""
    hashed, left = sha256(), size + 1
    with os.fdopen(_opened(path), "rb") as stream:
        while left > 0 and (chunk := stream.read(min(CHUNK, left))):
            hashed.update(chunk)
            left -= len(chunk)
    return hashed.hexdigest()


def told_sha256(path: Path) -> str:
    """The SHA-256 of a plain file; of anything else what it is."""
    try:
        return plain_sha256(path, plain_size(path))
    except OSError as error:
        return str(error.strerror) if isinstance(error, NotPlain) else "not there"


def _opened(path: Path) -> int:
    """Open a plain file. It is looked at again once it is open: something else may have come in its place."""
    plain_size(path)
    return opened_file(path, links=False)
