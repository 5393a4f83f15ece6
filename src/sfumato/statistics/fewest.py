r"""The fewest cells: which others to hide so that all goals are reached, and no choice costs less.

A cell is hidden or not: :math:`x_i \in \{0, 1\}`. Whether a choice protects is a question for linear programming, and
where it does not, the prices of the lines are a reason that every other choice must respect. With the price
:math:`\lambda` of each line and :math:`c = e_p - A^{\mathsf T} \lambda`, every table that looks the same has

.. math:: y_p = c \cdot y \le \sum_i (c_i^+ \, u_i + c_i^- \, l_i) \, x_i

where a hidden cell can go up by :math:`u_i` and down by :math:`l_i`. The right side must be at least what is needed.
The reasons are added to the choice until all goals are reached: then no cheaper choice does (Benders' decomposition).

References
----------
Fischetti, Salazar (2001). Solving the cell suppression problem on tabular data with linear constraints. Management
Science 47, 1008-1027.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.progress import Tell, quiet
from sfumato.statistics.attack import MarginAttack, solver
from sfumato.statistics.ledger import CLOSE, Goal, OtherTable, Problem

if TYPE_CHECKING:
    from sfumato.statistics.lattice import Flags, Real

MOST_CELLS = 120  # that may be hidden or not: with more, the choice takes minutes on some tables
MOST_SMALL = 300  # that must be hidden: with more, to look whether each is protected takes minutes
MOST_ROUNDS = 40  # of a choice and its reasons; most tables need fewer than ten
MOST_REASONS = 30  # that are added in one round
NODES = 300  # that a choice may look at. By nodes, not by the clock: the same table gives the same answer


@dataclass
class FewestCells:
    """Reasons so far, and the tables that show what is possible."""

    problem: Problem
    tables: list[OtherTable]
    goals: list[Goal] = field(default_factory=list)
    weights: list[Any] = field(default_factory=list)
    least: list[float] = field(default_factory=list)

    @classmethod
    def of(
        cls, problem: Problem, most: float, tables: Sequence[OtherTable], tell: Tell = quiet
    ) -> tuple[Flags | None, bool, tuple[OtherTable, ...]]:
        """The cheapest choice below `most`, None where there is none; whether that is proved; what is possible."""
        search = cls(problem, list(tables))
        if search.open_cells.sum() > MOST_CELLS or problem.primary.sum() > MOST_SMALL:
            return None, False, tuple(search.tables)
        search.goals = list(problem.goals())
        search._know_lines()
        for number in range(MOST_ROUNDS):
            tell("Looking for the fewest cells", number, MOST_ROUNDS)
            hidden, cost = search._choice()
            if hidden is None:
                return None, False, tuple(search.tables)
            if cost >= most - CLOSE / 2:
                return None, True, tuple(search.tables)
            if not search._reasons(hidden):
                return hidden, True, tuple(search.tables)
        return None, False, tuple(search.tables)

    @property
    def open_cells(self) -> Flags:
        """The cells of which it is to be said whether they are hidden."""
        return ~(self.problem.primary | self.problem.fixed | self.problem.latent)

    def _know_lines(self) -> None:
        """A cell that is alone in its line is known, where numbers are published as they are."""
        import numpy as np

        problem = self.problem
        counts = problem.ledgers[0]
        if (counts.high > counts.low).any():
            return
        for lines in problem.lattice.lines:
            for line in lines[~problem.latent[lines].any(axis=1)]:
                for cell in line[~problem.fixed[line]]:
                    weights = np.zeros(problem.lattice.cells)
                    weights[line] = 1.0
                    weights[cell] = -1.0
                    self._add(weights, 0.0)

    def _add(self, weights: Real, least: float) -> None:
        self.weights.append(weights)
        self.least.append(least)

    def _choice(self) -> tuple[Flags | None, float]:
        """The cheapest choice that respects all reasons."""
        import numpy as np

        optimise, problem = solver(), self.problem
        low = (problem.primary | problem.latent).astype(float)
        high = (~problem.fixed | problem.latent).astype(float)
        cost = np.where(problem.latent, 0.0, problem.cost)
        solved = optimise.milp(
            cost,
            constraints=optimise.LinearConstraint(np.array(self.weights), np.array(self.least), np.inf)
            if self.weights
            else (),
            bounds=optimise.Bounds(low, high),
            integrality=np.ones(problem.lattice.cells),
            options={"node_limit": NODES, "mip_rel_gap": 0.0},
        )
        if solved.status != 0:
            return None, 0.0
        hidden = (solved.x > 0.5) & ~problem.latent
        return hidden, float(cost[hidden].sum())

    def _reasons(self, hidden: Flags) -> bool:
        """Add a reason for each of the first goals that a choice does not reach; False where it reaches all."""
        attacks = [MarginAttack(self.problem, number, hidden) for number in range(len(self.problem.ledgers))]
        possible = [table for table in self.tables if table.fits(self.problem, hidden).all()]
        added = 0
        for goal in self.goals:
            if any(table.shows(goal) for table in possible):
                continue
            table = attacks[goal.ledger].other_table(goal)
            if table is not None:
                self.tables.append(table)
                possible.append(table)
                continue
            self._reason(attacks[goal.ledger], goal, hidden)
            added += 1
            if added == MOST_REASONS:
                break
        return added > 0

    def _reason(self, attack: MarginAttack, goal: Goal, hidden: Flags) -> None:
        """Why a choice does not reach a goal, for every choice: by the prices, or that one more cell must be hidden."""
        import numpy as np

        problem, ledger = self.problem, attack.ledger
        reached, prices = attack.furthest(goal.cell, goal.direction, goal.need)
        one_more = np.where(hidden | ~self.open_cells, 0.0, 1.0)
        if reached >= goal.need * (1 - CLOSE):  # in fractions it can be reached: whole numbers have no prices
            self._add(one_more, 1.0)
            return
        share = -(attack.equations.T @ prices)
        share[goal.cell] += goal.direction
        share[np.abs(share) < 1e-9] = 0.0
        shown = _furthest(share, ledger.low - ledger.values, ledger.high - ledger.values)
        unseen = _furthest(share, ledger.floor - ledger.values, np.inf)
        given = np.where(problem.primary | problem.latent, unseen, shown)
        given[problem.fixed] = shown[problem.fixed]
        left = goal.need - float(given.sum())
        if left <= goal.need * CLOSE:  # the prices are not exact enough to be a reason
            self._add(one_more, 1.0)
            return
        weights = np.where(self.open_cells, np.minimum((unseen - shown) / left, 1.0), 0.0)
        self._add(np.maximum(weights, 0.0), 1.0)


def _furthest(share: Real, low: Real, high: Real | float) -> Real:
    """How much each cell adds at most, between its bounds."""
    import numpy as np

    with np.errstate(invalid="ignore"):
        ends = np.where(share > 0, share * high, np.where(share < 0, share * low, 0.0))
    furthest: Real = np.nan_to_num(ends, nan=0.0, posinf=np.inf)
    return furthest
