"""Protecting tables of statistics: seconds and hidden cells, beside a simple rule of lines, `make bench`.

The yardstick is what a script does: where one cell of a line is hidden, hide the smallest other one, until no line has
one alone. It is quick, hides few, and does not protect: how many of the small cells it leaves too well known is
counted, by linear programming, on the tables where that takes no longer than the rest.
"""

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from report import Bound, Page, publish

from sfumato.statistics.attack import MarginAttack
from sfumato.statistics.count_cells import CountedCells
from sfumato.statistics.disclosure_rules import DisclosureRules
from sfumato.statistics.lattice import with_totals
from sfumato.statistics.ledger import Problem
from sfumato.statistics.protect import CellProtection
from sfumato.statistics.sensitive_cells import sensitive_cells

# Persons of made-up tables with uneven columns. The first is typical: of a hundred cells of it one is small. Of the
# third every twelfth is, and nobody would publish it so.
TABLES = {
    "20 x 20 x 20, 2 million": ((20, 20, 20), 2_000_000),
    "20 x 20 x 20, 1 million": ((20, 20, 20), 1_000_000),
    "20 x 20 x 20, 400,000": ((20, 20, 20), 400_000),
    "30 x 30, 50,000": ((30, 30), 50_000),
    "8 x 8, 3,000": ((8, 8), 3_000),
    "3 x 3 x 3, 400": ((3, 3, 3), 400),
}
TYPICAL = "20 x 20 x 20, 2 million"
ATTACKED = 1000  # cells of a table of which the yardstick is attacked


def main() -> None:
    lines = [
        "CPU seconds of hiding, without the audit; counts with the rules of ACRO (below 10, empty cells hidden).",
        "*fewest*: proved. *lines*: the yardstick, and how many small cells it leaves too well known.",
        "",
        "| table, persons | cells | small | hidden | fewest | seconds | audit | hidden by lines | seconds | known |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    measured = {}
    for name, (shape, persons) in TABLES.items():
        problem = made(shape, persons)
        seconds, protection = timed(lambda problem=problem: CellProtection.of(problem))
        audit, _ = timed(lambda protection=protection: protection.intervals(0))
        simple, hidden = timed(lambda problem=problem: by_lines(problem))
        known = left_known(problem, hidden) if problem.lattice.cells <= ATTACKED else "-"
        measured[name] = seconds
        proved = "yes" if protection.fewest else "no"
        lines.append(
            f"| {name} | {problem.lattice.cells:,} | {problem.primary.sum():,} | {protection.hidden.sum():,} | "
            f"{proved} | {seconds:.2f} | {audit:.2f} | {hidden.sum():,} | {simple:.2f} | {known} |"
        )
        print(lines[-1])
    bound = Bound("3 columns of 20 values, a typical table", "CPU seconds of hiding", 1.0, measured[TYPICAL])
    publish(Page("tabulate", "tables of statistics", "\n".join(lines), bounds=(bound,)))


def made(shape: tuple[int, ...], persons: int) -> Problem:
    draw = np.random.Generator(np.random.PCG64(1))
    inner = np.zeros(shape, dtype=np.int64)
    values = tuple(draw.choice(size, persons, p=draw.dirichlet(np.full(size, 3.0))) for size in shape)
    np.add.at(inner, values, 1)
    columns = tuple("abc"[: len(shape)])
    labels = tuple(tuple(map(str, range(size))) for size in shape)
    return sensitive_cells(CountedCells(columns, labels, with_totals(inner).ravel(), ()), [columns], DisclosureRules())


def by_lines(problem: Problem) -> Any:
    counts, hidden = problem.ledgers[0].values, problem.primary.copy()
    changed = True
    while changed:
        changed = False
        for lines in problem.lattice.lines:
            for line in lines[hidden[lines].sum(axis=1) == 1]:
                shown = line[~hidden[line]]
                if len(shown) == len(line) - 1:
                    hidden[shown[np.argmin(counts[shown])]] = changed = True
    return hidden


def left_known(problem: Problem, hidden: Any) -> str:
    attack = MarginAttack(problem, 0, hidden)
    open_goals = [g for g in problem.goals() if attack.furthest(g.cell, g.direction, g.need)[0] < g.need * (1 - 1e-6)]
    return f"{len({goal.cell for goal in open_goals})} of {problem.primary.sum()}"


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    start = process_time()
    outcome = run()
    return process_time() - start, outcome


if __name__ == "__main__":
    main()
