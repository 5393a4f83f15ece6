"""Lower bounds: what groups of columns cost at the least, however high all others are."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from sfumato.privacy.coded.lattice import Lattice
from sfumato.search.levels.examined_nodes import Budget, ExaminedNodes
from sfumato.search.levels.optimality_proof import OptimalityProof
from sfumato.search.scoring.by_column import ColumnScorer
from sfumato.search.scoring.objective_interface import NodeState

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real

# Of the lattice of a group of columns. Thirty columns of six levels, 2,000 looks, gap of loss and of entropy: 200 nodes
# leave 75 and 72 %, 2,000 leave 67 and 66, 20,000 leave 62 and 65, 200,000 leave 61 and 68; without groups 80 and 82.
NODES = 20_000
# At each group, at the most, so that a search without an end comes to its own proof. There 100 and more are alike, as
# the share of the budget ends the search of a group first; the value is chosen, not measured.
LOOKS = 400


class GroupScorer(ColumnScorer):
    """What some columns cost at the least at a node, and at all nodes below it in the other columns.

    The score of a node is that bound already, since the other columns come down from the top in the search that it is
    for. So the least score of a node of the group bounds them all.
    """

    def __init__(self, scorer: ColumnScorer, columns: frozenset[int]) -> None:
        self.scorer, self.how, self.columns, self.heights = scorer, scorer.how, scorer.columns, scorer.heights
        self.floors = []
        self.weights = [weight * (j in columns) for j, weight in enumerate(scorer.weights)]
        self.reads_leaves = scorer.reads_leaves  # type: ignore[misc]

    def of_columns(self, state: NodeState) -> Real:
        return self.scorer.at_least(state)

    def at_least(self, state: NodeState) -> Real:
        return self.scorer.at_least(state)


def find_floors(nodes: ExaminedNodes, most: float, seconds: float) -> None:
    r"""Search groups of columns with all others at the top, and let the scorer know what each group costs at the least.

    For a node v and a group G of columns let v_G be v with all other columns at the top. Classes at v_G are larger, so
    that it keeps to the policy if v does, and each column of G costs no more there. So

    .. math:: score(v) \ge \sum_G \min_{w} cost_G(w_G)

    where every column is in one group. This is far above what a look at the highest node can say.

    References
    ----------
    Korf, Felner (2002). Disjoint pattern database heuristics. Artificial Intelligence 134, 9-22 (the same idea).
    """
    scorer = nodes.scorer
    if not isinstance(scorer, ColumnScorer):
        return
    groups = grouped_columns(nodes.lattice)
    for place, group in enumerate(groups):
        left = len(groups) - place
        if most < left:
            return
        budget = Budget(min(LOOKS, most / left), seconds / left)
        lattice = within(nodes.lattice, group)
        own = ExaminedNodes(nodes.task, lattice, GroupScorer(scorer, group), budget, relaxed=True)
        own.watch, own.counted = nodes.watch, nodes.counted
        proof = OptimalityProof(own, in_turn=True)
        if proof.begin():
            proof.go_on()
        nodes.count += own.count
        most -= own.count
        if own.best is not None:
            scorer.floors.append((group, proof.bound))


def grouped_columns(lattice: Lattice) -> list[frozenset[int]]:
    """The columns in groups of which each has a lattice that can be searched, those of the most levels first."""
    heights = [high - low for low, high in zip(lattice.lowest, lattice.highest, strict=True)]
    groups: list[list[int]] = [[]]
    for j in sorted(range(len(heights)), key=lambda j: (-heights[j], j)):
        if groups[-1] and prod(heights[i] + 1 for i in [*groups[-1], j]) > NODES:
            groups.append([])
        groups[-1].append(j)
    return [frozenset(group) for group in groups]


def within(lattice: Lattice, group: frozenset[int]) -> Lattice:
    """The nodes at which all columns are at the top that are not of a group."""
    lows = (
        low if j in group else high for j, (low, high) in enumerate(zip(lattice.lowest, lattice.highest, strict=True))
    )
    return Lattice(lattice.columns, tuple(lows), lattice.highest)
