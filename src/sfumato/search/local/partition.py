"""Partition: a partition that changes, and what its labels cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.search.local.group_rules import GroupRules
from sfumato.search.local.label_tree import LabelTree, joined

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole


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
        import numpy as np

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
        import numpy as np

        return np.arange(len(self.size))

    def widths(self, group: Whole, places: Whole, count: int) -> tuple[Whole, Real]:
        """The nodes of groups of tuples, and what they cost."""
        import numpy as np

        order = np.argsort(group, kind="stable")
        starts = np.searchsorted(group[order], np.arange(count))
        nodes = []
        for j, tree in enumerate(self.trees):
            at = tree.places[self.tuples.codes[places[order], j]]
            nodes.append(tree.over(np.minimum.reduceat(at, starts), np.maximum.reduceat(at, starts)))
        node = np.stack(nodes)
        return node, self.costs(node)

    def costs(self, node: Whole) -> Real:
        import numpy as np

        found: Real = np.zeros(node.shape[1])
        for tree, row in zip(self.trees, node, strict=True):
            found += tree.weights[row]
        return found

    def nearest(
        self, first: Whole, second: Whole, *, size: Whole, records: Whole, paid: Real, own: Whole, number: Whole,
        needed: Whole,
    ) -> tuple[Whole, Real]:  # fmt: skip
        """For rows of nodes with their records the columns that cost least together with them, and how much.

        It costs (size + records) times the labels of both, less what is paid for the column already. A column with
        the row's own number does not count, and two of different numbers are taken where one has too few records.
        """
        import numpy as np

        from sfumato.search.local.local_kernels import kernels_for

        steps = np.concatenate([table.steps.ravel() for table in self._tables])
        widths = np.array([len(table.steps) for table in self._tables])
        codes = [np.stack([table.code(nodes) for table in self._tables]) for nodes in (first, second)]
        return kernels_for(len(self.group)).nearest(
            steps, np.cumsum(widths**2) - widths**2, widths, *codes, np.float32(self.trees[0].unit),
            size.astype(np.float32), records.astype(np.float32), paid.astype(np.float32), own, number, needed,
        )  # fmt: skip

    def left_by(self, who: Whole, group: int) -> bool:
        """Whether a group would keep to the policy without some of its tuples."""
        import numpy as np

        rest = np.flatnonzero(self.group == group)
        rest = rest[~np.isin(rest, who)]
        return len(rest) > 0 and self.rules.together(rest)

    def keeps(self, groups: list[int]) -> bool:
        """Whether some groups meet the policy as they are now."""
        import numpy as np

        if self.rules.by_size:
            return bool((self.size[groups] >= self.rules.least).all())
        places = np.flatnonzero(np.isin(self.group, groups))
        _, own = np.unique(self.group[places], return_inverse=True)
        return bool(self.rules.met(places, own, len(groups)).all())
