"""Tables of statistics: seconds of the whole call and hidden cells, beside a simple rule of lines, `make bench`.

The yardstick is what a script does: where one cell of a line is hidden, hide the smallest other one, until no line has
one alone. It is quick, hides few, and does not protect: how many of the small cells it leaves too well known is
counted, by linear programming, on the tables where that takes no longer than the rest.
"""

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import pyarrow as pa
from report import Bound, Page, publish

import sfumato as sf
from sfumato.statistics.attack import MarginAttack
from sfumato.statistics.ledger import Problem

# Persons of made-up tables with uneven columns: of the first one cell of a hundred is small, of the seventh nearly all.
TABLES = {
    "20 x 20 x 20, 2 million": ((20, 20, 20), 2_000_000),
    "20 x 20 x 20, 1 million": ((20, 20, 20), 1_000_000),
    "20 x 20 x 20, 400,000": ((20, 20, 20), 400_000),
    "20 x 20 x 20, 100,000": ((20, 20, 20), 100_000),
    "20 x 20 x 20, 50,000": ((20, 20, 20), 50_000),
    "20 x 20 x 20, 10,000": ((20, 20, 20), 10_000),
    "20 x 20 x 20, 3,000": ((20, 20, 20), 3_000),
    "30 x 30, 50,000": ((30, 30), 50_000),
    "8 x 8, 3,000": ((8, 8), 3_000),
    "3 x 3 x 3, 400": ((3, 3, 3), 400),
}
BOUND = "20 x 20 x 20"  # 3 columns of 20 values: all of them in less than a second
ATTACKED = 1000  # cells of a table of which the yardstick is attacked
ASKED = {
    "counts": {},
    "a mean": {"means": "age"},
    "a sum and a mean": {"sums": "cost", "means": "age"},
}


def main() -> None:
    lines = [
        "CPU seconds of the whole call, `sf.tabulate` of a table in memory, with everything that it does unless told",
        "otherwise: counting, hiding, and the audit, which is solved for exactly up to 400 hidden numbers (beyond that",
        "intervals are *at least* so wide). Rules of ACRO (below 10, empty cells hidden). *fewest*: proved. *lines*:",
        "the yardstick, and how many small cells it leaves too well known. The libraries were loaded before.",
        "",
        "| table, persons | cells | small | hidden | fewest | counts | a mean | a sum and a mean | hidden by lines | "
        "seconds | known |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    sf.tabulate(made((3, 3), 400), by=["a", "b"], sums="cost", means="age")  # loads the libraries
    bounds = []
    for name, (shape, persons) in TABLES.items():
        table = made(shape, persons)
        by = list("abc"[: len(shape)])
        seconds = {}
        for asked, statistics in ASKED.items():
            seconds[asked], tabulated = timed(
                lambda table=table, by=by, statistics=statistics: sf.tabulate(table, by=by, **statistics)
            )
            if asked == "counts":
                protection = tabulated.protection
            if name.startswith(BOUND):
                bounds.append(Bound(f"{name}: {asked}", "CPU seconds of the whole call", 1.0, seconds[asked]))
        problem = protection.problem
        simple, hidden = timed(lambda problem=problem: by_lines(problem))
        known = left_known(problem, hidden) if problem.lattice.cells <= ATTACKED else "-"
        proved = "yes" if protection.fewest else "no"
        cells = f"{problem.lattice.cells:,} | {problem.primary.sum():,} | {protection.hidden.sum():,}"
        whole = " | ".join(f"{seconds[asked]:.2f}" for asked in ASKED)
        lines.append(f"| {name} | {cells} | {proved} | {whole} | {hidden.sum():,} | {simple:.2f} | {known} |")
        print(lines[-1])
    publish(Page("tabulate", "tables of statistics", "\n".join(lines), bounds=tuple(bounds)))


def made(shape: tuple[int, ...], persons: int) -> pa.Table:
    draw = np.random.Generator(np.random.PCG64(1))
    columns = {
        name: draw.choice(size, persons, p=draw.dirichlet(np.full(size, 3.0)))
        for name, size in zip("abc", shape, strict=False)
    }
    columns["cost"] = np.round(draw.lognormal(3, 1, persons), 2)
    columns["age"] = draw.integers(18, 95, persons)
    return pa.table(columns)


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
