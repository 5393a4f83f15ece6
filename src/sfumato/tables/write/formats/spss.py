"""SPSS system files (sav, and zsav, which is compressed)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from sfumato.tables.engine import Kind
from sfumato.tables.write.limits import NameRule, beyond, check_labels, early, inexact, long_text, with_nul
from sfumato.tables.write.release import Field, ReleasedTable
from sfumato.tables.write.statistics_file import LARGEST, Stamp, StatisticsFile, check_size, codes
from sfumato.tables.write.writer import Writer

FIRST_DAY = "1582-10-15"
LONGEST_LABEL, LONGEST_VALUE_LABEL, LONGEST_TEXT = 255, 120, 32_767  # bytes
NAMES = NameRule(
    r"[^\W\d_]([\w.$#@]*[\w$#@])?", 64,
    "a name begins with a letter, goes on with letters, digits and . _ $ # @, and has at most 64 bytes",
    in_bytes=True, capitals=False,
    reserved=("ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"),
)  # fmt: skip
FILE = StatisticsFile(
    "write_sav", "read_sav", Stamp(rb"\d\d [A-Z][a-z]{2} \d\d\d\d:\d\d:\d\d", 1, b"01 Jan 8000:00:00")
)


@dataclass(frozen=True)
class SPSS(Writer):
    """Labels of columns and of values, and the measure: nominal for codes, ordinal for categories, else scale."""

    suffixes: ClassVar[tuple[str, ...]] = (".sav", ".zsav")

    def check(self, release: ReleasedTable) -> None:
        check_size(release)
        NAMES.check(release)
        check_labels(release, LONGEST_LABEL, LONGEST_VALUE_LABEL)
        fields = release.fields
        text = [*long_text(fields, LONGEST_TEXT), *with_nul(fields)]
        release.require([*inexact(fields), *beyond(fields, LARGEST), *early(fields, FIRST_DAY), *text])

    def write(self, release: ReleasedTable, path: Path, scratch: Path) -> int:
        fields = release.fields
        whole = {field.name: "F17.0" for field in fields if field.kind in (Kind.INTEGER, Kind.BOOLEAN)}
        return FILE.write(
            release, path, scratch,
            compress=path.name.lower().endswith(".zsav"),
            variable_value_labels={field.name: found for field in fields if (found := codes(field))},
            variable_measure={field.name: _measure(field) for field in fields},
            variable_format=whole,
            variable_display_width=dict.fromkeys(whole, 10),
        )  # fmt: skip


def _measure(field: Field) -> str:
    if field.column.categories is not None:
        return "ordinal"
    return "scale" if field.kind not in (Kind.TEXT, Kind.BOOLEAN, Kind.OTHER) and not codes(field) else "nominal"
