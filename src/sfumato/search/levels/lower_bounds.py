"""Lower bounds: what groups of columns cost at the least, however high all others are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from math import prod

from sfumato.privacy.coded.lattice import Lattice
from sfumato.search.levels.examined_nodes import ExaminedNodes
from sfumato.search.levels.group_scores import GroupScorer, coarsened
from sfumato.search.levels.group_search import GroupSearch
from sfumato.search.scoring.by_column import ColumnScorer
from sfumato.search.scoring.objective_interface import Scorer

# Of the lattice of a group of columns, with which the groups begin; then two become one, and again. What other values
# gave stands in docs/explanation/optimal-search.md.
NODES = 2_000
PASSING = 2  # columns that go over from the smaller of two groups to the larger; chosen, not measured


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
        self.searches: dict[frozenset[int], GroupSearch] = {}  # of groups that are not searched to their end
        self.gains: dict[int, float] = {}  # by how much a column costs less than at the top where its group costs least

    def begin(self) -> None:
        """Divide the columns into small groups; none where the score is not read off each column."""
        if isinstance(self.scorer, ColumnScorer):
            self._begin(self.scorer, [(group,) for group in grouped_columns(self.nodes.lattice)])

    def go_on(self, looks: float) -> None:
        """Search the groups further, with so many looks, and let the scorer know what each costs at the least."""
        end = self.nodes.count + looks
        while self.searches and self.nodes.count < end and not self.nodes.spent:
            for place, (group, search) in enumerate(list(self.searches.items())):
                search.go_on(max((end - self.nodes.count) / (len(self.searches) - place), 1), self.nodes)
                self._learn(group, search)
            self.searches = {group: search for group, search in self.searches.items() if not search.complete}
            if not self.searches:
                self._begin(self.scorer, regrouped(list(self.growing), self.gains))
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
            own = self._nodes(scorer, group, parts)
            self.searches[group] = GroupSearch(own, self.nodes.count * self.nodes.task.table.rows)

    def _nodes(
        self, scorer: ColumnScorer, group: frozenset[int], parts: Mapping[frozenset[int], float]
    ) -> ExaminedNodes:
        """The nodes at which all columns are at the top that are not of a group; of a coarser table if it can be."""
        lattice = within(self.nodes.lattice, group)
        task, own = self.nodes.task, scorer
        if self.nodes.in_memory:
            task, own = coarsened(task, scorer, lattice.lowest)
        return self.nodes.of_columns(task, lattice, GroupScorer(own, group, parts))

    def _learn(self, group: frozenset[int], search: GroupSearch) -> None:
        """What the search of a group says by now; until it says more, what is known of those within it counts."""
        if search.floor is not None:
            self.growing = {known: floor for known, floor in self.growing.items() if not known <= group}
            self.growing[group] = search.floor
            if self._whole(self.growing) >= self._whole(self.floors):
                self.floors = dict(self.growing)
        if search.complete:
            self.gains |= search.gains()

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


def regrouped(groups: Sequence[frozenset[int]], gains: Mapping[int, float]) -> list[tuple[frozenset[int], ...]]:
    """Larger groups, of which each joins groups, or one with columns of another.

    Of four and more, each two become one; of three, the smallest goes over to the other two; of two, some columns of
    the smaller go over to the larger one. What a group costs at the least grows faster than it does, so that a large
    group and a small one cost more than two of the same size; all columns as one would be the whole lattice.

    Those go over that gain most where their group costs least: they take the detail that the others of the larger
    group have, and one of the two has to do without. A column that is at the top anyway would add what it did before.
    """
    if len(groups) > 3:
        return list(zip_longest(groups[::2], groups[1::2], fillvalue=frozenset[int]()))
    ordered = sorted(groups, key=lambda group: (-len(group), min(group)))
    smallest = sorted(ordered[-1], key=lambda j: (-gains.get(j, 0.0), j))
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
