"""Cubes of many cells at once: what :mod:`sfumato.statistics.cubes` looks for one cell after the other.

In every cube of a cell a corner changes the same way: its place says whether it goes up or down where the cell goes up.
So how far a corner can still go is one number, which falls as cubes are taken, and those of thousands of cells stand in
one array. Cubes are looked for among few second places on each axis: its total, and the partners of the cell that can
go furthest.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.schema import TOLERANCE
from sfumato.statistics.ledger import OtherTables, SameWay

if TYPE_CHECKING:
    from sfumato.statistics.lattice import CellLattice, Flags, Places, Real

CUBES = 12  # of one cell that are added up: with more, hardly a goal more is reached
SHIFTS = 2  # of the orders of the axes against each other, each of them other cubes
SOME, MOST = 350, 1400  # corners that are looked at for one cell: seven, or eleven, places on each of three axes


def reached_apart(lattice: CellLattice, room: Real, goals: SameWay) -> OtherTables:
    """Other tables for the goals that cubes reach whose second places differ on every axis.

    They have no corner in common but the cell itself, so that how far each of them goes adds up, and nothing has to be
    kept from one to the next. On each axis but the last the partners of a cell are put in the order of how far they can
    go; the first ones make a cube with whatever place of the last axis leaves most room, the second ones another.
    """
    goals = goals.only(hardness(lattice, room, goals) <= 1 + TOLERANCE)
    tables = []
    for shift in range(SHIFTS):
        if not goals.cells.size:
            break
        orders = [_partners(lattice, room, goals, axis) for axis in range(len(lattice.shape) - 1)]
        left, shown = _added_up(lattice, room, goals, orders, shift)
        tables.append(shown)
        goals = goals.only(left)
    return OtherTables.together(goals.ledger, tables)


def _added_up(
    lattice: CellLattice, room: Real, goals: SameWay, orders: list[Places], shift: int
) -> tuple[Places, OtherTables]:
    """Cubes one after the other: which goals they do not reach, and tables for those that they do."""
    import numpy as np

    shape, strides, rooms = lattice.shape, lattice.strides, room.ravel()
    length, stride = shape[-1], strides[-1]
    along = np.arange(length)
    used = along == (goals.cells // stride % length)[:, None]  # places of the last axis: its own, and those taken
    gone = np.zeros(len(goals.cells))
    changed = []
    for number in range(min(CUBES, *(size - 1 for size in shape))):
        rows = np.flatnonzero(gone < goals.needs * (1 - TOLERANCE))
        if not rows.size:
            break
        cells = goals.cells[rows]
        near = [(cells, np.full(len(rows), goals.direction > 0))]  # corners with the place of the cell on the last axis
        for axis, order in enumerate(orders):
            other = order[rows, (number + axis * shift) % (shape[axis] - 1)]
            place = cells // strides[axis] % shape[axis]
            turns = (place < shape[axis] - 1) & (other < shape[axis] - 1)
            near += [(cell + (other - place) * strides[axis], up ^ turns) for cell, up in near]
        place = cells // stride % length
        turn, move = (place < length - 1)[:, None] & (along < length - 1), (along - place[:, None]) * stride
        far = np.where(used[rows], 0.0, (goals.needs - gone)[rows, None])
        for cell, up in near[1:]:
            np.minimum(far, rooms[cell + lattice.cells * up][:, None], out=far)
        for cell, up in near:
            np.minimum(far, rooms[cell[:, None] + move + lattice.cells * (up[:, None] ^ turn)], out=far)
        best = far.argmax(axis=1)
        step = far[np.arange(len(rows)), best]
        goes = np.flatnonzero(step > goals.needs[rows] * TOLERANCE)
        rows, best, step = rows[goes], best[goes], step[goes]
        used[rows, best] = True
        gone[rows] += step
        there, back = move[goes, best], turn[goes, best]
        for corner, (cell, up) in enumerate(near):
            if corner:
                changed.append((rows, cell[goes], np.where(up[goes], step, -step)))
            changed.append((rows, cell[goes] + there, np.where(up[goes] ^ back, step, -step)))
    reached = gone >= goals.needs * (1 - TOLERANCE)
    own = np.arange(len(gone)), goals.cells, gone * goals.direction
    row, cell, change = (np.concatenate(each) for each in zip(own, *changed, strict=True))
    order = np.argsort(row, kind="stable")
    order = order[reached[row[order]]]
    starts = np.searchsorted(row[order], np.flatnonzero(reached))
    return np.flatnonzero(~reached), OtherTables(goals.ledger, starts, cell[order], change[order])


class Advance:
    """How far cubes let each of many cells go, and what they change on the way: an array of corners for each cell.

    On each axis of it the cell itself is at the first place, its partners at the others. The last axis is the cells.
    """

    def __init__(self, lattice: CellLattice, room: Real, goals: SameWay, corners: int) -> None:
        import numpy as np

        self.lattice, self.goals, self.gone = lattice, goals, np.zeros(len(goals.cells))
        axes = len(lattice.shape)
        most = int(corners ** (1 / axes)) - 1
        self.corners = goals.cells
        self.goes_up = np.full(len(goals.cells), goals.direction > 0)
        for axis, (length, stride) in enumerate(zip(lattice.shape, lattice.strides, strict=True)):
            place = goals.cells // stride % length
            other = np.vstack([place, _partners(lattice, room, goals, axis)[:, : min(most, length - 1)].T])
            turns_round = (place < length - 1) & (other < length - 1)
            turns_round[0] = False
            shape = (*(len(other) if a == axis else 1 for a in range(axes)), len(place))
            self.corners = self.corners + ((other - place) * stride).reshape(shape)
            self.goes_up = self.goes_up ^ turns_round.reshape(shape)
        self.used = np.zeros(self.corners.shape)

    def go(self, room: Real, rows: Places | None = None) -> OtherTables:
        """As far as cells can go by such cubes, where every cell can go so far down and up (the rows of `room`).

        Other tables for those that go as far as they must, of all cells or of some `rows`.
        """
        import numpy as np

        asked = rows = np.arange(len(self.gone)) if rows is None else rows
        left = self._room(rows, room)
        while rows.size:
            widest = _folded(left, np.minimum).reshape(-1, len(rows))
            cube = widest.argmax(axis=0)
            step = np.minimum(widest[cube, np.arange(len(rows))], (self.goals.needs - self.gone)[rows])
            moves = np.flatnonzero(step > self.goals.needs[rows] * TOLERANCE)
            corners = self._take(rows[moves], cube[moves], step[moves])
            left.reshape(-1, len(rows))[corners, moves] -= step[moves]
            on = moves[~self._reached(rows[moves])]
            rows, left = rows[on], left[..., on]
        return self._tables(asked[self._reached(asked)])

    def pay(self, rows: Places, room: Real, allowed: Real, cost: Real) -> OtherTables:
        """Take the cube that costs least for the rest of the way of some cells, where there is one: their tables."""
        import numpy as np

        left = (self.goals.needs - self.gone)[rows]
        least = left * (1 - TOLERANCE)
        may = np.where(self._room(rows, allowed) >= least, cost[self.corners[..., rows]], np.inf)
        costs = _folded(np.where(self._room(rows, room) >= least, 0.0, may), np.add).reshape(-1, len(rows))
        cube = costs.argmin(axis=0)
        able = np.flatnonzero(np.isfinite(costs[cube, np.arange(len(rows))]))
        self._take(rows[able], cube[able], left[able])
        return self._tables(rows[able])

    def _tables(self, rows: Places) -> OtherTables:
        """Other tables for cells that have gone as far as they must."""
        import numpy as np

        used = self.used.reshape(-1, len(self.gone))[:, rows].T
        row, corner = np.nonzero(used)
        place = corner, rows[row]
        changes = np.where(self.goes_up.reshape(-1, len(self.gone))[place], used[row, corner], -used[row, corner])
        cells = self.corners.reshape(-1, len(self.gone))[place]
        return OtherTables(self.goals.ledger, np.searchsorted(row, np.arange(len(used))), cells, changes)

    def _reached(self, rows: Places) -> Flags:
        """Whether cells have gone as far as they must."""
        reached: Flags = self.gone[rows] >= self.goals.needs[rows] * (1 - TOLERANCE)
        return reached

    def _room(self, rows: Places, room: Real) -> Real:
        """How far the corners of some cells can still go."""
        corners, goes_up, used = self.corners[..., rows], self.goes_up[..., rows], self.used[..., rows]
        left: Real = room.ravel()[corners + self.lattice.cells * goes_up] - used
        return left

    def _take(self, rows: Places, cube: Places, step: Real) -> Places:
        """Let cells go by a cube each; the places of its corners, a row for each corner."""
        import numpy as np

        lengths = self.corners.shape[:-1]
        others = np.array(np.unravel_index(cube, tuple(length - 1 for length in lengths))) + 1
        masks = np.array(list(product((0, 1), repeat=len(lengths))))
        weights = np.cumprod([1, *lengths[:0:-1]])[::-1]
        corners: Places = (masks * weights) @ others
        self.used.reshape(-1, len(self.gone))[corners, rows] += step
        self.gone[rows] += step
        return corners


def hardness(lattice: CellLattice, room: Real, goals: SameWay) -> Real:
    """What part each cell needs of all that the others of its worst line can make up for; above 1 no table shows it."""
    import numpy as np

    hard = np.zeros(len(goals.cells))
    for axis in range(len(lattice.shape)):
        with np.errstate(divide="ignore"):
            np.maximum(
                hard, goals.needs / _partners_room(lattice, room, goals, axis).clip(min=0.0).sum(axis=1), out=hard
            )
    return hard


def _partners(lattice: CellLattice, room: Real, goals: SameWay, axis: int) -> Places:
    """The places of an axis in an order for each cell: the total, then those that go furthest; its own comes last."""
    import numpy as np

    far = _partners_room(lattice, room, goals, axis)
    far[:, -1] = np.where(far[:, -1] < 0, -1.0, np.inf)
    return np.argsort(-far, axis=1, kind="stable")


def _partners_room(lattice: CellLattice, room: Real, goals: SameWay, axis: int) -> Real:
    """How far the places of an axis can go where each cell goes its way; -1 for its own."""
    import numpy as np

    length, stride = lattice.shape[axis], lattice.strides[axis]
    place, along = goals.cells[:, None] // stride % length, np.arange(length)
    up = np.where((place == length - 1) | (along == length - 1), 1, -1) == goals.direction
    far: Real = room.ravel()[goals.cells[:, None] + (along - place) * stride + lattice.cells * up]
    far[along == place] = -1.0
    return far


def _folded(corners: Real, fold: Any) -> Real:
    """For every cube the least or the sum of its corners but the cell itself: axes without their first places."""
    axes = corners.ndim - 1
    parts: dict[tuple[int, ...], Any] = {}
    for mask in sorted(list(product((0, 1), repeat=axes))[1:], key=sum):
        here = corners[tuple(slice(1, None) if other else slice(0, 1) for other in mask)]
        parts[mask] = fold(parts[mask], here) if mask in parts else here
        if 0 in mask:  # into the next larger part of the cube, which has one axis more
            larger = (*mask[: mask.index(0)], 1, *mask[mask.index(0) + 1 :])
            parts[larger] = fold(parts[larger], parts[mask]) if larger in parts else parts[mask]
    folded: Real = parts[(1,) * axes]
    return folded
