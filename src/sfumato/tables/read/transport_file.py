"""SAS transport files (XPT) as bytes: how many data sets one holds, and whether it ends where its last row does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sfumato.errors import UnreadableFile

RECORD = 80  # bytes: a transport file is written in records of that length, and filled up with blanks
RECORDS_AT_ONCE = 50_000
MEMBER = b"HEADER RECORD*******MEMB"  # and ER, or V8
VARIABLES = (b"HEADER RECORD*******NAMESTR HEADER RECORD", b"HEADER RECORD*******NAMSTV8 HEADER RECORD")
NUMBER = slice(48, 58)  # where the number of variables stands in its record
ROWS = b"HEADER RECORD*******OBS"  # the rows follow upon this record
ROWS_8 = ROWS + b"V8"  # which says how many there are
NUMBER_OF_ROWS = slice(48, 63)
DESCRIPTION = 140  # bytes that describe a variable; the fifth and the sixth are its length in a row


def check_transport(source: str) -> None:
    """Refuse a transport file that holds several data sets, or that was cut, be it at the end of a record.

    Version 5 does not say how many rows there are: where it was cut at the end of a row that also ends a record,
    nothing shows it.
    """
    path = Path(source)
    size = path.stat().st_size
    if size % RECORD:
        raise _truncated(path)
    members = _Members.of(path)
    if members.number > 1:
        problem = f"this transport file holds {members.number} data sets, and only the first would be read as itself."
        raise UnreadableFile(source, problem, hint="Export each of them to a file of its own.")
    length = _row_length(path)
    if not length or members.rows_at is None:
        return  # the library will say what is wrong with it
    rows, over = divmod(size - members.rows_at, length)
    if members.declared is not None:
        whole = rows >= members.declared
    else:  # what is left after the last whole row only fills its record up: more was a row once
        whole = over < RECORD and not _ends(path, over).strip(b" ")
    if not whole:
        raise _truncated(path)


@dataclass(frozen=True)
class _Members:
    """The data sets of a file: how many, where the rows of the first begin, and how many these are said to be."""

    number: int = 0
    rows_at: int | None = None
    declared: int | None = None

    @classmethod
    def of(cls, path: Path) -> _Members:
        """Each begins with a record that says so."""
        number, at = 0, 0
        rows_at = declared = None
        with path.open("rb") as file:
            while chunk := file.read(RECORDS_AT_ONCE * RECORD):
                looked_at = MEMBER in chunk or (rows_at is None and ROWS in chunk)
                for start in range(0, len(chunk), RECORD) if looked_at else ():
                    number += chunk.startswith(MEMBER, start)
                    if rows_at is None and chunk.startswith(ROWS, start):
                        rows_at, said = at + start + RECORD, chunk[start : start + RECORD][NUMBER_OF_ROWS]
                        declared = int(said) if said.strip().isdigit() and chunk.startswith(ROWS_8, start) else None
                at += len(chunk)
        return cls(number, rows_at, declared)


def _row_length(path: Path) -> int:
    """Bytes of a row: the lengths of all variables; 0 where the file does not say them as the format does."""
    with path.open("rb") as file:
        while record := file.read(RECORD):
            if record.startswith(VARIABLES):
                number = record[NUMBER].strip()
                descriptions = file.read(int(number) * DESCRIPTION) if number.isdigit() else b""
                starts = range(0, len(descriptions), DESCRIPTION)
                return sum(int.from_bytes(descriptions[start + 4 : start + 6], "big") for start in starts)
    return 0


def _ends(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        file.seek(path.stat().st_size - size)
        return file.read()


def _truncated(path: Path) -> UnreadableFile:
    return UnreadableFile(path, "this transport file is truncated.", hint="Copy or export it again.")
