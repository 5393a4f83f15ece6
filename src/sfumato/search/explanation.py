"""Explanations: why a search chose these levels, and what lies next to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from sfumato.search.levels.levels_found import LevelsFound
from sfumato.show.documents.explanation import (
    ColumnCostDocument,
    EasierSearchDocument,
    ExplanationDocument,
    MoreSuppressionDocument,
    NeighbourDocument,
    RequirementEffectDocument,
)
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.explanation import explanation_sheet


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

    def content(self) -> ColumnCostDocument:
        """The same as plain values."""
        return ColumnCostDocument(**_finite(self))


@dataclass(frozen=True)
class Neighbour:
    """The same levels but for one column, which is one level lower or higher."""

    column: str
    level: int
    score: float
    suppressed: int  # records that break the policy there
    excess: int  # how many of these are more than may be suppressed
    smallest: int  # records of the smallest class that is kept; 0 where none is

    def content(self) -> NeighbourDocument:
        """The same as plain values."""
        return NeighbourDocument(**_finite(self))


@dataclass(frozen=True)
class EasierSearch:
    """What a search finds when one thing is not asked for, or asked for less."""

    score: float | None  # None: nothing was found
    levels: Mapping[str, int]
    suppressed: int
    proven: bool  # whether nothing better exists
    binds: bool | None  # whether this is what keeps the score up; None where the searches ended too early to say


@dataclass(frozen=True)
class RequirementEffect:
    """One requirement at the solution."""

    measure: str
    about: str  # the sensitive attribute; empty where there is none
    bound: float
    breaks: int  # records of classes that break it, before anything is suppressed
    alone: int  # of these, records whose class breaks nothing else
    without: EasierSearch

    def content(self) -> RequirementEffectDocument:
        """The same as plain values."""
        return RequirementEffectDocument(**{**_finite(self), "without": EasierSearchDocument(**_finite(self.without))})


@dataclass(frozen=True, repr=False)
class Explanation(Presented):
    """Why these levels: what each column costs, what lies next to them, and what keeps the score up."""

    levels_found: LevelsFound
    objective: str
    plainly: str  # what the score is
    adds_up: bool  # whether the costs of the columns and of suppression add up to the score
    limit: int  # records that may be suppressed
    suppression_cost: float  # the score less what it would be if the suppressed records could be kept as they are
    columns: tuple[ColumnCost, ...]
    better: tuple[Neighbour, ...]  # one level lower, the lowest score first
    safer: tuple[Neighbour, ...]  # one level higher, the lowest score first
    requirements: tuple[RequirementEffect, ...]
    more_limit: int  # records that may be suppressed in `more`
    more: EasierSearch | None  # with a higher limit of suppression; None where all records may be suppressed already

    @property
    def next_better(self) -> Neighbour | None:
        """The step down that scores least of those that score less than the solution; None where none does."""
        return next((step for step in self.better if less(step.score, self.levels_found.score)), None)

    @property
    def next_safer(self) -> Neighbour | None:
        """The step up that scores least of those that keep to the policy; None where there is none."""
        return next((step for step in self.safer if not step.excess), None)

    def content(self) -> ExplanationDocument:
        """Everything as plain values. It holds no cell value and no label."""
        best, better, safer, more = self.levels_found, self.next_better, self.next_safer, self.more
        return ExplanationDocument(
            objective=self.objective,
            means=self.plainly,
            score=_finite_number(best.score),
            normalised=best.normalised,
            optimal=best.optimal,
            levels=best.levels,
            records=best.records,
            suppressed=best.suppressed,
            limit=self.limit,
            adds_up=self.adds_up,
            suppression_cost=_finite_number(self.suppression_cost),
            columns=[column.content() for column in self.columns],
            next_better=better.content() if better else None,
            one_level_lower=[neighbour.content() for neighbour in self.better],
            next_safer=safer.content() if safer else None,
            one_level_higher=[neighbour.content() for neighbour in self.safer],
            requirements=[effect.content() for effect in self.requirements],
            more_suppression=MoreSuppressionDocument(limit=self.more_limit, **_finite(more)) if more else None,
        )

    def sheet(self) -> Sheet:
        """The explanation for people."""
        return explanation_sheet(self.content())


def less(score: float, than: float) -> bool:
    """Whether a score is lower than another by more than floating point."""
    return score < than - 1e-12 * max(1.0, abs(than))


def _finite(part: ColumnCost | Neighbour | EasierSearch | RequirementEffect) -> dict[str, Any]:
    """The fields of a part without infinite numbers, which JSON does not know."""
    return {name: _finite_number(value) if isinstance(value, float) else value for name, value in vars(part).items()}


def _finite_number(value: float) -> float | None:
    return value if isfinite(value) else None
