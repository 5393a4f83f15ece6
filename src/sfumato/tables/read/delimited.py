"""Delimited files: what separates their fields, what their columns are called, and where a line is wrong."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from sfumato.errors import UnreadableFile
from sfumato.tables.read.text_file import TextFile
from sfumato.temporary import private_file

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_LINES = 1000  # from which the delimiter is told. Chosen, not measured
LONGEST_FIELD = 2**31 - 1  # the csv module stops at 128 KB unless it is told otherwise
QUOTES = "Check the quotation marks of this record."


@dataclass(frozen=True)
class Layout:
    """How a delimited file is laid out: its delimiter, its header, and the blank lines before it."""

    delimiter: str
    header: tuple[str, ...]
    blank: int
    carriage_returns: bool  # whether lines end with a carriage return alone, as on old Macintoshes
    newline: str = r"\n"  # how lines end, as the engine wants it said

    @classmethod
    def of(cls, file: TextFile, delimiter: str | None = None) -> Layout:
        """Look at the first lines; `UnreadableFile` when there is no header."""
        lines = list(islice(file.lines(), SAMPLE_LINES))
        blank = next((i for i, line in enumerate(lines) if line.strip("\r\n")), len(lines))
        if blank == len(lines):
            raise UnreadableFile(file.source, "the file is empty: it has no header line.")
        said = re.fullmatch(r"sep=(.)[\r\n]*", lines[blank])
        if said and blank + 1 < len(lines):  # a line by which Excel says the delimiter, and no header
            delimiter, blank = delimiter or said[1], blank + 1
        delimiter = delimiter or likely_delimiter(lines[blank:])
        if len(delimiter) != 1 or delimiter in '"\r\n':
            raise UnreadableFile(file.source, "the delimiter must be one character, no quotation mark and no line end.")
        header = next(_records(lines[blank:], delimiter), None)
        if header is None:
            raise UnreadableFile(file.source, "a quoted field is not closed.", line=blank + 1, hint=QUOTES)
        # The first line may end within a quoted name; the last ones are likelier to end a record.
        newline = r"\r\n" if sum(line.endswith("\r\n") for line in lines[blank:]) * 2 > len(lines) - blank else r"\n"
        return cls(
            delimiter=delimiter, header=tuple(header), blank=blank, carriage_returns=lines[blank].endswith("\r"),
            newline=newline,
        )  # fmt: skip


def likely_delimiter(lines: list[str]) -> str:
    r"""The delimiter under which most rows have as many fields as the header; then, with most fields.

    >>> likely_delimiter(["name;weight\n", "a;1,5\n", "b;2,5\n"])
    ';'
    """
    return max(DELIMITERS, key=lambda delimiter: _regularity(lines, delimiter))


def _regularity(lines: list[str], delimiter: str) -> tuple[bool, float, int]:
    header, *rows = list(_records(lines, delimiter)) or [[""]]
    # The last record of a full sample may be cut in two; blank lines are no records.
    rows = [row for row in (rows[:-1] if len(lines) >= SAMPLE_LINES - 1 else rows) if row]
    share = sum(len(row) == len(header) for row in rows) / len(rows) if rows else 1.0
    return len(header) > 1, share, len(header)


def _records(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    """Records up to the first that is malformed, which is for the engine to find."""
    with _long_fields():
        try:
            yield from csv.reader(lines, delimiter=delimiter, strict=True)
        except csv.Error:
            return


@contextmanager
def _long_fields() -> Iterator[None]:
    before = csv.field_size_limit(LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def rewritten(file: TextFile, layout: Layout, path: Path) -> tuple[TextFile, int]:
    """The same records, written uniformly, and how many; `UnreadableFile` with the line of the first bad record.

    A record may span lines, since quoted fields contain line ends. The line named is the one on which
    it starts, numbered from 1 as an editor does.
    """
    with _long_fields(), open(path, "w", encoding="utf-8", newline="", opener=private_file) as copy:
        writer = csv.writer(copy, delimiter=layout.delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
        pending, written = 0, -1  # the header is no record
        for record in _checked(file, layout):
            if record:
                writer.writerows([[""]] * pending)
                writer.writerow(record)
                written += pending + 1
            # In a file of one column a blank line is a record without a value, except at the end.
            pending = 0 if record or len(layout.header) > 1 else pending + 1
    return TextFile(file.source, path, file.note), written


def _checked(file: TextFile, layout: Layout) -> Iterator[list[str]]:
    """Header and records; `UnreadableFile` at the first with another number of fields than the header."""
    reader = csv.reader(islice(file.lines(), layout.blank, None), delimiter=layout.delimiter, strict=True)
    expected, line = len(layout.header), layout.blank + 1
    try:
        for record in reader:
            if record and len(record) == expected + 1 and not record[-1]:
                record.pop()  # a delimiter at the end of the line, which holds nothing
            if record and len(record) != expected:
                raise ragged(file.source, line, expected, len(record))
            yield record
            line = layout.blank + reader.line_num + 1
    except csv.Error:
        problem = "a quoted field is not closed, or goes on after its closing quotation mark."
        raise UnreadableFile(file.source, problem, line=line, hint=QUOTES) from None


def ragged(source: Path, line: int, expected: int, number: int) -> UnreadableFile:
    """The error for a record with too many fields or too few."""
    fields = "1 field" if number == 1 else f"{number} fields"
    problem = f"the record that starts here has {fields}, and the header has {expected}."
    hint = "Correct the line, or name the delimiter with --delimiter if it is not the one that was found."
    return UnreadableFile(source, problem, line=line, hint=hint)
