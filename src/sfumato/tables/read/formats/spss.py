"""SPSS: system files (sav, compressed zsav) and portable files (por)."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import ClassVar

from sfumato.tables.engine import Kind
from sfumato.tables.read.statistics_file import SECOND, StatisticsFormat, StatisticsPackage, TimeFormat

EPOCH = dt.date(1582, 10, 14)
KINDS = {
    **dict.fromkeys(("DATE", "ADATE", "EDATE", "SDATE", "JDATE", "QYR", "MOYR", "WKYR"), Kind.DATE),
    **dict.fromkeys(("DATETIME", "YMDHMS"), Kind.TIMESTAMP),
    **dict.fromkeys(("TIME", "DTIME", "MTIME"), Kind.TEXT),
}


def time_format(display: str) -> TimeFormat | None:
    """What an SPSS format makes of a number: all of its moments are counted in seconds.

    >>> time_format("EDATE10").kind, time_format("DATETIME20.2").kind, time_format("F8.2")
    (<Kind.DATE: 'date'>, <Kind.TIMESTAMP: 'timestamp'>, None)
    """
    kind = KINDS.get(re.sub(r"[0-9.]+$", "", display.upper()))
    return TimeFormat(kind, SECOND) if kind else None


@dataclass(frozen=True)
class SPSS(StatisticsFormat):
    """SPSS files; values that the file declares missing are null."""

    suffixes: ClassVar[tuple[str, ...]] = (".sav", ".zsav", ".por")

    def package(self, source: str) -> StatisticsPackage:
        return StatisticsPackage("read_por" if source.lower().endswith(".por") else "read_sav", EPOCH, time_format)
