"""Alternatives: the ways to a release that were compared, what each loses, whom it hits, and how to get it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.classes import Value
from sfumato.privacy.coded.table import CodedTable
from sfumato.search.choice import TriedWay
from sfumato.search.objectives.loss import Loss
from sfumato.search.suppression_bias import bias_of
from sfumato.show.documents.anonymisation import AlternativeDocument

if TYPE_CHECKING:
    from sfumato.search.solution import Solution


@dataclass(frozen=True)
class Alternative:
    """A way to a release that was tried."""

    method: str
    suppression: float
    chosen: bool
    score: float | None
    normalised: float | None
    suppressed: int | None
    cells: int | None
    hits: str | None
    why_not: str
    settings: Mapping[str, str | float]

    def content(self) -> AlternativeDocument:
        """The same as plain values."""
        options = " ".join(f"--{name} {value:g}" if isinstance(value, float) else f"--{name} {value}"
                           for name, value in self.settings.items())  # fmt: skip
        return AlternativeDocument(
            method=self.method,
            suppression_limit=self.suppression,
            chosen=self.chosen,
            score=self.score,
            lost=self.normalised,
            suppressed=self.suppressed,
            cells=self.cells,
            hits=self.hits,
            why_not=self.why_not,
            settings=self.settings,
            options=options,
        )


def alternatives_of(
    trials: Sequence[TriedWay],
    chosen: TriedWay,
    table: CodedTable,
    hierarchies: Mapping[str, Hierarchy],
    names: Mapping[Value, Sequence[str]],
) -> tuple[Alternative, ...]:
    """Every way that was tried, as people compare them."""
    return tuple(
        Alternative(
            method=trial.method,
            suppression=trial.request.suppression,
            chosen=trial is chosen,
            score=trial.score,
            normalised=_as_compared(trial, table),
            suppressed=trial.solution.suppressed if trial.solution else None,
            cells=trial.solution.cells_left_out(table) if trial.solution else None,
            hits=_hit_most(trial.solution, table, hierarchies, names) if trial.solution else None,
            why_not=trial.why_not,
            settings=trial.settings,
        )
        for trial in trials
    )


def _as_compared(trial: TriedWay, table: CodedTable) -> float | None:
    """The score from 0 to 1. A loss is that of the columns that have something to lose, as `compare` reads it."""
    objective = trial.request.objective
    varied = sum(column.domain > 1 for column in table.columns)
    if trial.normalised is None or objective != Loss() or not varied:
        return trial.normalised
    return trial.normalised * len(table.columns) / varied


def _hit_most(
    solution: Solution,
    table: CodedTable,
    hierarchies: Mapping[str, Hierarchy],
    names: Mapping[Value, Sequence[str]],
) -> str | None:
    """The group of which clearly more lose their record or a cell than of everybody; None where there is none."""
    hit = solution.hit(table)
    if not hit.any():
        return None
    bias = bias_of(table, hit, hierarchies, names, solution.levels)
    groups = [(group, column.column) for column in bias.columns for group in column.groups if group.hit]
    if not groups:
        return None
    group, column = max(groups, key=lambda pair: pair[0].ratio or 0.0)
    return f"{column} {group.label}: {group.share:.1%}"
