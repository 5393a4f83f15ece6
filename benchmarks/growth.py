"""How the cost of the main commands grows with rows and with quasi-identifiers, beside one GROUP BY, in one run.

    python benchmarks/growth.py                 0.12 and 1.2 million rows; 4, 9, 15 and 24 quasi-identifiers
    python benchmarks/growth.py --largest       12 million rows as well, which needs 3 GB of disk and some minutes more

Each measurement is a process of its own, and each is set against DuckDB grouping the same file by the same columns.
What is bounded is the growth: ten times the rows may cost at most ten times as much, for any command.
"""

import argparse
from functools import partial
from itertools import pairwise
from typing import Any

from report import Bound, Page, publish, table
from running import ADULT, COLUMNS, DATA, HERE, in_turns, made, measured

from sfumato.show.charts.bars_and_lines import Series, lines
from sfumato.show.charts.chart import Chart

ROWS = (120_000, 1_200_000)
LARGEST = 12_000_000
WIDE = [name if place == 0 else f"{name} {place + 1}" for place in range(3) for name in COLUMNS]
QUASI = (4, 9, 15, 24)
SECONDS = (
    10  # for the search of 24 columns, which has no end: what grows there is what the answer is worth, not the time
)
VERBS = ("assess", "flag files", "risk", "anonymise", "identify")
ENGINE = "one GROUP BY"
LINEAR = (
    1.1  # growth by rows, relative to the growth of the rows: a tenth more for caches that no longer hold the table
)
Runs = dict[tuple[str, int], dict[str, Any]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--largest", action="store_true", help="12 million rows as well")
    options.add_argument("--turns", type=int, default=1)
    given = options.parse_args()
    sizes = (*ROWS, LARGEST) if given.largest else ROWS
    by_rows = in_turns(
        {(who, rows): contender(who, "plain", rows, COLUMNS) for rows in sizes for who in (ENGINE, *VERBS)}, given.turns
    )
    by_quasi = in_turns(
        {(who, n): contender(who, "wide", ROWS[0], WIDE[:n]) for n in QUASI for who in (ENGINE, *VERBS[:-1])},
        given.turns,
    )
    (HERE / "growth-rows.svg").write_text(picture(by_rows, "rows").svg, encoding="utf-8")
    (HERE / "growth-quasi.svg").write_text(picture(by_quasi, "quasi-identifiers").svg, encoding="utf-8")
    publish(page(by_rows, by_quasi, sizes))


def contender(who: str, name: str, rows: int, quasi: Any) -> Any:
    """One command, or the engine alone, on a table of so many rows, as something that can be called."""
    path = made(name, rows)
    if who == ENGINE:
        return partial(measured, "group_by", path, quasi=list(quasi), sensitive=[])
    task: dict[str, Any] = {"verb": who, "quasi": list(quasi)}
    if who == "anonymise":
        task["seconds"] = SECONDS if len(quasi) > 9 else None
        task["hierarchies"] = str(hierarchies()) if ADULT.exists() else None
    return partial(measured, "sfumato_verb", path, repeats=1, **task)


def hierarchies() -> Any:
    """The census's hierarchies, and each again for the columns of the second and third person."""
    folder = DATA / "hierarchies"
    folder.mkdir(parents=True, exist_ok=True)
    for name in COLUMNS:
        text = (ADULT / f"adult_hierarchy_{name}.csv").read_bytes()
        for place in ("", " 2", " 3"):
            (folder / f"hierarchy_{name}{place}.csv").write_bytes(text)
    return folder


def growths(runs: Runs, verb: str, sizes: tuple[int, ...]) -> float:
    """The worst growth of processor time from one size to the next, over the growth of the size."""
    steps = pairwise(sizes)
    return max(runs[verb, more]["cpu"] / runs[verb, less]["cpu"] / (more / less) for less, more in steps)


def page(by_rows: Runs, by_quasi: Runs, sizes: tuple[int, ...]) -> Page:
    return Page(
        name="growth",
        title="growth with rows and quasi-identifiers",
        bounds=tuple(
            Bound(f"{verb}, from {sizes[0]:,} to {sizes[-1]:,} rows", "times linear growth, CPU", LINEAR,
                  growths(by_rows, verb, sizes))
            for verb in VERBS
        ),
        body=document(by_rows, by_quasi),
    )  # fmt: skip


def document(by_rows: Runs, by_quasi: Runs) -> str:
    return f"""
From Parquet, a process each, imports not counted. `assess`: k = 5, everything read together; `flag files`: the files of
the flagged as well; `risk`: as it is called without options; `anonymise`: `--method optimal`, k = 5, 2 % suppressed,
with comparison and explanation, where there are more than nine columns for at most {SECONDS} seconds of search;
`identify`: all columns.

## Rows, nine quasi-identifiers

{sheet(by_rows, "rows")}

![CPU seconds against rows](growth-rows.svg)

## Quasi-identifiers, {ROWS[0]:,} rows

The columns of three people of the census in a row, so that from ten columns on nearly every record is alone.

{sheet(by_quasi, "quasi-identifiers")}

![CPU seconds against quasi-identifiers](growth-quasi.svg)
"""


def sheet(runs: Runs, what: str) -> str:
    rows = [
        [who, f"{size:,}", f"{m['cpu']:.2f}", f"{m['cpu'] / runs[ENGINE, size]['cpu']:.1f}", f"{m['peak_gb']:.2f}"]
        for (who, size), m in sorted(runs.items(), key=lambda item: ((ENGINE, *VERBS).index(item[0][0]), item[0][1]))
    ]
    return table(["command", what, "CPU s", "times one GROUP BY", "peak GB"], rows)


def picture(runs: Runs, what: str) -> Chart:
    """CPU seconds of four commands against their size."""
    series = [
        Series(verb, tuple(sorted((size, m["cpu"]) for (who, size), m in runs.items() if who == verb)))
        for verb in VERBS
        if verb != "flag files" and any(who == verb for who, _ in runs)  # four lines can be told apart
    ]
    return lines(f"Processor time against {what}", series, x=what, y="CPU seconds")


if __name__ == "__main__":
    main()
