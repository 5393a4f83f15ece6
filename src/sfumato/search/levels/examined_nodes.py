"""Examined nodes: the nodes of a lattice that a search has looked at, and the best of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from time import monotonic
from typing import Any, ClassVar, Self

from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.lattice import Lattice, Node, moved
from sfumato.search.levels.bounds_above import BoundsAbove
from sfumato.search.levels.levels_found import CLOSE
from sfumato.search.scoring.objective_interface import NodeState, OmittedRows, Scorer, Task

# Nodes that are remembered, so that a second look at one is not counted twice: a third of a gigabyte at 30 columns.
# Chosen, not measured; beyond it `examined` may count a node twice, and nothing else changes.
REMEMBERED = 1_000_000
# Rows are left out that are suppressed in any case where they are one in so many: fewer cost less than to take the
# others from their places, look after look. Of 95,407 donors at most 2 % are ever suppressed. Chosen, not measured.
WORTH_OMITTING = 20


@dataclass(frozen=True)
class Budget:
    """How much a search may take; without an end it goes on until the proof is complete."""

    nodes: float = inf
    seconds: float = inf


@dataclass(frozen=True)
class VisitedNode:
    """A node as a heuristic sees it."""

    node: Node
    excess: int  # records that would be suppressed beyond what is allowed
    score: float  # infinite where there are any
    infeasible_below: bool  # whether no node below it will do either
    state: NodeState | None = None  # to look further down from; None where it was visited before

    @property
    def order(self) -> tuple[int, float, tuple[int, Node]]:
        """Visited nodes sort by it, the best first."""
        return self.excess, self.score, Lattice.rank(self.node)


class ExaminedNodes:
    """The nodes that were looked at, and the best of them that keeps to the policy."""

    in_memory: ClassVar[bool] = True  # whether the rows are here, to be rolled up and refined

    def __init__(self, task: Task, lattice: Lattice, scorer: Scorer, budget: Budget, *, relaxed: bool = False) -> None:
        self.relaxed = relaxed  # whether a node counts as soon as one below it could keep to the policy
        self.task, self.lattice, self.scorer, self.budget = task, lattice, scorer, budget
        self._best: NodeState | None = None
        self._best_levels: Node | None = None  # where somebody else looked at it, who keeps no classes
        self.score, self.rank, self.tied, self.count = inf, lattice.rank(lattice.highest), 0, 0
        self.clearly_better = inf  # a score below it is better than the best, whichever node it is of
        self.visited: dict[Node, VisitedNode] = {}  # by heuristics, which come by the same node again
        self.most, self.until = budget.nodes, monotonic() + budget.seconds
        self.above = BoundsAbove(len(lattice.columns)) if scorer.bounds_above else None
        self.counted: set[Node] = set()  # a second look at a node does not count
        self.looks: dict[Node, Any] = {}  # what an engine counted, where it is asked
        self.stopped = False  # by whoever watches
        self.watch: Callable[[], None] = lambda: None  # is called after each look

    def of_columns(self, task: Task, lattice: Lattice, scorer: Scorer) -> Self:
        """Nodes for a search of some of the columns, which knows what an engine has counted already."""
        own = type(self)(task, lattice, scorer, Budget(), relaxed=True)
        own.looks = self.looks
        return own

    @property
    def spent(self) -> bool:
        """Whether no more may be looked at."""
        return self.stopped or self.count >= self.most or (self.until < inf and monotonic() > self.until)

    @property
    def best(self) -> NodeState | None:
        """The best node that keeps to the policy; its classes are computed where they are not at hand."""
        if self._best is None and self._best_levels is not None:
            self._best = self.state(self._best_levels, None, inf)
        return self._best

    def seen(self, levels: Node, score: float, *, tied: int) -> None:
        """What somebody else found to be the best node, and how many others have its score."""
        if self.rank != self.lattice.rank(levels) or score != self.score:
            self._best, self._best_levels = None, levels
        self.score, self.rank, self.tied = score, self.lattice.rank(levels), tied
        self.clearly_better = score - CLOSE * max(1.0, abs(score)) if score < inf else score

    def examine(self, levels: Node, above: NodeState | None = None, seen: NodeState | None = None) -> NodeState | None:
        """Look at a node, from one above it where that is at hand, or from what was seen of it already.

        None where neither this node nor any below it keeps to the policy.
        """
        self._count(levels)
        if seen:
            self._note(seen.classes, seen.omitted)
        state = seen or self.state(levels, above)
        if state is not None and (self.relaxed or state.suppressed <= self.task.limit):
            own = state if self.relaxed else self.task.candidate(state)
            if self.relaxed or own.suppressed <= self.task.limit:
                self._compare(own, self.scorer.score(own))
        self.watch()
        return state if state is None else self.lighter(state)

    def visit(self, node: Node, above: NodeState | None = None) -> VisitedNode | None:
        """Look at a node for a heuristic; None where no more may be looked at: then its way ends."""
        if node in self.visited:
            return self.visited[node]
        if self.spent:
            return None
        self._count(node)
        state = self.state(node, above, inf)
        assert state is not None  # there is no limit
        own = self.task.candidate(state)
        excess = max(own.suppressed - self.task.limit, 0)
        score = inf if excess else self.scorer.score(own)
        if not excess:
            self._compare(own, score)
        infeasible = state.suppression.fewest_records + state.omitted.records > self.task.limit
        # What is remembered has no classes: those of thousands of nodes would fill the memory.
        visited = VisitedNode(node=node, excess=excess, score=score, infeasible_below=infeasible)
        self.visited[node] = visited
        self.watch()
        return visited if infeasible else replace(visited, state=self.lighter(state))

    def full_state(self, visited: VisitedNode) -> NodeState:
        """The classes of a node that was visited, computed again where they were not kept."""
        state = visited.state or self.state(visited.node, None, inf)
        assert state is not None  # there is no limit
        return state

    @contextmanager
    def at_most(self, looks: float) -> Iterator[None]:
        """For a while, no more than so many looks."""
        before = self.most
        self.most = min(self.count + looks, before)
        try:
            yield
        finally:
            self.most = before

    def hopeless(self, bound: float, lows: Node) -> bool:
        """Whether nodes from `lows` on that score `bound` at the least cannot be better than the best.

        With a score as good as the best they would have to come before it in the order of nodes; none of them does if
        not even the first, `lows`, would.
        """
        if bound < self.clearly_better:
            return False
        close = CLOSE * max(1.0, abs(self.score)) if self.score < inf else 0.0
        return bound > self.score + close or self.lattice.rank(lows) >= self.rank

    def state(self, levels: Node, above: NodeState | None = None, limit: float | None = None) -> NodeState | None:
        """The classes at a node; None where more records than the limit are lost there and below."""
        omitted = above.omitted if above else OmittedRows.none(self.task.table)
        classes = above.classes.refined(levels) if above else CodedClasses.at(self.task.table, levels)
        bound_above = self._note(classes, omitted)
        left = (self.task.limit if limit is None else limit) - omitted.records
        suppression = self.task.rules.suppression(classes, left)
        return None if suppression is None else NodeState(classes, suppression, omitted, bound_above)

    def lowest(self, state: NodeState, column: int, low: int) -> tuple[int, int, NodeState | None]:
        """The lowest level, from `low` on, to which a column alone can come down from a node.

        Also the fewest records that are lost there, and the node one level down, where that will do.
        """
        here, first, lowest = state, None, low
        while here.classes.levels[column] > low and not self.spent:
            levels = moved(here.classes.levels, column, -1)
            self._count(levels)
            below = self.state(levels, here)
            self.watch()
            if below is None:
                lowest = here.classes.levels[column]
                break
            first = first or below
            here = below
        return lowest, here.suppression.fewest_records + here.omitted.records, first

    def lighter(self, state: NodeState, *, always: bool = False) -> NodeState:
        """The same without the rows that are suppressed whatever happens, where these are not few, or always."""
        few = 0 if always else len(state.classes.ids) // WORTH_OMITTING
        if self.scorer.needs_all or state.suppression.forced <= few:
            return state
        return state.without_forced_rows(leaves=self.scorer.reads_leaves)

    def trimmed(self, lows: Node, highs: Node) -> Node | None:
        """The highest levels of a box without those that are ruled out by nodes below; None where all of it is."""
        if self.above is None or self.clearly_better == inf:
            return highs
        return self.above.trimmed(lows, highs, promising=self.clearly_better, hopeless=self.hopeless)

    def _note(self, classes: CodedClasses, omitted: OmittedRows) -> float:
        """Remember what a node says of all nodes above it."""
        if self.above is None:
            return -inf
        bound = self.scorer.bound_above(classes, omitted.records)
        self.above.add(classes.levels, bound)
        return bound

    def _count(self, node: Node) -> None:
        self.count += node not in self.counted
        if len(self.counted) < REMEMBERED and not self.relaxed:  # such a search comes to no node twice
            self.counted.add(node)

    def _compare(self, state: NodeState, score: float) -> None:
        rank, close = self.lattice.rank(state.classes.levels), CLOSE * max(1.0, abs(score))
        if self._best is not None and abs(score - self.score) <= close:
            self.tied += rank != self.rank
            if rank >= self.rank:
                return
        elif score > self.score:
            return
        else:
            self.tied = 0
        self._best, self.score, self.rank = state, score, rank
        self.clearly_better = score - CLOSE * max(1.0, abs(score)) if score < inf else score
