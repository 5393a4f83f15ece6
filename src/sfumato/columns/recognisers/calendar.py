"""Dates as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache

from sfumato.columns.lexicon.words import folded

MONTHS = (
    "jan ian ιαν ene gen",
    "feb fev φεβ",
    "mar maa mae mrt mrz μαρ",
    "apr abr avr απρ",
    "may mei mai μαι",
    "jun juin ιουν",
    "jul juil ιουλ",
    "aug aou ago αυγ",
    "sep set σεπ",
    "oct okt out οκτ",
    "nov νοε",
    "dec dez dic δεκ",
)
_TIME = r"(?:[T ]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[AP]\.?M\.?)?\s*(?:Z|UTC|[+-]\d{2}:?\d{2})?)?"
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})\.?" + _TIME, re.IGNORECASE)
_YEAR_LAST = re.compile(r"(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})" + _TIME, re.IGNORECASE)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T?\d{4}(?:\d{2})?)?")
_COMPACT_DAY_FIRST = re.compile(r"(\d{2})(\d{2})(\d{4})")
_MONTH = re.compile(r"(\d{4})[-/](\d{1,2})|(\d{1,2}[-/]|\d{2}\.)(\d{4})")
_KOREAN = re.compile(r"(\d{2,4})년\s*(\d{1,2})월(?:\s*(\d{1,2})일)?(?:\s*\d{1,2}시.*)?")
_BESIDE = frozenset(("de", "del", "of", "the", "den", "der", "st", "nd", "rd", "th", "e", "a", "er", "am", "pm", "t"))
_WORDED = re.compile(r"[^\W\d_]+|\d+")
_VERSION = re.compile(r"[vV]?\d\.\d\.\d{1,2}")
_QUARTER = re.compile(r"(\d{4})[- ]?Q[1-4]|Q[1-4][- /]?(\d{4})", re.IGNORECASE)


def read_date(text: str) -> tuple[int, int, int] | None:
    """Year, month and day; the day is 0 where only the month is given; None where it is no date.

    >>> read_date("1980-01-31"), read_date("31/01/80"), read_date("19800131"), read_date("3 maart 1980")
    ((1980, 1, 31), (80, 1, 31), (1980, 1, 31), (1980, 3, 3))
    >>> read_date("1980년 1월 31일"), read_date("Jan 1980"), read_date("1980"), read_date("72")
    ((1980, 1, 31), (1980, 1, 0), None, None)
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
    months = [month for word in words if (month := _month(word))]
    numbers = [word for word in words if word.isdigit()]
    if len(months) != 1 or any(not (word.isdigit() or word in _BESIDE or _month(word)) for word in words):
        return None
    years = [number for number in numbers if len(number) == 4]
    days = [number for number in numbers if len(number) <= 2]
    if len(years) == 1:
        return _checked(years[0], str(months[0]), days[0] if days else None)
    return _checked(days[1], str(months[0]), days[0]) if len(days) == 2 else None


@cache
def _month(word: str) -> int | None:
    """The month that a word begins like, in nine languages."""
    if len(word) < 3 or len(word) > 12:
        return None
    return next((number for number, stems in enumerate(MONTHS, 1) if word.startswith(tuple(stems.split()))), None)


def _checked(year: str, month: str, day: str | None = None) -> tuple[int, int, int] | None:
    """The date, if there is such a day in a year in which a patient may have lived."""
    number = int(year)
    full = number if len(year) == 4 else 2000 + number
    if not 1850 <= full <= 2100:
        return None
    try:
        date(full, int(month), int(day or 1))
    except ValueError:
        return None
    return number, int(month), int(day or 0)
