"""Suppression of values: cells that are blanked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.condition import Condition
from sfumato.constant import text_of
from sfumato.draft import Draft
from sfumato.engine import literal, quoted
from sfumato.frequency import frequent, noted
from sfumato.parameters import column_names, whole, words_or_none
from sfumato.transformation import Means, Transformation


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

    def apply(self, draft: Draft, means: Means) -> Draft:
        draft.require(*self.columns)
        found, joins, blanked = {}, [], []
        for name in self.columns:
            condition, join = self._condition(draft, name)
            joins += [join] if join else []
            cell = f"record.{quoted(name)}"
            blanked.append(f"sum(CASE WHEN {cell} IS NOT NULL AND {condition} THEN 1 ELSE 0 END)")
            kept = cell if self.placeholder is None else text_of(draft, name)
            instead = "NULL" if self.placeholder is None else literal(self.placeholder)
            found[name] = f"CASE WHEN {cell} IS NOT NULL AND {condition} THEN {instead} ELSE {kept} END"
        join = " ".join(joins)
        counted = draft.engine.fetch(f"SELECT {', '.join(blanked)} FROM {draft.table} AS record {join}")[0]
        notes = [f"{int(n or 0)} of {name}" for n, name in zip(counted, self.columns, strict=True)]
        return noted(draft.changed(found, join=join, relabelled=False), f"Values suppressed: {', '.join(notes)}.")

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

    def _condition(self, draft: Draft, name: str) -> tuple[str, str]:
        if self.where is not None:
            return Condition.of(self.where).sql(draft), ""
        if self.rarer_than is None:
            return "TRUE", ""
        enough = frequent(draft, name, self.rarer_than)
        return f"NOT {enough.sql}", enough.join
