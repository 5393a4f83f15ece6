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
        self.levels: Whole = np.zeros((KEPT, columns), dtype=np.int64)
        self.bounds: Real = np.full(KEPT, -np.inf)
        self.count = 0

    def add(self, levels: Node, bound: float) -> None:
        """Remember a node."""
        place = self.count % KEPT
        self.levels[place], self.bounds[place] = levels, bound
        self.count += 1

    def trimmed(
        self, lows: Node, highs: Node, *, promising: float, hopeless: Callable[[float, Node], bool]
    ) -> Node | None:
        """The highest levels of a box without those that no better node has; None where no node of it is better.

        All nodes of a box are above a node that is not above its lowest one. Where it is so but for one column, those
        are that have its level of that column, or a higher one.
        """
        known = np.flatnonzero(self.bounds[: self.count] >= promising)
        higher = self.levels.take(known, axis=0) > np.array(lows)
        by = higher.sum(axis=1)
        left = list(highs)
        for place in np.flatnonzero(by <= 1):
            bound = float(self.bounds[known[place]])
            if not by[place]:
                if hopeless(bound, lows):
                    return None
                continue
            j = int(higher[place].argmax())
            level = int(self.levels[known[place], j])
            if level <= left[j] and hopeless(bound, (*lows[:j], level, *lows[j + 1 :])):
                left[j] = level - 1
        return tuple(left)
