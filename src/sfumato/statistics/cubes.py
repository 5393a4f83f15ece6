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

from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.progress import Tell, quiet
from sfumato.schema import TOLERANCE
from sfumato.statistics.ledger import Goal, OtherTable, OtherTables, Problem, SameWay
from sfumato.statistics.many_cubes import MOST, SOME, Advance, hardness, reached_apart
from sfumato.statistics.proofs import Proofs

if TYPE_CHECKING:
    from sfumato.statistics.lattice import Flags, Places, Real

MOST_CUBES = 60  # that are added for one cell before others are hidden: more would take longer than they save
TOGETHER = 32  # goals from which on they are looked at together: fewer are quicker one by one
# Where more goals than MANY are left, more is hidden for up to AT_ONCE of them at the same time, until ENOUGH are left:
# for these the cheapest cube of all is looked for. Of 20 x 20 x 20 cells with one person each 8,935 are hidden so, and
# 8,790 one by one, which takes eight times as long; with 64 at once no fewer.
MANY, AT_ONCE, ENOUGH = 1500, 256, 200
CORNERS = 100_000  # in one array: what fits into the cache of a processor
TRIED_AGAIN = 100  # cells that are looked at whether they need be hidden at all,
SHOWN_AGAIN = 1000  # and goals that have to be shown anew for them
EVERY = slice(None)
ONE_WAY = 1e-7  # what a cube costs that protects in one direction only: less than any cell


class CubeSearch:
    """Cells are hidden one cube after the other, until every goal has a table that shows it."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.hidden, self.proofs = problem, problem.primary.copy(), Proofs(problem)
        self.rooms = tuple(_Rooms(problem, number, self.hidden) for number in range(len(problem.ledgers)))

    @classmethod
    def of(cls, problem: Problem, tell: Tell = quiet) -> CubeSearch:
        """Every goal reached, and no cell hidden that could be published after all."""
        search = cls(problem)
        left: list[Goal] = []
        for direction, number in product((1, -1), range(len(problem.ledgers))):
            goals = search._shown_together(problem.goals_of(number, direction))
            if len(goals.cells) > MANY:
                search._pay_together(goals, tell)
            left += search._shown_with(goals, MOST).one_by_one()
        for number, goal in enumerate(
            sorted(left, key=lambda goal: (-goal.direction, -goal.need, goal.ledger, goal.cell))
        ):
            if number % 50 == 0:
                tell("Hiding what would tell of others", number, len(left))
            if not search.proofs.show(goal):
                search._pay(goal)
        search._publish_again(tell)
        return search

    @property
    def tables(self) -> tuple[OtherTable, ...]:
        """The tables that show the goals, each once."""
        return self.proofs.in_use()

    def _hide(self, cells: Places | int, *, hidden: bool = True) -> None:
        """Hide cells, or publish them again."""
        self.hidden[cells] = hidden
        for rooms in self.rooms:
            rooms.look_again(cells)

    def _shown_together(self, goals: SameWay) -> SameWay:
        """Show many goals at once by cubes that are hidden already, with no corner in common; those that are left."""
        goals = self._open(goals)
        if len(goals.cells) >= TOGETHER:
            self._note(reached_apart(self.problem.lattice, self.rooms[goals.ledger].free, goals))
        return self._open(goals)

    def _shown_with(self, goals: SameWay, corners: int) -> SameWay:
        """The same with so many corners for each cell, which may be in several cubes."""
        goals, room = self._open(goals), self.rooms[goals.ledger].free
        size = max(TOGETHER, CORNERS // corners)
        for start in range(0, len(goals.cells) if len(goals.cells) >= TOGETHER else 0, size):
            advance = Advance(self.problem.lattice, room, goals.only(slice(start, start + size)), corners)
            self._note(advance.go(room))
        return self._open(goals)

    def _open(self, goals: SameWay) -> SameWay:
        """Those that nothing has shown so far."""
        return goals.only(~self.proofs.shown(goals.ledger, goals.direction, goals.cells))

    def _pay_together(self, goals: SameWay, tell: Tell) -> None:
        """Hide more for very many goals, until few are left.

        It is hidden for some of them that have no line in common: first for few, since what is hidden for one helps
        others, then for ever more. Once they are many, all others are looked at again after each time.
        """
        import numpy as np

        def still_open(some: Places) -> Places:
            return some[~self.proofs.shown(goals.ledger, goals.direction, goals.cells[some])]

        rooms, at_once = self.rooms[goals.ledger], 2
        advance, rows = Advance(self.problem.lattice, rooms.free, goals, SOME), np.arange(len(goals.cells))
        while len(rows) >= ENOUGH:
            tell("Hiding what would tell of others", len(goals.cells) - len(rows), len(goals.cells))
            chosen = rows[self._apart(goals.cells[rows], at_once)]
            self._note(advance.go(rooms.free, rows if at_once == AT_ONCE else chosen))
            chosen = still_open(chosen)
            if len(chosen):
                cost = np.where(self.hidden | self.problem.latent, 0.0, self.problem.cost)
                tables = advance.pay(chosen, rooms.free, rooms.allowed, cost)
                self._hide(np.unique(tables.cells[~tables.fits(self.problem, self.hidden)]))
                self._note(tables)
            rows = still_open(
                np.setdiff1d(rows, chosen)
            )  # for those without such a cube the cheapest is looked for later
            at_once = min(2 * at_once, AT_ONCE)

    def _apart(self, cells: Places, number: int) -> Places:
        """The first so many of some cells that have no line in common, by their place among these."""
        import numpy as np

        lines, seen, rows = self.problem.lattice.line_of[:, cells].T.tolist(), set[int](), list[int]()
        for row, own in enumerate(lines):
            if len(rows) == number:
                break
            if seen.isdisjoint(own):
                rows.append(row)
                seen.update(own)
        return np.array(rows)

    def _pay(self, goal: Goal) -> None:
        """Hide what a table changes that shows a goal, and note every goal that it shows."""
        import numpy as np

        problem = self.problem
        table = self._reach(goal, paid=True)
        if table is None:  # where nothing can be computed, nothing is published
            self._hide(np.flatnonzero(~problem.fixed & ~problem.latent))
            self.proofs.give_up(goal)
            return
        seen = table.cells[~table.fits(problem, self.hidden)]
        if len(seen):
            self._hide(seen)
        self._note(OtherTables.together(goal.ledger, [table]))

    def _note(self, tables: OtherTables) -> None:
        """Note what tables show that fit what is published; turned round they may show others."""
        self.proofs.note(tables)
        back = tables.turned_round()
        self.proofs.note(back, back.fit(self.problem, self.hidden))

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
        again = 0
        for number, cell in enumerate(order.tolist()):
            if again > SHOWN_AGAIN:
                break
            tell("Publishing what need not be hidden", number, len(order))
            self._hide(cell, hidden=False)
            before = self.proofs.copy()
            lost = self.proofs.forget(self.hidden, cell)
            again += len(lost) if len(lost) <= SHOWN_AGAIN else 0
            if len(lost) > SHOWN_AGAIN or not self._all_shown_again(lost):
                self.proofs = before
                self._hide(cell)

    def _all_shown_again(self, lost: list[Goal]) -> bool:
        """Whether cubes that are hidden already show some goals: the hardest first, since mostly it says no."""
        import numpy as np

        left: list[tuple[float, Goal]] = []
        groups = {}
        for key in {(goal.ledger, goal.direction) for goal in lost}:
            alike = [goal for goal in lost if (goal.ledger, goal.direction) == key]
            same = SameWay(*key, np.array([goal.cell for goal in alike]), np.array([goal.need for goal in alike]))
            hard = hardness(self.problem.lattice, self.rooms[same.ledger].free, same)
            if (hard > 1 + TOLERANCE).any():
                return False
            order = np.argsort(-hard, kind="stable")
            groups[key] = same.only(order)
            left.append((-float(hard.max()), next(groups[key].only(slice(0, 1)).one_by_one())))
        if not self._shown_one_by_one([goal for _, goal in sorted(left)]):
            return False
        return all(
            self._shown_one_by_one(self._shown_with(self._shown_together(groups[key]), MOST).one_by_one())
            for key in sorted(groups)
        )

    def _shown_one_by_one(self, goals: Iterable[Goal]) -> bool:
        """Whether cubes that are hidden already show a few goals."""
        for goal in goals:
            if not self.proofs.show(goal):
                table = self._reach(goal, paid=False)
                if table is None:
                    return False
                self._note(OtherTables.together(goal.ledger, [table]))
        return True


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
