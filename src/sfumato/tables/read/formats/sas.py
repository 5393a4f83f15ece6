"""SAS: transport files (XPT, versions 5 and 8) and data sets (sas7bdat)."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import ClassVar

from sfumato.tables.engine import Kind
from sfumato.tables.read.limits import Limits
from sfumato.tables.read.statistics_file import DAY, SECOND, StatisticsFormat, StatisticsPackage, TimeFormat
from sfumato.tables.read.transport_file import check_transport

EPOCH = dt.date(1960, 1, 1)
DATES = re.compile(
    r"DATE|DAY|DOWNAME|JULDAY|JULIAN|MONNAME|MONTH|MONYY|QTRR?|WEEKDAT[EX]|WEEKDAY|WEEK[UVW]|WORDDAT[EX]|YEAR|"
    r"YYMON|(DDMMYY|MMDDYY|YYMMDD|MMYY|YYMM|YYQR?|YYQZ)[BCDNPS]?|[BE]8601DA|IS8601DA|(NL|EURDF|MINGUO|NENGO)D?\w*DATE\w*"
)
TIMESTAMPS = re.compile(
    r"DATETIME|DATEAMPM|MDYAMPM|DT(DATE|MONYY|YEAR|YYQC|WKDATX)|[BE]8601D[NTXZ]|[BE]8601LX|IS8601D[NT]|NLDATM\w*"
)
TIMES = re.compile(r"TIME|TIMEAMPM|HHMM|HOUR|MMSS|TOD|[BE]8601(TM|TZ|TX|LZ)|IS8601T[MZ]|NLTIM\w*")


def time_format(display: str) -> TimeFormat | None:
    """What a SAS format makes of a number.

    >>> time_format("YYMMDD10.").kind, time_format("DATETIME20").kind, time_format("BEST12.")
    (<Kind.DATE: 'date'>, <Kind.TIMESTAMP: 'timestamp'>, None)
    """
    name = re.sub(r"[0-9.]+$", "", display.upper())
    if TIMESTAMPS.fullmatch(name):
        return TimeFormat(Kind.TIMESTAMP, SECOND)
    if TIMES.fullmatch(name):
        return TimeFormat(Kind.TEXT, SECOND)
    return TimeFormat(Kind.DATE, DAY) if DATES.fullmatch(name) else None


@dataclass(frozen=True)
class SAS(StatisticsFormat):
    """SAS transport files and data sets; special missing values (.A to .Z) are null."""

    suffixes: ClassVar[tuple[str, ...]] = (".xpt", ".sas7bdat")

    def check(self, source: str, limits: Limits) -> None:
        if source.lower().endswith(".xpt"):
            check_transport(source)

    def package(self, source: str) -> StatisticsPackage:
        reader = "read_xport" if source.lower().endswith(".xpt") else "read_sas7bdat"
        return StatisticsPackage(reader, EPOCH, time_format)
