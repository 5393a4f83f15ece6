"""Merging of rare categories."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import ClassVar

from sfumato.plans.blocks.level_labels import restated
from sfumato.plans.blocks.parameters import one_column, real, whole
from sfumato.plans.blocks.people_per_value import frequent, noted, people, population
from sfumato.plans.blocks.values_in_sql import text_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import literal


@dataclass(frozen=True)
class MergeRare(Transformation):
    """Merge the values that few people hold into one, such as rare pathologies into "other".

    `fewer_than` is a number of people (subjects, or records where there is no subject), or a share of all of them
    below 1. A missing value stays missing. The column becomes text, and the labels of values that stay are kept. Where
    the merged values together are still fewer, a note says so.

    Examples
    --------
    >>> MergeRare("pathology", 10, into="Other pathologies").explained()
    "Merge the values of pathology that fewer than 10 people hold into 'Other pathologies'."
    """

    column: str
    fewer_than: float
    into: str = "other"

    aliases: ClassVar[tuple[str, ...]] = ("low_frequency",)

    def __post_init__(self) -> None:
        one_column(self, "column", self.column)
        if real(self, "fewer_than", self.fewer_than) >= 1:
            whole(self, "fewer_than", self.fewer_than, 2)
        elif self.fewer_than <= 0:
            raise self.wrong("fewer_than must be a whole number, 2 or more, or a share between 0 and 1.")
        if not isinstance(self.into, str):
            raise self.wrong("into must be a text: put it in quotes.")

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        needed = self._needed(draft.require(self.column))
        enough, text = frequent(draft, self.column, needed), text_of(draft, self.column)
        merged = f"CASE WHEN {text} IS NULL OR {enough.sql} THEN {text} ELSE {literal(self.into)} END"
        labels = draft[self.column].value_labels or {}
        labels = {value: labels[value] for value in enough.values if value in labels}
        changed = restated(draft.changed({self.column: merged}, join=enough.join), self.column, labels=labels)
        records, held = draft.engine.fetch(f"""
            SELECT coalesce(sum(CASE WHEN NOT {enough.sql} THEN 1 ELSE 0 END), 0), {people(draft)}
            FROM {draft.table} AS record {enough.join}
            WHERE {text} IS NOT NULL AND (NOT {enough.sql} OR {text} = {literal(self.into)})""")[0]
        few = f" They are {held} people together, still fewer than {needed}." if records and held < needed else ""
        return noted(changed, f"Records of {self.column} with rare values that were merged: {int(records)}.{few}")

    def explained(self) -> str:
        share = self.fewer_than < 1
        few = f"fewer than {self.fewer_than:.4g} of all people" if share else f"fewer than {self.fewer_than} people"
        return f"Merge the values of {self.column} that {few} hold into {self.into!r}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        return (("a frequent value", "a frequent value"), ("a rare value", self.into))

    def _needed(self, draft: Draft) -> int:
        """The fewest people that a value needs to stay."""
        share = Decimal(str(self.fewer_than))
        return int(share) if share >= 1 else ceil(share * population(draft))
