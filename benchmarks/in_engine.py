"""A search whose different records exceed `--memory` and stay in the engine, beside the same search in memory.

Nearly all records of the table differ (15 quasi-identifiers), and the limit is a tenth of what they take as arrays.
"""

import argparse
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from report import Bound, Comparison, Page, publish
from running import ADULT, COLUMNS, DATA, ROWS, as_csv, made, measured

from sfumato.privacy.coded.engine_table import bytes_in_memory
from tables import MORE, NUMBERS

K, SUPPRESS = 5, 0.05
QUASI = (*COLUMNS, *MORE)
KEPT_AT_TOP = ("region", "household", "weekday", "height")  # so that the proof ends after some hundred looks
SHARE = 10  # one part in so many of what the different records take
BY = ("sex", "age", "race", "education")  # whose groups are about as many as the classes of a look
LOOKS = 20
PEAK = 0.25  # GB: 0.12 of imports, 0.03 of the limit, and as much again for what is brought
# Chosen: a look sums the groups twice where it is worth scoring, and adds what its classes lose.
A_LOOK, WHOLE = 4.0, 20.0
BARE, LEAST, HERE, THERE = "read and group", "look, at the least", "in memory", "in the engine"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=ROWS)
    rows = options.parse_args().rows
    if not ADULT.exists():
        raise SystemExit("The hierarchies of the census table are not there: nothing to measure.")
    found = {who: run() for who, run in runs(rows).items()}
    publish(page(found, rows), quick=rows != ROWS)


def runs(rows: int) -> dict[str, Callable[[], dict[str, Any]]]:
    path = made("varied", rows)
    task: dict[str, Any] = {
        "quasi": QUASI, "k": K, "suppress": SUPPRESS, "levels": dict.fromkeys(KEPT_AT_TOP, 1), "repeats": 1,
        "hierarchies": str(hierarchies()), "cap": None,
    }  # fmt: skip
    return {
        BARE: partial(measured, "read_and_group", as_csv(path), quasi=QUASI, held=True),
        LEAST: partial(measured, "bare_looks", path, by=BY, looks=LOOKS),
        HERE: partial(measured, "sfumato_in_engine", path, memory=None, **task),
        THERE: partial(measured, "sfumato_in_engine", path, memory=f"{limit(rows)}B", **task),
    }


def limit(rows: int) -> int:
    """The memory that the engine is given, in bytes."""
    return bytes_in_memory(rows, len(QUASI)) // SHARE


def hierarchies() -> Path:
    """Those of the census, and for each of the other columns one that has everything in one."""
    folder = DATA / "hierarchies-in-engine"
    folder.mkdir(parents=True, exist_ok=True)
    for name in COLUMNS:
        shutil.copy(ADULT / f"adult_hierarchy_{name}.csv", folder / f"hierarchy_{name}.csv")
    for name, values in MORE.items():
        each = (str(i) if values >= NUMBERS else f"{name}-{i:02}" for i in range(values))
        (folder / f"hierarchy_{name}.csv").write_text("".join(f"{value};*\n" for value in each), encoding="utf-8")
    return folder


def page(found: dict[str, dict[str, Any]], rows: int) -> Page:
    there, bare = found[THERE], found[BARE]["cpu"]
    numbers = {who: {k: v for k, v in found[who]["found"].items() if k != "search"} for who in (HERE, THERE)}
    return Page(
        name="in_engine",
        title="a search in the engine",
        bounds=(
            Bound("a look", "times one GROUP BY of a number, CPU", A_LOOK, a_look(there) / least(found)),
            Bound("the whole command", "times reading and grouping the CSV file, CPU", WHOLE, there["cpu"] / bare),
            Bound("the whole command", "GB at the peak", PEAK, there["peak_gb"]),
        ),
        comparisons=(
            Comparison.of("levels, proof and release, with a search in memory", numbers[THERE], numbers[HERE]),
        ),
        body=document(found, rows),
    )


def a_look(run: dict[str, Any]) -> float:
    return float(run["found"]["search"] / run["found"]["looks"])


def least(found: dict[str, dict[str, Any]]) -> float:
    return float(found[LEAST]["cpu"] / LOOKS)


def document(found: dict[str, dict[str, Any]], rows: int) -> str:
    here, bare = found[HERE]["found"], found[BARE]["cpu"]
    lines = [
        f"{rows:,} records of {len(QUASI)} quasi-identifiers, of which {here['different']:,} differ; k = {K}, at most",
        f"{SUPPRESS:.0%} suppressed, loss, `--method optimal` from Parquet to CSV without comparing; four columns are",
        f"kept at the top, which leaves {here['nodes']:,} combinations of levels. As arrays the different records take",
        f"{bytes_in_memory(rows, len(QUASI)) / 1e6:.0f} MB, and `--memory` is {limit(rows) / 1e6:.0f} MB. The",
        "release is compared byte by byte. The yardsticks: DuckDB reads the table as a CSV file and groups it by all",
        f"columns; and groups one number for each record, by {', '.join(BY)}, {LOOKS} times.",
        "",
        "| who | wall s | CPU s | times reading and grouping | looks | CPU ms a look | peak GB |",
        "|" + " --- |" * 7,
    ]
    for who, m in found.items():
        looks, each = m["found"].get("looks", LOOKS if who == LEAST else ""), ""
        if who in (HERE, THERE):
            each = f"{1000 * a_look(m):.0f}"
        elif who == LEAST:
            each = f"{1000 * least(found):.0f}"
        times = m["cpu"] / bare
        lines.append(
            f"| {who} | {m['wall']:.1f} | {m['cpu']:.1f} | {times:.1f} | {looks} | {each} | {m['peak_gb']:.2f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
