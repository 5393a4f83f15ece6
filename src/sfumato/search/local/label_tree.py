"""Label trees: the nodes of a hierarchy numbered, and the node over any two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.local.counted_tuples import CountedTuples, TreeColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.privacy.coded.arrays import Real, Whole

    Units = NDArray[np.uint16]

# A table of 512 x 512 numbers of 16 bits is half a megabyte, which a processor keeps at hand. From 1 (nothing joined)
# to 1,024 the time on the census is the same, within what two runs differ.
JOINT_NODES = 512
# The table of all pairs has this many rows at most: 8 MB for a column. Chosen, not measured. A column with more nodes
# leaves the partition as it was peeled, which loses 1 to 2 % more on the census and 6 % more on the hospital table.
MOST_NODES = 2000


@dataclass(frozen=True, eq=False)
class LabelTree:
    """The different nodes of a tree, where a node is the set of leaves below it, whatever the level.

    `steps[a, b]` is the weight of the lowest node over a and b in units of 1 / (65535 / columns), rounded down, so that
    sums over the columns are whole numbers of 16 bits.
    """

    column: TreeColumn
    places: Whole  # of each leaf, in an order in which the leaves of every node stand together
    leaf_at: Whole  # the leaf at each place
    leaves: Whole  # the node of each leaf
    nodes: Whole  # by level and leaf
    weights: Real  # of each node
    steps: Units
    unit: float

    @classmethod
    def of_all(cls, tuples: CountedTuples) -> tuple[LabelTree, ...] | None:
        """The trees of all columns; None where one has too many nodes to compare them all."""
        trees = []
        for column in tuples.columns:
            if not isinstance(column, TreeColumn) or sum(map(len, column.labels)) > MOST_NODES:
                return None
            trees.append(cls.of(column, 65535 // len(tuples.columns)))
        return tuple(trees)

    @classmethod
    def of(cls, tree: TreeColumn, scale: int) -> LabelTree:
        """Number the nodes, and find the node over every pair."""
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
        return cls(
            column=tree,
            places=places,
            leaf_at=leaf_at,
            leaves=nodes[0],
            nodes=nodes,
            weights=weights,
            steps=steps,
            unit=1.0 / scale,
        )

    def over(self, low: Whole, high: Whole) -> Whole:
        """The lowest nodes over pairs of places."""
        first = self.leaf_at[low]
        nodes: Whole = self.nodes[self.column.level_over(first, self.leaf_at[high]), first]
        return nodes

    def child(self, node: Whole, leaf: Whole) -> Whole:
        """The node below a node that a leaf under it belongs to; the node itself where it is the leaf."""
        path = self.nodes[:, leaf]
        below = np.maximum((path == node).argmax(axis=0) - 1, 0)
        children: Whole = path[below, np.arange(len(leaf))]
        return children


@dataclass(frozen=True, eq=False)
class JointSteps:
    """The steps of some columns together, so that one look-up does for all of them."""

    columns: tuple[int, ...]
    counts: tuple[int, ...]  # nodes of each
    steps: Units

    def code(self, nodes: Whole) -> Whole:
        """The number of combinations of nodes, which are given by column."""
        codes: Whole = nodes[self.columns[0]]
        for column, count in zip(self.columns[1:], self.counts[1:], strict=True):
            codes = codes * count + nodes[column]
        return codes


def joined(trees: Sequence[LabelTree]) -> list[JointSteps]:
    """The columns, those with few nodes put together."""
    tables: list[JointSteps] = []
    for j in sorted(range(len(trees)), key=lambda j: (len(trees[j].weights), j)):
        own, count = trees[j].steps, len(trees[j].weights)
        last = tables[-1] if tables else None
        if last is None or len(last.steps) * count > JOINT_NODES:
            tables.append(JointSteps((j,), (count,), own))
            continue
        size = len(last.steps) * count
        both = (last.steps[:, None, :, None] + own[None, :, None, :]).reshape(size, size)
        tables[-1] = JointSteps((*last.columns, j), (*last.counts, count), both.astype(np.uint16))
    return tables
