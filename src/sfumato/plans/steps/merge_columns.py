"""Merging of columns: several yes-or-no columns as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.plans.blocks.added_columns import derived
from sfumato.plans.blocks.parameters import column_names, one_column
from sfumato.plans.blocks.people_per_value import noted
from sfumato.plans.blocks.values_in_sql import compared, constant, value_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind


@dataclass(frozen=True)
class MergeColumns(Transformation):
    """Put one column in the place of several: whether any of them is so.

    It is `present` where one of them is, `absent` where all are, and else missing: what is not known of one cannot be
    known of all. The columns are dropped. So pathologies that few people have become "other pathologies", and who has
    which is not released.

    References
    ----------
    Carvalho et al., Empowering open data sharing for social good, on the initial disclosure risk.

    Examples
    --------
    >>> MergeColumns(("HIV", "TUBERCULOSIS"), into="OtherPathologies", present="Y", absent="N").examples()
    (('N, Y', 'Y'), ('N, N', 'N'), ('N, (missing)', '(missing)'))
    """

    columns: tuple[str, ...]
    into: str
    present: Any = "yes"
    absent: Any = "no"

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self, self.columns))
        one_column(self, "into", self.into)
        if len(self.columns) < 2:
            raise self.wrong("name two columns or more.")
        if any(value is None or isinstance(value, dict | list | tuple) for value in (self.present, self.absent)):
            raise self.wrong("present and absent are one value each, as the columns write them.")
        if self.present == self.absent:
            raise self.wrong("present and absent must be two values.")

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        draft.require(*self.columns)
        kinds = {draft.kind(name) for name in self.columns}
        if len(kinds) > 1 or not kinds <= {Kind.TEXT, Kind.INTEGER, Kind.BOOLEAN}:
            raise self.wrong("the columns must all hold text, whole numbers, or true and false.")
        yes, no = (
            constant(value, draft.kind(self.columns[0]), self.columns[0]) for value in (self.present, self.absent)
        )
        values = [compared(draft, name) for name in self.columns]
        any_yes = " OR ".join(f"{value} = {yes}" for value in values)
        all_no = " AND ".join(f"{value} = {no}" for value in values)
        sql = f"CASE WHEN {any_yes} THEN {yes} WHEN {all_no} THEN {no} END"
        merged = derived(self, draft, self.into, sql, self.columns)
        new = value_of(self.into)
        same = [name for name in self.columns if not merged.count(f"{value_of(name)} IS DISTINCT FROM {new}")]
        if same:
            as_these = " and as ".join(same)
            merged = noted(
                merged, f"{self.name()}: {self.into} is the same as {as_these} in every record, so merging hid nothing."
            )
        return merged.without(*(c for c in self.columns if c != self.into))

    def makes(self) -> tuple[str, ...]:
        return (self.into,)

    def made_of(self) -> tuple[str, ...]:
        return tuple(self.columns)

    def explained(self) -> str:
        return f"Put {self.into}, whether any of {', '.join(self.columns)} is {self.present!r}, in their place."

    def examples(self) -> tuple[tuple[str, str], ...]:
        yes, no = str(self.present), str(self.absent)
        return ((f"{no}, {yes}", yes), (f"{no}, {no}", no), (f"{no}, (missing)", "(missing)"))
