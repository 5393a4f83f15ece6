"""Reach: how far below the highest node of a box its lowest one may lie, so that a look there rules out all of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sfumato.privacy.coded.lattice import Node

# A bit more that labels say takes so many sixteenths of a bit from what a node says of those above it: these at first,
# between these ends, and more after a look in vain than fewer after one that ruled a box out, so that two of three do.
# On eight tables (decision 0086) 1 or 3 more after a look in vain, and 16 at first, take as many looks within 2 %.
PARTS = 16
FIRST, LEAST, MOST = 12, 6, 32  # chosen on those tables, as all three
IN_VAIN = 2  # chosen likewise


class Reach:
    """What looks at the lowest nodes of boxes have taught of how quickly bounds fall.

    A node bounds all that are above it (`Scorer.bound_above`): so a look at the lowest node of a box may rule out the
    whole box, as one at its highest node does where too much is lost there. Most such looks would be in vain. But the
    bound of the highest node is known, and going down it falls about as labels say more. Each look tells how quickly.
    """

    def __init__(self, bits: Sequence[Sequence[float]]) -> None:
        parts = np.arange(MOST + 1) / PARTS
        # By part, column and level. Powers are taken once, and multiplied then: a compiled loop comes to the same.
        self.factors = [[(2.0 ** (part * np.array(own))).tolist() for own in bits] for part in parts]
        self.parts = FIRST

    def holds(self, bound: float, score: float, lows: Node, highs: Node) -> bool:
        """Whether nodes above `lows` are likely to score no less than that, where those above `highs` have a bound."""
        for own, low, high in zip(self.factors[self.parts], lows, highs, strict=True):
            bound *= own[high]
            score *= own[low]
        return bound >= score

    def learn(self, *, ruled_out: bool) -> None:
        """What came of a look at the lowest node of a box."""
        self.parts = max(self.parts - 1, LEAST) if ruled_out else min(self.parts + IN_VAIN, MOST)
