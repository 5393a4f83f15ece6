"""Moments: dates and times, however a column holds them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sfumato.plans.blocks.record_numbers import in_rows
from sfumato.plans.blocks.values_in_sql import text_of, value_of
from sfumato.plans.draft import Draft, DraftColumn
from sfumato.plans.step_interface import Transformation
from sfumato.tables.engine import Kind, literal, unused
from sfumato.tables.read.date_format import DateFormat, readable

CLOCK = "([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.,][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?"
ISO = "[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}" + CLOCK
ISO_BEGINNING = "[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?"  # a whole date, and anything after it
# Dates that are in another order letter by letter than in time: 1.3.2024, 03/01/24, 01MAR2024, 2024-3-1.
DAY_OR_MONTH_FIRST = "[0-9]{1,2}[-/. ][0-9]{1,2}[-/. ][0-9]{2,4}( .*)?"
MONTH_BY_NAME = (
    "([0-9]{1,2}[- .]*)?(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- .,]*([0-9]{1,2}[,]? )?[0-9]{2,4}"
)
WITHOUT_ZEROS = "[0-9]{4}[-/.]([0-9][-/.][0-9]{1,2}|[0-9]{2}[-/.][0-9])([ T].*)?"
INCOMPLETE = f"({ISO}|[1-9][0-9]{{3}}(-[0-9]{{2}})?)"


@dataclass(frozen=True)
class DateColumn:
    """A column of dates or of dates with times, as SQL over `record`: its day, and its day and time."""

    kind: Kind  # of the column
    day: str
    time: str
    text: str  # as the column writes it
    timed: bool  # whether there may be a time of day

    @classmethod
    def of(
        cls, step: Transformation, draft: Draft, column: str, form: str | None = None, *, incomplete: bool = False
    ) -> DateColumn:
        """The dates of a column; an error with a count and the numbers of rows where some are none.

        A text is read as ISO 8601, or in a given form such as %d/%m/%Y. The clock is read as it is written, whatever
        the zone. Where dates may be incomplete, 2020-03 is read as its first day.
        """
        draft.require(column)
        dates = cls._read(step, draft, column, form, incomplete=incomplete)
        if dates.kind not in (Kind.DATE, Kind.TIMESTAMP):
            _require_dates(step, draft, column, dates, form)
        return dates

    @classmethod
    def _read(
        cls, step: Transformation, draft: Draft, column: str, form: str | None, *, incomplete: bool = False
    ) -> DateColumn:
        value, kind = value_of(column), draft.kind(column)
        if kind in (Kind.DATE, Kind.TIMESTAMP):
            timed = kind is Kind.TIMESTAMP
            day = f"CAST({value} AS DATE)" if timed else value
            time = value if timed else f"CAST({value} AS TIMESTAMP)"
            return cls(kind=kind, day=day, time=time, text=text_of(draft, column), timed=timed)
        text = text_of(draft, column)
        if form is not None and kind in (Kind.TEXT, Kind.INTEGER):
            day, time = DateFormat(form).sql(text)
            return cls(kind=kind, day=day, time=time, text=text, timed="%H" in form)
        if kind is not Kind.TEXT:
            raise step.wrong(
                f"column {column!r} holds {kind.value}, and dates are needed. "
                f"If it holds dates written as numbers, say how: format: '%Y%m%d'."
            )
        day, time = _iso(text, INCOMPLETE if incomplete else ISO)
        return cls(kind=kind, day=day, time=time, text=text, timed=True)


def staged(draft: Draft, moment: DateColumn, name: str) -> tuple[Draft, DateColumn]:
    """The draft with a moment as a column of its own, so that SQL which reads a text is written only once."""
    column = unused(name, lambda taken: taken in draft.names or taken == draft.row)
    value = value_of(column)
    time = replace(moment, day=f"CAST({value} AS DATE)", time=value, text=column)
    return draft.added(DraftColumn(column), moment.time), time


def read_days(draft: Draft, column: str, form: str | None = None) -> tuple[Draft, str]:
    """The draft with the days of a column as one more column, and its name: null where a value says no single day."""
    name = unused("(day)", lambda taken: taken in draft.names or taken == draft.row)
    value, text, kind = value_of(column), text_of(draft, column), draft.kind(column)
    if kind in (Kind.DATE, Kind.TIMESTAMP):
        day = f"CAST({value} AS DATE)"
    else:
        readings = [_iso(text, ISO)[0], *([DateFormat(form).sql(text)[0]] if form is not None else [])]
        day = f"coalesce({', '.join(readings)}, CAST(NULL AS DATE))"
    return draft.added(DraftColumn(name), day), name


def in_time(step: Transformation, draft: Draft, column: str, form: str | None) -> str:
    """A column as records are put in order by it, as SQL over `record`; texts of a given form as dates.

    Other texts go letter by letter, and where most of them are dates that would not be in time so, that is an error:
    the first record of a person would be another one, and nobody would see it.
    """
    if draft.kind(column) is not Kind.TEXT:
        return value_of(column)
    if form is not None:
        return DateColumn.of(step, draft, column, form).time
    value = value_of(column)
    forms = " OR ".join(
        f"regexp_full_match(trim({value}), {literal(each)})"
        for each in (DAY_OR_MONTH_FIRST, MONTH_BY_NAME, WITHOUT_ZEROS)
    )
    if 2 * draft.count(forms) > draft.count(f"{value} IS NOT NULL"):
        raise step.wrong(
            f"column {column!r} holds dates as text, and letter by letter they are not in the order of time. Say how "
            f"they are written: format: '%d.%m.%Y', or '%m/%d/%Y'."
        )
    return value


def check_form(step: Transformation, form: str | None) -> None:
    """Refuse a form of dates that cannot be read."""
    if form is None:
        return
    if not isinstance(form, str) or not readable(form):
        raise step.wrong(
            "format says how dates are written: %Y (four digits), %m or %b (Jan) and %d, and perhaps %H, %M and %S, "
            "each once, such as '%d/%m/%Y'."
        )


def seconds_between(start: DateColumn, end: DateColumn) -> str:
    """Seconds from one moment to another, as SQL; parts of a second are left out."""
    return f"({days_between(start, end)} * 86400 + {_of_day(end.time)} - {_of_day(start.time)})"


def days_between(start: DateColumn, end: DateColumn) -> str:
    """Calendar days from one moment to another, as SQL."""
    return f"date_diff('day', {start.day}, {end.day})"


def months_between(start: str, end: str) -> str:
    """Completed months from one day to a later one, as SQL; from the 31st on the 30th none is completed."""
    months = f"({_part('year', end)} - {_part('year', start)}) * 12 + {_part('month', end)} - {_part('month', start)}"
    return f"({months} - CASE WHEN {_part('day', end)} < {_part('day', start)} THEN 1 ELSE 0 END)"


def years_between(start: str, end: str) -> str:
    """Completed years from one day to a later one, as SQL; who was born on 29 February counts from 1 March on."""
    early, late = (f"({_part('month', day)} * 100 + {_part('day', day)})" for day in (start, end))
    years = f"({_part('year', end)} - {_part('year', start)})"
    return f"({years} - CASE WHEN {late} < {early} THEN 1 ELSE 0 END)"


def moved(draft: Draft, column: str, days: str) -> str:
    """A date later by some days (SQL, an INTEGER); the time of day stays.

    A text in the form of ISO 8601 stays a text, and what follows the date stays: `2024-02-28T10:30` becomes
    `2024-03-01T10:30`. A text that does not begin with a whole date is null.
    """
    value = value_of(column)
    if draft.kind(column) is Kind.DATE:
        return f"{value} + {days}"
    if draft.kind(column) is Kind.TIMESTAMP:
        return f"{value} + {days} * INTERVAL 1 DAY"
    day = f"CAST(TRY_CAST(substr({value}, 1, 10) AS DATE) + {days} AS VARCHAR)"
    return f"CASE WHEN {whole_date(column)} THEN concat({day}, substr({value}, 11)) END"


def whole_date(column: str) -> str:
    """Whether a text begins with a whole date of ISO 8601, as SQL."""
    value = value_of(column)
    return f"(regexp_full_match({value}, '{ISO_BEGINNING}') AND TRY_CAST(substr({value}, 1, 10) AS DATE) IS NOT NULL)"


def _part(name: str, day: str) -> str:
    return f"extract({name} FROM {day})"


def _of_day(time: str) -> str:
    seconds = f"floor({_part('second', time)})"
    return f"({_part('hour', time)} * 3600 + {_part('minute', time)} * 60 + {seconds})"


def _iso(text: str, form: str) -> tuple[str, str]:
    shaped = f"regexp_full_match({text}, {literal(form)})"
    whole = f"substr({text} || '-01-01', 1, 10)"
    clock = f"CASE WHEN substr({text}, 17, 1) = ':' THEN substr({text}, 12, 8) ELSE {_minute(text)} END"
    day = f"CASE WHEN {shaped} THEN TRY_CAST({whole} AS DATE) END"
    return day, f"CASE WHEN {shaped} THEN TRY_CAST({whole} || ' ' || {clock} AS TIMESTAMP) END"


def _minute(text: str) -> str:
    return f"CASE WHEN length({text}) < 16 THEN '00:00:00' ELSE substr({text}, 12, 5) || ':00' END"


def _require_dates(step: Transformation, draft: Draft, column: str, dates: DateColumn, form: str | None) -> None:
    unread = f"{dates.text} IS NOT NULL AND {dates.day} IS NULL"
    records = draft.count(unread)
    if records:
        rows = draft.rows(unread)
        expected = "in the form that was given" if form else "of ISO 8601 (such as 2020-03-01)"
        raise step.wrong(
            f"column {column!r}: {records} record{'s hold' if records > 1 else ' holds'} no date {expected} "
            f"({in_rows(rows, records)}). Correct {'them' if records > 1 else 'it'}, or say how the dates are written: "
            f"format: '%d/%m/%Y'."
        )
