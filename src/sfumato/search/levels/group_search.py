"""The search for what a group of columns costs at the least."""

from __future__ import annotations

from math import inf

from sfumato.privacy.coded.kernels import WORTH_COMPILING
from sfumato.search.levels.compiled_proof import CompiledProof, has_loop, loop_at_hand
from sfumato.search.levels.examined_nodes import ExaminedNodes
from sfumato.search.levels.group_scores import GroupScorer
from sfumato.search.levels.open_boxes import MEMORY
from sfumato.search.levels.optimality_proof import WORTH_ROLLING, OptimalityProof

# Of a box in the loop: the numbers of its rows, of their classes, and their records.
BYTES_PER_ROW = 12


class GroupSearch:
    """A search to its end, the newest box first, by the compiled loop where that is at hand.

    Until it is at its end it says little more than was known before. But the box of the lowest bound next would be one
    of many, whose classes do not all fit into the memory and are computed again: with as many looks in all it took
    three times as long on three people of the census, and no loop could do it.
    """

    def __init__(self, nodes: ExaminedNodes, rows_before: float) -> None:
        """`rows_before`: how many rows were gone through so far; the next group takes about as many again."""
        self.nodes, self.rows_before = nodes, rows_before
        self.proof = OptimalityProof(nodes)
        self._loop: CompiledProof | None = None
        # All boxes are large: roll-ups are in vain, and there are many columns to be tried by themselves.
        self.proof.worth_rolling = self.proof.doubtful = inf

    def go_on(self, looks: float, whole: ExaminedNodes) -> None:
        """Take so many looks, which count for the whole search, and none when that is stopped."""

        def watch() -> None:
            whole.watch()
            self.nodes.stopped = whole.stopped

        before = self.nodes.count
        self.nodes.watch, self.nodes.until = watch, whole.until
        self.nodes.most = before + min(looks, whole.most - whole.count)
        if not before and not self.nodes.spent and self.proof.begin() and self._can_be_compiled():
            self._loop = CompiledProof(self.proof, rolled=inf, worth_rolling=WORTH_ROLLING)
        (self._loop or self.proof).go_on()
        whole.count += self.nodes.count - before

    def _can_be_compiled(self) -> bool:
        """Rows are few and looks many: that the loop is worth loading follows from the rows gone through in all."""
        lattice, rows = self.nodes.lattice, self.nodes.task.table.rows
        boxes = sum(lattice.highest) - sum(lattice.lowest) + 2
        return (
            has_loop(self.nodes)
            and boxes * rows * BYTES_PER_ROW <= MEMORY
            and loop_at_hand(max(rows, WORTH_COMPILING), self.rows_before)
        )

    @property
    def complete(self) -> bool:
        """Whether it is at its end."""
        return self.proof.complete

    @property
    def floor(self) -> float | None:
        """What the group costs at the least, as far as is known; None where nothing keeps to the policy so far."""
        return self.proof.bound if self.nodes.score < inf else None

    def gains(self) -> dict[int, float]:
        """By how much each column costs less than at the top where the group costs least."""
        best, scorer = self.nodes.best, self.nodes.scorer
        if best is None or not isinstance(scorer, GroupScorer):
            return {}
        parts, highest = scorer.parts(best), self.nodes.lattice.highest
        return {j: parts[j][highest[j]] - parts[j][best.classes.levels[j]] for j in scorer.group}
