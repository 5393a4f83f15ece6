"""Ledgers: one number for every cell, what publishing a cell says of it, and how far off an attacker must stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

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


class SameWay(NamedTuple):
    """Goals of one ledger in one direction: cells that are all to go up (1) or down (-1), each by its need."""

    ledger: int
    direction: int
    cells: Places
    needs: Real

    def only(self, which: Any) -> SameWay:
        """Some of them."""
        return self._replace(cells=self.cells[which], needs=self.needs[which])

    def one_by_one(self) -> Iterator[Goal]:
        """Each by itself."""
        for cell, need in zip(self.cells.tolist(), self.needs.tolist(), strict=True):
            yield Goal(self.ledger, cell, self.direction, need)


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
        for number in range(len(self.ledgers)):
            for direction in (1, -1):
                yield from self.goals_of(number, direction).one_by_one()

    def goals_of(self, number: int, direction: int) -> SameWay:
        """Those of one ledger in one direction, where most is needed first."""
        import numpy as np

        ledger = self.ledgers[number]
        needs = ledger.up if direction > 0 else ledger.down
        cells = np.flatnonzero(self.primary & (needs > 0))
        cells = cells[np.argsort(-needs[cells], kind="stable")]
        return SameWay(number, direction, cells, needs[cells])

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


@dataclass(frozen=True)
class OtherTables:
    """Many other tables of one ledger, one behind the other: where each begins, and what all of them change."""

    ledger: int
    starts: Places
    cells: Places
    changes: Real

    def __len__(self) -> int:
        return len(self.starts)

    @classmethod
    def together(cls, ledger: int, tables: Sequence[OtherTable] | Sequence[OtherTables]) -> OtherTables:
        """All of them, in their order."""
        import numpy as np

        if not tables:
            return cls(ledger, np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))
        cells, changes = np.concatenate([t.cells for t in tables]), np.concatenate([t.changes for t in tables])
        before = np.cumsum([0, *(len(table.cells) for table in tables)])[:-1]
        starts = [start + each.starts for start, each in zip(before, tables, strict=True) if isinstance(each, cls)]
        return cls(ledger, np.concatenate(starts) if starts else before, cells, changes)

    def one_by_one(self, which: Places) -> Iterator[OtherTable]:
        """Some of them, each by itself."""
        import numpy as np

        ends = np.append(self.starts[1:], len(self.cells))
        for start, end in zip(self.starts[which].tolist(), ends[which].tolist(), strict=True):
            yield OtherTable(self.ledger, self.cells[start:end], self.changes[start:end])

    @property
    def numbers(self) -> Places:
        """For each change the number of its table."""
        import numpy as np

        return np.repeat(np.arange(len(self)), np.diff(self.starts, append=len(self.cells)))

    def turned_round(self) -> OtherTables:
        """Those in which everything changes the other way."""
        return OtherTables(self.ledger, self.starts, self.cells, -self.changes)

    def fits(self, problem: Problem, hidden: Flags) -> Flags:
        """For each change, whether what is published leaves room for it."""
        return OtherTable(self.ledger, self.cells, self.changes).fits(problem, hidden)

    def fit(self, problem: Problem, hidden: Flags) -> Flags:
        """For each of them, whether what is published leaves room for it."""
        import numpy as np

        fits = self.fits(problem, hidden)
        fit: Flags = np.bincount(self.numbers[~fits], minlength=len(self)) == 0
        return fit

    def add_up(self, lattice: CellLattice) -> Flags:
        """For each of them, whether every line adds up."""
        import numpy as np
        from scipy.sparse import csc_matrix

        ends = np.append(self.starts, len(self.cells))
        off = csc_matrix(
            abs(lattice.equations @ csc_matrix((self.changes, self.cells, ends), (lattice.cells, len(self))))
        )
        largest = np.maximum.reduceat(np.append(abs(self.changes), 0.0), self.starts)
        fits: Flags = off.max(axis=0).toarray().ravel() <= CLOSE * np.maximum(largest, 1.0)
        return fits
