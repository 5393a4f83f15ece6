"""Explaining: a solution of the optimal search looked at from all sides, at the cost of a few more searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, log1p
from typing import TYPE_CHECKING

from sfumato.errors import PolicyError
from sfumato.privacy.coded.lattice import Lattice, Node
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.explanation import ColumnCost, EasierSearch, Explanation, Neighbour, RequirementEffect, less
from sfumato.search.levels.examined_nodes import Budget
from sfumato.search.levels.levels_found import LevelsFound
from sfumato.search.levels.node_states import NodeStates
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.scoring.by_column import ColumnScorer
from sfumato.search.scoring.objective_interface import NodeState, Scorer

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags

# Nodes that each further search may look at, even if the first needed fewer: the census needs 329 of 12,960 for its
# proof. Chosen, not measured; where a search ended early the explanation says that it is not known.
LOOKS = 2000


def explain_levels(optimal: OptimalSearch, table: CodedTable, levels_found: LevelsFound) -> Explanation:
    """Why the search chose these levels of this table."""
    view = _View(optimal, table, levels_found)
    more = min(max(2 * view.limit, view.limit + 1), table.total)
    return Explanation(
        levels_found=levels_found,
        objective=optimal.objective.name(),
        plainly=optimal.objective.plainly,
        adds_up=isinstance(view.scorer, ColumnScorer) and view.scorer.how != "maximum",
        limit=view.limit,
        suppression_cost=levels_found.score - view.scorer.score(view.free),
        columns=tuple(view.columns()),
        better=view.neighbours(-1),
        safer=view.neighbours(1),
        requirements=tuple(view.requirements()),
        more_limit=more,
        more=view.without(replace(optimal, suppression=more / table.total)) if more > view.limit else None,
    )


@dataclass(frozen=True, eq=False)
class _View:
    """A solution, and any node of its lattice as the search would see it."""

    optimal: OptimalSearch
    table: CodedTable
    levels_found: LevelsFound
    seen: dict[Node, NodeState] = field(default_factory=dict)

    @cached_property
    def states(self) -> NodeStates:
        return NodeStates(self.optimal, self.table)

    @property
    def limit(self) -> int:
        return self.states.task.limit

    @property
    def scorer(self) -> Scorer:
        return self.states.scorer

    @property
    def lattice(self) -> Lattice:
        return self.states.lattice

    @cached_property
    def node(self) -> Node:
        return tuple(self.levels_found.levels[name] for name in self.lattice.columns)

    @cached_property
    def free(self) -> NodeState:
        """The solution as if no record had to be suppressed."""
        return self.states.free(self.node)

    def at(self, node: Node) -> NodeState:
        """A node beside the solution, looked at once. One below it splits its classes, and groups no row anew."""
        if node not in self.seen:
            below = all(level <= own for level, own in zip(node, self.node, strict=True))
            self.seen[node] = self.states.at(node, self.free.classes if below else None)
        return self.seen[node]

    def columns(self) -> Sequence[ColumnCost]:
        columns = []
        for j, (column, cost) in enumerate(zip(self.table.columns, self.costs(), strict=True)):
            low = self.at(_with(self.node, j, self.lattice.lowest[j]))
            labels, values = (self.table.label_count(j, level) for level in (self.node[j], 0))
            columns.append(
                ColumnCost(
                    column=column.name,
                    level=self.node[j],
                    height=column.height,
                    labels=labels,
                    values=values,
                    cost=cost,
                    lowest=self.lattice.lowest[j],
                    lowest_score=self.scorer.score(low),
                    lowest_suppressed=low.suppressed,
                )
            )
        return columns

    def costs(self) -> list[float]:
        """What the level of each column costs, as if no record had to be suppressed."""
        score, columns = self.scorer.score(self.free), range(len(self.node))
        if not isinstance(self.scorer, ColumnScorer):
            lower = (_with(self.node, j, self.lattice.lowest[j]) for j in columns)
            return [score - self.scorer.score(self.states.free(node)) for node in lower]
        each = self.scorer.of_columns(self.free)
        alone = [self.scorer.aggregated([float(each[j, self.node[j]]) * (i == j) for i in columns]) for j in columns]
        if self.scorer.how == "geometric":
            return [score * log1p(part) / log1p(score) if score > 0 else 0.0 for part in alone]
        return alone

    def neighbours(self, up: int) -> tuple[Neighbour, ...]:
        """Each column one level up or down where that is allowed, the lowest score first."""
        ends = zip(self.lattice.lowest, self.lattice.highest, self.node, strict=True)
        possible = [j for j, (low, high, level) in enumerate(ends) if low <= level + up <= high]
        return tuple(
            sorted((self.neighbour(j, self.node[j] + up) for j in possible), key=lambda neighbour: neighbour.score)
        )

    def neighbour(self, j: int, level: int) -> Neighbour:
        state = self.at(_with(self.node, j, level))
        sizes = state.classes.records[state.kept]
        return Neighbour(
            column=self.lattice.columns[j],
            level=level,
            score=self.scorer.score(state),
            suppressed=state.suppressed,
            excess=max(state.suppressed - self.limit, 0),
            smallest=int(sizes.min()) if len(sizes) else 0,
        )

    def requirements(self) -> Sequence[RequirementEffect]:
        """What each requirement does at the solution, and what could be had without it."""
        asked = [(i, r) for i, r in enumerate(self.optimal.policy.requirements) if r.bound is not None]
        broken = [self.broken(requirement) for _, requirement in asked]
        effects = []
        for place, (i, requirement) in enumerate(asked):
            others = [marks for other, marks in enumerate(broken) if other != place]
            only = broken[place] & ~_any(others, broken[place])
            sizes = self.free.classes.records
            rest = tuple(r for other, r in enumerate(self.optimal.policy.requirements) if other != i)
            assert requirement.bound is not None
            effects.append(
                RequirementEffect(
                    measure=requirement.measure.name(),
                    about=str(getattr(requirement.measure, "sensitive", "")),
                    bound=float(requirement.bound),
                    breaks=int(sizes[broken[place]].sum()),
                    alone=int(sizes[only].sum()),
                    without=self.without(replace(self.optimal, policy=Policy(rest))),
                )
            )
        return effects

    def broken(self, requirement: Requirement) -> Flags:
        """The classes of the solution that break one requirement by itself."""
        rule = next(rule for rule in self.states.task.rules.rules if rule.requirement == requirement)
        suppression = replace(self.states.task.rules, rules=(rule,)).suppression(self.free.classes, inf)
        assert suppression is not None  # there is no limit
        return suppression.here

    def without(self, easier: OptimalSearch) -> EasierSearch:
        """What an easier search finds, or the solution itself where that is better under its rules."""
        view = _View(easier, self.table, self.levels_found)
        state = view.states.at(self.node, self.free.classes)
        score = view.scorer.score(state)
        try:
            easiest = replace(easier, budget=self.budget).among(self.table)
        except PolicyError:  # the search ended before it met a node that will do
            easiest = replace(self.levels_found, score=inf, bound=-inf)
        if state.suppressed <= view.limit and less(score, easiest.score):
            easiest = replace(easiest, levels=self.levels_found.levels, suppressed=state.suppressed, score=score)
        if easiest.score == inf:
            return EasierSearch(score=None, levels={}, suppressed=0, proven=False, binds=None)
        return EasierSearch(
            score=easiest.score,
            levels=easiest.levels,
            suppressed=easiest.suppressed,
            proven=easiest.optimal,
            binds=self.binds(easiest),
        )

    @cached_property
    def budget(self) -> Budget:
        """Of each further search: as many nodes as the first at the most, and as much time for all of them together."""
        nodes = min(max(LOOKS, self.levels_found.examined), self.optimal.budget.nodes)
        return Budget(nodes, self.optimal.budget.seconds / (len(self.optimal.policy.requirements) + 1))

    def binds(self, easier: LevelsFound) -> bool | None:
        """Whether an easier search scores less than any solution can; None where both ended too early to say."""
        if less(easier.score, self.levels_found.bound):
            return True
        return None if less(easier.bound, self.levels_found.score) else False


def _with(node: Node, column: int, level: int) -> Node:
    return (*node[:column], level, *node[column + 1 :])


def _any(marks: Sequence[Flags], like: Flags) -> Flags:
    import numpy as np

    either: Flags = np.any(marks, axis=0) if marks else np.zeros_like(like)
    return either
