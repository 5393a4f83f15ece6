"""Drop: columns that are not released."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from sfumato.plans.blocks.parameters import column_names
from sfumato.plans.blocks.people_per_value import noted
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation


@dataclass(frozen=True)
class Drop(Transformation):
    """Leave columns out of the release.

    Where the column of the subject goes, later steps cannot tell whose a record is: drop it last.

    Examples
    --------
    >>> Drop(("name", "hospital number")).explained()
    'Leave out the columns name, hospital number.'
    """

    columns: str | tuple[str, ...]

    aliases: ClassVar[tuple[str, ...]] = ("remove",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self, self.columns))

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        left = draft.without(*self.columns)
        if not left.columns:
            raise self.wrong("no column would be left.")
        if draft.subject not in self.columns:
            return left
        note = f"drop: with {draft.subject!r} gone, later steps take every record for a person of its own."
        return noted(replace(left, subject=None), note)

    def explained(self) -> str:
        return f"Leave out the column{'s' * (len(self.columns) > 1)} {', '.join(self.columns)}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        return (("any value", "(not released)"),)
