"""Looks: the nodes that a search has looked at, and the best of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Protocol

from sfumato.privacy.coded.classes import Grouped
from sfumato.privacy.coded.judge import Verdict
from sfumato.privacy.coded.lattice import Lattice, Node
from sfumato.privacy.coded.table import Condensed
from sfumato.search.levels.levels_found import CLOSE
from sfumato.search.scoring.objective_interface import LeftOut, Scorer, State, Task

WORTH_LEAVING_OUT = 8  # one in so many rows
REMEMBERED = 1_000_000  # nodes


class Spent(Exception):
    """What a search may take is used up: it ends, and nothing is wrong."""


@dataclass(frozen=True)
class Budget:
    """How much a search may take; without an end it goes on until the proof is complete."""

    nodes: float = inf
    seconds: float = inf


class Walk(Protocol):
    """A way from node to node."""

    def walk(self, looks: Looks) -> None:
        """Look at nodes that could be good ones."""


@dataclass(frozen=True)
class Sight:
    """A node as a heuristic sees it."""

    node: Node
    excess: int  # records that would be suppressed beyond what is allowed
    score: float  # infinite where there are any
    lost: bool  # whether no node below it will do either
    state: State | None = None  # to look further down from; None where it was seen before

    @property
    def order(self) -> tuple[int, float, tuple[int, Node]]:
        """Sights sort by it, the best first."""
        return self.excess, self.score, Lattice.rank(self.node)


class Looks:
    """The nodes that were looked at, and the best of them that keeps to the policy."""

    def __init__(self, task: Task, lattice: Lattice, scorer: Scorer, budget: Budget, *, relaxed: bool = False) -> None:
        self.relaxed = relaxed  # whether a node counts as soon as one below it could keep to the policy
        self.task, self.lattice, self.scorer, self.budget = task, lattice, scorer, budget
        self.best: State | None = None
        self.score, self.rank, self.tied, self.examined = inf, lattice.rank(lattice.highest), 0, 0
        self.seen: dict[Node, Sight] = {}  # by heuristics, which come by the same node again
        self.nodes, self.until = budget.nodes, monotonic() + budget.seconds
        self.counted: set[Node] = set()  # a second look at a node does not count
        self.watch: Callable[[], None] = lambda: None  # is called after each look

    @property
    def spent(self) -> bool:
        """Whether no more may be looked at."""
        return self.examined >= self.nodes or (self.until < inf and monotonic() > self.until)

    def at(self, levels: Node, above: State | None = None) -> State | None:
        """Look at a node, from one above it where that is at hand.

        None where neither this node nor any below it keeps to the policy.
        """
        self._count(levels)
        state = self.state(levels, above)
        if state is not None and (self.relaxed or state.suppressed <= self.task.limit):
            own = state if self.relaxed else self.task.candidate(state)
            if self.relaxed or own.suppressed <= self.task.limit:
                self._compare(own, self.scorer.score(own))
        self.watch()
        return state if state is None else self.lighter(state)

    def sight(self, node: Node, above: State | None = None) -> Sight:
        """Look at a node for a heuristic."""
        if node in self.seen:
            return self.seen[node]
        if self.spent:
            raise Spent
        self._count(node)
        state = self.state(node, above, inf)
        assert state is not None
        own = self.task.candidate(state)
        excess = max(own.suppressed - self.task.limit, 0)
        score = inf if excess else self.scorer.score(own)
        if not excess:
            self._compare(own, score)
        lost = state.verdict.lost + state.left_out.records > self.task.limit
        self.seen[node] = Sight(node, excess, score, lost)
        self.watch()
        return self.seen[node] if lost else Sight(node, excess, score, lost, self.lighter(state))

    def take(self, way: Walk, nodes: float, seconds: float = inf) -> None:
        """Look where a heuristic leads, at so many nodes and for so long at the most."""
        limits = self.nodes, self.until
        self.nodes, self.until = min(self.examined + nodes, self.nodes), min(monotonic() + seconds, self.until)
        try:
            way.walk(self)
        except Spent:
            pass
        finally:
            self.nodes, self.until = limits

    def hopeless(self, bound: float, lows: Node) -> bool:
        """Whether nodes from `lows` on that score `bound` at the least cannot be better than the best."""
        close = CLOSE * max(1.0, abs(self.score)) if self.score < inf else 0.0
        return bound > self.score + close or (bound >= self.score - close and self.lattice.rank(lows) >= self.rank)

    def state(self, levels: Node, above: State | None = None, limit: float | None = None) -> State | None:
        """The classes at a node; None where more records than the limit are lost there and below."""
        before = above.left_out if above else _nothing(self.task.table)
        grouped = above.grouped.refined(levels) if above else Grouped.at(self.task.table, levels)
        verdict = self.task.judges.judged(grouped, (self.task.limit if limit is None else limit) - before.records)
        return None if verdict is None else State(grouped, verdict, before)

    def lighter(self, state: State) -> State:
        """The same without the rows that are suppressed whatever happens, where they are many."""
        import numpy as np

        grouped, verdict = state.grouped, state.verdict
        if self.scorer.needs_all or not verdict.forced:
            return state
        if int(state.doomed_rows.sum()) * WORTH_LEAVING_OUT < len(grouped.ids):
            return state
        leaves = state.doomed_leaves if self.scorer.reads_leaves else state.left_out.histogram
        nobody = np.zeros(grouped.space, dtype=np.bool_)
        gone = nobody if verdict.gone is verdict.doomed else verdict.gone & ~verdict.doomed
        kept = Verdict(gone, nobody, 0, verdict.more, verdict.fewest)
        return State(state.without_doomed(), kept, LeftOut(state.forced, leaves))

    def _count(self, node: Node) -> None:
        self.examined += node not in self.counted
        if len(self.counted) < REMEMBERED:
            self.counted.add(node)

    def _compare(self, state: State, score: float) -> None:
        rank, close = self.lattice.rank(state.grouped.levels), CLOSE * max(1.0, abs(score))
        if self.best is not None and abs(score - self.score) <= close:
            self.tied += rank != self.rank
            if rank >= self.rank:
                return
        elif score > self.score:
            return
        else:
            self.tied = 0
        self.best, self.score, self.rank = state, score, rank


def _nothing(table: Condensed) -> LeftOut:
    import numpy as np

    return LeftOut(0, np.zeros(table.width))
