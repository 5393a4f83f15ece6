"""Durations: the time between two dates, instead of the dates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfumato.plans.blocks.added_columns import derived, require_forward
from sfumato.plans.blocks.dates_and_times import (
    DateColumn,
    check_form,
    days_between,
    months_between,
    seconds_between,
    staged,
    years_between,
)
from sfumato.plans.blocks.parameters import choice, flag, one_column
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation

SECONDS = {"minutes": 60, "hours": 3600}


@dataclass(frozen=True)
class Duration(Transformation):
    r"""Put the time between two dates into a new column, and drop the dates.

    .. math:: HospitalisationDays = DateOfDischarge - DateOfHospitalisation

    Days are calendar days, whatever the time of day; weeks, months and years are completed ones, and so are hours
    and minutes, which need the time of day. It is missing where a date is. An end before its start gives a negative
    duration (`negative: keep`), a missing one (`missing`), or an error; a note says how many there are.

    Examples
    --------
    >>> Duration("admission", "discharge", into="days in hospital").explained()
    'Put the days from admission to discharge into days in hospital, and drop both dates.'
    """

    start: str
    end: str
    into: str
    unit: str = "days"
    drop: bool = True
    negative: str = "keep"
    format: str | None = None

    def __post_init__(self) -> None:
        for name in ("start", "end", "into"):
            one_column(self, name, getattr(self, name))
        if self.start == self.end:
            raise self.wrong("start and end must be two columns.")
        choice(self, "unit", self.unit, ("days", "hours", "minutes", "weeks", "months", "years"))
        choice(self, "negative", self.negative, ("keep", "missing", "error"))
        flag(self, "drop", self.drop)
        check_form(self, self.format)

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        origins = (self.start, self.end)
        start, end = (DateColumn.of(self, draft, name, self.format) for name in origins)
        stage, start = staged(draft, start, "(start)")
        stage, end = staged(stage, end, "(end)")
        earlier = f"{end.time} < {start.time}" if self.unit in SECONDS else f"{end.day} < {start.day}"
        stage = require_forward(self, stage, earlier, f"{self.end!r} is before {self.start!r}", self.negative)
        backward = "NULL" if self.negative == "missing" else f"-({self._between(end, start)})"
        sql = f"CAST(CASE WHEN {earlier} THEN {backward} ELSE {self._between(start, end)} END AS BIGINT)"
        changed = derived(self, stage, self.into, sql, origins).without(start.text, end.text)
        return changed.without(*origins) if self.drop else changed

    def makes(self) -> tuple[str, ...]:
        return (self.into,)

    def made_of(self) -> tuple[str, ...]:
        return self.start, self.end

    def gives_back(self) -> Mapping[str, str]:
        return {self.start: self.end, self.end: self.start} if self.unit in ("days", *SECONDS) else {}

    def treated(self) -> frozenset[str]:
        return frozenset((self.start, self.end) if self.drop else ())

    def explained(self) -> str:
        dropped = ", and drop both dates" if self.drop else ""
        return f"Put the {self.unit} from {self.start} to {self.end} into {self.into}{dropped}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        lengths = {"days": 18, "hours": 434, "minutes": 26040, "weeks": 2, "months": 0, "years": 0}
        return (("2020-03-01 08:00:00 to 2020-03-19 10:00:00", str(lengths[self.unit])),)

    def _between(self, start: DateColumn, end: DateColumn) -> str:
        """Completed units from a moment to a later one."""
        if self.unit in SECONDS:
            return f"floor({seconds_between(start, end)} / {SECONDS[self.unit]})"
        if self.unit in ("months", "years"):
            return (months_between if self.unit == "months" else years_between)(start.day, end.day)
        days = days_between(start, end)
        return f"floor({days} / 7)" if self.unit == "weeks" else days
