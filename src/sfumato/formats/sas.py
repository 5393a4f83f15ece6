"""SAS: transport files (XPT, versions 5 and 8) and data sets (sas7bdat)."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Any, ClassVar

from sfumato.engine import Engine, Kind
from sfumato.errors import UnreadableFile
from sfumato.reading.staging import existing
from sfumato.reading.statistics_file import DAY, SECOND, Moment, Package, StatisticsFile
from sfumato.source import Extract, Format, ReadOptions

EPOCH = dt.date(1960, 1, 1)
RECORD = 80  # a transport file is written in records of 80 bytes
DATES = re.compile(
    r"DATE|DAY|DOWNAME|JULDAY|JULIAN|MONNAME|MONTH|MONYY|QTRR?|WEEKDAT[EX]|WEEKDAY|WEEK[UVW]|WORDDAT[EX]|YEAR|"
    r"YYMON|(DDMMYY|MMDDYY|YYMMDD|MMYY|YYMM|YYQR?|YYQZ)[BCDNPS]?|[BE]8601DA|IS8601DA|(NL|EURDF|MINGUO|NENGO)D?\w*DATE\w*"
)
TIMESTAMPS = re.compile(
    r"DATETIME|DATEAMPM|MDYAMPM|DT(DATE|MONYY|YEAR|YYQC|WKDATX)|[BE]8601D[NTXZ]|[BE]8601LX|IS8601D[NT]|NLDATM\w*"
)
TIMES = re.compile(r"TIME|TIMEAMPM|HHMM|HOUR|MMSS|TOD|[BE]8601(TM|TZ|TX|LZ)|IS8601T[MZ]|NLTIM\w*")


def moment(display: str) -> Moment | None:
    """What a SAS format makes of a number.

    >>> moment("YYMMDD10.").kind, moment("DATETIME20").kind, moment("BEST12.")
    (<Kind.DATE: 'date'>, <Kind.TIMESTAMP: 'timestamp'>, None)
    """
    name = re.sub(r"[0-9.]+$", "", display.upper())
    if TIMESTAMPS.fullmatch(name):
        return Moment(Kind.TIMESTAMP, SECOND)
    if TIMES.fullmatch(name):
        return Moment(Kind.TEXT, SECOND)
    return Moment(Kind.DATE, DAY) if DATES.fullmatch(name) else None


@dataclass(frozen=True)
class SAS(Format):
    """SAS transport files and data sets; special missing values (.A to .Z) are null."""

    suffixes: ClassVar[tuple[str, ...]] = (".xpt", ".sas7bdat")

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        transport = source.lower().endswith(".xpt")
        if transport and existing(source).stat().st_size % RECORD:
            raise UnreadableFile(source, "this transport file is truncated.", hint="Copy or export it again.")
        package = Package("read_xport" if transport else "read_sas7bdat", EPOCH, moment)
        return StatisticsFile(source, package, options.encoding).extract(options, engine)
