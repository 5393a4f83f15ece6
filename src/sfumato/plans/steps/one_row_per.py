"""One row a subject, out of a table with several."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.plans.blocks.dates_and_times import check_form, in_time
from sfumato.plans.blocks.parameters import choice, column_names, one_column
from sfumato.plans.blocks.people_per_value import left_out, noted
from sfumato.plans.blocks.values_in_sql import compared, value_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Table, listed, literal, total

FIRST, LAST, BASELINE, MEAN = "first", "last", "baseline", "mean"
RULES = (FIRST, LAST, BASELINE, MEAN)
YES = ("Y", "YES", "TRUE", "T", "1")  # what flags a record as baseline, in capitals or not
LARGEST = 1e15  # whole numbers up to here are real numbers to the unit, and their sum is exact


@dataclass(frozen=True)
class OneRowPer(Transformation):
    """Keep one row of each subject in a long table: the first, the last, the one at baseline, or one with means.

    `subject` is the column that says whose a record is, the subject of the table unless another is named; a record
    without one is nobody else's and stays. `order` is time: one or several columns, texts letter by letter or as dates
    with a `format` such as %d/%m/%Y, which texts that are dates of another form than ISO 8601 must have. A record
    whose order is missing comes last, also for the rule `last`; of records at the same time the one that stands first
    in the source stays, and for `last` the one that stands last.

    `baseline` takes the record that `baseline_flag` marks (Y, yes, true or 1), the first of several, and the first
    record where none is marked. `mean` takes the first record, and puts the mean of all that is known of the subject
    into the `columns`, which must be numbers; where nothing is known there is no value.

    Examples
    --------
    >>> OneRowPer("mean", order="visit", subject="patient", columns="weight").explained()
    'Keep one row of each patient: the first by visit, with the mean of weight over all of them.'
    """

    rule: str
    order: str | tuple[str, ...] = ()
    subject: str | None = None
    baseline_flag: str | None = None
    columns: str | tuple[str, ...] = ()
    format: str | None = None

    leaves_values = True

    def __post_init__(self) -> None:
        choice(self, "rule", self.rule, RULES)
        if self.order or self.rule != MEAN:
            object.__setattr__(self, "order", column_names(self, self.order))
        if self.subject is not None:
            one_column(self, "subject", self.subject)
        if (self.baseline_flag is not None) != (self.rule == BASELINE):
            raise self.wrong("`baseline_flag` names the column that marks a baseline; it belongs to the rule baseline.")
        if bool(self.columns) != (self.rule == MEAN):
            raise self.wrong("`columns` names the numbers to take the mean of; they belong to the rule mean.")
        if self.columns:
            object.__setattr__(self, "columns", column_names(self, self.columns))
        check_form(self, self.format)

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        subject = self.subject or draft.subject
        if subject is None:
            raise self.wrong("name the column that says whose a record is (subject), or the subject of the table.")
        named = [self.baseline_flag] if self.baseline_flag else []
        draft.require(subject, *self.order, *self.columns, *named)
        owner = value_of(subject)
        placed = f"""
            SELECT {draft.number} AS number,
                row_number() OVER (PARTITION BY {owner} ORDER BY {self._place(draft)}) AS place
            FROM {draft.table} AS record WHERE {owner} IS NOT NULL"""
        unmarked = self._unmarked(draft, owner)
        averaged = self._averaged(draft, subject) if self.rule == MEAN else draft
        left, others = left_out(averaged, f"SELECT number FROM ({placed}) AS placed WHERE place > 1")
        note = f"Records suppressed, since one row stands for each {subject} (rule: {self.rule}): {others} of "
        return noted(left, f"{note}{draft.count()}.{unmarked}")

    def explained(self) -> str:
        whose = self.subject or "subject"
        by = f" by {', '.join(self.order)}" if self.order else ""
        told = {
            FIRST: f"the first{by}",
            LAST: f"the last{by}",
            BASELINE: f"the one that {self.baseline_flag} marks, else the first{by}",
            MEAN: f"the first{by}, with the mean of {', '.join(self.columns)} over all of them",
        }
        return f"Keep one row of each {whose}: {told[self.rule]}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        kept = {FIRST: "61 kg", LAST: "64 kg", BASELINE: "61 kg, where it is marked", MEAN: "62.5 kg"}
        return (("61 kg in March and 64 kg in May", kept[self.rule]),)

    def treated(self) -> frozenset[str]:
        """No column: which row of a person stays says nothing of whether a column may be released."""
        return frozenset()

    def _place(self, draft: Draft) -> str:
        """The items of an ORDER BY that puts the record that stays first."""
        way = "DESC NULLS LAST" if self.rule == LAST else "NULLS LAST"
        marked = [f"CASE WHEN {self._marks(draft)} THEN 0 ELSE 1 END"] if self.baseline_flag else []
        moments = (f"{in_time(self, draft, name, self.format)} {way}" for name in self.order)
        return listed([*marked, *moments, f"{draft.number}{' DESC' if self.rule == LAST else ''}"])

    def _marks(self, draft: Draft) -> str:
        flag = f"upper(trim(CAST({value_of(str(self.baseline_flag))} AS VARCHAR)))"
        return f"coalesce({flag} IN ({listed(map(literal, YES))}), FALSE)"

    def _unmarked(self, draft: Draft, owner: str) -> str:
        """How many subjects have no baseline, in words."""
        if self.rule != BASELINE:
            return ""
        marks = f"max(CASE WHEN {self._marks(draft)} THEN 1 ELSE 0 END)"
        ((count,),) = draft.engine.fetch(f"""
            SELECT count(*) FROM (
                SELECT {owner} AS owner FROM {draft.table} AS record WHERE {owner} IS NOT NULL
                GROUP BY {owner} HAVING {marks} = 0
            ) AS unmarked""")
        return f" Without a baseline, so that the first one stands: {count}."

    def _averaged(self, draft: Draft, subject: str) -> Draft:
        """The draft with the mean of the subject in every record of it. Sums are exact, whatever their order."""
        owner, means = value_of(subject), self._means(draft, subject)
        partner = f"LEFT JOIN {means} AS {means} ON {means}.owner = {owner}"
        columns = {
            name: f"CASE WHEN {owner} IS NULL THEN CAST({compared(draft, name)} AS DOUBLE) ELSE {means}.mean_{i} END"
            for i, name in enumerate(self.columns)
        }
        return draft.changed(columns, join=partner)

    def _means(self, draft: Draft, subject: str) -> Table:
        for name in self.columns:
            if not draft.kind(name).numeric:
                raise self.wrong(f"column {name!r} holds {draft.kind(name).value}, and a mean needs numbers.")
            if draft.count(f"abs({compared(draft, name)}) >= {literal(LARGEST)}"):
                raise self.wrong(f"column {name!r} has numbers of 16 digits and more, of which no mean is exact.")
        owner = value_of(subject)
        means = listed(
            f"{total(f'CAST({value} AS DOUBLE)')} / count({value}) AS mean_{i}"
            for i, value in enumerate(compared(draft, name) for name in self.columns)
        )
        return draft.engine.query(f"""
            SELECT {owner} AS owner, {means} FROM {draft.table} AS record
            WHERE {owner} IS NOT NULL GROUP BY {owner}""")
