"""Keep the first record of each subject."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.plans.blocks.dates_and_times import check_form, in_time
from sfumato.plans.blocks.parameters import column_names, one_column
from sfumato.plans.blocks.people_per_value import left_out, noted
from sfumato.plans.blocks.values_in_sql import value_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import listed


@dataclass(frozen=True)
class KeepFirst(Transformation):
    """Keep one record of each subject: the first by one or several columns, such as the first admission.

    `per` is the column that says whose a record is, the subject unless another is named; a record without one is
    nobody else's and stays. A missing value of `by` comes last; of records that are equal the one with the lower
    number stays. Texts go letter by letter, or as dates with a `format` such as %d/%m/%Y, which texts that are dates
    of another form than ISO 8601 must have.

    Examples
    --------
    >>> KeepFirst("admission", per="patient").explained()
    'Keep the first record by admission of each patient.'
    """

    by: str | tuple[str, ...]
    per: str | None = None
    format: str | None = None

    leaves_values = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "by", column_names(self, self.by))
        if self.per is not None:
            one_column(self, "per", self.per)
        check_form(self, self.format)

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        per = self.per or draft.subject
        if per is None:
            raise self.wrong("name the column that says whose a record is (per), or the subject of the table.")
        draft.require(per, *self.by)
        owner = value_of(per)
        order = listed([*(f"{in_time(self, draft, name, self.format)} NULLS LAST" for name in self.by), draft.number])
        placed = f"""
            SELECT {draft.number} AS number, row_number() OVER (PARTITION BY {owner} ORDER BY {order}) AS place
            FROM {draft.table} AS record WHERE {owner} IS NOT NULL"""
        left, later = left_out(draft, f"SELECT number FROM ({placed}) AS placed WHERE place > 1")
        return noted(left, f"Records suppressed, being later ones of the same {per}: {later} of {draft.count()}.")

    def explained(self) -> str:
        return f"Keep the first record by {', '.join(self.by)} of each {self.per or 'subject'}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        return (("admissions on 2020-03-01 and 2020-04-09", "the one on 2020-03-01"),)
