"""SAS: transport files (XPT, versions 5 and 8) and data sets (sas7bdat)."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Any, ClassVar

from sfumato.errors import UnreadableFile
from sfumato.tables.engine import Engine, Kind
from sfumato.tables.read.staged_table import existing
from sfumato.tables.read.statistics_file import DAY, SECOND, StatisticsFile, StatisticsPackage, TimeFormat
from sfumato.tables.source import Extract, Format, ReadOptions

EPOCH = dt.date(1960, 1, 1)
RECORD = 80  # a transport file is written in records of 80 bytes
RECORDS_AT_ONCE = 50_000
MEMBER = b"HEADER RECORD*******MEMB"  # and ER, or V8
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
class SAS(Format):
    """SAS transport files and data sets; special missing values (.A to .Z) are null."""

    suffixes: ClassVar[tuple[str, ...]] = (".xpt", ".sas7bdat")

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        transport = source.lower().endswith(".xpt")
        if transport and existing(source).stat().st_size % RECORD:
            raise UnreadableFile(source, "this transport file is truncated.", hint="Copy or export it again.")
        if transport and (number := _members(source)) > 1:
            problem = f"this transport file holds {number} data sets, and only the first would be read as itself."
            raise UnreadableFile(source, problem, hint="Export each of them to a file of its own.")
        package = StatisticsPackage("read_xport" if transport else "read_sas7bdat", EPOCH, time_format)
        return StatisticsFile(source, package, options.encoding).extract(options, engine)


def _members(source: str) -> int:
    """How many data sets a transport file holds: each begins with a record that says so."""
    number = 0
    with existing(source).open("rb") as file:
        while chunk := file.read(RECORDS_AT_ONCE * RECORD):
            starts = range(0, len(chunk), RECORD) if MEMBER in chunk else ()
            number += sum(chunk.startswith(MEMBER, start) for start in starts)
    return number
