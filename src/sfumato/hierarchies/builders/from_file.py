"""Hierarchies in files, in the common format: value;level 1;level 2;..."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from sfumato.bounded_file import file_bytes
from sfumato.errors import HierarchyError, OutputError, UnreadableFile
from sfumato.hierarchies.builder_interface import Builder
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import TOP, Counts, Hierarchy, Line
from sfumato.hierarchies.lookup import Lookup
from sfumato.outputs import write_text


@dataclass(frozen=True)
class FromFile(Builder):
    """A hierarchy that is stored: one line per value, with what it becomes at each level.

    A line without a value is about missing values. Where the last level is more than one label, * is put on top.
    """

    plainly: ClassVar[str] = "a hierarchy in a file: value;level 1;level 2;..."
    path: str = ""

    def formula(self, counts: Counts) -> Formula:
        if not self.path:
            raise HierarchyError("A hierarchy from a file needs the file: path=postcode.csv.")
        return Lookup(read_hierarchy(self.path), self.settings())


def read_hierarchy(path: str | Path) -> Hierarchy:
    """Read a hierarchy file: one line per value, semicolon or comma separated."""
    try:
        # Line ends may be part of a value; byte order marks are not, and some programs write a second one.
        text = file_bytes(path).decode("utf-8").lstrip("\ufeff")
    except OSError as error:
        raise UnreadableFile(path, f"the hierarchy cannot be read: {error.strerror}.") from None
    except ValueError:
        raise UnreadableFile(path, "the hierarchy cannot be read as UTF-8 text.") from None
    return hierarchy_in(text, path)


def hierarchy_in(text: str, path: str | Path = "hierarchy.csv") -> Hierarchy:
    """The hierarchy that a text says; `path` is what errors call it."""
    lines = _lines(path, text)
    missing = next((line for line in lines if line[0] is None), ())
    known = tuple(tuple(map(str, line)) for line in lines if line[0] is not None)
    if missing and known and {line[-1] for line in known} == {""}:  # an empty top is the top of missing values too
        missing = (*missing[:-1], missing[-1] or "")
    if not lines or len({line[0] for line in lines}) != len(lines):
        raise UnreadableFile(path, "a hierarchy needs at least one line, and one line per value.")
    if len({line[-1] for line in (*known, *([missing] if missing else []))}) > 1 or len(lines[0]) == 1:
        known, missing = tuple((*line, TOP) for line in known), (*missing, TOP) if missing else ()
    try:
        return Hierarchy(known, missing)
    except HierarchyError as error:
        raise UnreadableFile(path, str(error)) from None


def write_hierarchy(hierarchy: Hierarchy, path: str | Path, *, overwrite: bool = True) -> None:
    """Write a hierarchy to a file, whole or not at all."""
    if Path(path).is_dir():
        raise OutputError(f"{path} is a folder. Name the file for the hierarchy.")
    write_text(path, hierarchy_text(hierarchy), overwrite=overwrite, private=True)


def hierarchy_text(hierarchy: Hierarchy) -> str:
    r"""A hierarchy as the text of a file.

    >>> hierarchy_text(Hierarchy((("0151", "015*", "*"),)))
    '0151;015*;*\n;;*\n'
    """
    lines = (*hierarchy.lines, hierarchy.missing)
    return "".join(";".join(map(_cell, line)) + "\n" for line in lines)


def hierarchies_in(folder: str | Path) -> dict[str, Path]:
    """The hierarchy files of a folder by column: `<column>.csv` or `...hierarchy_<column>.csv`."""
    if not Path(folder).is_dir():
        raise UnreadableFile(folder, "there is no such folder of hierarchies.", hint="Check the path.")
    files: dict[str, Path] = {}
    for path in sorted(Path(folder).glob("*.csv")):
        column = path.stem.partition("hierarchy_")[2] or path.stem
        if column in files:
            raise HierarchyError(
                f"{folder} has two hierarchies for {column!r}: {files[column].name} and {path.name}. Remove one."
            )
        files[column] = path
    return files


QUOTED_LETTERS = frozenset(';,"\r\n')  # letters of a label that stands in quotes


def _cell(label: str | None) -> str:
    """A cell of the file: nothing where a value is missing, and an empty text in quotes, so that they differ."""
    if label is None:
        return ""
    quoted = not label or not QUOTED_LETTERS.isdisjoint(label)
    return '"' + label.replace('"', '""') + '"' if quoted else label


def _cells(path: str | Path, written: list[str], delimiter: str) -> Iterator[tuple[str, int, list[str]]]:
    """The cells of each line, with its text and its number."""
    reader, start = csv.reader(written, delimiter=delimiter), 0
    try:
        for cells in reader:
            yield written[start], reader.line_num, cells
            start = reader.line_num
    except csv.Error:
        problem = "a label is longer than 131 072 characters, or a quote is not closed."  # as Python reads CSV
        raise UnreadableFile(path, problem, line=start + 1) from None


def _lines(path: str | Path, text: str) -> list[Line]:
    """The lines, cell by cell; None for a value that is missing, and for the labels that it keeps missing."""
    written = list(io.StringIO(text, newline=""))
    delimiter = ";" if len(next(_cells(path, written, ";"), ("", 0, []))[2]) > 1 else ","
    lines: list[Line] = []
    for raw, number, cells in _cells(path, written, delimiter):
        if not cells:
            continue
        if lines and len(cells) != len(lines[0]):
            problem = f"{len(lines[0])} levels were expected, {len(cells)} found."
            raise UnreadableFile(path, problem, line=number)
        absent = cells[0] == "" and not raw.startswith('""')
        lines.append(tuple(cell or None for cell in cells) if absent else tuple(cells))
    return lines
