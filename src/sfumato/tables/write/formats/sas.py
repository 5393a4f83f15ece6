"""SAS transport files (XPT): version 5, which regulators ask for, or version 8 where names or text are longer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from sfumato.errors import OutputError
from sfumato.tables.engine import Kind
from sfumato.tables.write.limits import NameRule, beyond, early, inexact, label_refusal, long_text, with_nul
from sfumato.tables.write.release import Check, ReleasedTable
from sfumato.tables.write.statistics_file import Stamp, StatisticsFile, check_size
from sfumato.tables.write.stream import plain
from sfumato.tables.write.writer import Writer

FIRST_DAY = "1582-10-15"
SMALLEST, LARGEST = 5.4e-79, 7.2e75  # numbers are kept as IBM mainframes keep them
FILE = StatisticsFile("write_xport", "read_xport", Stamp(rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d", 4, b"01JAN80:00:00:00"))


@dataclass(frozen=True)
class Version:
    """What a version of the format allows."""

    number: int
    longest_name: int
    longest_label: int
    longest_text: int

    @property
    def names(self) -> NameRule:
        rule = (
            f"a name has letters from A to Z, digits and _, no digit first, and at most {self.longest_name} characters"
        )
        return NameRule("[A-Za-z_][A-Za-z0-9_]*", self.longest_name, rule, capitals=False)

    def refusal(self, release: ReleasedTable) -> OutputError | None:
        """What to say where the table does not fit."""
        return (
            self.names.refusal(release)
            or label_refusal(release, self.longest_label)
            or release.refusal(long_text(release.fields, self.longest_text))
        )


OLD, NEW = Version(5, 8, 40, 200), Version(8, 32, 256, 32_767)


@dataclass(frozen=True)
class SAS(Writer):
    """Labels of columns; SAS keeps the labels of values in another file."""

    suffixes: ClassVar[tuple[str, ...]] = (".xpt",)

    def check(self, release: ReleasedTable) -> None:
        check_size(release)
        _version(release)
        fields = release.fields
        numbers = [*inexact(fields), *beyond(fields, LARGEST, SMALLEST)]
        release.require([*numbers, *early(fields, FIRST_DAY), *with_nul(fields), *_blank_rows(release)])

    def write(self, release: ReleasedTable, path: Path, scratch: Path) -> int:
        version, name = _version(release), path.stem.upper()
        known = name if OLD.names.allow(name) else "DATASET"
        return FILE.write(release, path, scratch, file_format_version=version.number, table_name=known)


def _version(release: ReleasedTable) -> Version:
    """The version that was asked for; version 5 if the table fits, and else 8."""
    asked = release.options.transport_version
    if asked not in (None, OLD.number, NEW.number):
        raise OutputError(f"{release.name}: there is no version {asked} of SAS transport files. Choose 5 or 8.")
    if asked != NEW.number:
        refusal = OLD.refusal(release)
        if refusal is None:
            return OLD
        if asked == OLD.number:
            raise refusal
    refusal = NEW.refusal(release)
    if refusal is not None:
        raise refusal
    return NEW


def _blank_rows(release: ReleasedTable) -> Iterator[Check]:
    """Rows without any value at the end of a table of text: the file is filled up with blanks, and so would they be."""
    if all(field.kind in (Kind.TEXT, Kind.OTHER) for field in release.fields):
        blank = " AND ".join(f"trim(coalesce({plain(field)}, '')) = ''" for field in release.fields)
        remedy = "Leave these rows out, or add a column of numbers."
        yield Check(release.columns[0].name, blank, "in rows that are blank, which a table of text cannot keep", remedy)
