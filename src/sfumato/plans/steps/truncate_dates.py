"""Truncation of dates and times."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.plans.blocks.dates_and_times import DateColumn, check_form
from sfumato.plans.blocks.parameters import choice, column_names
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind

# What a date must have, in characters, to be cut to each unit.
UNITS = {
    "second": 16, "minute": 16, "hour": 16, "day": 10, "week": 10, "month": 7, "quarter": 7, "year": 4, "decade": 4,
}  # fmt: skip
CLOCK = ("second", "minute", "hour")
MADE_UP = {
    "second": "2024-03-07 14:05:09", "minute": "2024-03-07 14:05", "hour": "2024-03-07 14h", "day": "2024-03-07",
    "week": "2024-W10", "month": "2024-03", "quarter": "2024-Q1", "year": "2024", "decade": "2020-2029",
}  # fmt: skip
FIRST = {
    "second": "2024-03-07 14:05:09", "minute": "2024-03-07 14:05:00", "hour": "2024-03-07 14:00:00",
    "day": "2024-03-07", "week": "2024-03-04", "month": "2024-03-01", "quarter": "2024-01-01", "year": "2024-01-01",
    "decade": "2020-01-01",
}  # fmt: skip


@dataclass(frozen=True)
class TruncateDates(Transformation):
    """Cut dates and times down to a second, minute, hour, day, week, month, quarter, year or decade.

    A date stays a date: the first day of its week (a Monday, ISO 8601), month, quarter, year or decade; cut to a day
    or more, a date with a time becomes a date. A text stays a text, in the form of ISO 8601 (2024-03); `written_as`
    text or date asks for the other. Texts are read as ISO 8601, or in a `format` such as %d/%m/%Y. A text that is no
    more exact than what it is cut to (2024, where the month was asked for) stays as it is.

    Examples
    --------
    >>> TruncateDates("admission", to="month", written_as="text").examples()
    (('2024-03-07 14:05:09', '2024-03'),)
    """

    columns: str | tuple[str, ...]
    to: str
    written_as: str | None = None
    format: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self, self.columns))
        choice(self, "to", self.to, UNITS)
        if self.written_as is not None:
            choice(self, "written_as", self.written_as, ("date", "text"))
        check_form(self, self.format)

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        draft.require(*self.columns)
        return draft.changed({name: self._cut(draft, name) for name in self.columns})

    def explained(self) -> str:
        return f"Cut {', '.join(self.columns)} down to the {self.to}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        return (("2024-03-07 14:05:09", (MADE_UP if self.written_as == "text" else FIRST)[self.to]),)

    def _cut(self, draft: Draft, name: str) -> str:
        written = self.written_as or ("date" if draft.kind(name) in (Kind.DATE, Kind.TIMESTAMP) else "text")
        incomplete = written == "text" and self.format is None
        moment = DateColumn.of(self, draft, name, self.format, incomplete=incomplete)
        if written == "date":
            return self._first(moment)
        if not moment.timed and self.to in CLOCK:
            return f"CAST({moment.day} AS VARCHAR)"
        label = self._label(moment)
        if moment.kind is not Kind.TEXT or self.format is not None:
            return label
        return f"CASE WHEN length({moment.text}) < {UNITS[self.to]} THEN {moment.text} ELSE {label} END"

    def _first(self, moment: DateColumn) -> str:
        """The first moment of the unit, as a date, or as a date with a time where that is finer than a day."""
        if self.to in CLOCK:
            whole = f"CAST(date_trunc('{self.to}', {moment.time}) AS TIMESTAMP)"
            return whole if moment.timed else moment.day
        if self.to == "day":
            return moment.day
        if self.to == "decade":
            year = f"CAST(extract(year FROM {moment.day}) AS INTEGER)"
            return f"make_date({year} - {year} % 10, 1, 1)"
        return f"CAST(date_trunc('{self.to}', {moment.day}) AS DATE)"

    def _label(self, moment: DateColumn) -> str:
        if self.to in CLOCK:
            text = f"CAST({moment.time} AS VARCHAR)"
            return {
                "second": f"substr({text}, 1, 19)",
                "minute": f"substr({text}, 1, 16)",
                "hour": f"substr({text}, 1, 13) || 'h'",
            }[self.to]
        text = f"CAST({moment.day} AS VARCHAR)"
        if self.to == "week":
            thursday = f"CAST(date_trunc('week', {moment.day}) + INTERVAL 3 DAY AS DATE)"
            week = f"lpad(CAST(weekofyear({moment.day}) AS VARCHAR), 2, '0')"
            return f"substr(CAST({thursday} AS VARCHAR), 1, 4) || '-W' || {week}"
        return {
            "day": text,
            "month": f"substr({text}, 1, 7)",
            "quarter": f"substr({text}, 1, 4) || '-Q' || CAST(extract(quarter FROM {moment.day}) AS VARCHAR)",
            "year": f"substr({text}, 1, 4)",
            "decade": f"substr({text}, 1, 3) || '0-' || substr({text}, 1, 3) || '9'",
        }[self.to]
