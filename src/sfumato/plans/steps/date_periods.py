"""Periods of days: dates that lie together are one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sfumato.plans.blocks.dates_and_times import DateColumn, check_form
from sfumato.plans.blocks.parameters import choice, column_names, day, whole
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind, literal


@dataclass(frozen=True)
class DatePeriods(Transformation):
    r"""Replace dates by the first day of a period of so many days.

    .. math:: d \mapsto o + n \lfloor (d - o) / n \rfloor

    Periods of n days follow each other from the `origin` o on, and before it: a Monday unless another day is
    given, so that periods of seven days are weeks. A date stays a date and a text a text (`written_as`: date or text).

    Examples
    --------
    >>> DatePeriods("admission", days=5, origin="2020-03-01").examples()
    (('2020-02-29', '2020-02-25'), ('2020-03-05', '2020-03-01'), ('2020-03-06', '2020-03-06'))
    """

    columns: str | tuple[str, ...]
    days: int
    origin: Any = "2000-01-03"
    written_as: str | None = None
    format: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self, self.columns))
        whole(self, "days", self.days, 1)
        if day(self.origin) is None:
            raise self.wrong("origin must be a day, such as 2020-03-01.")
        if self.written_as is not None:
            choice(self, "written_as", self.written_as, ("date", "text"))
        check_form(self, self.format)

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        draft.require(*self.columns)
        return draft.changed({name: self._first(draft, name) for name in self.columns})

    def first(self, of: date) -> date:
        """The first day of the period of a day."""
        return of - timedelta((of - self._origin).days % self.days)

    def explained(self) -> str:
        return f"Replace {', '.join(self.columns)} by the first day of a period of {self.days} days."

    def examples(self) -> tuple[tuple[str, str], ...]:
        days = (self._origin + timedelta(step) for step in (-1, self.days - 1, self.days))
        return tuple((str(day), str(self.first(day))) for day in days)

    @property
    def _origin(self) -> date:
        origin = day(self.origin)
        assert origin is not None  # by __post_init__
        return origin

    def _first(self, draft: Draft, name: str) -> str:
        moment, n = DateColumn.of(self, draft, name, self.format), self.days
        since = f"date_diff('day', CAST({literal(str(self._origin))} AS DATE), {moment.day})"
        first = f"({moment.day} - CAST(({since} % {n} + {n}) % {n} AS INTEGER))"
        dated = draft.kind(name) in (Kind.DATE, Kind.TIMESTAMP)
        text = self.written_as == "text" or (self.written_as is None and not dated)
        return f"CAST({first} AS VARCHAR)" if text else f"CAST({first} AS DATE)"
