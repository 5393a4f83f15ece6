"""Speed and memory of `anonymise` on large tables, beside reading, grouping and writing them, in one run."""

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

from report import Bound, Comparison, Page, publish
from running import ADULT, COLUMNS, ROWS, TURNS, in_turns, made, measured

TARGET = 4.0  # times reading, grouping and writing, of CPU
BARE = "read, group, write"
CASES = {"plain, k = 200": ("plain", 200), "mix, k = 5": ("mix", 5)}  # of the plain table, k = 5 holds by itself


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=ROWS)
    rows = options.parse_args().rows
    hierarchies = str(ADULT) if ADULT.exists() else None
    runs: dict[tuple[str, str], Callable[[], dict[str, Any]]] = {}
    for case, (name, k) in CASES.items():
        path = made(name, rows)
        task: dict[str, Any] = {"quasi": COLUMNS, "k": k, "suppress": 0.02, "hierarchies": hierarchies}
        runs[case, BARE] = partial(measured, "read_group_write", path, quasi=COLUMNS)
        runs[case, "sfumato"] = partial(measured, "sfumato_anonymise", path, **task)
    publish(page(in_turns(runs), rows), quick=rows != ROWS)


def page(found: dict[tuple[str, str], dict[str, Any]], rows: int) -> Page:
    cases = list(dict.fromkeys(case for case, _ in found))
    counts = {who: {case: found[case, who]["found"]["condensed"] for case in cases} for who in ("sfumato", BARE)}
    return Page(
        name="anonymise",
        title="anonymise, from file to file",
        bounds=tuple(
            Bound(case, "times reading, grouping and writing, CPU", TARGET, ratio(found, case, "cpu")) for case in cases
        ),
        comparisons=(Comparison.of("different records, with DuckDB", counts["sfumato"], counts[BARE]),),
        body=document(found, rows),
    )


def ratio(found: dict[tuple[str, str], dict[str, Any]], case: str, time: str) -> float:
    return found[case, "sfumato"][time] / found[case, BARE][time]


def document(found: dict[tuple[str, str], dict[str, Any]], rows: int) -> str:
    rates = "| case | who | wall s | CPU s | wall ratio | CPU ratio | peak GB | different | looks |"
    lines = [
        f"On the census table resampled to {rows:,} rows by {len(COLUMNS)} columns (*mix*: one value in ten is",
        "exchanged), `--method optimal`, 2 % suppression, loss: read Parquet, condense, search, apply, assess anew,",
        "write Parquet, without reading what was lost and why, against reading, one GROUP BY by all nine columns and",
        f"writing with DuckDB alone. Medians of {TURNS} turns. The bound is one on CPU; wall time stands beside it.",
        "",
        rates,
        "|" + " --- |" * 9,
    ]
    for (case, who), m in found.items():
        base = found[case, BARE]
        wall, cpu = m["wall"] / base["wall"], m["cpu"] / base["cpu"]
        numbers = f"{m['found']['condensed']:,.0f} | {m['found'].get('examined', 0):,.0f}"
        lines.append(
            f"| {case} | {who} | {m['wall']:.2f} | {m['cpu']:.2f} | {wall:.1f} | {cpu:.1f} | {m['peak_gb']:.2f} "
            f"| {numbers} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
