"""Dates: time of day, day, period, week, month, quarter, year and decade."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, ClassVar

from sfumato.columns.lexicon import meaning_of
from sfumato.columns.profile import ColumnProfile
from sfumato.errors import HierarchyError, did_you_mean
from sfumato.hierarchies.builder_interface import Builder, Offer
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import Counts
from sfumato.tables.engine import Kind, literal

FORM = (
    "[1-9][0-9]{3}(-[0-9]{2}(-[0-9]{2}([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.,][0-9]+)?)?"
    "(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?)?)?"
)
# Characters that a date must have to have a label of its own at each level; the finest level first.
NEEDED = {
    "minute": 16, "hour": 16, "time_of_day": 16, "day": 10, "period": 10, "week": 10, "month": 7, "quarter": 7,
    "year": 4, "decade": 4,
}  # fmt: skip
USUAL = ("day", "month", "quarter", "year", "decade")
PARTS = (("05", "night"), ("11", "morning"), ("17", "afternoon"), ("23", "evening"))  # and the last hour of each
DATES = "('DATE', 'TIMESTAMP', 'date', 'timestamp', 'timestamp_ntz')"  # as the engines call them


@dataclass(frozen=True)
class Dates(Formula, Builder):
    """Dates, date-times and texts in the form of ISO 8601, ever coarser.

    `levels` are some of minute, hour, time_of_day (night, morning, afternoon, evening), day, period (of so many
    `days`, counted from `origin`), week (ISO 8601), month, quarter, year and decade, in this order; without them,
    those that are coarser than the data. A week belongs to the month and year of its Thursday, a period to those of
    its first day, so that every level is made of whole parts of the level below. A date that is not complete
    (2020-03) stays as it is until the level that it reaches. The clock is read as it is written, whatever the zone.

    >>> Dates().build(["2020-03-01"]).lines
    (('2020-03-01', '2020-03', '2020-Q1', '2020', '2020-2029', '*'),)
    >>> Dates(levels=("time_of_day", "period", "week"), days=2).build(["2020-03-01 14:05:00"]).lines[0][1:]
    ('2020-03-01 afternoon', '2020-02-29 (2 days)', '2020-W09', '*')
    """

    plainly: ClassVar[str] = "dates by day, n-day period, week, month, quarter, year, decade"
    expects: ClassVar[str] = "are no dates of ISO 8601 (such as 2020-03-01) between the years 1000 and 9999"
    rules: ClassVar[tuple[str, ...]] = ("levels",)
    levels: tuple[str, ...] = ()
    days: int = 7
    origin: str = "2000-01-03"  # a Monday

    def __post_init__(self) -> None:
        order = list(NEEDED)
        for level in self.levels:
            if level not in NEEDED:
                raise HierarchyError(f"There is no level {level!r} of dates.{did_you_mean(level, order)}")
        if sorted(set(self.levels), key=order.index) != list(self.levels):
            raise HierarchyError(f"The levels of dates go from fine to coarse, each once: {', '.join(order)}.")
        if not 1 <= self.days <= 366:
            raise HierarchyError("A period has 1 to 366 days.")
        if _day(self.origin) is None or len(self.origin) != 10:
            raise HierarchyError("The origin of a period is a day, such as 2020-03-01.")

    def formula(self, counts: Counts) -> Formula:
        finest = max((len(text) for text in counts if text is not None and _day(text)), default=10)
        coarser = [level for level in USUAL if NEEDED[level] < finest]
        return self if self.levels else replace(self, levels=tuple(coarser or USUAL[-1:]))

    @property
    def height(self) -> int:
        if not self.levels:
            raise self.unfitted()
        return len(self.levels) + 1

    def settled(self) -> dict[str, Any]:
        return self.settings()

    @classmethod
    def offer(cls, column: ColumnProfile) -> Offer | None:
        if column.kind in (Kind.DATE, Kind.TIMESTAMP):
            return Offer(cls(), "It holds dates.", 1.0)
        fitting = sum(_day(text) is not None for text in column.sample)
        if not fitting or fitting < 0.9 * len(column.sample):
            return None
        if all(len(text) >= 7 for text in column.sample if _day(text)):
            return Offer(cls(), "The values are dates of ISO 8601.", 0.85)
        meaning = meaning_of(column.name, column.label)
        years = meaning is not None and (meaning.concept.name == "year" or meaning.concept.dated)
        return Offer(cls(), "The name says year, and the values are years.", 0.85) if years else None

    def _label(self, text: str, level: int) -> str | None:
        day, name = _day(text), self.levels[level - 1]
        if day is None or len(text) < NEEDED[name]:
            return None if day is None else text
        for step in self.levels[:level] if len(text) >= 10 else ():
            if step == "period":
                day -= timedelta((day - date.fromisoformat(self.origin)).days % self.days)
            if step == "week":
                day += timedelta(3 - day.weekday())
        return self._written(name, day, text[11:16])

    def _written(self, name: str, day: date, clock: str) -> str:
        written = day.isoformat()
        return {
            "minute": f"{written} {clock}",
            "hour": f"{written} {clock[:2]}h",
            "time_of_day": f"{written} {_part(PARTS, clock[:2])}",
            "day": written,
            "period": f"{written} ({self.days} days)",
            "week": f"{written[:4]}-W{day.isocalendar().week:02}",
            "month": written[:7],
            "quarter": f"{written[:4]}-Q{(day.month + 2) // 3}",
            "year": written[:4],
            "decade": f"{written[:3]}0-{written[:3]}9",
        }[name]

    def _sql(self, value: str, level: int) -> str:
        text, name = f"concat('', {value})", self.levels[level - 1]
        whole = f"substr({text} || '-01-01', 1, 10)"
        day = f"TRY_CAST({whole} AS DATE)"
        label = self._written_sql(name, text, self._moved_sql(level, text, whole, day))
        # A date is a date: the look at its form is for texts, and takes longer than all the rest.
        placed = (
            f"CASE WHEN typeof({value}) IN {DATES} THEN substr({text}, 5, 1) = '-' AND {text} >= '1000' "
            f"ELSE regexp_full_match({text}, {literal(FORM)}) AND {day} IS NOT NULL END"
        )
        return f"CASE WHEN {placed} THEN CASE WHEN length({text}) < {NEEDED[name]} THEN {text} ELSE {label} END END"

    def _moved_sql(self, level: int, text: str, whole: str, day: str) -> str:
        """The day that stands for the period or the week, as text; the day itself where neither is a level."""
        moved, days = day, self.days
        for step in self.levels[:level]:
            if step == "period":
                since = f"date_diff('day', CAST({literal(self.origin)} AS DATE), {moved})"
                moved = f"({moved} - CAST(({since} % {days} + {days}) % {days} AS INTEGER))"
            if step == "week":
                moved = f"(date_trunc('week', {moved}) + INTERVAL 3 DAY)"
        if moved == day:
            return whole
        return f"CASE WHEN length({text}) < 10 THEN {whole} ELSE strftime({moved}, '%Y-%m-%d') END"

    def _written_sql(self, name: str, text: str, day: str) -> str:
        year = f"substr({day}, 1, 4)"
        return {
            "minute": f"{day} || ' ' || substr({text}, 12, 5)",
            "hour": f"{day} || ' ' || substr({text}, 12, 2) || 'h'",
            "time_of_day": f"{day} || ' ' || {_part_sql(PARTS, f'substr({text}, 12, 2)')}",
            "day": day,
            "period": f"{day} || ' ({self.days} days)'",
            "week": f"{year} || '-W' || lpad(concat('', weekofyear(TRY_CAST({day} AS DATE))), 2, '0')",
            "month": f"substr({day}, 1, 7)",
            "quarter": f"{year} || '-Q' || substr('111222333444', TRY_CAST(substr({day}, 6, 2) AS INTEGER), 1)",
            "year": year,
            "decade": f"substr({day}, 1, 3) || '0-' || substr({day}, 1, 3) || '9'",
        }[name]


def _day(text: str) -> date | None:
    """The day that a text begins with, or the first one of its month or year; None where it is no date."""
    if not re.fullmatch(FORM, text):
        return None
    try:
        return date.fromisoformat((text + "-01-01")[:10])
    except ValueError:
        return None


def _part(parts: tuple[tuple[str, str], ...], number: str) -> str:
    return next(name for last, name in parts if number <= last)


def _part_sql(parts: tuple[tuple[str, str], ...], number: str) -> str:
    whens = " ".join(f"WHEN {number} <= {literal(last)} THEN {literal(name)}" for last, name in parts)
    return f"CASE {whens} END"
