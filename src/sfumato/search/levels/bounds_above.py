"""Bounds above: what no node above one that was looked at scores below."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.lattice import Node

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole

# Nodes whose bounds are remembered, the newest: each box is compared with all of them. The class size of 95,407 donors
# takes 1,693 to 1,857 looks, and 343 nodes say of their bounds all there is to say. Chosen, not measured.
KEPT = 2048


class BoundsAbove:
    """The nodes that were looked at last, with what no node above each scores below.

    Going up, classes are joined: so a node says something about all nodes above it, whether it will do itself or not
    (`Scorer.bound_above`). A box is searched from its highest node down, and what is found there rules out parts of
    other boxes, which are nowhere near.
    """

    def __init__(self, columns: int) -> None:
        # A line for each column: those of all nodes are compared at once, and added up over columns line by line.
        self.levels: Whole = np.zeros((columns, KEPT), dtype=np.int16)
        self.bounds: Real = np.full(KEPT, -np.inf)
        self.count = 0

    def add(self, levels: Node, bound: float) -> None:
        """Remember a node."""
        place = self.count % KEPT
        self.levels[:, place], self.bounds[place] = levels, bound
        self.count += 1

    def trimmed(
        self, lows: Node, highs: Node, *, promising: float, hopeless: Callable[[float, Node], bool]
    ) -> Node | None:
        """The highest levels of a box without those that no better node has; None where no node of it is better.

        All nodes of a box are above a node that is not above its lowest one. Where it is so but for one column, those
        are that have its level of that column, or a higher one.
        """
        count = min(self.count, KEPT)
        higher = self.levels[:, :count] > np.array(lows, dtype=np.int16)[:, None]
        by = np.add.reduce(higher, axis=0, dtype=np.int16)
        near = ((by <= 1) & (self.bounds[:count] >= promising)).nonzero()[0]
        if not len(near):
            return highs
        left = list(highs)
        column = higher.take(near, axis=1).argmax(axis=0)
        known = zip(
            by.take(near).tolist(), column.tolist(), self.levels[column, near].tolist(),
            self.bounds.take(near).tolist(), strict=True,
        )  # fmt: skip
        for apart, j, level, bound in known:
            if not apart:
                if hopeless(bound, lows):
                    return None
            elif level <= left[j] and hopeless(bound, (*lows[:j], level, *lows[j + 1 :])):
                left[j] = level - 1
        return tuple(left)
