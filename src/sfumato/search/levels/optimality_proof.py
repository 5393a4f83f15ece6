"""The optimality proof: a lattice that is ruled out box by box, until the best node is left.

This is branch and bound (Land, Doig 1960. An automatic method of solving discrete programming problems. Econometrica
28, 497-520) over the lattice of levels. A *box* is every combination between a lowest and a highest level of each
column. One look at its highest node says much about all of it:

- A record that is suppressed there because its class is too small is suppressed at every node of the box, where classes
  are smaller still. If these are too many, no node of the box will do.
- Every node costs at least what its lowest levels cost the records that may be kept, and what the others cost
  suppressed. If that is not below the best score known, no node of the box is better.
- If that holds already for all nodes of the box that keep the highest level of one column, this level is cut off.

Where a node also bounds what is above it (`Scorer.bound_above`), a look at the lowest node of a box may rule out all of
it: one is taken where that is likely (`Reach`).

A box that survives is split in two: the nodes that keep the highest level of one column, about which the look taken
says all there is to say, and those that do not, which need another look. Each look refines the classes of the one
before by the columns that came down, and every node looked at is a candidate itself, so that a good score is known
early. What is open when the search is stopped bounds what a better node could score: every node was looked at, or is in
an open box, or was in a box that was ruled out, where none scores less than the best.

The first point is the pruning of ARX too (predictive tagging: Kohlmayer, Prasser, Eckert, Kemper, Kuhn 2012. Flash:
efficient, stable and optimal k-anonymity. PASSAT, 708-717), which marks nodes one by one; a box is marked as a whole,
and needs no memory of the size of the lattice. Why the bounds hold is written at each scorer (`Scorer.bound`).
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from operator import le

from sfumato.privacy.coded.lattice import Lattice, Node
from sfumato.search.levels.examined_nodes import ExaminedNodes
from sfumato.search.levels.open_boxes import LatticeBox, OpenBoxes
from sfumato.search.levels.reach import Reach
from sfumato.search.scoring.by_column import ColumnScorer
from sfumato.search.scoring.objective_interface import NodeState

# Rows are rolled up in boxes of so many nodes: in smaller ones there are too few looks left that get quicker by it.
# What other values gave stands in docs/explanation/optimal-search.md.
ROLLED = 48
ROLLED_BY_COLUMN = 3000  # the same for objectives by column, which rule out more with each look
# Rows from which on a table is large. Those of a large one are not rolled up for objectives by column, nor for those
# that are bounded from below: a roll-up takes as long as several looks. For 95,407 donors and NumPy, in times one
# lexsort: the entropy 13.2 with roll-ups and 8.6 without, the loss 6.5 and 3.1, the class size 44 and 37. And columns
# are tried by themselves, where boxes are not split in the middle: 139 looks for the loss of the donors, 100 without,
# in the same time. The number of rows is chosen between the donors and the 19,502 of the census.
RAISED = 50_000
DOUBTFUL = 0.5  # a share of what may be suppressed
WORTH_ROLLING = 5  # one in so many rows has to become one with another; 20 is as good on the census, 2 takes longer


class OptimalityProof:
    """What of a lattice is not ruled out yet."""

    def __init__(self, nodes: ExaminedNodes, *, in_turn: bool = False) -> None:
        self.nodes, self.lattice, self.scorer = nodes, nodes.lattice, nodes.scorer
        # Where all may be suppressed, no level is too low; and a search that may not come to an end has better use for
        # its looks, as there are many columns.
        task = nodes.task
        large = task.table.rows >= RAISED
        raised = large and task.limit < task.table.total and not in_turn and not self.scorer.halved
        self.doubtful = task.limit * DOUBTFUL if raised else inf
        self.reach = Reach(task.table.label_bits) if self.scorer.bounds_above else None
        # Rows that lie in an engine take no memory here, however many boxes are open.
        rows = task.table.rows if nodes.in_memory else 0
        self.boxes = OpenBoxes(rows, task.table.width, in_turn=in_turn, forgetful=in_turn or nodes.relaxed)
        self.boxes.add(LatticeBox(self.lattice.lowest, self.lattice.highest))
        self.worth_rolling: float = inf if self.scorer.bounds_above and large else ROLLED
        if isinstance(self.scorer, ColumnScorer):
            # Where all boxes are large, four of five roll-ups are in vain: 24 columns, 30,000 people and 15 s of CPU
            # are 3,300 looks with them and 5,700 without, and a gap of 35 and of 29 %.
            self.worth_rolling = inf if in_turn or large or not nodes.in_memory else ROLLED_BY_COLUMN

    def begin(self) -> bool:
        """Look at the highest node; false where no node at all will do."""
        self.step()
        return not self.complete

    def go_on(self) -> None:
        """Rule out boxes until none is left, or until no more may be looked at."""
        while not self.complete and not self.nodes.spent:
            self.step()

    def step(self) -> None:
        """Rule out the box that is next, or put its parts in its place."""
        for part in self._parts(self.boxes.take()):
            self.boxes.add(part)
        self.boxes.current = None

    def bound_again(self) -> None:
        """Bound the open boxes anew, after more became known about what columns cost."""
        self.boxes.change(self._bounded)

    def _bounded(self, box: LatticeBox) -> LatticeBox:
        if box.state is None:
            return replace(box, bound=max(box.bound, self.scorer.proved_least))
        return self._box(box.lows, box.state, box.bound, box.lost)

    def narrow(self, lattice: Lattice) -> None:
        """Leave out of the open boxes what is below the lowest levels of a lattice: it is ruled out otherwise."""
        self.boxes.change(lambda box: self._within(box, lattice.lowest))

    def _within(self, box: LatticeBox, lowest: Node) -> LatticeBox | None:
        lows = tuple(map(max, box.lows, lowest))
        if lows == box.lows:
            return box
        if any(low > high for low, high in zip(lows, box.highs, strict=True)):
            return None
        return self._box(lows, box.state, box.bound, box.lost) if box.state else replace(box, lows=lows)

    @property
    def complete(self) -> bool:
        """Whether nothing is left."""
        return not self.boxes.waiting and self.boxes.current is None

    @property
    def bound(self) -> float:
        """What no node scores below, as far as is known."""
        lowest = min((box.bound for box in self.boxes.open()), default=inf)
        return min(max(lowest, self.scorer.least), self.nodes.score)

    @property
    def left(self) -> int:
        """How many nodes are not ruled out."""
        return sum(box.size for box in self.boxes.open() if not self.nodes.hopeless(box.bound, box.lows))

    def _parts(self, box: LatticeBox) -> list[LatticeBox]:
        """What is left of a box, in parts; the last leads furthest."""
        if self.nodes.hopeless(box.bound, box.lows):
            return []
        state = box.state
        if state is None:
            state = self._again(box)
            return [self._box(box.lows, state, box.bound, box.lost)] if state else []
        highs = self._trimmed(box, state)
        if highs != box.highs:
            return self._below(box, state, highs)
        box, below = self._raised(box, state)
        if highs == box.lows or self.nodes.hopeless(box.bound, box.lows):
            return []
        state = box.state or state
        if self.reach and self._within_reach(self.reach, box, state):
            self.nodes.examine(box.lows, state)
            left = self._trimmed(box, state)
            self.reach.learn(ruled_out=left is None)
            if left != highs:
                return self._below(box, state, left)
        promises = self.scorer.promises(state, box.lows)
        j = max((j for j, high in enumerate(highs) if high > box.lows[j]), key=promises.__getitem__)
        lower = self.scorer.cut(j, box.lows[j], highs[j])
        seen = below.get(j) if lower == highs[j] - 1 else None
        further = self._below(box, state, (*highs[:j], lower, *highs[j + 1 :]), seen)
        return [self._upper(box, state, j, lower + 1), *further]

    def _within_reach(self, reach: Reach, box: LatticeBox, state: NodeState) -> bool:
        """Whether a look at the lowest node of a box is likely to rule out all of it, and was not taken yet."""
        near = reach.holds(state.bound_above, self.nodes.score, box.lows, box.highs)
        return near and box.lows not in self.nodes.counted

    def _again(self, box: LatticeBox) -> NodeState | None:
        """A look at the highest node of a box of which the classes are not at hand, or never were."""
        if box.bound == -inf:
            return self.nodes.examine(box.highs)
        state = self.nodes.state(box.highs)
        return self.nodes.lighter(state) if state else None

    def _upper(self, box: LatticeBox, state: NodeState, j: int, lowest: int) -> LatticeBox:
        """The part of a box that keeps the highest levels of a column.

        Its highest node is that of the box, so no other look is needed. The bound is computed anew where the lowest
        levels count for it, which are higher now, or where rows were rolled up, of which there are fewer and larger.
        """
        lows = (*box.lows[:j], lowest, *box.lows[j + 1 :])
        rolled = self._rolled(state, lows) if box.size >= self.worth_rolling else None
        if rolled is None and not self.scorer.reads_lows:
            return LatticeBox(lows, box.highs, box.bound, state, box.lost)
        return self._box(lows, rolled or state, box.bound, box.lost)

    def _below(
        self, box: LatticeBox, state: NodeState, highs: Node | None, seen: NodeState | None = None
    ) -> list[LatticeBox]:
        """What is left of a box below a lower highest node, if there is one."""
        lower = self.nodes.examine(highs, state, seen) if highs else None
        return [self._box(box.lows, lower, box.bound, box.lost)] if lower else []

    def _raised(self, box: LatticeBox, state: NodeState) -> tuple[LatticeBox, dict[int, NodeState]]:
        """The box without the lowest levels at which no node will do, and what was seen one level down on the way.

        Where too many records are lost when one column alone comes down to a level, no node of the box has that level
        or a lower one: others only come down as well.
        """
        if self.doubtful == inf:
            return box, {}
        lows, lost, below = list(box.lows), list(box.lost or (inf,) * len(box.lows)), dict[int, NodeState]()
        now = max(state.suppression.fewest_records + state.omitted.records, 1)
        for j, high in enumerate(box.highs):
            if lows[j] < high and lost[j] * now > self.doubtful:
                lows[j], fewest, first = self.nodes.lowest(state, j, lows[j])
                lost[j] = fewest / now
                if first is not None:
                    below[j] = first
        if tuple(lows) == box.lows:
            return replace(box, lost=tuple(lost)), below
        rolled = self._rolled(state, tuple(lows)) if box.size >= self.worth_rolling else None
        return self._box(tuple(lows), rolled or state, box.bound, tuple(lost)), {} if rolled else below

    def _box(self, lows: Node, state: NodeState, bound: float, lost: tuple[float, ...] | None) -> LatticeBox:
        """A part of a box, of which all is true that is true of the box."""
        bound = max(bound, self.scorer.bound(state, lows), self.scorer.least)
        return LatticeBox(lows, state.classes.levels, bound, state, lost)

    def _trimmed(self, box: LatticeBox, state: NodeState) -> Node | None:
        """The highest levels without those that no better node has; None where none of the box is better.

        For all columns at once: a better node has none of these levels, whichever column is looked at first.
        """
        tops = self.scorer.tops(state, box.lows)
        if tops is None:
            return self.nodes.trimmed(box.lows, box.highs)
        highs, lows = list(box.highs), box.lows
        for j, top in enumerate(tops):
            if highs[j] > lows[j] and top >= self.nodes.clearly_better:  # a lower bound is never hopeless
                highs[j] -= self.nodes.hopeless(top, (*lows[:j], highs[j], *lows[j + 1 :]))
        return tuple(highs)

    def _rolled(self, state: NodeState, lows: Node) -> NodeState | None:
        """The same with rows that are one at the lowest levels; None where that does not make them much fewer.

        What was not worth it at some levels is not worth it at lower ones, where fewer rows are one.
        """
        vain, whole = state.classes.table.rolled_in_vain, state.classes.table.origin[1] is None
        if whole and any(all(map(le, lows, levels)) for levels in vain):
            return None
        state = self.nodes.lighter(state, always=True)
        before, rolled = len(state.classes.ids), state.classes.rolled(lows)
        if WORTH_ROLLING * (before - len(rolled.ids)) > before:
            return replace(state, classes=rolled, memo={})
        if whole:
            vain.append(lows)
        return None
