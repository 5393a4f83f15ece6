"""Protection: which cells are hidden, whether fewer would do, and what an attacker can still work out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import UnusableInput
from sfumato.progress import Tell, quiet
from sfumato.statistics.attack import MarginAttack
from sfumato.statistics.cubes import CubeSearch
from sfumato.statistics.fewest import FewestCells
from sfumato.statistics.ledger import CLOSE, OtherTable, OtherTables, Problem

if TYPE_CHECKING:
    from sfumato.statistics.lattice import Flags, Real

# Small cells, twice, times all cells: for 130 million 17 seconds of CPU were measured, so this is some two minutes.
MOST_WORK = 1_000_000_000
# Hidden cells whose intervals are solved for exactly, of all ledgers together, counts first. Each programme takes some
# milliseconds, and one in ten of the ends of intervals needs one.
MOST_SOLVED = 400


@dataclass(frozen=True)
class CellIntervals:
    """What the published cells leave open for each hidden cell of one ledger, by place; `exact`, or at least that."""

    low: Real
    high: Real
    exact: bool


@dataclass(frozen=True)
class CellProtection:
    """The cells that are hidden, and the other tables that prove what must be possible."""

    problem: Problem
    hidden: Flags
    fewest: bool  # whether it is proved that no choice hides fewer
    tables: tuple[OtherTable, ...]

    @classmethod
    def of(cls, problem: Problem, tell: Tell = quiet) -> CellProtection:
        """Protect by cubes, and then look whether fewer cells would do."""
        if not problem.primary.any():
            return cls(problem, problem.primary.copy(), fewest=True, tables=())
        _check_work(problem)
        cubes = CubeSearch.of(problem, tell)
        most = float(problem.cost[cubes.hidden].sum())
        fewer, proved, tables = FewestCells.of(problem, most, cubes.tables, tell)
        hidden = cubes.hidden if fewer is None else fewer
        if not _all_shown(problem, hidden, tables):  # what is not shown to be safe is not published
            return cls(problem, ~problem.fixed & ~problem.latent, fewest=False, tables=())
        return cls(problem, hidden, fewest=proved, tables=tables)

    def intervals(self, number: int, tell: Tell = quiet) -> CellIntervals:
        """What an attacker can work out of each hidden cell of a ledger."""
        import numpy as np

        ledger = self.problem.ledgers[number]
        low, high = ledger.values.copy(), ledger.values.copy()
        cells = np.flatnonzero(self.hidden)
        tables = _of_ledger(number, self.tables)
        kept = tables.fit(self.problem, self.hidden)[tables.numbers]
        new = (ledger.values[tables.cells] + tables.changes)[kept]
        np.minimum.at(low, tables.cells[kept], new)
        np.maximum.at(high, tables.cells[kept], new)
        if len(cells) * (number + 1) > MOST_SOLVED:
            return CellIntervals(low, high, exact=False)
        low, high = MarginAttack(self.problem, number, self.hidden).intervals(low, high, tell)
        return CellIntervals(low, high, exact=True)


def _check_work(problem: Problem) -> None:
    """Refuse a table of which nearly all is small: it would take long, and nothing would be left of it."""
    small, cells = int(problem.primary.sum()), int((~problem.latent).sum())
    goals = sum(len(problem.goals_of(number, way).cells) for number in range(len(problem.ledgers)) for way in (1, -1))
    if goals * problem.lattice.cells > MOST_WORK:
        raise UnusableInput(
            f"{small:,} of {cells:,} cells are small, which are too many to protect. Choose fewer columns, or read "
            f"them more coarsely (--bins, --hierarchy)."
        )


def _all_shown(problem: Problem, hidden: Flags, tables: Sequence[OtherTable]) -> bool:
    """Whether every goal is shown by a table that looks the same and in which every line adds up."""
    import numpy as np

    shown = np.zeros((len(problem.ledgers), 2, problem.lattice.cells))  # how far each cell goes down and up
    for number in range(len(problem.ledgers)):
        each = _of_ledger(number, tables)
        possible = each.fit(problem, hidden) & each.add_up(problem.lattice)
        kept = possible[each.numbers]
        way = (each.changes[kept] > 0).astype(np.int64)
        np.maximum.at(shown[number], (way, each.cells[kept]), abs(each.changes[kept]))
    needs = np.array([(ledger.down, ledger.up) for ledger in problem.ledgers])
    return bool(((shown >= needs * (1 - CLOSE)) | ~problem.primary).all())


def _of_ledger(number: int, tables: Sequence[OtherTable]) -> OtherTables:
    """All tables of a ledger."""
    return OtherTables.together(number, [table for table in tables if table.ledger == number])
