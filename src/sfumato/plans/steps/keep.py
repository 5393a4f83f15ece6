"""Keep: columns that are released as they are."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.plans.blocks.parameters import column_names, flag
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation


@dataclass(frozen=True)
class Keep(Transformation):
    """State that columns are released as they are; with `only`, that no others are.

    Examples
    --------
    >>> Keep("sex").explained()
    'Release the column sex as it is.'
    """

    columns: str | tuple[str, ...]
    only: bool = False

    leaves_values = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self, self.columns))
        flag(self, "only", self.only)

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        draft.require(*self.columns)
        if not self.only:
            return draft
        if draft.subject is not None and draft.subject not in self.columns:
            raise self.wrong(f"{draft.subject!r} says whose a record is: keep it, and drop it in the last step.")
        return draft.without(*(name for name in draft.names if name not in self.columns))

    def explained(self) -> str:
        several = len(self.columns) > 1
        kept = f"the column{'s' * several} {', '.join(self.columns)} as {'they are' if several else 'it is'}"
        return f"Release {kept}{', and no others' * self.only}."
