"""Hierarchies from files in the common format: value;level 1;level 2;..."""

from __future__ import annotations

import csv
from pathlib import Path

from sfumato.errors import UnreadableFile
from sfumato.hierarchy import Hierarchy


def read_hierarchy(path: str | Path) -> Hierarchy:
    """Read a hierarchy file: one line per value, semicolon or comma separated."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(path, f"the hierarchy cannot be read ({type(error).__name__}).") from None
    first = text.split("\n", 1)[0]
    delimiter = ";" if ";" in first else ","
    lines = [tuple(line) for line in csv.reader(text.splitlines(), delimiter=delimiter) if line]
    for number, line in enumerate(lines, 1):
        if len(line) != len(lines[0]):
            raise UnreadableFile(path, f"{len(lines[0])} levels were expected, {len(line)} found.", line=number)
    if not lines or len({line[0] for line in lines}) != len(lines):
        raise UnreadableFile(path, "a hierarchy needs at least one line, and one line per value.")
    return Hierarchy(tuple(lines))
