"""Explanations: why a search chose these levels and what lies next to them, or what would let it find any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from sfumato.errors import InfeasiblePolicy
from sfumato.search.levels.levels_found import LevelsFound
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.explanation import advice_sheet, explanation_sheet


@dataclass(frozen=True)
class ColumnCost:
    """What one column became, and what that costs.

    `cost` is about the levels alone, as if no record had to be suppressed. Where an objective adds up columns it is
    the part of this column: the parts of all columns add up to the score without suppression (for the geometric
    aggregate in proportion to the logarithms; for the maximum they do not add up: the largest of them is the score).
    Where it does not, it is the score less that of the same levels with this column at its lowest.

    `lowest_score` is what the levels score with this column at its lowest, when every class that breaks the policy
    there is suppressed, however many these are.
    """

    column: str
    level: int
    height: int
    labels: int  # different ones among the records at this level
    values: int  # different ones among the records at level 0
    cost: float
    lowest: int  # the lowest level that is allowed
    lowest_score: float
    lowest_suppressed: int


@dataclass(frozen=True)
class Step:
    """The same levels but for one column, which is one level lower or higher."""

    column: str
    level: int
    score: float
    suppressed: int  # records that break the policy there
    excess: int  # how many of these are more than may be suppressed
    smallest: int  # records of the smallest class that is kept; 0 where none is


@dataclass(frozen=True)
class Without:
    """What a search finds when one thing is not asked for, or asked for less."""

    score: float | None  # None: nothing was found
    levels: Mapping[str, int]
    suppressed: int
    proven: bool  # whether nothing better exists
    binds: bool | None  # whether this is what keeps the score up; None where the searches ended too early to say


@dataclass(frozen=True)
class Bound:
    """One requirement at the solution."""

    measure: str
    about: str  # the sensitive attribute; empty where there is none
    bound: float
    breaks: int  # records of classes that break it, before anything is suppressed
    alone: int  # of these, records whose class breaks nothing else
    without: Without


@dataclass(frozen=True, repr=False)
class Explanation(Presented):
    """Why these levels: what each column costs, what lies next to them, and what keeps the score up."""

    found: LevelsFound
    objective: str
    plainly: str  # what the score is
    adds_up: bool  # whether the costs of the columns and of suppression add up to the score
    limit: int  # records that may be suppressed
    suppression_cost: float  # the score less what it would be if the suppressed records could be kept as they are
    columns: tuple[ColumnCost, ...]
    better: tuple[Step, ...]  # one level lower, the lowest score first
    safer: tuple[Step, ...]  # one level higher, the lowest score first
    bounds: tuple[Bound, ...]
    more_limit: int  # records that may be suppressed in `more`
    more: Without | None  # with a higher limit of suppression; None where all records may be suppressed already

    @property
    def next_better(self) -> Step | None:
        """The step down that scores least of those that score less than the solution; None where none does."""
        return next((step for step in self.better if less(step.score, self.found.score)), None)

    @property
    def next_safer(self) -> Step | None:
        """The step up that scores least of those that keep to the policy; None where there is none."""
        return next((step for step in self.safer if not step.excess), None)

    def document(self) -> dict[str, Any]:
        """Everything as plain values. It holds no cell value and no label."""
        better, safer = self.next_better, self.next_safer
        return {
            "objective": self.objective,
            "means": self.plainly,
            "score": _plain(self.found.score),
            "normalised": self.found.normalised,
            "optimal": self.found.optimal,
            "levels": dict(self.found.levels),
            "records": self.found.records,
            "suppressed": self.found.suppressed,
            "limit": self.limit,
            "adds_up": self.adds_up,
            "suppression_cost": _plain(self.suppression_cost),
            "columns": [_document(column) for column in self.columns],
            "next_better": _document(better) if better else None,
            "one_level_lower": [_document(step) for step in self.better],
            "next_safer": _document(safer) if safer else None,
            "one_level_higher": [_document(step) for step in self.safer],
            "requirements": [_document(bound) for bound in self.bounds],
            "more_suppression": {"limit": self.more_limit, **_document(self.more)} if self.more else None,
        }

    def sheet(self) -> Sheet:
        """The explanation for people."""
        return explanation_sheet(self.document())


@dataclass(frozen=True)
class Change:
    """One change that makes a policy feasible by itself."""

    what: str  # the requirement, the suppression or the column
    asked: str
    possible: str
    write: str  # what to write instead
    proven: bool = True  # whether less of a change would not do

    @property
    def sentence(self) -> str:
        """What to do, for an error message."""
        return f"{self.write} would do: {self.possible} instead of {self.asked}."


@dataclass(frozen=True, repr=False)
class Advice(Presented):
    """What is impossible about a policy, and the smallest changes that would make it feasible, each by itself."""

    impossible: tuple[str, ...]
    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Everything as sentences."""
        return (*self.impossible, *(change.sentence for change in self.changes), *self.notes)

    @property
    def error(self) -> InfeasiblePolicy:
        """The error that says so."""
        why = " ".join(
            ("No release keeps to the policy without leaving out more records than allowed.", *self.impossible)
        )
        helps = tuple(change.sentence for change in self.changes)
        return InfeasiblePolicy(f"{why} What would help, each by itself:" if helps else why, (*helps, *self.notes))

    def document(self) -> dict[str, Any]:
        """Everything as plain values. It holds no cell value and no label."""
        return {
            "impossible": list(self.impossible),
            "changes": [asdict(change) | {"sentence": change.sentence} for change in self.changes],
            "notes": list(self.notes),
        }

    def sheet(self) -> Sheet:
        """The same for people."""
        return advice_sheet(self.document())


def less(score: float, than: float) -> bool:
    """Whether a score is lower than another by more than floating point."""
    return score < than - 1e-12 * max(1.0, abs(than))


def _document(thing: Any) -> dict[str, Any]:
    found: dict[str, Any] = _plain(asdict(thing))
    return found


def _plain(value: Any) -> Any:
    """The same without infinite numbers, which JSON does not know."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return None if isinstance(value, float) and not isfinite(value) else value
