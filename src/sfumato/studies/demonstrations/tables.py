"""The tables by name, as CSV: the same seed gives the same bytes."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from sfumato.errors import SchemaError, did_you_mean
from sfumato.outputs import write_unless_other
from sfumato.studies.demonstrations.census import census
from sfumato.studies.demonstrations.hospital_admissions import hospital_admissions
from sfumato.studies.demonstrations.identified_patients import identified_patients
from sfumato.studies.demonstrations.ms_registry import ms_registry

Row = dict[str, object]


@dataclass(frozen=True)
class Demonstration:
    """A table that can be made: its file, what it is in a few words, and its rows."""

    file: str
    plainly: str
    rows: Callable[..., Iterator[Row]]


TABLES = {
    "ms": Demonstration("ms_registry.csv", "a made-up registry of multiple sclerosis", ms_registry),
    "hospital": Demonstration("hospital_admissions.csv", "made-up admissions to a hospital", hospital_admissions),
    "identified": Demonstration("identified_patients.csv", "made-up patients with all 18 identifiers of HIPAA",
                                identified_patients),
    "census": Demonstration("census.csv", "a made-up census", census),
}  # fmt: skip


def demonstration(name: str, rows: int | None = None, seed: int | None = None) -> str:
    """The text of a table, as CSV; a number of rows and a seed where they are not the usual ones."""
    if rows is not None and name == "hospital":
        raise SchemaError("The admissions are always the 1,716 records of the paper: leave the number of rows out.")
    unusual = {key: value for key, value in (("rows", rows), ("seed", seed)) if value is not None}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for number, row in enumerate(_named(name).rows(**unusual)):
        if number == 0:
            writer.writerow(row)
        writer.writerow(row.values())
    return text.getvalue()


def demonstration_files(name: str, rows: int | None = None) -> dict[str, bytes]:
    """A table by the name of its file, and its project files, whose names begin with that of the table."""
    file = _named(name).file
    stem, beside = Path(file).stem, sorted(resources.files(__package__).iterdir(), key=lambda entry: entry.name)
    projects = [entry for entry in beside if entry.name.startswith(stem) and entry.name.endswith(".yaml")]
    return {file: demonstration(name, rows).encode()} | {entry.name: entry.read_bytes() for entry in projects}


def write_demonstration(name: str, folder: str | Path, rows: int | None = None, *, overwrite: bool = False) -> Path:
    """Write a table into a folder, and a project file for it where there is one; where the table is.

    A file that holds something else is left alone, unless it may be overwritten: `OutputError`.
    """
    write_unless_other(folder, demonstration_files(name, rows), overwrite=overwrite)
    return Path(folder) / _named(name).file


def _named(name: str) -> Demonstration:
    if name not in TABLES:
        raise SchemaError(f"There is no demonstration table {name!r}.{did_you_mean(name, TABLES)}")
    return TABLES[name]
