"""Stata data sets (dta)."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import ClassVar

from sfumato.tables.engine import Kind
from sfumato.tables.read.statistics_file import DAY, MILLISECOND, StatisticsFormat, StatisticsPackage, TimeFormat

EPOCH = dt.date(1960, 1, 1)


def time_format(display: str) -> TimeFormat | None:
    """What a Stata format makes of a number; weeks, months, quarters and years stay counts.

    >>> time_format("%td").kind, time_format("%tcDD/NN/CCYY").kind, time_format("%tm")
    (<Kind.DATE: 'date'>, <Kind.TIMESTAMP: 'timestamp'>, None)
    """
    if re.match(r"%-?t[cC]", display):
        return TimeFormat(Kind.TIMESTAMP, MILLISECOND)
    return TimeFormat(Kind.DATE, DAY) if re.match(r"%-?t?d", display) else None


@dataclass(frozen=True)
class Stata(StatisticsFormat):
    """Stata files; extended missing values (.a to .z) are null."""

    suffixes: ClassVar[tuple[str, ...]] = (".dta",)

    def package(self, source: str) -> StatisticsPackage:
        return StatisticsPackage("read_dta", EPOCH, time_format)
