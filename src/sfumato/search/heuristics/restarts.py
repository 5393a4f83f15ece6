"""Restarts: from one good combination of levels to the next, each time up in a column and down again another way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf
from random import Random

from sfumato.errors import PlanError
from sfumato.privacy.coded.lattice import Lattice, Node, moved
from sfumato.search.levels.examined_nodes import ExaminedNodes, VisitedNode
from sfumato.search.levels.heuristic_interface import Heuristic
from sfumato.search.scoring.objective_interface import NodeState

# Where a way down ends is the next start also where it is worse, by this share of the score times a number that is
# drawn and 1 on average. What other ways gave stands in docs/explanation/optimal-search.md.
WORSE = 0.01
Gains = dict[tuple[int, int], float]  # of a step down, by column and level


@dataclass(frozen=True)
class Restarts(Heuristic):
    """From a node one column goes up, and all come down again in an order that chance has a part in; and so on.

    The column that went up comes down last, so that others come down in its place. Each comes the sooner, the more it
    gains, with a luck of its own on each way. Where that ends is the next start, unless it is much worse. When many
    ways in turn came to nothing better, it ends; a search that goes on begins anew at the top.

    References
    ----------
    Lourenço, Martin, Stützle (2003). Iterated local search. Handbook of Metaheuristics, 320-353. The order of the way
    down is drawn as in Feo, Resende (1995). Greedy randomized adaptive search procedures. Journal of Global
    Optimization 6, 109-133. What is worse is gone on from as in Kirkpatrick, Gelatt, Vecchi (1983). Optimization by
    simulated annealing. Science 220, 671-680.

    Examples
    --------
    Four people, whose ages end as two decades and whose towns are left out, with 6 of 10 looks.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, heuristic="restarts", compare=False)
    >>> round(release.document()["score"]["value"], 4), release.document()["examined"]
    (0.6667, 6)
    """

    plainly = "from one good combination up in a column and down another way, with a little chance"
    priority = 4
    seed: int = 0
    patience: int = 1000  # ways in vain, one after the other, after which it ends; most take no look

    def __post_init__(self) -> None:
        if self.patience < 1:
            raise PlanError("restarts: at least 1 way is tried.")

    def walk(self, nodes: ExaminedNodes) -> None:
        for _ in self._chain(nodes, Random(self.seed), {}):
            if nodes.spent:
                return

    def ways(self, nodes: ExaminedNodes) -> Iterator[None]:
        """Without an end, a way with each step; what is drawn does not depend on how far it may look at a time."""
        chance, gains = Random(self.seed), Gains()
        while True:
            yield from self._chain(nodes, chance, gains)

    def _chain(self, nodes: ExaminedNodes, chance: Random, gains: Gains) -> Iterator[None]:
        """From the top to a local optimum, and from one to the next, until many in turn came to nothing better."""
        here, least, in_vain = None, inf, 0
        while in_vain < self.patience:
            start = _higher(here.node, nodes.lattice, chance) if here else nodes.lattice.highest
            end = _way_down(nodes, start, here.node if here else start, chance, gains)
            in_vain += 1
            if end is not None:
                in_vain = 0 if end.score < least else in_vain
                least = min(least, end.score)
                if here is None or end.score <= here.score + WORSE * chance.expovariate(1) * abs(here.score):
                    here = end
            yield


def _higher(node: Node, lattice: Lattice, chance: Random) -> Node:
    """A node with one column higher than here."""
    rising = lattice.below_highest(node)
    if not rising:
        return node
    column = chance.choice(rising)
    return moved(node, column, chance.randint(1, lattice.highest[column] - node[column]))


def _way_down(nodes: ExaminedNodes, start: Node, before: Node, chance: Random, gains: Gains) -> VisitedNode | None:
    """Where it ends to go down from a node, a level of one column at a time, while that is no worse.

    What is higher than before comes last. None where no more may be looked at, or where nothing will do.
    """
    luck, first = [chance.random() for _ in start], nodes.visit(start)
    if first is None:
        return None
    here = _Standing(nodes, first)
    falling = nodes.lattice.above_lowest(start)
    raised = [j for j in falling if start[j] > before[j]]
    for left in ([j for j in falling if j not in raised], raised):
        while left:
            column = max(left, key=lambda j: here.gain(j, gains) * luck[j])
            below = here.below(column)
            if below is None:
                return None
            if below.order[:2] > here.visited.order[:2]:
                left.remove(column)  # further down classes are smaller still: it will hardly come down later
                continue
            here = _Standing(nodes, below, here)
            if below.node[column] == nodes.lattice.lowest[column]:
                left.remove(column)
    return None if here.visited.excess else here.visited


class _Standing:
    """Where a way is; its classes are computed only when something new is to be looked at from there."""

    def __init__(self, nodes: ExaminedNodes, visited: VisitedNode, above: _Standing | None = None) -> None:
        self.nodes, self.visited = nodes, visited
        self.above = None if visited.state else above

    @cached_property
    def state(self) -> NodeState:
        if self.visited.state is not None:
            return self.visited.state
        above = self.above
        while above is not None and "state" not in vars(above) and above.visited.state is None:
            above = above.above
        state, self.above = self.nodes.state(self.visited.node, above.state if above else None, inf), None
        assert state is not None  # there is no limit
        return self.nodes.lighter(state)

    def below(self, column: int) -> VisitedNode | None:
        """The node one level down in a column; None where no more may be looked at."""
        node = moved(self.visited.node, column, -1)
        return self.nodes.visited.get(node) or self.nodes.visit(node, self.state)

    def gain(self, column: int, known: Gains) -> float:
        """What a step down promises, read where it is first seen; suppressed records change little of it."""
        step = column, self.visited.node[column]
        if step not in known:
            known[step] = self.nodes.scorer.gain(self.state, column)
        return known[step]
