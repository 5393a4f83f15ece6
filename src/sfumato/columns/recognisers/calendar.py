"""Dates as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache

from sfumato.columns.lexicon.words import folded
from sfumato.packaged_data import packaged_yaml

# Years in which a patient may have lived, and those to which data sets that are de-identified shift their dates.
FIRST_YEAR, LAST_YEAR = 1850, 2300
_TIME = r"(?:[T ]+\d{1,2}[:h]\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[AP]\.?M\.?)?\s*(?:Z|UTC|[+-]\d{2}:?\d{2})?)?"
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})\.?" + _TIME, re.IGNORECASE)
_YEAR_LAST = re.compile(r"(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})" + _TIME, re.IGNORECASE)
_CLOCK = r"(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?"  # of a day: the end of a national number mostly is not
_COMPACT = re.compile(rf"(\d{{4}})(\d{{2}})(\d{{2}})(?:T?{_CLOCK})?")
_COMPACT_DAY_FIRST = re.compile(r"(\d{2})(\d{2})(\d{4})")
_MONTH = re.compile(r"(\d{4})[-/](\d{1,2})|(\d{1,2}[-/]|\d{2}\.)(\d{4})")
_KOREAN = re.compile(r"(\d{2,4})년\s*(\d{1,2})월(?:\s*(\d{1,2})일)?(?:\s*\d{1,2}시.*)?")
_WORDED = re.compile(r"[^\W\d_]+|\d+")
_VERSION = re.compile(r"[vV]?\d\.\d\.\d{1,2}")
_QUARTER = re.compile(r"(\d{4})[- ]?Q[1-4]|Q[1-4][- /]?(\d{4})", re.IGNORECASE)


def read_date(text: str) -> tuple[int, int, int] | None:
    """Year, month and day; the day is 0 where only the month is given; None where it is no date.

    >>> read_date("1980-01-31"), read_date("31/01/80"), read_date("19800131"), read_date("3 maart 1980")
    ((1980, 1, 31), (80, 1, 31), (1980, 1, 31), (1980, 3, 3))
    >>> read_date("1980년 1월 31일"), read_date("Jan 1980"), read_date("1980"), read_date("72")
    ((1980, 1, 31), (1980, 1, 0), None, None)
    >>> read_date("15 sty 2021"), read_date("martedì 3 marzo 2020"), read_date("12 III 2020"), read_date("2187-05-04")
    ((2021, 1, 15), (2020, 3, 3), (2020, 3, 12), (2187, 5, 4))
    """
    value = text.strip()
    if not 6 <= len(value) <= 40:
        return None
    return _numbered(value) or _worded(value)


def finer_than_a_year(sample: Sequence[str]) -> float:
    """The share of values that are dates; 0 where all of them are the first of January, or versions."""
    dates = [read for value in sample if (read := read_date(value))]
    if not dates or all((month, day) in ((1, 1), (1, 0)) for _, month, day in dates):
        return 0.0
    if _versions(sample):
        return 0.0
    compact = all(value.isdigit() for value in sample)
    enough = len(dates) >= 5 or not compact  # a few numbers of eight digits may be dates by accident
    return len(dates) / len(sample) if enough else 0.0


def _versions(sample: Sequence[str]) -> bool:
    """Whether the values are versions such as 2.8.82: three of them without a tenth day or month are no accident."""
    different = {value.strip() for value in sample}
    return len(different) >= 3 and sum(_VERSION.fullmatch(value) is not None for value in different) == len(different)


def _numbered(value: str) -> tuple[int, int, int] | None:
    if value.isdigit():
        return _compact(value)
    if parts := _YEAR_FIRST.fullmatch(value):
        return _checked(parts[1], parts[3], parts[4])
    if parts := _YEAR_LAST.fullmatch(value):
        return _checked(parts[4], parts[3], parts[1]) or _checked(parts[4], parts[1], parts[3])
    return _coarse(value)


def _coarse(value: str) -> tuple[int, int, int] | None:
    """A month or a quarter of a year; and the Korean notation, which may end there."""
    if parts := _MONTH.fullmatch(value):
        return _checked(parts[1] or parts[4], parts[2] or parts[3][:-1])
    if parts := _KOREAN.fullmatch(value):
        return _checked(parts[1], parts[2], parts[3])
    parts = _QUARTER.fullmatch(value)
    return _checked(parts[1] or parts[2], "4") if parts else None


def _compact(value: str) -> tuple[int, int, int] | None:
    if (parts := _COMPACT.fullmatch(value)) and (read := _checked(*parts.groups())):
        return read
    parts = _COMPACT_DAY_FIRST.fullmatch(value)
    return _checked(parts[3], parts[2], parts[1]) if parts else None


def _worded(value: str) -> tuple[int, int, int] | None:
    """A month by its name, with a year and perhaps a day: `3 de março de 1980`, `Jan 31, 1980`."""
    words = _WORDED.findall(folded(value.split(":")[0][:-2] if ":" in value else value))
    roman = _calendar_words("roman")
    if len(words) == 3 and words[1] in roman and words[0].isdigit() and len(words[2]) == 4 and words[2].isdigit():
        return _checked(words[2], str(roman.index(words[1]) + 1), words[0])
    words = [word for word in words if word not in _calendar_words("weekdays")]
    months = [month for word in words if (month := _month(word))]
    numbers = [word for word in words if word.isdigit()]
    if len(months) != 1 or any(
        not (word.isdigit() or word in _calendar_words("beside") or _month(word)) for word in words
    ):
        return None
    years = [number for number in numbers if len(number) == 4]
    days = [number for number in numbers if len(number) <= 2]
    if len(years) == 1:
        return _checked(years[0], str(months[0]), days[0] if days else None)
    return _checked(days[1], str(months[0]), days[0]) if len(days) == 2 else None


@cache
def _calendar_words(sort: str) -> tuple[str, ...]:
    """Words of one sort, folded."""
    return tuple(map(folded, packaged_yaml(__package__, "calendar_words.yaml")[sort].split()))


@cache
def _stems() -> tuple[tuple[str, ...], ...]:
    """How the names of each month begin."""
    return tuple(tuple(stems.split()) for stems in packaged_yaml(__package__, "calendar_words.yaml")["months"])


@cache
def _month(word: str) -> int | None:
    """The month that a word begins like."""
    if len(word) < 3 or len(word) > 12:
        return None
    return next((number for number, stems in enumerate(_stems(), 1) if word.startswith(stems)), None)


def _checked(year: str, month: str, day: str | None = None) -> tuple[int, int, int] | None:
    """The date, if there is such a day in a year in which a patient may have lived, or to which dates are shifted."""
    number = int(year)
    full = number if len(year) == 4 else 2000 + number
    if not FIRST_YEAR <= full <= LAST_YEAR:
        return None
    try:
        date(full, int(month), int(day or 1))
    except ValueError:
        return None
    return number, int(month), int(day or 0)
