"""Proof: a lattice that is ruled out box by box, until the best node is left.

A *box* is every combination between a lowest and a highest level of each column. One look at its highest node says
much about all of it:

- A record that is suppressed there because its class is too small is suppressed at every node of the box, where classes
  are smaller still. If these are too many, no node of the box will do.
- Every node costs at least what its lowest levels cost the records that may be kept, and what the others cost
  suppressed. If that is not below the best score known, no node of the box is better.
- If that holds already for all nodes of the box that keep the highest level of one column, this level is cut off.

A box that survives is split in two: the nodes that keep the highest level of one column, about which the look taken
says all there is to say, and those that do not, which need another look. Each look refines the classes of the one
before by the columns that came down, and every node looked at is a candidate itself, so that a good score is known
early. What is open when the search is stopped bounds what a better node could score.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from sfumato.privacy.coded.lattice import Node, moved
from sfumato.search.levels.examined_nodes import Looks
from sfumato.search.levels.open_boxes import Box, Boxes
from sfumato.search.scoring.by_column import ColumnScorer
from sfumato.search.scoring.objective_interface import State

ROLLED = 48  # nodes of a box from which on its rows are rolled up
ROLLED_BY_COLUMN = 700  # the same for objectives that need fewer looks


class Proof:
    """What of a lattice is not ruled out yet."""

    def __init__(self, looks: Looks, *, in_turn: bool = False) -> None:
        self.looks, self.lattice, self.scorer = looks, looks.lattice, looks.scorer
        self.boxes = Boxes(looks.task.table.rows, in_turn=in_turn)
        self.boxes.add(Box(self.lattice.lowest, self.lattice.highest))

    def begin(self) -> bool:
        """Look at the highest node; false where no node at all will do."""
        self._next()
        return not self.complete

    def go_on(self) -> None:
        """Rule out boxes until none is left, or until no more may be looked at."""
        while not self.complete and not self.looks.spent:
            self._next()

    def look_again(self) -> None:
        """Bound the open boxes anew, after more became known about what columns cost."""
        for number, box in self.boxes.waiting.items():
            if box.state is not None:
                self.boxes.waiting[number] = self._box(box.lows, box.state, box.bound)

    @property
    def complete(self) -> bool:
        """Whether nothing is left."""
        return not self.boxes.waiting and self.boxes.hand is None

    @property
    def bound(self) -> float:
        """What no node scores below, as far as is known."""
        lowest = min((box.bound for box in self.boxes.open()), default=inf)
        return min(max(lowest, self.scorer.least), self.looks.score)

    @property
    def left(self) -> int:
        """How many nodes are not ruled out."""
        return sum(box.size for box in self.boxes.open() if not self.looks.hopeless(box.bound, box.lows))

    def _next(self) -> None:
        for part in self._parts(self.boxes.take()):
            self.boxes.add(part)
        self.boxes.hand = None

    def _parts(self, box: Box) -> list[Box]:
        """What is left of a box, in parts; the last leads furthest."""
        if self.looks.hopeless(box.bound, box.lows):
            return []
        state = box.state
        if state is None:
            state = self._again(box)
            return [self._box(box.lows, state, box.bound)] if state else []
        highs = self._trimmed(box, state)
        if highs != box.highs:
            return self._below(box, state, highs)
        if highs == box.lows:
            return []
        j = max((j for j, high in enumerate(highs) if high > box.lows[j]), key=lambda j: self.scorer.gain(state, j))
        return [self._upper(box, state, j), *self._below(box, state, moved(highs, j, -1))]

    def _again(self, box: Box) -> State | None:
        """A look at the highest node of a box of which the classes are not at hand, or never were."""
        if box.bound == -inf:
            return self.looks.at(box.highs)
        state = self.looks.state(box.highs)
        return self.looks.lighter(state) if state else None

    def _upper(self, box: Box, state: State, j: int) -> Box:
        """The part of a box that keeps the highest level of a column."""
        lows, rolled = (*box.lows[:j], box.highs[j], *box.lows[j + 1 :]), state
        if box.size >= (ROLLED_BY_COLUMN if isinstance(self.scorer, ColumnScorer) else ROLLED):
            rolled = _rolled(state, lows)
        if rolled is state and not self.scorer.reads_lows:
            return Box(lows, box.highs, box.bound, state)
        return self._box(lows, rolled, box.bound)

    def _below(self, box: Box, state: State, highs: Node) -> list[Box]:
        """What is left of a box below a lower highest node."""
        found = self.looks.at(highs, state)
        return [self._box(box.lows, found, box.bound)] if found else []

    def _box(self, lows: Node, state: State, bound: float) -> Box:
        return Box(lows, state.grouped.levels, max(bound, self.scorer.bound(state, lows), self.scorer.least), state)

    def _trimmed(self, box: Box, state: State) -> Node:
        """The highest levels without those that no better node has."""
        tops = self.scorer.tops(state, box.lows)
        if tops is None:
            return box.highs
        return tuple(
            high - (high > low and self.looks.hopeless(top, (*box.lows[:j], high, *box.lows[j + 1 :])))
            for j, (low, high, top) in enumerate(zip(box.lows, box.highs, tops, strict=True))
        )


def _rolled(state: State, lows: Node) -> State:
    """The same with rows that are one at the lowest levels, where that makes them fewer by a good deal."""
    grouped = state.grouped.rolled(lows)
    return replace(state, grouped=grouped, held={}) if len(grouped.ids) * 5 < len(state.grouped.ids) * 4 else state
