"""Years instead of dates, those of long ago as one."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.plans.blocks.dates_and_times import DateColumn, check_form
from sfumato.plans.blocks.parameters import one_column, whole
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind, literal, quoted


@dataclass(frozen=True)
class YearOf(Transformation):
    r"""Keep the year of a date, as a whole number; years up to and including `earliest` as one group, in words.

    .. math:: earliest = year - 90

    Who was born in that year turns 90 in the year in which ages are counted, so that no date of birth, of diagnosis or
    of anything else tells that somebody is over 89, as HIPAA's Safe Harbor asks. Texts are read as ISO 8601, also
    without a day or a month, or in a `format` such as %d/%m/%Y; whole numbers are years already. With `earliest` the
    column becomes text.

    References
    ----------
    45 CFR 164.514(b)(2)(i)(C): all elements of dates except the year, and the year too where it tells an age over 89.

    Examples
    --------
    >>> YearOf("birth_date", earliest=1934).examples()
    (('1951-07-30', '1951'), ('1929-07-30', '1934 or earlier'))
    """

    column: str
    earliest: int | None = None
    format: str | None = None

    def __post_init__(self) -> None:
        one_column(self, "column", self.column)
        if self.earliest is not None:
            whole(self, "earliest", self.earliest, 1000)
        check_form(self, self.format)

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        year = self._year(draft)
        if self.earliest is None:
            return draft.changed({self.column: year})
        old = f"WHEN {year} <= {self.earliest} THEN {literal(self._label)}"
        return draft.changed({self.column: f"CASE {old} ELSE CAST({year} AS VARCHAR) END"})

    def explained(self) -> str:
        old = "" if self.earliest is None else f"; {self.earliest} and all years before it are one group"
        return f"Keep the year of the dates in {self.column}{old}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        last = self.earliest
        if last is None:
            return (("2024-03-01", "2024"),)
        years = (last + 17, last - 5)
        return tuple((f"{year}-07-30", str(year) if year > last else self._label) for year in years)

    @property
    def _label(self) -> str:
        return f"{self.earliest} or earlier"

    def _year(self, draft: Draft) -> str:
        draft.require(self.column)
        if draft.kind(self.column) is Kind.INTEGER and self.format is None:
            return f"CAST(record.{quoted(self.column)} AS BIGINT)"
        day = DateColumn.of(self, draft, self.column, self.format, incomplete=self.format is None).day
        return f"CAST(extract(year FROM {day}) AS BIGINT)"
