"""What somebody can work out who sees what is published: the least and the most that a hidden cell can hold."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from sfumato.errors import MissingExtra
from sfumato.statistics.ledger import CLOSE, Goal, Ledger, OtherTable, Problem

if TYPE_CHECKING:
    from sfumato.statistics.lattice import Flags, Places, Real

NODES = 200  # that a search for whole numbers may look at: beyond that a goal counts as not reached


class MarginAttack:
    """Knows every line of a table and what is published of one ledger, and solves for the rest."""

    def __init__(self, problem: Problem, number: int, hidden: Flags) -> None:
        import numpy as np

        self.number, self.ledger = number, problem.ledgers[number]
        self.equations = problem.lattice.equations
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
