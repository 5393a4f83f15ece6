"""Stata data sets (dta), in the format of Stata 14 (118), which later versions and other programs read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from sfumato.tables.engine import Kind
from sfumato.tables.write.limits import NameRule, beyond, check_labels, early, inexact, long_text, with_nul
from sfumato.tables.write.release import Field, ReleasedTable
from sfumato.tables.write.statistics_file import LARGEST, SHORT, Stamp, StatisticsFile, check_size, codes
from sfumato.tables.write.writer import Writer

FIRST_DAY = "0100-01-01"
LONGEST_LABEL, LONGEST_VALUE_LABEL = 80, 32_000
LONGEST_TEXT = 2_000_000_000
VERSION = 14
NAMES = NameRule(
    r"[^\W\d]\w*", 32,
    "a name begins with a letter or _, goes on with letters, digits and _, and has at most 32 characters",
    reserved=("_ALL", "_N", "_B", "_CONS", "_COEF", "_PI", "_RC", "_SKIP", "IF", "IN", "USING", "WITH", "BYTE",
              "INT", "LONG", "FLOAT", "DOUBLE", "STRL"),
)  # fmt: skip
FILE = StatisticsFile(
    "write_dta", "read_dta", Stamp(rb"(?<=<timestamp>\x11)\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d", 1, b"01 Jan 1980 00:00")
)


@dataclass(frozen=True)
class Stata(Writer):
    """Labels of columns, and of values that are whole numbers; Stata has none for text."""

    suffixes: ClassVar[tuple[str, ...]] = (".dta",)

    def check(self, release: ReleasedTable) -> None:
        check_size(release)
        NAMES.check(release)
        check_labels(release, LONGEST_LABEL, LONGEST_VALUE_LABEL)
        fields = release.fields
        text = [*long_text(fields, LONGEST_TEXT), *with_nul(fields)]
        release.require([*inexact(fields), *beyond(fields, LARGEST), *early(fields, FIRST_DAY), *text])

    def write(self, release: ReleasedTable, path: Path, scratch: Path) -> int:
        labels = {field.name: found for field in release.fields if (found := _codes(field))}
        return FILE.write(release, path, scratch, version=VERSION, variable_value_labels=labels)


def _codes(field: Field) -> dict[int, str]:
    if field.kind not in (Kind.INTEGER, Kind.BOOLEAN):
        return {}
    return {
        code: label for code, label in codes(field).items() if isinstance(code, int) and SHORT[0] <= code <= SHORT[1]
    }
