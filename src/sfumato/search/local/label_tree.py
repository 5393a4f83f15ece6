"""Label trees: the nodes of a hierarchy numbered, and the node over any two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.search.local.counted_tuples import CountedTuples, TreeColumn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sfumato.privacy.coded.arrays import Real, Whole

    Steps = NDArray[np.uint16]

JOINT_NODES = 512
MOST_NODES = 2000  # the table of all pairs has this many rows at most


@dataclass(frozen=True, eq=False)
class LabelTree:
    """The different nodes of a tree, where a node is the set of leaves below it, whatever the level.

    `steps[a, b]` is the weight of the lowest node over a and b in units of 1 / (65535 / columns), rounded down, so that
    sums over the columns are whole numbers of 16 bits.
    """

    tree: TreeColumn
    places: Whole  # of each leaf, in an order in which the leaves of every node stand together
    leaf_at: Whole  # the leaf at each place
    leaves: Whole  # the node of each leaf
    nodes: Whole  # by level and leaf
    weights: Real  # of each node
    steps: Steps
    unit: float

    @classmethod
    def of_all(cls, tuples: CountedTuples) -> tuple[LabelTree, ...] | None:
        """The trees of all columns; None where one has too many nodes to compare them all."""
        found = []
        for column in tuples.columns:
            if not isinstance(column, TreeColumn) or sum(map(len, column.labels)) > MOST_NODES:
                return None
            found.append(cls.of(column, 65535 // len(tuples.columns)))
        return tuple(found)

    @classmethod
    def of(cls, tree: TreeColumn, scale: int) -> LabelTree:
        """Number the nodes, and find the node over every pair."""
        import numpy as np

        places = tree.places.astype(np.int64)
        leaf_at = np.argsort(places)
        ends = []
        for codes in tree.nodes:
            low, high = np.full(tree.leaves, tree.leaves), np.full(tree.leaves, -1)
            np.minimum.at(low, codes, places)
            np.maximum.at(high, codes, places)
            ends.append(low[codes] * tree.leaves + high[codes])
        spans, nodes = np.unique(np.stack(ends), return_inverse=True)
        nodes = nodes.reshape(tree.nodes.shape)
        low, high = leaf_at[spans // tree.leaves], leaf_at[spans % tree.leaves]
        weights = tree.weights[tree.level_over(low, high), low]
        first = np.minimum.outer(spans // tree.leaves, spans // tree.leaves).ravel()
        last = np.maximum.outer(spans % tree.leaves, spans % tree.leaves).ravel()
        over = tree.level_over(leaf_at[first], leaf_at[last])
        steps = (tree.weights[over, leaf_at[first]] * scale).astype(np.uint16).reshape(len(spans), len(spans))
        return cls(tree, places, leaf_at, nodes[0], nodes, weights, steps, 1.0 / scale)

    def over(self, low: Whole, high: Whole) -> Whole:
        """The lowest nodes over pairs of places."""
        first = self.leaf_at[low]
        found: Whole = self.nodes[self.tree.level_over(first, self.leaf_at[high]), first]
        return found

    def child(self, node: Whole, leaf: Whole) -> Whole:
        """The node below a node that a leaf under it belongs to; the node itself where it is the leaf."""
        import numpy as np

        path = self.nodes[:, leaf]
        below = np.maximum((path == node).argmax(axis=0) - 1, 0)
        found: Whole = path[below, np.arange(len(leaf))]
        return found


@dataclass(frozen=True, eq=False)
class JointSteps:
    """The steps of some columns together, so that one look-up does for all of them."""

    columns: tuple[int, ...]
    counts: tuple[int, ...]  # nodes of each
    steps: Steps

    def code(self, nodes: Whole) -> Whole:
        """The number of combinations of nodes, which are given by column."""
        found: Whole = nodes[self.columns[0]]
        for column, count in zip(self.columns[1:], self.counts[1:], strict=True):
            found = found * count + nodes[column]
        return found


def joined(trees: Sequence[LabelTree]) -> list[JointSteps]:
    """The columns, those with few nodes put together."""
    import numpy as np

    found: list[JointSteps] = []
    for j in sorted(range(len(trees)), key=lambda j: (len(trees[j].weights), j)):
        own, count = trees[j].steps, len(trees[j].weights)
        last = found[-1] if found else None
        if last is None or len(last.steps) * count > JOINT_NODES:
            found.append(JointSteps((j,), (count,), own))
            continue
        size = len(last.steps) * count
        both = (last.steps[:, None, :, None] + own[None, :, None, :]).reshape(size, size)
        found[-1] = JointSteps((*last.columns, j), (*last.counts, count), both.astype(np.uint16))
    return found
