"""Groups: a partition that changes, and what its labels cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.group_rules import ClassPolicy
from sfumato.label_tree import LabelTree, joined
from sfumato.partitioning import CountedTuples

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Real = NDArray[np.float64]
    Share = NDArray[np.float32]


@dataclass
class Groups:
    """A partition that changes: the node of every group in each column, its records and what its labels cost."""

    tuples: CountedTuples
    trees: tuple[LabelTree, ...]
    policy: ClassPolicy
    group: Whole
    node: Whole = field(init=False)  # by column and group
    size: Whole = field(init=False)
    cost: Real = field(init=False)  # of one record

    def __post_init__(self) -> None:
        import numpy as np

        _, self.group = np.unique(self.group, return_inverse=True)
        self._tables = joined(self.trees)
        self.leaf = np.stack([tree.leaves[self.tuples.codes[:, j]] for j, tree in enumerate(self.trees)])
        self.size = np.bincount(self.group, weights=self.tuples.counts).astype(np.int64)
        self.node, self.cost = self.widths(self.group, np.arange(len(self.group)), len(self.size))

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

    def together(self, first: Whole, second: Whole) -> Share:
        """What nodes cost when they become one: a matrix of rows and columns, in steps that add up exactly."""
        import numpy as np

        found = np.zeros((first.shape[1], second.shape[1]), dtype=np.uint16)
        for table in self._tables:
            found += table.steps[table.code(first)].take(table.code(second), axis=1)
        return found * np.float32(self.trees[0].unit)

    def keeps(self, groups: list[int]) -> bool:
        """Whether some groups meet the policy as they are now."""
        import numpy as np

        if self.policy.by_size:
            return bool((self.size[groups] >= self.policy.least).all())
        places = np.flatnonzero(np.isin(self.group, groups))
        _, own = np.unique(self.group[places], return_inverse=True)
        return bool(self.policy.met(self.tuples, places, own, len(groups)).all())
