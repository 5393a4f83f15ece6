"""Dates, years and ages, written in the ways of extracts."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from random import Random

from .drawing import Maker, listed

MONTHS = {
    "en": "January|February|March|April|May|June|July|August|September|October|November|December",
    "nl": "januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december",
    "de": "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember",
    "fr": "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
    "pt": "janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
    "es": "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
    "el": "Ιανουαρίου|Φεβρουαρίου|Μαρτίου|Απριλίου|Μαΐου|Ιουνίου|Ιουλίου|Αυγούστου|Σεπτεμβρίου|Οκτωβρίου|Νοεμβρίου|"
    "Δεκεμβρίου",
    "ko": "1|2|3|4|5|6|7|8|9|10|11|12",
    "it": ("gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre"),
    "pl": ("stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia"),
    "sv": "januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december",
}
IN_WORDS = {
    "en": "{month} {day}, {year}", "de": "{day}. {month} {year}", "pt": "{day} de {month} de {year}",
    "es": "{day} de {month} de {year}", "ko": "{year}년 {month}월 {day}일",
}  # fmt: skip
EXCEL_DAY_0 = date(1899, 12, 30)
STYLES = {
    "iso": "%Y-%m-%d", "dashes": "%d-%m-%Y", "slashes": "%d/%m/%Y", "dots": "%d.%m.%Y", "american": "%m/%d/%Y",
    "short": "%d/%m/%y", "compact": "%Y%m%d", "timestamp": "%Y-%m-%d 00:00:00", "zoned": "%Y-%m-%dT08:30:00Z",
    "asian": "%Y.%m.%d", "abbreviated": "%d-%b-%Y",
}  # fmt: skip
USUAL = {
    "en": ("iso", "american", "abbreviated", "timestamp", "date", "words", "compact", "slashes"),
    "nl": ("dashes", "iso", "date", "words", "short", "timestamp"),
    "de": ("dots", "iso", "date", "words", "zoned"),
    "ko": ("iso", "asian", "compact", "words", "date"),
    "pl": ("dots", "iso", "date", "words", "dashes"),
    "sv": ("iso", "compact", "date", "words", "timestamp"),
}
SOUTHERN = ("slashes", "iso", "date", "words", "short", "dashes")  # Portugal, Spain, France, Greece, Italy
NOT_TEXT = {"date", "excel", "number"}
TELLING = ("iso", "words", "timestamp", "zoned")  # nobody takes these for anything but a date


def written(day: date, style: str, language: str) -> object:
    """A day in one style."""
    if style == "date":
        return day
    if style == "excel":
        return (day - EXCEL_DAY_0).days
    if style == "number":
        return int(f"{day:%Y%m%d}")
    if style == "words":
        month = listed(MONTHS[language])[day.month - 1]
        return IN_WORDS.get(language, "{day} {month} {year}").format(day=day.day, month=month, year=day.year)
    return day.strftime(STYLES[style])


def dates(first: int, last: int, styles: tuple[str, ...] = ()) -> Maker:
    """Days of the years from first to last; in one text column of three two styles are mixed."""

    def column(draw: Random, language: str, rows: int) -> list[object]:
        known = styles or USUAL.get(language, SOUTHERN)
        usual, other = draw.choice(known), draw.choice(known)
        mixed = 0.08 if draw.random() < 0.35 and not {usual, other} & NOT_TEXT else 0.0
        span = (date(last, 12, 31) - date(first, 1, 1)).days
        days = [date(first, 1, 1) + timedelta(days=draw.randrange(span)) for _ in range(rows)]
        return [written(day, other if draw.random() < mixed else usual, language) for day in days]

    return column


def releases(draw: Random, language: str, rows: int) -> list[object]:
    """Moments at which software or a protocol was issued: four of them for the whole table."""
    form = draw.choice(("%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%d/%m/%Y", "%Y%m%d"))
    start = datetime(2019, 1, 1)
    issued = [(start + timedelta(minutes=draw.randrange(2_000_000))).strftime(form) for _ in range(4)]
    return [draw.choice(issued) for _ in range(rows)]


def ages(low: int, high: int) -> Maker:
    """Whole years of age between two bounds, both possible."""

    def column(draw: Random, language: str, rows: int) -> list[object]:
        middle, kind = draw.uniform(low + 10, high - 10), draw.choice((int, int, str, float))
        return [kind(round(draw.triangular(low, high, middle))) for _ in range(rows)]

    return column


def ages_with_the_very_old(draw: Random, language: str, rows: int) -> list[object]:
    """Ages of which about one in sixteen is over 89."""
    younger = ages(50, 89)(draw, language, rows)
    kind = type(younger[0])
    return [kind(draw.randint(90, 103)) if draw.random() < 0.06 else age for age in younger]


def age_bands(draw: Random, language: str, rows: int) -> list[object]:
    form = draw.choice(("{}-{}", "{} - {}", "[{},{}]"))
    lows = [draw.randrange(20, 80, 10) for _ in range(rows)]
    return [form.format(low, low + 9) for low in lows]


def top_coded_ages(draw: Random, language: str, rows: int) -> list[object]:
    """Ages with everybody over 89 in one category, as Safe Harbor allows."""
    younger = [draw.randint(60, 89) for _ in range(rows)]
    return ["90+" if draw.random() < 0.08 else str(age) for age in younger]


def whole(low: int, high: int) -> Maker:
    """Whole numbers between two bounds, all as likely."""
    return lambda draw, language, rows: [draw.randint(low, high) for _ in range(rows)]
