"""Lower bounds: what groups of columns cost at the least, however high all others are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from math import prod
from typing import TYPE_CHECKING

from sfumato.privacy.coded.lattice import Lattice
from sfumato.search.levels.examined_nodes import ExaminedNodes
from sfumato.search.levels.optimality_proof import OptimalityProof
from sfumato.search.scoring.by_column import ColumnScorer
from sfumato.search.scoring.objective_interface import NodeState, Scorer

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real

# Of the lattice of a group of columns, with which the groups begin; then two become one, and again. What other values
# gave stands in docs/explanation/optimal-search.md.
NODES = 2_000
PASSING = 2  # columns that go over from the smaller of two groups to the larger; chosen, not measured


class GroupScorer(ColumnScorer):
    """What some columns cost at the least at a node, and at all nodes below it in the other columns.

    The score of a node is that bound already, since the other columns come down from the top in the search that it is
    for. So the least score of a node of the group bounds them all.
    """

    def __init__(self, scorer: ColumnScorer, columns: frozenset[int], parts: Mapping[frozenset[int], float]) -> None:
        self.scorer, self.how, self.columns, self.heights = scorer, scorer.how, scorer.columns, scorer.heights
        self.floors = list(parts.items())  # of groups within this one
        self.weights = [weight * (j in columns) for j, weight in enumerate(scorer.weights)]
        self.reads_leaves = scorer.reads_leaves  # type: ignore[misc]

    def of_columns(self, state: NodeState) -> Real:
        return self.scorer.at_least(state)

    def at_least(self, state: NodeState) -> Real:
        return self.scorer.at_least(state)


class ColumnFloors:
    r"""What groups of columns cost at the least, found by searches of their own with all other columns at the top.

    For a node v and a group G of columns let v_G be v with all other columns at the top. Classes at v_G are larger, so
    that it keeps to the policy if v does, and each column of G costs no more there. So

    .. math:: score(v) \ge \sum_G \min_{w} cost_G(w_G)

    where every column is in one group. This is far above what a look at the highest node can say. The larger the
    groups, the higher are their floors, and the longer is the search: so small groups come first, and when all are
    searched to their end, larger ones (`regrouped`), of which it is known already that they cost no less than those
    that are in them.

    References
    ----------
    Korf, Felner (2002). Disjoint pattern database heuristics. Artificial Intelligence 134, 9-22 (the same idea).
    """

    def __init__(self, nodes: ExaminedNodes) -> None:
        self.nodes, self.scorer = nodes, nodes.scorer
        self.floors: dict[frozenset[int], float] = {}  # of groups that have no column in common, the best so far
        self.growing: dict[frozenset[int], float] = {}  # of those that are searched now
        self.proofs: dict[frozenset[int], OptimalityProof] = {}  # of groups that are not searched to their end

    def begin(self) -> None:
        """Divide the columns into small groups; none where the score is not read off each column."""
        if isinstance(self.scorer, ColumnScorer):
            self._begin(self.scorer, [(group,) for group in grouped_columns(self.nodes.lattice)])

    def go_on(self, looks: float) -> None:
        """Search the groups further, with so many looks, and let the scorer know what each costs at the least."""
        end = self.nodes.count + looks
        while self.proofs and self.nodes.count < end and not self.nodes.spent:
            for place, (group, proof) in enumerate(list(self.proofs.items())):
                self._search(group, proof, max((end - self.nodes.count) / (len(self.proofs) - place), 1))
            self.proofs = {group: proof for group, proof in self.proofs.items() if not proof.complete}
            if not self.proofs:
                self._begin(self.scorer, regrouped(self.nodes.lattice, list(self.growing)))
        if self.floors and isinstance(self.scorer, ColumnScorer):
            self.scorer.floors = list(self.floors.items())

    def _begin(self, scorer: Scorer, joined: Sequence[tuple[frozenset[int], ...]]) -> None:
        """Begin the search of groups, each of which joins some that were searched, or columns of them."""
        assert isinstance(scorer, ColumnScorer)
        before, self.growing = self.growing, {}
        for groups in joined:
            group = frozenset[int]().union(*groups)
            parts = {part: before[part] for part in groups if part in before}
            self.growing |= parts
            own = self.nodes.of_columns(within(self.nodes.lattice, group), GroupScorer(scorer, group, parts))
            self.proofs[group] = OptimalityProof(own, in_turn=True)

    def _search(self, group: frozenset[int], proof: OptimalityProof, looks: float) -> None:
        own, nodes = proof.nodes, self.nodes
        looks = min(looks, nodes.most - nodes.count)
        own.watch, own.most, own.until, before = nodes.watch, own.count + looks, nodes.until, own.count
        while not proof.complete and not own.spent and not nodes.stopped:
            proof.step()
        nodes.count += own.count - before
        if own.best is not None:
            self.growing = {known: floor for known, floor in self.growing.items() if not known <= group}
            self.growing[group] = proof.bound
            if self._whole(self.growing) >= self._whole(self.floors):
                self.floors = dict(self.growing)

    def _whole(self, floors: Mapping[frozenset[int], float]) -> float:
        """What no node scores below that costs as much in each group."""
        assert isinstance(self.scorer, ColumnScorer)
        return self.scorer.least_of(list(floors.items()))


def grouped_columns(lattice: Lattice) -> list[frozenset[int]]:
    """The columns in groups of which each has a lattice that can be searched, those of the most levels first."""
    heights = [high - low for low, high in zip(lattice.lowest, lattice.highest, strict=True)]
    groups: list[list[int]] = [[]]
    for j in sorted(range(len(heights)), key=lambda j: (-heights[j], j)):
        if groups[-1] and prod(heights[i] + 1 for i in [*groups[-1], j]) > NODES:
            groups.append([])
        groups[-1].append(j)
    return [frozenset(group) for group in groups]


def regrouped(lattice: Lattice, groups: Sequence[frozenset[int]]) -> list[tuple[frozenset[int], ...]]:
    """Larger groups, of which each joins groups, or one with columns of another.

    Of four and more, each two become one; of three, the smallest goes over to the other two; of two, some columns of
    the smaller go over to the larger one. What a group costs at the least grows faster than it does, so that a large
    group and a small one cost more than two of the same size; all columns as one would be the whole lattice.
    """
    if len(groups) > 3:
        return list(zip_longest(groups[::2], groups[1::2], fillvalue=frozenset[int]()))
    ordered = sorted(groups, key=lambda group: (-len(group), min(group)))
    smallest = sorted(ordered[-1], key=lambda j: (lattice.lowest[j] - lattice.highest[j], j))
    if len(groups) == 3:
        return [(ordered[0], frozenset(smallest[1::2])), (ordered[1], frozenset(smallest[::2]))]
    if len(groups) < 2 or len(smallest) <= PASSING:
        return []
    return [(ordered[0], frozenset(smallest[:PASSING])), (frozenset(smallest[PASSING:]),)]


def within(lattice: Lattice, group: frozenset[int]) -> Lattice:
    """The nodes at which all columns are at the top that are not of a group."""
    lows = (
        low if j in group else high for j, (low, high) in enumerate(zip(lattice.lowest, lattice.highest, strict=True))
    )
    return Lattice(lattice.columns, tuple(lows), lattice.highest)
