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

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.progress import Tell, quiet
from sfumato.schema import TOLERANCE
from sfumato.statistics.ledger import Goal, OtherTable, Problem

if TYPE_CHECKING:
    from sfumato.statistics.lattice import Flags, Places, Real

MOST_CUBES = 60  # that are added for one cell before others are hidden: more would take longer than they save
TRIED_AGAIN = 100  # cells that are looked at whether they need be hidden at all: about a second on 9,261 cells
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

    @property
    def tables(self) -> tuple[OtherTable, ...]:
        """The tables that show the goals, each once."""
        return tuple({id(table): table for table in self.shown_by.values()}.values())

    def _take(self, goal: Goal, table: OtherTable | None) -> None:
        """Hide what a table changes, and note every goal that it shows; turned round it may show others."""
        if table is None:  # where nothing can be computed, nothing is published
            self.hidden |= ~self.problem.fixed & ~self.problem.latent
            return
        self.hidden[table.cells[~table.fits(self.problem, self.hidden)]] = True
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
        while left > least:
            reach = _CubeReach(self.problem, self.hidden, goal, changes)
            place, room = reach.widest(reach.free)
            if room <= least or steps >= MOST_CUBES:
                place, room = reach.cheapest(left) if paid else (place, 0.0)
            if room <= least:
                return None
            step = min(room, left)
            changes[reach.corners(place)] += reach.signs(place) * goal.direction * step
            left, steps = left - step, steps + 1
        cells = np.flatnonzero(changes)
        return OtherTable(goal.ledger, cells, changes[cells])

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
            self.hidden[cell] = False
            lost = [
                goal for goal in sorted(resting_on[cell]) if not self.shown_by[goal].fits(problem, self.hidden).all()
            ]
            again: dict[Goal, OtherTable] = {}
            for goal in lost:
                known = next((each for each in again.values() if each.shows(goal)), None)
                other = known or self._reach(goal, paid=False)
                if other is None:
                    self.hidden[cell] = True
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


class _CubeReach:
    """All cubes of one cell at once: arrays with an axis for the second place on each axis of the lattice."""

    def __init__(self, problem: Problem, hidden: Flags, goal: Goal, changes: Real) -> None:
        import numpy as np

        self.shape, self.goal = problem.lattice.shape, goal
        self.place = np.unravel_index(goal.cell, self.shape)
        ledger, unseen = problem.ledgers[goal.ledger], hidden | problem.latent
        now = ledger.values + changes
        free = problem.bounds(ledger, hidden)
        allowed = np.where(problem.fixed, ledger.low, ledger.floor), np.where(problem.fixed, ledger.high, np.inf)
        self.free = self._room(now, free)
        self.allowed = self._room(now, allowed)
        self.cost = np.where(unseen, 0.0, problem.cost).reshape(self.shape)

    def _room(self, now: Real, bounds: tuple[Real, Real]) -> tuple[Any, Any]:
        """How far each cell can go down and up."""
        return (now - bounds[0]).reshape(self.shape), (bounds[1] - now).reshape(self.shape)

    def _masks(self) -> list[tuple[bool, ...]]:
        return list(product((False, True), repeat=len(self.shape)))[1:]

    def _view(self, mask: Sequence[bool]) -> tuple[slice, ...]:
        return tuple(slice(None) if other else slice(i, i + 1) for other, i in zip(mask, self.place, strict=True))

    def _sign(self, mask: Sequence[bool]) -> Any:
        """1 where a corner changes as the cell does, and -1 where it changes the other way."""
        at_total = tuple(bool(i == length - 1) for i, length in zip(self.place, self.shape, strict=True))
        return corner_signs(self.shape, at_total, tuple(mask))

    def _whole(self, fill: float) -> Any:
        """An array of all cubes; those with one place twice are none."""
        import numpy as np

        return np.full(self.shape, fill)

    def _no_cube(self, array: Any, fill: float) -> Any:
        for axis, place in enumerate(self.place):
            array[(slice(None),) * axis + (place,)] = fill
        return array

    def widest(self, rooms: tuple[Any, Any]) -> tuple[int, float]:
        """The cube with the most room, where each cell can go down and up so far, and its room."""
        import numpy as np

        room = self._whole(self._own())
        for mask in self._masks():
            view, down = self._view(mask), self._sign(mask) * self.goal.direction < 0
            np.minimum(room, np.where(down, rooms[0][view], rooms[1][view]), out=room)
        best = int(np.argmax(self._no_cube(room, -1.0)))
        return best, float(room.flat[best])

    def _own(self) -> float:
        here = self.allowed[0 if self.goal.direction < 0 else 1]
        return float(here[self.place])

    def cheapest(self, step: float) -> tuple[int, float]:
        """The cube that costs least of those with room for a step, or else the one with the most room, and its room.

        Of equals it is one that serves the other direction as well.
        """
        import numpy as np

        least, cost = step * (1 - TOLERANCE), self._whole(0.0)
        for mask in self._masks():
            view, down = self._view(mask), self._sign(mask) * self.goal.direction < 0
            free = np.where(down, self.free[0][view], self.free[1][view]) >= least
            allowed = np.where(down, self.allowed[0][view], self.allowed[1][view]) >= least
            back = np.where(down, self.allowed[1][view], self.allowed[0][view]) >= least
            cost += np.where(free, 0.0, np.where(allowed, self.cost[view], np.inf)) + np.where(back, 0.0, ONE_WAY)
        best = int(np.argmin(self._no_cube(cost, np.inf)))
        return (best, step) if np.isfinite(cost.flat[best]) else self.widest(self.allowed)

    def corners(self, cube: int) -> Places:
        """The cells of a cube, the cell itself first."""
        import numpy as np

        other = np.unravel_index(cube, self.shape)
        masks = [(False,) * len(self.shape), *self._masks()]
        places = [[o if m else i for m, o, i in zip(mask, other, self.place, strict=True)] for mask in masks]
        corners: Places = np.ravel_multi_index(np.array(places).T, self.shape)
        return corners

    def signs(self, cube: int) -> Real:
        """How each of the corners changes where the cell goes up by one."""
        import numpy as np

        other = np.unravel_index(cube, self.shape)
        signs = [1.0]
        for mask in self._masks():
            sign = self._sign(mask)
            signs.append(float(sign[tuple(o if m else 0 for m, o in zip(mask, other, strict=True))]))
        return np.array(signs)


@lru_cache(maxsize=1024)  # a cell of six columns has 64 masks: each is needed for every cell with the same totals
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
