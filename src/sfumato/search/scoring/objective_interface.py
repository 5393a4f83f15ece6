"""Objectives: what a search makes as small as possible."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sfumato.errors import PlanError, UnknownColumn
from sfumato.members import Named
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.lattice import Node
from sfumato.privacy.coded.policy_rules import PolicyRules, Suppression
from sfumato.privacy.coded.suppress_until_met import suppressed_until_met
from sfumato.privacy.coded.table import CodedTable

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real


@dataclass(frozen=True, eq=False)
class LeafCounts:
    """How many of some records hold each leaf, in one line over all columns, and what scorers made of these numbers.

    What a suppressed record costs depends on its leaves alone. The records that a score counts at a node are often
    those that the bound of all nodes below it counts next, also after their rows were omitted: so it is computed once.
    """

    counts: Real
    costs: dict[Scorer, Real] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class OmittedRows:
    """Rows that are suppressed at every node that is still looked at, and so are in no classes any more."""

    records: int
    leaves: LeafCounts

    @classmethod
    def none(cls, table: CodedTable) -> OmittedRows:
        """No rows of a table."""
        return cls(0, LeafCounts(np.zeros(table.width)))


@dataclass(frozen=True, eq=False)
class NodeState:
    """A node that was examined: its classes, and what becomes of them here and below."""

    classes: CodedClasses
    suppression: Suppression
    omitted: OmittedRows
    bound_above: float = -inf  # what no node above it scores below, as far as is known
    memo: dict[object, Any] = field(default_factory=dict)  # what a scorer computed for it once

    @cached_property
    def suppressed(self) -> int:
        """Records that are suppressed at this node."""
        if self.suppression.all_hereditary:
            return self.forced
        return self.omitted.records + int(self.classes.records[self.suppression.here].sum())

    @property
    def forced(self) -> int:
        """Records that are known to be suppressed here and below."""
        return self.omitted.records + self.suppression.forced

    @cached_property
    def kept(self) -> Flags:
        """Classes that are kept at this node."""
        kept: Flags = ~self.suppression.here & (self.classes.records > 0)
        return kept

    @cached_property
    def suppressed_leaves(self) -> LeafCounts:
        """The leaves of the records that are suppressed at this node."""
        if self.suppression.all_hereditary:
            return self.forced_leaves
        return self._leaves(self.suppression.here)

    @cached_property
    def forced_leaves(self) -> LeafCounts:
        """The leaves of the records that are known to be suppressed here and below."""
        return self._leaves(self.suppression.hereditary) if self.suppression.forced else self.omitted.leaves

    def _leaves(self, suppressed: Flags) -> LeafCounts:
        """The leaves of the rows of some classes, and of those that are omitted."""
        counts = self.classes.leaves_of(suppressed)
        counts += self.omitted.leaves.counts
        return LeafCounts(counts)

    @cached_property
    def suppressed_rows(self) -> Flags:
        """Whether each row is suppressed at this node."""
        return self.suppression.here.take(self.classes.ids)

    @cached_property
    def forced_rows(self) -> Flags:
        """Whether each row is known to be suppressed here and below."""
        return self.suppression.hereditary.take(self.classes.ids)

    def without_forced_rows(self, *, leaves: bool) -> NodeState:
        """The same node with these rows among those that are omitted, and, where asked, their leaves too."""
        nobody = np.zeros(self.classes.space, dtype=np.bool_)
        own = self.suppression
        return NodeState(
            classes=self.classes.with_rows(np.flatnonzero(~self.forced_rows)),
            suppression=Suppression(
                here=nobody if own.all_hereditary else own.here & ~own.hereditary,
                hereditary=nobody,
                all_hereditary=own.all_hereditary,
                forced=0,
                further=own.further,
                fewest_members=own.fewest_members,
            ),
            omitted=OmittedRows(self.forced, self.forced_leaves if leaves else self.omitted.leaves),
            bound_above=self.bound_above,
        )


@dataclass(frozen=True, eq=False)
class Task:
    """What is searched: a table, the rules, and how many records may be suppressed."""

    table: CodedTable
    rules: PolicyRules
    limit: int
    settled: bool = False  # whether the classes that stay must keep to the policy among themselves

    def candidate(self, state: NodeState) -> NodeState:
        """A node as it would be released: where asked, further classes go until the others keep to the policy."""
        if not self.settled or not state.suppressed:
            return state
        own = state.suppression
        here = suppressed_until_met(self.rules, state.classes, own.here)
        if (here == own.here).all():
            return state
        return NodeState(state.classes, replace(own, here=here, all_hereditary=False), state.omitted)


class Scorer(ABC):
    """An objective made ready for one task: what nodes score, and what no node of a box of the lattice scores below."""

    needs_all: ClassVar[bool] = False  # whether rows that are suppressed in any case may not be omitted
    reads_leaves: ClassVar[bool] = False  # whether it matters which leaves suppressed records had
    reads_lows: ClassVar[bool] = True  # whether the bound depends on the lowest levels, and not on the rows only
    bounds_above: ClassVar[bool] = False  # whether a node says what no node above it scores below
    halved: ClassVar[bool] = False  # whether boxes are split by several levels of a column, not below the highest
    least: float = 0.0  # the score where nothing is lost
    most: float = 1.0  # the score where everything is

    @property
    def proved_least(self) -> float:
        """What no node of the lattice scores below, whatever its classes are."""
        return self.least

    @abstractmethod
    def score(self, state: NodeState) -> float:
        """The score of the node itself."""

    @abstractmethod
    def bound(self, state: NodeState, lows: Node) -> float:
        """What no node between `lows` and the node of the state scores below.

        It rests on two facts about a node v of such a box [a, b], where b is the node of the state: v has the forced
        records of b suppressed, and `further` ones besides; and whatever of the others v keeps has labels that say no
        less than those of b and no more than those of a. Each scorer says what that is worth to it.
        """

    def bound_above(self, classes: CodedClasses, omitted: int) -> float:
        """What no node scores below that is above one of these classes, whether or not that will do itself.

        It rests on what is true of a node v above u: each class of v is made of whole classes of u, and of records that
        are `omitted` there. Where it is suppressed, all of these are.
        """
        return -inf

    def tops(self, state: NodeState, lows: Node) -> Sequence[float] | None:
        """For each column, what no such node is below that keeps the level of the state; None where nobody can say."""
        return None

    def of_own_labels(self, state: NodeState, losses: Sequence[float]) -> float | None:
        """The score of a release in which every class has labels of its own; None where that cannot be read.

        `state` has its classes, without levels, and `losses` the share of each column that its labels leave open.
        """
        return None

    def of_each_column(self, state: NodeState) -> Sequence[float] | None:
        """What each column loses at the node, from 0 to 1; None where the objective is not read column by column."""
        return None

    def normalised(self, score: float) -> float:
        """A score, from 0 where nothing is lost to 1 where everything is."""
        room = self.most - self.least
        return min(max((score - self.least) / room, 0.0), 1.0) if room > 0 else 0.0

    def promises(self, state: NodeState, lows: Node) -> Sequence[float]:
        """How promising it is to split a box of these lowest levels by each column: the bits that its labels say more.

        Where labels say much more, classes fall apart: below too much is lost, and above the rows that are left are
        fewer and larger, which bounds them closely. On 95,407 made-up donors discernibility takes 760 looks so, and 986
        by the share of the domain that a label stands for; the class size takes 2,863 and 3,960 (without bounds from
        below). Where boxes are split in the middle, it is the bits of all their levels that count.
        """
        bits, levels = state.classes.table.origin[0].label_bits, state.classes.levels
        below = lows if self.halved else [max(level - 1, 0) for level in levels]
        return [bits[j][below[j]] - bits[j][level] for j, level in enumerate(levels)]

    def cut(self, column: int, low: int, high: int) -> int:
        """The highest level of the lower part, where a box is split by the levels of a column between two.

        The one below the highest, or the middle one: then many levels at which too much is lost are ruled out by one
        look, as in a search by bisection, and a node that bounds what is above it is nearer to where the best are. On
        95,407 donors the entropy takes 186 looks so, and 583 one level down. The loss takes more on the census: 499
        and 335.
        """
        return (low + high) // 2 if self.halved else high - 1

    def gain(self, state: NodeState, column: int) -> float:
        """How promising it is to lower a column by one level."""
        level, breadths = state.classes.levels[column], state.classes.table.columns[column].breadths
        return breadths[level] - breadths[level - 1]


def level_between(bits: Sequence[float], low: int, high: int) -> int:
    """The level from `low` on and below `high` whose labels say most nearly half of the bits more that `low` says.

    >>> level_between([8.0, 7.0, 6.0, 0.0], 0, 3)
    2
    """
    middle = (bits[low] + bits[high]) / 2
    return min(range(low, high), key=lambda level: abs(bits[level] - middle))


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

    def weights_of(self, table: CodedTable) -> list[float]:
        """The weight of each column, 1 for the largest."""
        names = [column.name for column in table.columns]
        for name in self.weights:
            if name not in names:
                raise UnknownColumn(name, names)
        weights = [float(self.weights.get(name, 1.0)) for name in names]
        largest = max(weights)
        if not largest:
            raise PlanError(f"{self.name()}: at least one column must have a weight above 0.")
        return [weight / largest for weight in weights]
