"""Ledgers: one number for every cell, what publishing a cell says of it, and how far off an attacker must stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sfumato.statistics.lattice import CellLattice

if TYPE_CHECKING:
    from sfumato.statistics.lattice import Flags, Places, Real

CLOSE = 1e-6  # of a number that is needed: solvers find numbers to about 1e-7


@dataclass(frozen=True)
class Ledger:
    """One number for every cell, such as the count of persons, that adds up along every line.

    Who sees a published cell knows its number to lie from `low` to `high`; of a hidden one only that it is `floor` or
    more. An attacker must think it possible that a cell holds `up` more than it does, and `down` less.
    """

    name: str
    values: Real
    low: Real
    high: Real
    floor: Real
    up: Real
    down: Real
    whole: bool  # whether an attacker knows that the numbers are whole


class Goal(NamedTuple):
    """That one cell of a ledger could be this much higher (`direction` 1) or lower (-1)."""

    ledger: int
    cell: int
    direction: int
    need: float


@dataclass(frozen=True)
class Problem:
    """Which cells of a lattice must be hidden, and which others may be, at which cost."""

    lattice: CellLattice
    ledgers: tuple[Ledger, ...]
    primary: Flags  # hidden for what they say themselves
    fixed: Flags  # published whatever happens: a zero that is shown, and that everybody may know
    latent: Flags  # in none of the tables: never published, and nothing lost by that
    cost: Real  # of hiding a cell

    def goals(self) -> Iterator[Goal]:
        """What must be possible for each cell that is hidden for what it says."""
        import numpy as np

        for number, ledger in enumerate(self.ledgers):
            for direction, needs in ((1, ledger.up), (-1, ledger.down)):
                for cell in np.flatnonzero(self.primary & (needs > 0)):
                    yield Goal(number, int(cell), direction, float(needs[cell]))

    def bounds(self, ledger: Ledger, hidden: Flags, cells: Places | int | slice = slice(None)) -> tuple[Real, Real]:
        """Between which numbers some cells lie, for somebody who sees what is not hidden, before any computing."""
        import numpy as np

        unseen = hidden[cells] | self.latent[cells]
        low, high = np.where(unseen, ledger.floor[cells], ledger.low[cells]), ledger.high[cells]
        return low, np.where(unseen, np.inf, high)


@dataclass(frozen=True)
class OtherTable:
    """A table that looks the same to whoever sees what is published: in which cells it differs, and by how much."""

    ledger: int
    cells: Places
    changes: Real

    def shows(self, goal: Goal) -> bool:
        """Whether the cell of a goal is as far off in it as it must be possible."""
        if goal.ledger != self.ledger:
            return False
        here = self.changes[self.cells == goal.cell]
        return bool(here.size) and bool(goal.direction * here[0] >= goal.need * (1 - CLOSE))

    def fits(self, problem: Problem, hidden: Flags) -> Flags:
        """For each of its cells, whether what is published leaves room for it."""
        ledger, cells = problem.ledgers[self.ledger], self.cells
        low, high = problem.bounds(ledger, hidden, cells)
        new, slack = ledger.values[cells] + self.changes, CLOSE * abs(self.changes)
        fits: Flags = (new >= low - slack) & (new <= high + slack)
        return fits
