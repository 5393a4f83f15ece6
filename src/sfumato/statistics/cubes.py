r"""Cubes: cells to hide so that others could hold something else, two places on each axis.

Take two places on every axis. Their :math:`2^d` corners can change together and leave every other cell as it is: along
a line, one of two cells goes up and the other down, or, where one is the total, both go the same way. So a cell whose
cube is hidden could hold more by as much as the corners that go down hold, and no line of the table tells. Several
cubes of a cell add up. Every cube that was taken is kept: it is the proof that a table with another number is possible.

References
----------
Repsilber (1994). Preservation of confidentiality in aggregated data. Second International Seminar on Statistical
Confidentiality, Luxembourg.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.progress import Tell, quiet
from sfumato.schema import TOLERANCE
from sfumato.statistics.ledger import Goal, OtherTable, Problem

if TYPE_CHECKING:
    from sfumato.statistics.lattice import Flags, Places, Real

MOST_CUBES = 60  # that are added for one cell before others are hidden: more would take longer than they save
TRIED_AGAIN = 100  # cells that are looked at whether they need be hidden at all: about a second on 9,261 cells
EVERY = slice(None)
ONE_WAY = 1e-7  # what a cube costs that protects in one direction only: less than any cell


@dataclass
class CubeSearch:
    """Cells are hidden one cube after the other, until every goal has a table that shows it."""

    problem: Problem
    hidden: Flags
    shown_by: dict[Goal, OtherTable] = field(default_factory=dict)

    @classmethod
    def of(cls, problem: Problem, tell: Tell = quiet) -> CubeSearch:
        """Every goal reached, and no cell hidden that could be published after all."""
        search = cls(problem, problem.primary.copy())
        goals = sorted(problem.goals(), key=lambda goal: (-goal.direction, -goal.need, goal.ledger, goal.cell))
        for number, goal in enumerate(goals):
            if number % 50 == 0:
                tell("Hiding what would tell of others", number, len(goals))
            if goal not in search.shown_by:
                search._take(goal, search._reach(goal, paid=True))
        search._publish_again(tell)
        return search

    @cached_property
    def rooms(self) -> tuple[_Rooms, ...]:
        """How far the cells of each ledger can go."""
        return tuple(_Rooms(self.problem, number, self.hidden) for number in range(len(self.problem.ledgers)))

    def _hide(self, cells: Places | int, *, hidden: bool = True) -> None:
        """Hide cells, or publish them again."""
        self.hidden[cells] = hidden
        for rooms in self.rooms:
            rooms.look_again(cells)

    @property
    def tables(self) -> tuple[OtherTable, ...]:
        """The tables that show the goals, each once."""
        return tuple({id(table): table for table in self.shown_by.values()}.values())

    def _take(self, goal: Goal, table: OtherTable | None) -> None:
        """Hide what a table changes, and note every goal that it shows; turned round it may show others."""
        import numpy as np

        if table is None:  # where nothing can be computed, nothing is published
            self._hide(np.flatnonzero(~self.problem.fixed & ~self.problem.latent))
            return
        seen = table.cells[~table.fits(self.problem, self.hidden)]
        if len(seen):
            self._hide(seen)
        for each in (table, OtherTable(table.ledger, table.cells, -table.changes)):
            if each.fits(self.problem, self.hidden).all():
                self._note(each)
        self.shown_by[goal] = table

    def _note(self, table: OtherTable) -> None:
        ledger = self.problem.ledgers[table.ledger]
        for cell, change in zip(table.cells.tolist(), table.changes.tolist(), strict=True):
            if not self.problem.primary[cell]:
                continue
            need = ledger.up[cell] if change > 0 else ledger.down[cell]
            goal = Goal(table.ledger, cell, 1 if change > 0 else -1, float(need))
            if need > 0 and abs(change) >= need * (1 - TOLERANCE) and goal not in self.shown_by:
                self.shown_by[goal] = table

    def _reach(self, goal: Goal, *, paid: bool) -> OtherTable | None:
        """A table that shows a goal: by cubes that are hidden already and then, if `paid`, by the cheapest ones."""
        import numpy as np

        changes, left, steps, least = np.zeros(self.problem.lattice.cells), goal.need, 0, goal.need * TOLERANCE
        rooms = self.rooms[goal.ledger]
        reach = _CubeReach(self.problem, rooms, goal)
        while left > least:
            place, room = reach.widest(rooms.free)
            if room <= least or steps >= MOST_CUBES:
                place, room = reach.cheapest(left) if paid else (place, 0.0)
            if room <= least:
                break
            step = min(room, left)
            corners, signs = reach.corners(place)
            changes[corners] += signs * goal.direction * step
            rooms.change(corners, changes[corners])
            left, steps = left - step, steps + 1
        cells = np.flatnonzero(changes)
        rooms.change(cells, 0.0)
        return None if left > least else OtherTable(goal.ledger, cells, changes[cells])

    def _publish_again(self, tell: Tell) -> None:
        """Publish a cell that was hidden for others where they are protected without it, the dearest first."""
        import numpy as np

        problem = self.problem
        others = np.flatnonzero(self.hidden & ~problem.primary)
        order = others[np.lexsort((others, -problem.cost[others]))][:TRIED_AGAIN]
        resting_on: dict[int, set[Goal]] = {cell: set() for cell in order.tolist()}
        for goal, table in self.shown_by.items():
            self._rest(resting_on, goal, table)
        for number, cell in enumerate(order.tolist()):
            tell("Publishing what need not be hidden", number, len(order))
            self._hide(cell, hidden=False)
            lost = [
                goal for goal in sorted(resting_on[cell]) if not self.shown_by[goal].fits(problem, self.hidden).all()
            ]
            again: dict[Goal, OtherTable] = {}
            for goal in lost:
                known = next((each for each in again.values() if each.shows(goal)), None)
                other = known or self._reach(goal, paid=False)
                if other is None:
                    self._hide(cell)
                    break
                again[goal] = other
            else:
                self.shown_by.update(again)
                for goal, table in again.items():
                    self._rest(resting_on, goal, table)

    @staticmethod
    def _rest(resting_on: dict[int, set[Goal]], goal: Goal, table: OtherTable) -> None:
        for cell in table.cells.tolist():
            if cell in resting_on:
                resting_on[cell].add(goal)


class _Rooms:
    """How far each cell of a ledger can go down (the first row) and up (the second one) in another table.

    `free` is what the published cells leave open, `allowed` what they would if every cell that may be hidden were. Both
    are kept as cells are hidden and changed: to work them out anew for each goal took as long as all the rest.
    """

    def __init__(self, problem: Problem, number: int, hidden: Flags) -> None:
        import numpy as np

        self.problem, self.ledger, self.hidden = problem, problem.ledgers[number], hidden
        ledger, fixed = self.ledger, problem.fixed
        self.now = ledger.values.astype(float)
        self.free_low, self.free_high = problem.bounds(ledger, hidden)
        self.low, self.high = np.where(fixed, ledger.low, ledger.floor), np.where(fixed, ledger.high, np.inf)
        self.free, self.allowed = np.empty((2, problem.lattice.cells)), np.empty((2, problem.lattice.cells))
        self._work_out(slice(None))

    def look_again(self, cells: Places | int) -> None:
        """What some cells leave open that have been hidden or published."""
        self.free_low[cells], self.free_high[cells] = self.problem.bounds(self.ledger, self.hidden, cells)
        self._work_out(cells)

    def change(self, cells: Places, changes: Real | float) -> None:
        """Let some cells hold so much more than they do."""
        self.now[cells] = self.ledger.values[cells] + changes
        self._work_out(cells)

    def _work_out(self, cells: Places | int | slice) -> None:
        now = self.now[cells]
        self.free[0, cells], self.free[1, cells] = now - self.free_low[cells], self.free_high[cells] - now
        self.allowed[0, cells], self.allowed[1, cells] = now - self.low[cells], self.high[cells] - now


class _CubeReach:
    """All cubes of one cell at once: arrays with an axis for the second place on each axis of the lattice."""

    def __init__(self, problem: Problem, rooms: _Rooms, goal: Goal) -> None:
        import numpy as np

        self.problem, self.shape, self.goal, self.rooms = problem, problem.lattice.shape, goal, rooms
        self.place = tuple(int(i) for i in np.unravel_index(goal.cell, self.shape))
        self.at_total = tuple(i == length - 1 for i, length in zip(self.place, self.shape, strict=True))
        self.falls = falling_corners(self.shape, self.at_total, goal.direction)
        here = [slice(i, i + 1) for i in self.place]
        self.views = [
            tuple(EVERY if other else own for other, own in zip(mask, here, strict=True))
            for mask, _ in corner_masks(len(self.shape))
        ]

    def widest(self, rooms: Real) -> tuple[int, float]:
        """The cube with the most room, where each cell can go down and up so far, and its room.

        Corners with one place in common with the cell are the same in many cubes: they are looked at once.
        """
        import numpy as np

        down, up = rooms.reshape((2, *self.shape))
        own = self.rooms.allowed[0 if self.goal.direction < 0 else 1, self.goal.cell]
        least: list[Any] = []
        for (mask, parts), view, falls in zip(corner_masks(len(self.shape)), self.views, self.falls, strict=True):
            room = np.where(falls, down[view], up[view])
            for part in parts:
                np.minimum(room, least[part], out=room)
            if not parts:
                np.minimum(room, own, out=room)
                room.flat[self.place[mask.index(True)]] = -1.0  # a cube with one place twice is none
            least.append(room)
        best = int(room.argmax())
        return best, float(room.flat[best])

    def cheapest(self, step: float) -> tuple[int, float]:
        """The cube that costs least of those with room for a step, or else the one with the most room, and its room.

        Of equals it is one that serves the other direction as well.
        """
        import numpy as np

        free, allowed = (rooms.reshape((2, *self.shape)) for rooms in (self.rooms.free, self.rooms.allowed))
        unseen = self.rooms.hidden | self.problem.latent
        costs = np.where(unseen, 0.0, self.problem.cost).reshape(self.shape)
        least, cost = step * (1 - TOLERANCE), np.zeros(self.shape)
        for view, down in zip(self.views, self.falls, strict=True):
            is_free = np.where(down, free[0][view], free[1][view]) >= least
            is_allowed = np.where(down, allowed[0][view], allowed[1][view]) >= least
            back = np.where(down, allowed[1][view], allowed[0][view]) >= least
            cost += np.where(is_free, 0.0, np.where(is_allowed, costs[view], np.inf)) + np.where(back, 0.0, ONE_WAY)
        for axis, place in enumerate(self.place):  # a cube with one place twice is none
            cost[(slice(None),) * axis + (place,)] = np.inf
        best = int(np.argmin(cost))
        return (best, step) if np.isfinite(cost.flat[best]) else self.widest(self.rooms.allowed)

    def corners(self, cube: int) -> tuple[Places, Real]:
        """The cells of a cube, the cell itself first, and how each changes where the cell goes up by one."""
        import numpy as np

        other = np.array(np.unravel_index(cube, self.shape))
        ends = np.array(self.shape) - 1
        masks = np.array([(False,) * len(self.shape), *(mask for mask, _ in corner_masks(len(self.shape)))])
        turns = np.where((other == ends) | np.array(self.at_total), 1.0, -1.0)
        cells: Any = np.ravel_multi_index(tuple(np.where(masks, other, self.place).T), self.shape)
        signs: Real = np.where(masks, turns, 1.0).prod(axis=1)
        return cells, signs


@lru_cache(maxsize=16)
def corner_masks(axes: int) -> tuple[tuple[tuple[bool, ...], tuple[int, ...]], ...]:
    """The corners of a cube but for the cell: on which axes each has the other place, and which others have one less.

    >>> corner_masks(2)
    (((False, True), ()), ((True, False), ()), ((True, True), (0, 1)))
    """
    masks = sorted(list(product((False, True), repeat=axes))[1:], key=sum)
    known = {mask: number for number, mask in enumerate(masks)}
    corners = []
    for mask in masks:
        less = ((*mask[:axis], False, *mask[axis + 1 :]) for axis in range(axes) if mask[axis])
        corners.append((mask, tuple(sorted(known[part] for part in less if part in known))))
    return tuple(corners)


@lru_cache(maxsize=1024)  # needed for every cell that is a total over the same axes
def falling_corners(shape: tuple[int, ...], at_total: tuple[bool, ...], direction: int) -> tuple[Any, ...]:
    """For each of the corners, whether it goes down where the cell goes in a direction."""
    return tuple(corner_signs(shape, at_total, mask) * direction < 0 for mask, _ in corner_masks(len(shape)))


def corner_signs(shape: tuple[int, ...], at_total: tuple[bool, ...], mask: tuple[bool, ...]) -> Any:
    """For the corners of a mask 1 where they change as the cell does, and -1 where they change the other way.

    >>> corner_signs((3,), (False,), (True,)).tolist(), corner_signs((3,), (True,), (True,)).tolist()
    ([-1.0, -1.0, 1.0], [1.0, 1.0, 1.0])
    """
    import numpy as np

    sign = np.ones((1,) * len(shape))
    for axis, (other, total, length) in enumerate(zip(mask, at_total, shape, strict=True)):
        if other:
            along = np.ones(length) if total else np.append(-np.ones(length - 1), 1.0)
            sign = sign * along.reshape([length if a == axis else 1 for a in range(len(shape))])
    return sign
