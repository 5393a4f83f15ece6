"""Packed files: how much a workbook or an R file holds when it is unpacked, and how far a sheet spans."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from sfumato.errors import UnreadableFile
from sfumato.tables.read.limits import Limits

CHUNK = 4 * 1024 * 1024
OVERLAP = 64  # bytes of a chunk that are looked at again with the next: no address of a cell is longer
ARCHIVE = b"PK\x03\x04"
SHEET = re.compile(r"xl/worksheets/[^/]+\.xml|content\.xml", re.IGNORECASE)  # of Excel, of OpenDocument
ADDRESS = re.compile(rb"""\sr\s*=\s*["']\$?([A-Za-z]{1,3})\$?([0-9]{1,7})["']""")  # of a cell, such as r="AB12"
# In OpenDocument, how often a cell or a row is repeated: empty ones up to the end of a sheet, a million rows down.
REPEATED = re.compile(rb"""number-(?:columns|rows)-repeated\s*=\s*["']([0-9]{1,18})["']""")
UNPACKERS: dict[bytes, Callable[[Path], Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
NOT_WHOLE = (
    OSError, EOFError, ValueError, RuntimeError, NotImplementedError, zlib.error, lzma.LZMAError, zipfile.BadZipFile,
)  # fmt: skip


def check_workbook(source: str, limits: Limits) -> None:
    """Refuse a workbook that is an archive of too much, or with a sheet that spans too many cells.

    A library holds every cell between the first and the last of a sheet: two cells far apart are all memory there is.
    The directory of an archive may lie, so what it says is checked first, and then what is in it.
    """
    path = Path(source)
    with path.open("rb") as file:
        if not file.read(4).startswith(ARCHIVE):
            return  # an old workbook, which is not packed
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            limits.require(source, "parts", len(members), f"it is an archive of {len(members):,} files")
            limits.require_unpacked(source, sum(member.file_size for member in members), path.stat().st_size)
            for member in members:
                with archive.open(member) as content:  # which is as long as the directory says, or an error
                    _check_span(source, _chunks(content), limits, sheet=SHEET.fullmatch(member.filename) is not None)
    except NOT_WHOLE as error:
        locked = "password" in str(error)  # how the library says that a member is encrypted
        what = "it is locked with a password." if locked else "this is not a whole workbook; it may be truncated."
        raise UnreadableFile(source, what, hint="Save it again from the program that made it.") from None


def _check_span(source: str, chunks: Iterator[bytes], limits: Limits, *, sheet: bool) -> None:
    """Read a member of an archive to its end, and of a sheet the addresses of its cells and what is repeated."""
    rest, rows, columns = b"", 0, set[bytes]()
    for chunk in chunks:
        if not sheet:
            continue
        most = max(map(int, REPEATED.findall(rest + chunk)), default=0)
        limits.require(source, "sheet_cells", most, f"a cell or a row of a sheet is repeated {most:,} times")
        addresses = ADDRESS.findall(rest + chunk)
        rest = chunk[-OVERLAP:]
        columns |= {letters for letters, _ in addresses}
        rows = max(rows, max((int(number) for _, number in addresses), default=0))
    if columns:
        cells = rows * max(map(_place, columns))
        limits.require(source, "sheet_cells", cells, f"a sheet spans {cells:,} cells, most of them empty perhaps")


def _place(letters: bytes) -> int:
    """The place of a column by its letters.

    >>> _place(b"A"), _place(b"XFD")
    (1, 16384)
    """
    place = 0
    for letter in letters.upper():
        place = place * 26 + letter - ord("A") + 1
    return place


def check_unpacked(source: str, limits: Limits, kind: str) -> None:
    """Refuse a compressed file that holds too much; what is not compressed is as large as it is."""
    path = Path(source)
    with path.open("rb") as file:
        start = file.read(6)
    unpacker = next((unpack for magic, unpack in UNPACKERS.items() if start.startswith(magic)), None)
    if unpacker is None:
        return
    unpacked, packed = 0, path.stat().st_size
    try:
        with unpacker(path) as content:
            for chunk in _chunks(content):
                unpacked += len(chunk)
                limits.require_unpacked(source, unpacked, packed)
    except NOT_WHOLE:
        raise UnreadableFile(source, f"this is not a whole {kind} file.", hint="Copy or save it again.") from None


def _chunks(content: IO[bytes]) -> Iterator[bytes]:
    yield from iter(lambda: content.read(CHUNK), b"")
