"""What somebody can work out who sees what is published: the least and the most that a hidden cell can hold."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from sfumato.errors import MissingExtra
from sfumato.progress import Tell, quiet
from sfumato.statistics.ledger import CLOSE, Goal, Ledger, OtherTable, Problem

if TYPE_CHECKING:
    from sfumato.statistics.lattice import Flags, Places, Real

JOINT_TRIES = 2  # that a cell has to go as far as its lines let it in a table with others, before it goes alone
MOST_PASSES = 20  # over all lines: mostly three are enough, and any number gives bounds that hold
NODES = 200  # that a search for whole numbers may look at: beyond that a goal counts as not reached


class MarginAttack:
    """Knows every line of a table and what is published of one ledger, and solves for the rest."""

    def __init__(self, problem: Problem, number: int, hidden: Flags) -> None:
        import numpy as np

        self.number, self.ledger = number, problem.ledgers[number]
        self.lattice, self.equations = problem.lattice, problem.lattice.equations
        low, high = problem.bounds(self.ledger, hidden)
        self.low, self.high = low - self.ledger.values, high - self.ledger.values
        self.unknown: Places = np.flatnonzero(self.high - self.low > 0)

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        """Which unknown cells have to do with each other, by the lines: a number for each, by place among all cells."""
        import numpy as np
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import connected_components

        among = self.equations[:, self.unknown]
        lines = csr_matrix((np.ones_like(among.data), among.indices, among.indptr), among.shape)
        _, part = connected_components(lines.T @ lines, directed=False)
        return among, part

    def _system(self, cell: int) -> tuple[Places, Any]:
        """The unknown cells that have to do with a cell, and the lines that they are in."""
        import numpy as np

        among, part = self._parts
        own = part == part[np.searchsorted(self.unknown, cell)]
        lines = among[:, own]
        return self.unknown[own], lines[np.diff(lines.indptr) > 0]

    def furthest(self, cell: int, direction: int, most: float = float("inf")) -> tuple[float, Real]:
        """How much more (direction 1) or less (-1) a cell can hold, up to `most`; and the price of each line.

        By linear programming (HiGHS), over all tables that look the same. The prices prove that no table goes further.
        """
        import numpy as np

        optimise = solver()
        cells, lines = self._system(cell)
        bounds = np.column_stack([self.low[cells], self.high[cells]])
        own = int(np.searchsorted(cells, cell))
        bounds[own] = max(bounds[own, 0], -most), min(bounds[own, 1], most)
        aim = np.zeros(len(cells))
        aim[own] = -direction
        solved = optimise.linprog(aim, A_eq=lines, b_eq=np.zeros(lines.shape[0]), bounds=bounds, method="highs")
        if solved.status == 3:  # unbounded: nothing that is published bears on the cell
            return float("inf"), np.zeros(self.equations.shape[0])
        if solved.x is None:
            return 0.0, np.zeros(self.equations.shape[0])
        among, _ = self._parts
        touched = np.flatnonzero(np.diff(among[:, np.isin(self.unknown, cells)].indptr) > 0)
        prices = np.zeros(self.equations.shape[0])
        prices[touched] = -solved.eqlin.marginals
        return float(-solved.fun), prices

    def other_table(self, goal: Goal) -> OtherTable | None:
        """A table that shows a goal, in whole numbers where the ledger has them; None where none was found."""
        import numpy as np

        optimise = solver()
        cells, lines = self._system(goal.cell)
        low, high = self.low[cells].copy(), self.high[cells].copy()
        own = int(np.searchsorted(cells, goal.cell))
        if goal.need > (high[own] if goal.direction > 0 else -low[own]) * (1 + CLOSE):
            return None
        low[own] = high[own] = goal.direction * goal.need
        solved = optimise.milp(
            np.zeros(len(cells)),
            constraints=optimise.LinearConstraint(lines, 0, 0),
            bounds=optimise.Bounds(low, high),
            integrality=np.full(len(cells), int(self.ledger.whole)),
            options={"node_limit": NODES},
        )
        if solved.x is None:
            return None
        changes = np.round(solved.x) if self.ledger.whole else solved.x
        differs = np.abs(changes) > 0
        return OtherTable(self.number, cells[differs], changes[differs])

    def interval(self, cell: int) -> tuple[float, float]:
        """The least and the most that a cell can hold; whole numbers where the ledger has them."""
        value = float(self.ledger.values[cell])
        low, high = value - self.furthest(cell, -1)[0], value + self.furthest(cell, 1)[0]
        return (_up(low), _down(high)) if self.ledger.whole else (low, high)

    def intervals(self, low: Real, high: Real, tell: Tell = quiet) -> tuple[Real, Real]:
        """The least and the most that every unknown cell can hold, where `low` and `high` are known to be possible.

        Most cells can go as far as the lines of the cell alone let them. That is worked out without a solver, and shown
        by tables in which many cells that have no line in common go as far as they can at the same time. Only for what
        is left a linear programme is solved for each cell.
        """
        import numpy as np

        cells = self.unknown
        value = self.ledger.values[cells]
        reached = np.stack([value - low[cells], high[cells] - value])  # how far down and up there are tables
        most = self._line_bounds()
        close = CLOSE * np.maximum(1.0, np.where(np.isfinite(most), most, 0.0))
        tries = np.where(np.isfinite(most), JOINT_TRIES, 0)
        while True:
            aim = self._apart((tries > 0) & (reached < most - close))
            if not aim.any():
                break
            tries -= np.stack([aim < 0, aim > 0])
            self._solve(aim, reached)
        for way, place in np.argwhere(reached < most - close).tolist():
            tell("Working out what is left open", place, len(cells))
            if reached[way, place] < most[way, place] - close[way, place]:  # no other table has shown it since
                reached[way, place] = self._alone(place, way, reached)
        low, high = low.copy(), high.copy()
        low[cells], high[cells] = value - reached[0], value + reached[1]
        if self.ledger.whole:
            low[cells], high[cells] = np.ceil(low[cells] - CLOSE), np.floor(high[cells] + CLOSE)
        return low, high

    def _line_bounds(self) -> Real:
        """How far down and up each unknown cell can go at the most, by what the others of its lines leave it."""
        import numpy as np

        low, high = self.low.copy(), self.high.copy()
        for _ in range(MOST_PASSES):
            before = low.copy(), high.copy()
            for lines in self.lattice.lines:
                signs = np.append(np.ones(lines.shape[1] - 1), -1.0)  # the cells of a line less their total are nothing
                least, most = (
                    np.where(signs > 0, low[lines], -high[lines]),
                    np.where(signs > 0, high[lines], -low[lines]),
                )
                most, least = np.minimum(most, -_sum_of_others(least)), np.maximum(least, -_sum_of_others(most))
                low[lines], high[lines] = np.where(signs > 0, least, -most), np.where(signs > 0, most, -least)
            if (low == before[0]).all() and (high == before[1]).all():
                break
        return np.stack([-low[self.unknown], high[self.unknown]])

    def _apart(self, wanted: Flags) -> Real:
        """What to aim for of all that is wanted: the first cells that have no line in common, down or up."""
        import numpy as np

        aim, seen = np.zeros(len(self.unknown)), set[int]()
        lines = self.lattice.line_of[:, self.unknown].T.tolist()
        for way, place in sorted(np.argwhere(wanted).tolist(), key=lambda each: (-each[0], each[1])):
            if aim[place] == 0 and seen.isdisjoint(lines[place]):
                aim[place] = 1.0 if way else -1.0
                seen.update(lines[place])
        return aim

    def _solve(self, aim: Real, reached: Real, places: Places | None = None) -> Real | None:
        """A table in which cells go as far as can be towards an aim, noted in what is reached; None where no end is."""
        import numpy as np

        optimise, (among, _) = solver(), self._parts
        places = np.arange(len(self.unknown)) if places is None else places
        lines = among[:, places]
        cells = self.unknown[places]
        solved = optimise.milp(
            -aim[places],
            constraints=optimise.LinearConstraint(lines[np.diff(lines.indptr) > 0], 0, 0),
            bounds=optimise.Bounds(self.low[cells], self.high[cells]),
        )
        if solved.x is None:
            return None
        reached[0, places] = np.maximum(reached[0, places], -solved.x)
        reached[1, places] = np.maximum(reached[1, places], solved.x)
        changes: Real = solved.x
        return changes

    def _alone(self, place: int, way: int, reached: Real) -> float:
        """How far one cell goes by itself."""
        import numpy as np

        _, part = self._parts
        places = np.flatnonzero(part == part[place])
        aim = np.zeros(len(self.unknown))
        aim[place] = 1.0 if way else -1.0
        if self._solve(aim, reached, places) is None:
            return self.furthest(int(self.unknown[place]), 1 if way else -1)[0]
        return float(reached[way, place])


def _sum_of_others(numbers: Real) -> Real:
    """In each row for every number the sum of all others, of which some may have no bound."""
    import numpy as np

    endless = ~np.isfinite(numbers)
    finite = np.where(endless, 0.0, numbers)
    others = finite.sum(axis=1, keepdims=True) - finite
    end = np.where(endless, numbers, 0.0)
    more = endless.sum(axis=1, keepdims=True) > endless  # another one than itself has no bound
    sums: Real = np.where(more, end.sum(axis=1, keepdims=True), others)
    return sums


def _up(number: float) -> float:
    from math import ceil, isfinite

    return float(ceil(number - CLOSE)) if isfinite(number) else number


def _down(number: float) -> float:
    from math import floor, isfinite

    return float(floor(number + CLOSE)) if isfinite(number) else number


def required(ledger: Ledger, cell: int) -> tuple[float, float]:
    """From where to where a cell must at least seem possible."""
    return float(ledger.values[cell] - ledger.down[cell]), float(ledger.values[cell] + ledger.up[cell])


def solver() -> Any:
    """SciPy, in which HiGHS is."""
    try:
        from scipy import optimize
    except ImportError:
        raise MissingExtra("Protecting a table of statistics", "stats") from None
    return optimize
