"""The optimal search: the combination of levels that loses least, and a proof that none is better.

A *box* is every combination between a lowest and a highest level of each column. One look at its highest node says
much about all of it:

- A record that is suppressed there because its class is too small is suppressed at every node of the box, where classes
  are smaller still. If these are too many, no node of the box will do.
- Every node costs at least what its lowest levels cost the records that may be kept, and what the others cost
  suppressed. If that is not below the best score known, no node of the box is better.
- If that holds already for all nodes of the box that keep the highest level of one column, this level is cut off.

A box that survives is split in two: the nodes that keep the highest level of one column, about which the look taken
says all there is to say, and those that do not, which need another look. Each look refines the classes of the one
before by the columns that came down, and every node looked at is a candidate itself, so that a good score is known
early. What is open when the search is stopped bounds what a better node could score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor, inf, prod
from time import monotonic

from sfumato.column_objective import ColumnScorer
from sfumato.condensed import Condensed
from sfumato.condensing import condense
from sfumato.dataset import Dataset
from sfumato.errors import PlanError, PolicyError
from sfumato.found import Found
from sfumato.grouped import Grouped
from sfumato.judging import Judges, Verdict
from sfumato.knowledge import Scenario
from sfumato.lattice import Lattice, Node
from sfumato.objective import LeftOut, Objective, Scorer, State, Task
from sfumato.policy import Policy

CLOSE = 1e-12  # scores that differ by less, relatively, are the same
WORTH_ROLLING = 48  # nodes of a box
WORTH_LEAVING_OUT = 8  # one in so many rows


@dataclass(frozen=True)
class Budget:
    """How much a search may take; without an end it goes on until the proof is complete."""

    nodes: float = inf
    seconds: float = inf


@dataclass(frozen=True)
class Optimal:
    """The search for the levels of least score such that suppressing at most a share of the records keeps to a policy.

    Every class that breaks the policy is suppressed, and never fewer. Of nodes with the same score the one with the
    fewest levels in all is chosen, and of these the one with the lowest level in the first column, then the second.
    """

    policy: Policy
    objective: Objective
    suppression: float = 0.0  # the largest share of records that may be suppressed
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # lowest and highest level of some columns
    budget: Budget = Budget()
    scenarios: Sequence[Scenario] = ()  # sets of columns on each of which the policy must hold; none: on all together

    def __post_init__(self) -> None:
        if not 0 <= self.suppression <= 1:
            raise PlanError("The share of records that may be suppressed lies between 0 and 1.")

    def of(self, dataset: Dataset) -> Found:
        """Search the levels of a dataset."""
        judges = Judges.of(self.policy, self.scenarios)
        return self.among(condense(dataset, judges.values, population=judges.reads_population))

    def among(self, table: Condensed) -> Found:
        """Search the levels of a condensed table, which has the sensitive values that the policy reads."""
        task = Task(table, Judges.of(self.policy, self.scenarios), floor(self.suppression * table.total + 1e-9))
        return _Search(task, Lattice.of(table, self.limits), self.objective.ready(task), self.budget).found()


@dataclass(frozen=True, eq=False)
class _Box:
    lows: Node
    state: State  # of its highest node
    bound: float

    @property
    def size(self) -> int:
        return prod(high - low + 1 for low, high in zip(self.lows, self.state.grouped.levels, strict=True))


class _Search:
    """One search under way."""

    def __init__(self, task: Task, lattice: Lattice, scorer: Scorer, budget: Budget) -> None:
        self.task, self.lattice, self.scorer, self.budget = task, lattice, scorer, budget
        self.best: State | None = None
        self.score, self.rank, self.tied, self.examined = inf, lattice.rank(lattice.highest), 0, 0
        self.open: list[_Box] = []
        self.until = monotonic() + budget.seconds

    def found(self) -> Found:
        """Search, and say what was found."""
        state = self._examined(None, self.lattice.highest)
        if state is not None:
            self.open.append(self._box(self.lattice.lowest, state, -inf))
        while self.open and not self._spent():
            box = self.open.pop()
            try:
                self._split(box)
            except KeyboardInterrupt:
                self.open.append(box)
                break
        return self._result()

    def _spent(self) -> bool:
        return self.examined >= self.budget.nodes or (self.budget.seconds < inf and monotonic() > self.until)

    def _split(self, box: _Box) -> None:
        if self._hopeless(box.bound, box.lows):
            return
        highs = self._trimmed(box)
        if highs != box.state.grouped.levels:
            self._look(box, highs)
            return
        if highs == box.lows:
            return
        j = max((j for j, high in enumerate(highs) if high > box.lows[j]), key=lambda j: self.scorer.gain(box.state, j))
        self.open.append(self._upper(box, j))
        self._look(box, _with(highs, j, highs[j] - 1))

    def _upper(self, box: _Box, j: int) -> _Box:
        """The part of a box that keeps the highest level of a column."""
        lows, state = _with(box.lows, j, box.state.grouped.levels[j]), box.state
        if not isinstance(self.scorer, ColumnScorer) and box.size >= WORTH_ROLLING:
            state = _rolled(state, lows)
        if state is box.state and not self.scorer.reads_lows:
            return _Box(lows, state, box.bound)
        return self._box(lows, state, box.bound)

    def _look(self, box: _Box, highs: Node) -> None:
        """Look at a lower highest node, and keep what is left of the box below it."""
        state = self._examined(box.state, highs)
        if state is not None:
            self.open.append(self._box(box.lows, state, box.bound))

    def _box(self, lows: Node, state: State, bound: float) -> _Box:
        return _Box(lows, state, max(bound, self.scorer.bound(state, lows)))

    def _trimmed(self, box: _Box) -> Node:
        """The highest levels without those that no better node has."""
        highs, tops = box.state.grouped.levels, self.scorer.tops(box.state, box.lows)
        if tops is None:
            return highs
        return tuple(
            high - (high > low and self._hopeless(top, _with(box.lows, j, high)))
            for j, (low, high, top) in enumerate(zip(box.lows, highs, tops, strict=True))
        )

    def _hopeless(self, bound: float, lows: Node) -> bool:
        """Whether nodes from `lows` on that score `bound` at the least cannot be better than the best."""
        close = CLOSE * max(1.0, abs(self.score)) if self.score < inf else 0.0
        return bound > self.score + close or (bound >= self.score - close and self.lattice.rank(lows) >= self.rank)

    def _examined(self, before: State | None, levels: Node) -> State | None:
        """Look at a node, below the one before; None where no node from there down keeps to the policy."""
        self.examined += 1
        nothing = before.left_out if before else _nothing(self.task.table)
        grouped = before.grouped.refined(levels) if before else Grouped.at(self.task.table, levels)
        verdict = self.task.judges.judged(grouped, self.task.limit - nothing.records)
        if verdict is None:
            return None
        state = State(grouped, verdict, nothing)
        if state.suppressed <= self.task.limit:
            self._compare(state)
        return state if self.scorer.needs_all else _lighter(state, leaves=self.scorer.reads_leaves)

    def _compare(self, state: State) -> None:
        score, rank = self.scorer.score(state), self.lattice.rank(state.grouped.levels)
        close = CLOSE * max(1.0, abs(score))
        if self.best is not None and abs(score - self.score) <= close:
            self.tied += 1
            if rank >= self.rank:
                return
        elif score > self.score:
            return
        else:
            self.tied = 0
        self.best, self.score, self.rank = state, score, rank

    def _result(self) -> Found:
        if self.best is None:
            raise PolicyError(
                "No combination of levels keeps to the policy without suppressing more records than allowed"
                f"{' as far as was searched' if self.open else ''}. Loosen a requirement, or allow more suppression."
            )
        bound = min((box.bound for box in self.open), default=self.score)
        sizes = self.best.grouped.records[self.best.kept]
        room = self.scorer.most - self.scorer.least
        waiting = sum(box.size for box in self.open)
        return Found(
            dict(zip(self.lattice.columns, self.best.grouped.levels, strict=True)), self.task.table.total,
            self.best.suppressed, len(sizes), (int(sizes.min()), int(sizes.max())) if len(sizes) else (0, 0),
            self.score, min(max((self.score - self.scorer.least) / room, 0.0), 1.0) if room > 0 else 0.0,
            min(bound, self.score), self.examined, max(self.lattice.size - self.examined - waiting, 0), self.tied,
            self.lattice.size,
        )  # fmt: skip


def _with(node: Node, column: int, level: int) -> Node:
    return (*node[:column], level, *node[column + 1 :])


def _nothing(table: Condensed) -> LeftOut:
    import numpy as np

    return LeftOut(0, np.zeros(table.width))


def _rolled(state: State, lows: Node) -> State:
    """The same with rows that are one at the lowest levels, where that makes them fewer by a good deal."""
    grouped = state.grouped.rolled(lows)
    return replace(state, grouped=grouped, held={}) if len(grouped.ids) * 5 < len(state.grouped.ids) * 4 else state


def _lighter(state: State, *, leaves: bool) -> State:
    """The same without the rows that are suppressed whatever happens, where they are many."""
    import numpy as np

    grouped, verdict = state.grouped, state.verdict
    if not verdict.forced:
        return state
    rows = grouped.rows_in(verdict.doomed)
    if len(rows) * WORTH_LEAVING_OUT < len(grouped.ids):
        return state
    left_out = LeftOut(state.forced, state.doomed_leaves if leaves else state.left_out.histogram)
    nobody = np.zeros(grouped.space, dtype=np.bool_)
    gone = nobody if verdict.gone is verdict.doomed else verdict.gone & ~verdict.doomed
    return State(grouped.without(verdict.doomed), Verdict(gone, nobody, 0, verdict.more, verdict.fewest), left_out)
