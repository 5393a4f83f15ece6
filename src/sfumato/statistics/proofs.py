"""Proofs: for every goal a table that shows it."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from sfumato.schema import TOLERANCE
from sfumato.statistics.ledger import CLOSE, Goal, OtherTable, OtherTables, Problem

if TYPE_CHECKING:
    from sfumato.statistics.lattice import Flags, Places

BLOCKS = 20  # of changes, before they are put into one
OPEN, GIVEN_UP = -1, -2  # instead of the number of a table


class Proofs:
    """Other tables, and which of them shows each goal."""

    def __init__(self, problem: Problem) -> None:
        import numpy as np

        self.problem = problem
        self.tables: list[OtherTable] = []
        self.changes: list[Any] = []  # the cells that are changed, by how much, by which tables, of which ledgers
        needs = [(ledger.down, ledger.up) for ledger in problem.ledgers]
        self.needs = np.where(problem.primary, np.array(needs), 0.0)  # by ledger, direction and cell
        self.shown_by = np.where(self.needs > 0, OPEN, GIVEN_UP)

    def copy(self) -> Proofs:
        """The same, which changes by itself."""
        other = copy.copy(self)
        other.tables, other.changes, other.shown_by = list(self.tables), list(self.changes), self.shown_by.copy()
        return other

    def show(self, goal: Goal) -> bool:
        """Whether a goal was shown, or given up."""
        return bool(self.shown_by[goal.ledger, (goal.direction + 1) // 2, goal.cell] != OPEN)

    def give_up(self, goal: Goal) -> None:
        """Ask for a goal no more."""
        self.shown_by[goal.ledger, (goal.direction + 1) // 2, goal.cell] = GIVEN_UP

    def note(self, tables: OtherTables, which: Flags | None = None) -> None:
        """Note what some tables show that nothing has shown so far."""
        import numpy as np

        way, numbers = (tables.changes > 0).astype(np.int64), tables.numbers
        need = self.needs[tables.ledger, way, tables.cells]
        shows = abs(tables.changes) >= need * (1 - TOLERANCE)
        shows &= self.shown_by[tables.ledger, way, tables.cells] == OPEN
        if which is not None:
            shows &= which[numbers]
        kept = np.unique(numbers[shows])
        if not kept.size:
            return
        place = np.full(len(tables), OPEN)
        place[kept] = len(self.tables) + np.arange(len(kept))
        self.shown_by[tables.ledger, way[shows], tables.cells[shows]] = place[numbers[shows]]
        self.tables += tables.one_by_one(kept)
        used = place[numbers] != OPEN
        self.changes.append(
            (tables.cells[used], tables.changes[used], place[numbers[used]], np.full(int(used.sum()), tables.ledger))
        )

    def shown(self, ledger: int, direction: int, cells: Places) -> Flags:
        """For each of some cells, whether its goal was shown, or given up."""
        shown: Flags = self.shown_by[ledger, (direction + 1) // 2, cells] != OPEN
        return shown

    def forget(self, hidden: Flags, cell: int) -> list[Goal]:
        """Forget what tables show that change a cell and no longer fit, now that it is published."""
        import numpy as np

        if len(self.changes) > BLOCKS:
            self.changes = [tuple(map(np.concatenate, zip(*self.changes, strict=True)))]
        low, high = np.array([self.problem.bounds(ledger, hidden, cell) for ledger in self.problem.ledgers]).T
        values = np.array([ledger.values[cell] for ledger in self.problem.ledgers])
        lost = []
        for cells, changes, numbers, ledgers in self.changes:
            here = np.flatnonzero(cells == cell)
            ledger, change = ledgers[here], changes[here]
            new, slack = values[ledger] + change, CLOSE * abs(change)
            lost += numbers[here[(new < low[ledger] - slack) | (new > high[ledger] + slack)]].tolist()
        is_lost = np.zeros(len(self.tables) + 2, dtype=bool)  # two more: for those that no table shows, at its end
        is_lost[lost] = True
        goals = np.argwhere(is_lost[self.shown_by])
        self.shown_by[tuple(goals.T)] = OPEN
        return [
            Goal(ledger, at, 1 if way else -1, float(self.needs[ledger, way, at])) for ledger, way, at in goals.tolist()
        ]

    def in_use(self) -> tuple[OtherTable, ...]:
        """The tables that show a goal, each once."""
        import numpy as np

        numbers = np.unique(self.shown_by)
        return tuple(self.tables[number] for number in numbers[numbers >= 0].tolist())
