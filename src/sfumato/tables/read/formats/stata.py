"""Stata data sets (dta)."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Any, ClassVar

from sfumato.tables.engine import Engine, Kind
from sfumato.tables.read.statistics_file import DAY, MILLISECOND, Moment, Package, StatisticsFile
from sfumato.tables.source import Extract, Format, ReadOptions

EPOCH = dt.date(1960, 1, 1)


def moment(display: str) -> Moment | None:
    """What a Stata format makes of a number; weeks, months, quarters and years stay counts.

    >>> moment("%td").kind, moment("%tcDD/NN/CCYY").kind, moment("%tm")
    (<Kind.DATE: 'date'>, <Kind.TIMESTAMP: 'timestamp'>, None)
    """
    if re.match(r"%-?t[cC]", display):
        return Moment(Kind.TIMESTAMP, MILLISECOND)
    return Moment(Kind.DATE, DAY) if re.match(r"%-?t?d", display) else None


@dataclass(frozen=True)
class Stata(Format):
    """Stata files; extended missing values (.a to .z) are null."""

    suffixes: ClassVar[tuple[str, ...]] = (".dta",)

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        package = Package("read_dta", EPOCH, moment)
        return StatisticsFile(source, package, options.encoding).extract(options, engine)
