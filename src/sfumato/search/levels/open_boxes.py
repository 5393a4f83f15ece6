"""Open boxes: the parts of a lattice that a search has not ruled out yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf, prod

from sfumato.privacy.coded.lattice import Node
from sfumato.search.scoring.objective_interface import NodeState

# Classes of open boxes are forgotten, and computed again when needed, once they could take more than 256 MB: chosen so
# that a search fits beside the table on a small machine, not measured.
MEMORY = 2**28
# Bytes of the classes of one box for each row of the table. On the census and on thirty columns they are 3 to 10 on
# average, as most rows were rolled up or omitted by then, and 66 at the most: 40 errs on the safe side.
PER_ROW = 40
PER_LEAF = 8  # and for each leaf: how many suppressed records hold it
FEWEST = 16  # boxes whose classes are kept in any case, so that a large table does not compute each twice; chosen
# Open boxes from which on only the newest is split, which adds no more than a few for each level that it goes down. A
# box without classes takes about a kilobyte. Chosen, not measured.
MANY = 100_000


@dataclass(frozen=True, eq=False)
class LatticeBox:
    """Every node between a lowest and a highest (an interval of the lattice), with what none of them scores below."""

    lows: Node
    highs: Node
    bound: float = -inf
    state: NodeState | None = None  # of the highest node; None where that has to be looked at
    # By column: how many times as many records are lost where it alone comes down to its lowest level, when last tried.
    lost: tuple[float, ...] | None = None

    @property
    def size(self) -> int:
        """How many nodes it has; a whole number of any size."""
        return prod(high - low + 1 for low, high in zip(self.lows, self.highs, strict=True))


class OpenBoxes:
    """The open nodes of a branch and bound: the newest box comes next (depth first), or in turn the lowest bound.

    The newest leads down to good nodes of the lattice and takes the least memory; the lowest bound is what the gap is
    measured by, which rises only when that box is split.
    """

    def __init__(self, rows: int, leaves: int, *, in_turn: bool, forgetful: bool | None = None) -> None:
        self.in_turn, self.forgetful = in_turn, in_turn if forgetful is None else forgetful
        self.room = max(MEMORY // (PER_ROW * max(rows, 1) + PER_LEAF * leaves), FEWEST)
        self.waiting: dict[int, LatticeBox] = {}
        self.current: LatticeBox | None = None  # which is being split: it is open until its parts are here
        self._numbers, self._held, self._turn = count(), 0, False
        self._by_bound: list[tuple[float, int]] = []

    def add(self, box: LatticeBox) -> None:
        """Keep a box for later."""
        number = next(self._numbers)
        self.waiting[number] = box
        self._held += box.state is not None
        if self.in_turn:
            heappush(self._by_bound, (box.bound, number))
        if self.forgetful and self._held > self.room:
            self._lighten()

    def take(self) -> LatticeBox:
        """The box that is next; it stays open as the current one."""
        self._turn = not self._turn
        lowest = self.in_turn and self._turn and len(self.waiting) < MANY
        number = self._lowest() if lowest else next(reversed(self.waiting))
        self.current = self.waiting[number]
        del self.waiting[number]
        self._held -= self.current.state is not None
        return self.current

    def change(self, changed: Callable[[LatticeBox], LatticeBox | None]) -> None:
        """Put something else in the place of each box that waits; None in the place of one that is ruled out."""
        pairs = [(number, changed(box)) for number, box in self.waiting.items()]
        self.waiting = {number: box for number, box in pairs if box is not None}
        self._held = sum(box.state is not None for box in self.waiting.values())
        self._order()

    def open(self) -> list[LatticeBox]:
        """All that are not ruled out."""
        return [*self.waiting.values(), *([self.current] if self.current else [])]

    def _lowest(self) -> int:
        while self._by_bound[0][1] not in self.waiting:
            heappop(self._by_bound)
        return self._by_bound[0][1]

    def _lighten(self) -> None:
        """Forget the classes of half of the boxes: of those that come last."""
        held = [number for number, box in reversed(self.waiting.items()) if box.state is not None]
        if self.in_turn:
            held.sort(key=lambda number: (self.waiting[number].bound, number))
        for number in held[len(held) // 2 :]:
            self.waiting[number] = replace(self.waiting[number], state=None)
        self._held = len(held) // 2
        self._order()

    def _order(self) -> None:
        self._by_bound = [(box.bound, number) for number, box in self.waiting.items()]
        heapify(self._by_bound)
