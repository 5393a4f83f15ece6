"""A partition of the tuples that changes, and what its labels cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.deadline import in_time
from sfumato.search.local.group_rules import GroupRules
from sfumato.search.local.label_tree import LabelTree, joined
from sfumato.search.local.local_kernels import kernels_for

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole

# Pairs of a row and a column between two looks at the clock: some tenths of a second for 24 columns.
BETWEEN_LOOKS = 1 << 22


@dataclass
class Partition:
    """A partition that changes: the node of every group in each column, its records and what its labels cost."""

    rules: GroupRules
    trees: tuple[LabelTree, ...]
    group: Whole
    node: Whole = field(init=False)  # by column and group
    size: Whole = field(init=False)
    cost: Real = field(init=False)  # of one record

    def __post_init__(self) -> None:
        self.tuples = self.rules.tuples
        _, self.group = np.unique(self.group, return_inverse=True)
        self._tables = joined(self.trees)
        self.leaf = np.stack([tree.leaves[self.tuples.codes[:, j]] for j, tree in enumerate(self.trees)])
        self.size = np.bincount(self.group, weights=self.tuples.counts).astype(np.int64)
        self.node, self.cost = self.widths(self.group, np.arange(len(self.group)), len(self.size))

    @property
    def total(self) -> float:
        """What the labels of all records cost."""
        return float(self.size @ self.cost)

    def all_groups(self) -> Whole:
        """The numbers of the groups."""
        return np.arange(len(self.size))

    def widths(self, group: Whole, places: Whole, count: int) -> tuple[Whole, Real]:
        """The nodes of groups of tuples, and what they cost."""
        order = np.argsort(group, kind="stable")
        starts = np.searchsorted(group[order], np.arange(count))
        nodes = []
        for j, tree in enumerate(self.trees):
            at = tree.places[self.tuples.codes[places[order], j]]
            nodes.append(tree.over(np.minimum.reduceat(at, starts), np.maximum.reduceat(at, starts)))
        node = np.stack(nodes)
        return node, self.costs(node)

    def costs(self, node: Whole) -> Real:
        """What nodes cost one record, given by column and group."""
        costs: Real = np.zeros(node.shape[1])
        for tree, row in zip(self.trees, node, strict=True):
            costs += tree.weights[row]
        return costs

    def nearest(
        self, first: Whole, second: Whole, *, size: Whole, records: Whole, paid: Real, own: Whole, number: Whole,
        needed: Whole,
    ) -> tuple[Whole, Real]:  # fmt: skip
        """For rows of nodes with their records the columns that cost least together with them, and how much.

        It costs (size + records) times the labels of both, less what is paid for the column already. A column with
        the row's own number does not count, and two of different numbers are taken where one has too few records.
        """
        steps = np.concatenate([table.steps.ravel() for table in self._tables])
        widths = np.array([len(table.steps) for table in self._tables])
        codes = [np.stack([table.code(nodes) for table in self._tables]) for nodes in (first, second)]
        kernel, unit = kernels_for(len(self.group)).nearest, np.float32(self.trees[0].unit)
        starts = np.cumsum(widths**2) - widths**2
        two, costs = [], []
        rows = max(BETWEEN_LOOKS // max(second.shape[1], 1), 1)
        for start in range(0, max(first.shape[1], 1), rows):
            in_time()
            some = slice(start, start + rows)
            parts = kernel(
                steps, starts, widths, np.ascontiguousarray(codes[0][:, some]), codes[1], unit,
                size[some].astype(np.float32), records.astype(np.float32), paid.astype(np.float32), own[some], number,
                needed[some],
            )  # fmt: skip
            two.append(parts[0])
            costs.append(parts[1])
        return np.concatenate(two), np.concatenate(costs)

    def set_aside(self) -> int:
        """One group more, for tuples that are taken out: its number, which has no records and costs nothing."""
        number = len(self.size)
        self.size, self.cost = np.append(self.size, 0), np.append(self.cost, 0.0)
        self.node = np.column_stack([self.node, self.node[:, :1]])
        return number

    def move(self, to: dict[int, int], groups: list[int], gain: float) -> bool:
        """Move tuples to other groups if that saves more than a gain, counted exactly, and keeps to the policy.

        `groups` are all that are touched. A move that would empty one of them is not made.
        """
        in_time()
        before, size = float((self.size[groups] * self.cost[groups]).sum()), self.size[groups].copy()
        moved = list(to)
        kept = self.group[moved].copy()
        self.group[moved] = list(to.values())
        places = np.flatnonzero(np.isin(self.group, groups))
        ids, own = np.unique(self.group[places], return_inverse=True)
        if len(ids) == len(groups):
            self.size[ids] = np.bincount(own, weights=self.tuples.counts[places])
            node, cost = self.widths(own, places, len(ids))
            if self.keeps(groups) and float((self.size[ids] * cost).sum()) < before - gain:
                self.node[:, ids], self.cost[ids] = node, cost
                return True
        self.group[moved], self.size[groups] = kept, size
        return False

    def left_by(self, who: Whole, group: int) -> bool:
        """Whether a group would keep to the policy without some of its tuples."""
        rest = np.flatnonzero(self.group == group)
        rest = rest[~np.isin(rest, who)]
        return len(rest) > 0 and self.rules.together(rest)

    def keeps(self, groups: list[int]) -> bool:
        """Whether some groups meet the policy as they are now."""
        if self.rules.by_size:
            return bool((self.size[groups] >= self.rules.least).all())
        places = np.flatnonzero(np.isin(self.group, groups))
        _, own = np.unique(self.group[places], return_inverse=True)
        return bool(self.rules.met(places, own, len(groups)).all())
