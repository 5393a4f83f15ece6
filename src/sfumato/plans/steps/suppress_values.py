"""Suppression of values: cells that are blanked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.plans.blocks.level_labels import restated
from sfumato.plans.blocks.parameters import column_names, whole, words_or_none
from sfumato.plans.blocks.people_per_value import FrequentValues, frequent, noted
from sfumato.plans.blocks.values_in_sql import text_of, value_of
from sfumato.plans.condition import Condition
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import literal, quoted


@dataclass(frozen=True)
class SuppressValues(Transformation):
    """Blank the values of some columns, or put a placeholder there.

    Those of the records that a condition means (`where`); those that fewer than so many people hold (`rarer_than`:
    subjects, or records where there is no subject); with neither, all of them. Without a placeholder a column keeps
    its type, and the cell is missing; with one, it becomes text. A missing value stays missing.

    Examples
    --------
    >>> SuppressValues("diagnosis", rarer_than=5).explained()
    'Blank the values of diagnosis that fewer than 5 people hold.'
    """

    columns: str | tuple[str, ...]
    where: Any = None
    rarer_than: int | None = None
    placeholder: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self, self.columns))
        words_or_none(self, "placeholder", self.placeholder)
        if self.where is not None and self.rarer_than is not None:
            raise self.wrong("give where or rarer_than, and not both. Two steps do both.")
        if self.rarer_than is not None:
            whole(self, "rarer_than", self.rarer_than, 2)
        if self.where is not None:
            Condition.of(self.where)

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        draft.require(*self.columns)
        meant = {name: self._meant(draft, name) for name in self.columns}
        join = " ".join(enough.join for _, enough in meant.values() if enough and enough.join)
        cells = {name: self._cell(draft, name, condition) for name, (condition, _) in meant.items()}
        counts = ", ".join(f"count(CASE WHEN {condition} THEN 1 END)" for condition, _ in meant.values())
        counted = draft.engine.fetch(f"SELECT {counts} FROM {draft.table} AS record {join}")[0]
        changed = draft.changed(cells, join=join, relabelled=self.placeholder is not None)
        for name, (_, enough) in meant.items():
            changed = _restricted(changed, name, enough) if enough and self.placeholder is None else changed
        notes = (f"{n} of {name}" for n, name in zip(counted, self.columns, strict=True))
        return noted(changed, f"Values suppressed: {', '.join(notes)}.")

    def explained(self) -> str:
        done = "Blank" if self.placeholder is None else f"Replace by {self.placeholder!r}"
        which = ""
        if self.where is not None:
            which = f" where {Condition.of(self.where).words()}"
        if self.rarer_than is not None:
            which = f" that fewer than {self.rarer_than} people hold"
        return f"{done} the values of {', '.join(self.columns)}{which}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        return (("a value that is meant", self.placeholder or "(missing)"), ("another", "another"))

    def _meant(self, draft: Draft, name: str) -> tuple[str, FrequentValues | None]:
        """Which values of a column are meant, as SQL, and which are frequent where that decides."""
        held = f"record.{quoted(name)} IS NOT NULL"
        if self.where is not None:
            return f"{held} AND {Condition.of(self.where).sql(draft)}", None
        if self.rarer_than is None:
            return held, None
        enough = frequent(draft, name, self.rarer_than)
        return f"{held} AND NOT {enough.sql}", enough

    def _cell(self, draft: Draft, name: str, condition: str) -> str:
        kept = value_of(name) if self.placeholder is None else text_of(draft, name)
        instead = "NULL" if self.placeholder is None else literal(self.placeholder)
        return f"CASE WHEN {condition} THEN {instead} ELSE {kept} END"


def _restricted(draft: Draft, name: str, enough: FrequentValues) -> Draft:
    """The draft in which no order and no label tells of the values that are gone."""
    known = draft[name]
    labels = {value: label for value, label in (known.value_labels or {}).items() if value in enough.values}
    return restated(draft, name, tuple(value for value in known.order if value in enough.values), labels)
