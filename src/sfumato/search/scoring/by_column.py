"""Objectives that are read off each column by itself, and then aggregated over the columns."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import expm1, fsum, log1p
from typing import TYPE_CHECKING

from sfumato.errors import PlanError
from sfumato.privacy.coded.lattice import Node
from sfumato.privacy.coded.table import CodedColumn, Condensed
from sfumato.search.scoring.objective_interface import Objective, Scorer, State, Task

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real


AGGREGATES = ("sum", "arithmetic", "geometric", "maximum")


@dataclass(frozen=True, kw_only=True)
class ColumnObjective(Objective):
    """An objective that is read off each column, and then aggregated over them."""

    aggregate: str = "arithmetic"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.aggregate not in AGGREGATES:
            raise PlanError(f"{self.name()}: columns are aggregated by {', '.join(AGGREGATES)}.")


class ColumnScorer(Scorer):
    """A score of each column that depends on its own level and on which records are suppressed, aggregated."""

    reads_leaves = True

    def __init__(self, objective: ColumnObjective, task: Task) -> None:
        self.weights, self.how = objective.weights_of(task.table), objective.aggregate
        self.columns, self.heights = len(self.weights), [column.height for column in task.table.columns]
        self.floors: list[tuple[frozenset[int], float]] = []  # what groups of columns score at the least

    @abstractmethod
    def of_columns(self, state: State) -> Real:
        """The score of each column at each level when the records that are gone here are suppressed."""

    @abstractmethod
    def at_least(self, state: State) -> Real:
        """What no column is below at each level, at this node and at every node below it."""

    def score(self, state: State) -> float:
        found = self.of_columns(state)
        return self._joined(self._part(found[j, level], j) for j, level in enumerate(state.grouped.levels))

    def bound(self, state: State, lows: Node) -> float:
        least = self._least(state, lows)
        return self._joined(self._floored(least) if self.floors else least)

    def _floored(self, least: list[float]) -> Iterable[float]:
        """The same with groups of columns that are known to add more together than each by itself."""
        for group, floor in self.floors:
            own = [least[j] for j in sorted(group)]
            yield max(max(own) if self.how == "maximum" else fsum(own), self._whole(floor))
        known = frozenset[int]().union(*(group for group, _ in self.floors))
        yield from (part for j, part in enumerate(least) if j not in known)

    def tops(self, state: State, lows: Node) -> Sequence[float] | None:
        parts, least = self._parts(state), self._least(state, lows)
        levels = state.grouped.levels
        if self.how == "maximum":
            return [max([*least[:j], parts[j][levels[j]], *least[j + 1 :]]) for j in range(self.columns)]
        whole = sum(least)
        return [self._value(whole - least[j] + parts[j][levels[j]]) for j in range(self.columns)]

    def gain(self, state: State, column: int) -> float:
        parts, level = self._parts(state)[column], state.grouped.levels[column]
        return parts[level] - parts[level - 1]

    def _least(self, state: State, lows: Node) -> list[float]:
        parts = self._parts(state)
        return [min(parts[j][lows[j] : level + 1]) for j, level in enumerate(state.grouped.levels)]

    def _parts(self, state: State) -> list[list[float]]:
        """What each column and level adds to the aggregate at the least; computed once for a state."""
        if self not in state.held:
            state.held[self] = self._shares(self.at_least(state))
        parts: list[list[float]] = state.held[self]
        return parts

    def _shares(self, found: Real) -> list[list[float]]:
        if self.how == "geometric":
            return [[self._part(x, j) for x in row] for j, row in enumerate(found.tolist())]
        import numpy as np

        weighed = np.array(self.weights)[:, None] * found / (self.columns if self.how == "arithmetic" else 1)
        shares: list[list[float]] = weighed.tolist()
        return shares

    def _part(self, x: float, j: int) -> float:
        if self.how == "geometric":
            return log1p(max(self.weights[j] * x, 0.0)) / self.columns
        return self.weights[j] * x / (self.columns if self.how == "arithmetic" else 1)

    def _joined(self, parts: Iterable[float]) -> float:
        return float(max(parts)) if self.how == "maximum" else self._value(fsum(parts))

    def _value(self, whole: float) -> float:
        return expm1(whole) if self.how == "geometric" else whole

    def _whole(self, value: float) -> float:
        """What parts add up to that have this value."""
        return log1p(value) if self.how == "geometric" else value

    def aggregated(self, each: Sequence[float]) -> float:
        """Numbers of the columns, aggregated as the scores are."""
        return self._joined(self._part(x, j) for j, x in enumerate(each))


class AdditiveScorer(ColumnScorer):
    """A score of each column that adds up over records: what a kept one costs, and what a suppressed one does.

    `kept` and `gone` are the costs by level and leaf. No record costs less than the smaller of the two.
    """

    def __init__(self, objective: ColumnObjective, task: Task, kept: Real, gone: Real) -> None:
        import numpy as np

        super().__init__(objective, task)
        starts, counts = task.table.starts, task.table.leaf_counts
        self.starts, least = starts, np.minimum(kept, gone)
        self.extra = gone - kept
        self.spare = self.extra if (least == kept).all() else gone - least
        self._last: tuple[Real, Real] | None = None  # leaves, and what they add to each column and level
        self.base = np.add.reduceat(kept * counts, starts, axis=1).T
        self.floor = np.add.reduceat(least * counts, starts, axis=1).T
        present = np.where(counts > 0, self.spare, np.inf)
        cheapest = np.minimum.reduceat(present, starts, axis=1).T
        self.cheapest = np.where(np.isfinite(cheapest), cheapest, 0)

    def of_columns(self, state: State) -> Real:
        if not state.suppressed:
            return self.base
        found: Real = self.base + self._added(self.extra, state.gone_leaves)
        return found

    def at_least(self, state: State) -> Real:
        found: Real = self.floor + self.cheapest * state.verdict.more
        if state.forced:
            found = found + self._added(self.spare, state.doomed_leaves)
        return found

    def _added(self, costs: Real, leaves: Real) -> Real:
        """What leaves add; where the same ones are asked for again, as a bound often does after a score, it is kept."""
        import numpy as np

        if self._last is None or self._last[0] is not leaves or costs is not self.extra:
            found: Real = np.add.reduceat(costs * leaves, self.starts, axis=1).T
            if costs is not self.extra:
                return found
            self._last = leaves, found
        return self._last[1]


def by_leaf(table: Condensed, cost: Callable[[CodedColumn, int], Real | float]) -> Real:
    """A number for each level and leaf, in one line over all columns: of a column at a level, and by its leaves."""
    import numpy as np

    levels = max(column.height for column in table.columns) + 1
    found = np.zeros((levels, table.width))
    for column, start in zip(table.columns, table.starts, strict=True):
        for level in range(levels):
            found[level, start : start + column.width] = cost(column, min(level, column.height))
    return found
