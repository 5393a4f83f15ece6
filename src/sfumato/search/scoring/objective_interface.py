"""Objectives: what a search makes as small as possible."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import PlanError, UnknownColumn
from sfumato.members import Named
from sfumato.privacy.coded.classes import Grouped
from sfumato.privacy.coded.judge import Judges, Verdict
from sfumato.privacy.coded.lattice import Node
from sfumato.privacy.coded.suppress_until_met import settled
from sfumato.privacy.coded.table import Condensed

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Rows that are suppressed at every node that is still looked at, and so are in no grouping any more."""

    records: int
    histogram: Real  # of their leaves, in one line over all columns


@dataclass(frozen=True, eq=False)
class State:
    """A node that was looked at: its classes, and what becomes of them here and below."""

    grouped: Grouped
    verdict: Verdict
    left_out: LeftOut
    held: dict[object, Any] = field(default_factory=dict)  # what was computed for it once

    @cached_property
    def suppressed(self) -> int:
        """Records that are suppressed at this node."""
        if self.verdict.gone is self.verdict.doomed:
            return self.forced
        return self.left_out.records + int(self.grouped.records[self.verdict.gone].sum())

    @property
    def forced(self) -> int:
        """Records that are known to be suppressed here and below."""
        return self.left_out.records + self.verdict.forced

    @cached_property
    def kept(self) -> Flags:
        """Classes that are kept at this node."""
        found: Flags = ~self.verdict.gone & (self.grouped.records > 0)
        return found

    @cached_property
    def gone_leaves(self) -> Real:
        """The leaves of the records that are suppressed at this node."""
        if self.verdict.gone is self.verdict.doomed:
            return self.doomed_leaves
        return self._leaves(self.verdict.gone)

    @cached_property
    def doomed_leaves(self) -> Real:
        """The leaves of the records that are known to be suppressed here and below."""
        return self._leaves(self.verdict.doomed) if self.verdict.forced else self.left_out.histogram

    def _leaves(self, classes: Flags) -> Real:
        """The leaves of the rows in some classes, and of those that are left out."""
        marks = self.doomed_rows if classes is self.verdict.doomed else classes.take(self.grouped.ids)
        found: Real = self.left_out.histogram + self.grouped.table.histogram(self._rows(_where(marks)))
        return found

    @cached_property
    def doomed_rows(self) -> Flags:
        """Whether each row is known to be suppressed here and below."""
        return self.verdict.doomed.take(self.grouped.ids)

    def _rows(self, places: Whole) -> Whole:
        return places if self.grouped.rows is None else self.grouped.rows.take(places)

    def without_doomed(self) -> Grouped:
        """The classes of the other rows."""
        places = _where(~self.doomed_rows)
        return replace(self.grouped, ids=self.grouped.ids.take(places), rows=self._rows(places))


def _where(marks: Flags) -> Whole:
    import numpy as np

    return np.flatnonzero(marks)


@dataclass(frozen=True, eq=False)
class Task:
    """What is searched: a table, the rules, and how many records may be suppressed."""

    table: Condensed
    judges: Judges
    limit: int
    settled: bool = False  # whether the classes that stay must keep to the policy among themselves

    def candidate(self, state: State) -> State:
        """A node as it would be released: where asked, further classes go until the others keep to the policy."""
        if not self.settled or not state.suppressed:
            return state
        gone = settled(self.judges, state.grouped, state.verdict.gone)
        if gone is state.verdict.gone:
            return state
        return State(state.grouped, replace(state.verdict, gone=gone), state.left_out)


class Scorer(ABC):
    """An objective made ready for one task."""

    needs_all: ClassVar[bool] = False  # whether rows may not be left out of the groupings
    reads_leaves: ClassVar[bool] = False  # whether it matters which leaves suppressed records had
    reads_lows: ClassVar[bool] = True  # whether the bound depends on the lowest levels, and not on the rows only
    least: float = 0.0  # the score where nothing is lost
    most: float = 1.0  # the score where everything is

    @abstractmethod
    def score(self, state: State) -> float:
        """The score of the node itself."""

    @abstractmethod
    def bound(self, state: State, lows: Node) -> float:
        """What no node between `lows` and the node of the state is below."""

    def tops(self, state: State, lows: Node) -> Sequence[float] | None:
        """For each column, what no such node is below that keeps the level of the state; None where nobody can say."""
        return None

    def gain(self, state: State, column: int) -> float:
        """How promising it is to lower a column by one level."""
        level, breadths = state.grouped.levels[column], state.grouped.table.columns[column].breadths
        return breadths[level] - breadths[level - 1]


@dataclass(frozen=True, kw_only=True)
class Objective(Named, ABC):
    """A number that is smaller for a better release; one file each in `objectives/`.

    `balance` lies between 0, where only generalisation counts, and 1, where only suppression does; at 0.5 both
    count in full. `weights` say how much a column matters, in comparison with the others.
    """

    joint: ClassVar[str] = "-"

    plainly: ClassVar[str]
    balance: float = 0.5
    weights: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 0 <= self.balance <= 1:
            raise PlanError(f"{self.name()}: the balance lies between 0 and 1.")
        if any(not 0 <= weight < inf for weight in self.weights.values()):
            raise PlanError(f"{self.name()}: weights are finite numbers from 0 on.")

    @abstractmethod
    def ready(self, task: Task) -> Scorer:
        """The objective for one task."""

    @property
    def suppression_factor(self) -> float:
        """How much suppression counts."""
        return min(2 * self.balance, 1.0)

    @property
    def generalisation_factor(self) -> float:
        """How much generalisation counts."""
        return min(2 * (1 - self.balance), 1.0)

    def weights_of(self, table: Condensed) -> list[float]:
        """The weight of each column, 1 for the largest."""
        names = [column.name for column in table.columns]
        for name in self.weights:
            if name not in names:
                raise UnknownColumn(name, names)
        found = [float(self.weights.get(name, 1.0)) for name in names]
        largest = max(found)
        if not largest:
            raise PlanError(f"{self.name()}: at least one column must have a weight above 0.")
        return [weight / largest for weight in found]
