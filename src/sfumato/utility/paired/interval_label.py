"""Interval labels: the numbers or days that a text such as 20-39, [18, 40) or 2020-03 stands for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

_NUMBER = r"([+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15}))"
_BRACKETS = re.compile(rf"([\[(])\s*{_NUMBER}\s*[,;]\s*{_NUMBER}\s*([\])])")
_DASH, _DASHES = (re.compile(rf"{_NUMBER}\s*{dash}\s*{_NUMBER}") for dash in ("[-–—]", "--"))
_FROM = re.compile(rf"(>=|≥|>)\s*{_NUMBER}|{_NUMBER}\s*\+")
_UP_TO = re.compile(rf"(<=|≤|<)\s*{_NUMBER}")
_PERIOD = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{2})(?:-(?P<day>\d{2})(?: \((?P<days>\d{1,3}) days\))?)?"
    r"|-Q(?P<quarter>[1-4])|-W(?P<week>\d{2})|-(?P<until>\d{4}))?"
)

_MOMENT = r"(\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?)"
_BETWEEN = re.compile(rf"\[{_MOMENT}, {_MOMENT}\)|<{_MOMENT}|>={_MOMENT}")


@dataclass(frozen=True)
class IntervalLabel:
    """The numbers from `low` up to, and without, `high`; None where that end is open.

    >>> IntervalLabel(20, 40).width, IntervalLabel(65, None).width
    (20, None)
    """

    low: float | None
    high: float | None

    @property
    def width(self) -> float | None:
        """From one end to the other; None where one is open."""
        return None if self.low is None or self.high is None else self.high - self.low

    def holds(self, low: float, high: float) -> bool:
        """Whether the numbers from `low` to `high`, both of them too, lie in the interval."""
        return (self.low is None or self.low <= low) and (self.high is None or high < self.high)

    def meets(self, low: float, high: float) -> bool:
        """Whether some numbers from `low` to `high`, both of them too, lie in the interval."""
        return (self.low is None or self.low <= high) and (self.high is None or low < self.high)

    @classmethod
    def of(cls, label: str, *, whole: bool = True) -> IntervalLabel | None:
        """The interval that a label stands for; None where it is no interval, or may be two.

        Between whole numbers one dash means that both ends belong to it: 20-39 is as wide as [20, 40). With `whole`
        numbers an end that belongs to an interval, or does not, makes a difference of one.

        >>> [IntervalLabel.of(label) for label in ("20-39", "18--40", "[18, 40)")]
        [IntervalLabel(low=20, high=40), IntervalLabel(low=18, high=40), IntervalLabel(low=18, high=40)]
        >>> [IntervalLabel.of(label) for label in ("<18", ">=65", "65+")]
        [IntervalLabel(low=None, high=18), IntervalLabel(low=65, high=None), IntervalLabel(low=65, high=None)]
        >>> IntervalLabel.of("(18, 40]"), IntervalLabel.of("(18, 40]", whole=False)
        (IntervalLabel(low=19, high=41), IntervalLabel(low=18, high=40))
        >>> IntervalLabel.of("0.5-1.5")
        IntervalLabel(low=0.5, high=1.5)

        No intervals, and one that may run from -5 to -1 or from -5 to 1:

        >>> [IntervalLabel.of(label) for label in ("adult", "42", "39-20", "*", "", "-5--1")]
        [None, None, None, None, None, None]
        """
        text, step = label.strip(), 1 if whole else 0
        if match := _BRACKETS.fullmatch(text):
            opening, low, high, closing = match.groups()
            return _proper(cls(_number(low) + step * (opening == "("), _number(high) + step * (closing == "]")))
        if match := _FROM.fullmatch(text):
            return cls(_number(match[2] or match[3]) + step * (match[1] == ">"), None)
        if match := _UP_TO.fullmatch(text):
            return cls(None, _number(match[2]) + step * (match[1] != "<"))
        return _dashed(text)

    @classmethod
    def of_period(cls, label: str) -> IntervalLabel | None:
        """The days since 1970 that a day, n-day period, week, month, quarter, year or span of years stands for.

        >>> IntervalLabel.of_period("1970-02"), IntervalLabel.of_period("1970-Q1").width
        (IntervalLabel(low=31, high=59), 90)
        >>> [IntervalLabel.of_period(label).width for label in ("2020", "2020-W09", "2020-2029", "2020-02-29 (2 days)")]
        [366, 7, 3653, 2]
        >>> [IntervalLabel.of_period(label) for label in ("2020-13", "2029-2020", "2020-W54", "<2020-02-30")]
        [None, None, None, None]

        Between days or moments, or open on one side:

        >>> [IntervalLabel.of_period(label) for label in ("[1970-01-02, 1970-02-01)", ">=1970-01-02 12:00")]
        [IntervalLabel(low=1.0, high=31.0), IntervalLabel(low=1.5, high=None)]
        """
        try:
            if match := _BETWEEN.fullmatch(label.strip()):
                low, high = match[1] or match[4], match[2] or match[3]
                return _proper(cls(_moment(low) if low else None, _moment(high) if high else None))
            if match := _PERIOD.fullmatch(label.strip()):
                first, after = _days({part: int(text) for part, text in match.groupdict().items() if text is not None})
                return _proper(cls(_since(first), _since(after)))
        except (ValueError, OverflowError):  # no calendar has such a day
            return None
        return None


def _dashed(text: str) -> IntervalLabel | None:
    """18-39 or 18--40; None where both can be read, or neither."""
    readings = []
    if match := _DASH.fullmatch(text):
        both_whole = "." not in text
        readings.append(_proper(IntervalLabel(_number(match[1]), _number(match[2]) + both_whole)))
    if match := _DASHES.fullmatch(text):
        readings.append(_proper(IntervalLabel(_number(match[1]), _number(match[2]))))
    proper = [reading for reading in readings if reading is not None]
    return proper[0] if len(proper) == 1 else None


def _days(parts: dict[str, int]) -> tuple[date, date]:
    """The first day, and the first one after; `ValueError` where there are no such days."""
    year = parts["year"]
    if "week" in parts:
        first = date.fromisocalendar(year, parts["week"], 1)
        return first, first + timedelta(7)
    if "day" in parts:
        first = date(year, parts["month"], parts["day"])
        return first, first + timedelta(parts.get("days", 1))
    if "month" in parts:
        return date(year, parts["month"], 1), _month(year, parts["month"] + 1)
    if "quarter" in parts:
        return _month(year, 3 * parts["quarter"] - 2), _month(year, 3 * parts["quarter"] + 1)
    return date(year, 1, 1), date(parts.get("until", year) + 1, 1, 1)


def _month(year: int, month: int) -> date:
    """The first day of a month; the thirteenth is the first of the next year."""
    return date(year + (month > 12), (month - 1) % 12 + 1, 1)


def _moment(text: str) -> float:
    return (datetime.fromisoformat(text) - datetime(1970, 1, 1)) / timedelta(days=1)


def _since(day: date) -> int:
    return (day - date(1970, 1, 1)).days


def _proper(interval: IntervalLabel) -> IntervalLabel | None:
    """The interval, if something lies in it."""
    return interval if interval.width is None or interval.width > 0 else None


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)
