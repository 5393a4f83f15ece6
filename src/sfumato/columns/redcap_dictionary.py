"""A REDCap data dictionary: what each field is called, and whether somebody marked it as an identifier."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from sfumato.bounded_file import file_bytes
from sfumato.errors import UnreadableFile

# As the web page exports them, and as the interface for programs does.
NAME = ("Variable / Field Name", "field_name")
LABEL = ("Field Label", "field_label")
IDENTIFIER = ("Identifier?", "identifier")
MOST_BYTES = 20_000_000  # of ten thousand fields, each with choices and notes of two thousand letters


def read_dictionary(path: str | Path) -> dict[str, tuple[str, bool]]:
    """The label of every field, and whether it is marked as an identifier, by the name of the field."""
    rows = _rows(Path(path))
    header = [cell.strip() for cell in rows[0]] if rows else []
    name, label, identifier = (_place(header, names, path) for names in (NAME, LABEL, IDENTIFIER))
    fields: dict[str, tuple[str, bool]] = {}
    for line, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) <= max(name, label, identifier):
            problem = f"row {line} has {len(row)} cells, fewer than the {len(header)} columns of the header."
            raise UnreadableFile(path, problem, hint="Export the data dictionary from REDCap again.")
        field = row[name].strip()
        if not field:
            raise UnreadableFile(path, f"row {line} has nothing in the column {header[name]!r}.")
        fields[field] = (" ".join(row[label].split()), row[identifier].strip().casefold() == "y")
    if not fields:
        raise UnreadableFile(path, "the data dictionary has no fields.", hint="Export it from REDCap again.")
    return fields


def _rows(path: Path) -> list[list[str]]:
    """The cells of the file. The messages of the reader may quote them, so they stay behind."""
    try:
        text = file_bytes(path, MOST_BYTES).decode("utf-8-sig")
        return list(csv.reader(io.StringIO(text, newline="")))
    except FileNotFoundError:
        raise UnreadableFile(path, "there is no such file.") from None
    except UnicodeDecodeError:
        raise UnreadableFile(path, "this is not UTF-8 text.", hint="Export it from REDCap as CSV.") from None
    except OSError as error:
        raise UnreadableFile(path, f"this file cannot be read: {error.strerror}.") from None
    except csv.Error:
        raise UnreadableFile(path, "it cannot be read as CSV.", hint="Export it from REDCap as CSV.") from None


def _place(header: Sequence[str], names: Iterable[str], path: str | Path) -> int:
    """Where a column stands, by either of its names."""
    folded = [cell.casefold() for cell in header]
    for name in names:
        if name.casefold() in folded:
            return folded.index(name.casefold())
    wanted = " or ".join(repr(name) for name in names)
    raise UnreadableFile(path, f"there is no column {wanted}.", hint="Is this a REDCap data dictionary?")
