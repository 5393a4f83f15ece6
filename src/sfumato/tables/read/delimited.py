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
from sfumato.tables.read.header import looks_like_data
from sfumato.tables.read.limits import Limits
from sfumato.tables.read.text_file import TextFile
from sfumato.temporary import private_file

DELIMITERS = (",", ";", "\t", "|")
TOLD_BY = 200  # records by which it is told whether the first names the columns. Chosen, not measured
SAMPLE_LINES = 1000  # from which the delimiter is told. Chosen, not measured
SAMPLE_LETTERS = 4_000_000  # at the most, unless the first line is longer: as fields they take thirty times that
TOO_LONG = "field larger"  # how the csv module begins to say that a field is beyond its limit
QUOTES = "Check the quotation marks of this record."


@dataclass(frozen=True)
class Layout:
    """How a delimited file is laid out: its delimiter, its header, and the blank lines before it."""

    delimiter: str
    header: tuple[str, ...]
    blank: int
    carriage_returns: bool  # whether lines end with a carriage return alone, as on old Macintoshes
    newline: str = r"\n"  # how lines end, as the engine wants it said
    named: bool = True  # whether the first record is the header; else the columns are called by their places

    @classmethod
    def of(
        cls, file: TextFile, delimiter: str | None = None, *, named: bool | None = None, limits: Limits | None = None
    ) -> Layout:
        """Look at the first lines; `UnreadableFile` when there is no header.

        `named` is what a person says of the first line: None lets it say itself whether it is a header.
        """
        limits = limits or Limits.usual()
        lines = _first_lines(file)
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
        limits.require(file.source, "columns", len(header), f"its first line has {len(header):,} fields")
        if named is None and (like := looks_like_data(list(islice(_records(lines[blank:], delimiter), TOLD_BY)))):
            raise _unnamed(file.source, blank + 1, like, len(header))
        header = header if named is not False else [f"column_{place}" for place in range(1, len(header) + 1)]
        limits.require_names(file.source, header)
        # The first line may end within a quoted name; the last ones are likelier to end a record.
        newline = r"\r\n" if sum(line.endswith("\r\n") for line in lines[blank:]) * 2 > len(lines) - blank else r"\n"
        return cls(
            delimiter=delimiter, header=tuple(header), blank=blank, carriage_returns=lines[blank].endswith("\r"),
            newline=newline, named=named is not False,
        )  # fmt: skip


def _first_lines(file: TextFile) -> list[str]:
    """Lines from which the layout is told: not many, and not long ones."""
    lines, letters = [], 0
    for line in islice(file.lines(), SAMPLE_LINES):
        lines.append(line)
        letters += len(line)
        if letters > SAMPLE_LETTERS:
            break
    return lines


def _unnamed(source: Path, line: int, like: int, fields: int) -> UnreadableFile:
    """The question whether the first record is a header. It may be somebody's: nothing of it is shown."""
    problem = (
        f"this line looks like a record and not like the names of the columns: {like} of its {fields} fields "
        f"{'is' if like == 1 else 'are'} written as values are."
    )
    hint = (
        "Say what it is: --header yes for names, or --header no (the columns are then called column_1, column_2, ...). "
        "In a project file it is `header: true` or `header: false` below `data`, in Python ReadOptions(header=...)."
    )
    return UnreadableFile(source, problem, line=line, hint=hint)


def likely_delimiter(lines: list[str]) -> str:
    r"""The delimiter under which most rows have as many fields as the header; then, with most fields.

    >>> likely_delimiter(["name;weight\n", "a;1,5\n", "b;2,5\n"])
    ';'
    """
    return max(DELIMITERS, key=lambda delimiter: _regularity(lines, delimiter))


def _regularity(lines: list[str], delimiter: str) -> tuple[bool, float, int]:
    header, *rows = list(_records(lines, delimiter)) or [[""]]
    # The last record of a full sample may be cut in two; blank lines are no records.
    cut = len(lines) >= SAMPLE_LINES - 1 or sum(map(len, lines)) > SAMPLE_LETTERS
    rows = [row for row in (rows[:-1] if cut else rows) if row]
    share = sum(len(row) == len(header) for row in rows) / len(rows) if rows else 1.0
    return len(header) > 1, share, len(header)


def _records(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    """Records up to the first that is malformed, which is for the engine to find."""
    with _long_fields(2**31 - 1):  # lines are bounded, and so are what is in them
        try:
            yield from csv.reader(lines, delimiter=delimiter, strict=True)
        except csv.Error:
            return


@contextmanager
def _long_fields(longest: int) -> Iterator[None]:
    """The csv module stops at 128 KB unless it is told otherwise."""
    before = csv.field_size_limit(longest)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def rewritten(file: TextFile, layout: Layout, path: Path, limits: Limits) -> tuple[TextFile, int]:
    """The same records, written uniformly, and how many; `UnreadableFile` with the line of the first bad record.

    A record may span lines, since quoted fields contain line ends. The line named is the one on which
    it starts, numbered from 1 as an editor does.
    """
    with (
        _long_fields(limits.cell_length),
        open(path, "w", encoding="utf-8", newline="", opener=private_file) as copy,
    ):
        writer = csv.writer(copy, delimiter=layout.delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
        pending, written = 0, -1 if layout.named else 0  # the header is no record
        for record in _checked(file, layout, limits):
            if record:
                writer.writerows([[""]] * pending)
                writer.writerow(record)
                written += pending + 1
            # In a file of one column a blank line is a record without a value, except at the end.
            pending = 0 if record or len(layout.header) > 1 else pending + 1
    return TextFile(file.source, path, file.note), written


def _checked(file: TextFile, layout: Layout, limits: Limits) -> Iterator[list[str]]:
    """Header and records; `UnreadableFile` at the first with another number of fields than the header."""
    reader = csv.reader(islice(file.lines(), layout.blank, None), delimiter=layout.delimiter, strict=True)
    expected, line = len(layout.header), layout.blank + 1
    try:
        for record in reader:
            if record and len(record) == expected + 1 and not record[-1]:
                record.pop()  # a delimiter at the end of the line, which holds nothing
            if record and len(record) != expected:
                raise ragged(file.source, line, expected, len(record))
            size = sum(map(len, record))
            limits.require(file.source, "line_bytes", size, f"the record that starts in line {line:,} is longer")
            yield record
            line = layout.blank + reader.line_num + 1
    except csv.Error as error:
        if str(error).startswith(TOO_LONG):
            where = f"a cell of the record that starts in line {line:,} is longer, or its quotation mark is open"
            raise limits.exceeded(file.source, "cell_length", where) from None
        problem = "a quoted field is not closed, or goes on after its closing quotation mark."
        raise UnreadableFile(file.source, problem, line=line, hint=QUOTES) from None


def ragged(source: Path, line: int, expected: int, number: int) -> UnreadableFile:
    """The error for a record with too many fields or too few."""
    fields = "1 field" if number == 1 else f"{number} fields"
    problem = f"the record that starts here has {fields}, and the header has {expected}."
    hint = "Correct the line, or name the delimiter with --delimiter if it is not the one that was found."
    return UnreadableFile(source, problem, line=line, hint=hint)
