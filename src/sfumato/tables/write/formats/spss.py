"""SPSS system files (sav, and zsav, which is compressed)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from sfumato.tables.engine import Kind
from sfumato.tables.write.limits import NameRule
from sfumato.tables.write.release import Field, ReleasedTable
from sfumato.tables.write.statistics_file import FileLimits, Stamp, StatisticsFile, codes
from sfumato.tables.write.writer import Writer

LIMITS = FileLimits(
    names=NameRule(
        r"[^\W\d_]([\w.$#@]*[\w$#@])?", 64,
        "a name begins with a letter, goes on with letters, digits and . _ $ # @, and has at most 64 bytes",
        in_bytes=True, capitals=False,
        reserved=("ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"),
    ),
    longest_label=255, longest_value_label=120, longest_text=32_767,
    first_day="1582-10-15",  # the first of the Gregorian calendar; SPSS counts from the day before
)  # fmt: skip
FILE = StatisticsFile(
    "write_sav", "read_sav", Stamp(rb"\d\d [A-Z][a-z]{2} \d\d\d\d:\d\d:\d\d", 1, b"01 Jan 8000:00:00")
)


@dataclass(frozen=True)
class SPSS(Writer):
    """Labels of columns and of values, and the measure: nominal for codes, ordinal for categories, else scale."""

    suffixes: ClassVar[tuple[str, ...]] = (".sav", ".zsav")

    def check(self, release: ReleasedTable) -> None:
        LIMITS.check(release)

    def write(self, release: ReleasedTable, path: Path, scratch: Path) -> int:
        fields = release.fields
        whole = {field.name: "F17.0" for field in fields if field.kind in (Kind.INTEGER, Kind.BOOLEAN)}
        return FILE.write(
            release, path, scratch,
            compress=path.name.lower().endswith(".zsav"),
            variable_value_labels={field.name: labels for field in fields if (labels := codes(field))},
            variable_measure={field.name: _measure(field) for field in fields},
            variable_format=whole,
            variable_display_width=dict.fromkeys(whole, 10),
        )  # fmt: skip


def _measure(field: Field) -> str:
    if field.column.categories is not None:
        return "ordinal"
    return "scale" if field.kind not in (Kind.TEXT, Kind.BOOLEAN, Kind.OTHER) and not codes(field) else "nominal"
