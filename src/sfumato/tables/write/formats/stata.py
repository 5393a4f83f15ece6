"""Stata data sets (dta), in the format of Stata 14 (118), which later versions and other programs read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from sfumato.tables.engine import Kind
from sfumato.tables.write.limits import NameRule
from sfumato.tables.write.release import Field, ReleasedTable
from sfumato.tables.write.statistics_file import SHORT, FileLimits, Stamp, StatisticsFile, codes
from sfumato.tables.write.writer import Writer

VERSION = 14
LIMITS = FileLimits(
    names=NameRule(
        r"[^\W\d]\w*", 32,
        "a name begins with a letter or _, goes on with letters, digits and _, and has at most 32 characters",
        reserved=("_ALL", "_N", "_B", "_CONS", "_COEF", "_PI", "_RC", "_SKIP", "IF", "IN", "USING", "WITH", "BYTE",
                  "INT", "LONG", "FLOAT", "DOUBLE", "STRL"),
    ),
    longest_label=80, longest_value_label=32_000, longest_text=2_000_000_000,
    first_day="0100-01-01",  # the first that Stata shows as a date
)  # fmt: skip
FILE = StatisticsFile(
    "write_dta", "read_dta", Stamp(rb"(?<=<timestamp>\x11)\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d", 1, b"01 Jan 1980 00:00")
)


@dataclass(frozen=True)
class Stata(Writer):
    """Labels of columns, and of values that are whole numbers; Stata has none for text."""

    suffixes: ClassVar[tuple[str, ...]] = (".dta",)

    def check(self, release: ReleasedTable) -> None:
        LIMITS.check(release)

    def write(self, release: ReleasedTable, path: Path, scratch: Path) -> int:
        labels = {field.name: known for field in release.fields if (known := _codes(field))}
        return FILE.write(release, path, scratch, version=VERSION, variable_value_labels=labels)


def _codes(field: Field) -> dict[int, str]:
    if field.kind not in (Kind.INTEGER, Kind.BOOLEAN):
        return {}
    return {
        code: label for code, label in codes(field).items() if isinstance(code, int) and SHORT[0] <= code <= SHORT[1]
    }
