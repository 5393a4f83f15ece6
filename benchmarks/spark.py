"""Speed, memory and jobs of `assess` and `anonymise` on Spark on one machine, and their growth: `make bench`.

The yardstick is DuckDB reading and grouping the same table as CSV. Seconds are of this process and of Java together,
the start of Spark left out.
"""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
from report import Bound, Comparison, Page, publish
from running import COLUMNS, DATA, ROWS, in_turns, made, measured

# Times the yardstick: 15 and 60 s where it takes 1.4 s.
TARGETS = {"assess": 10.7, "anonymise": 42.9}
MEMORY, GROWTH = 3.0, 1.0  # GB; seconds a row, of four times the rows to those of the rows
SMALLER = 4  # of the rows, the table that growth is measured from has a part
TURNS = 1  # Spark takes minutes
BARE, K = "csv_group", 5


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=ROWS)
    rows = options.parse_args().rows
    runs = {(BARE, rows): partial(measured, BARE, as_csv(made("plain", rows)), quasi=COLUMNS)}
    for n in (rows // SMALLER, rows):
        for verb in TARGETS:
            runs[verb, n] = partial(measured, "sfumato_spark", made("plain", n), verb=verb, quasi=COLUMNS, k=K)
    publish(page(in_turns(runs, TURNS), rows), quick=rows != ROWS)


def as_csv(path: Path) -> Path:
    """The same table as CSV."""
    written = DATA / f"{path.stem}.csv"
    if not written.exists():
        duckdb.sql(f"COPY (SELECT * FROM read_parquet('{path}')) TO '{written}' (HEADER)")
    return written


def page(found: dict[Any, dict[str, Any]], rows: int) -> Page:
    bare = found[BARE, rows]
    bounds = []
    for verb, most in TARGETS.items():
        ours, smaller = found[verb, rows], found[verb, rows // SMALLER]
        grown = ours["cpu"] / rows / (smaller["cpu"] / (rows // SMALLER))
        bounds += [
            Bound(f"{verb} on Spark", "times DuckDB reading and grouping CSV, CPU", most, ours["cpu"] / bare["cpu"]),
            Bound(f"{verb} on Spark", "peak GB", MEMORY, ours["peak_gb"]),
            Bound(f"{verb} on Spark, {SMALLER} times the rows", "times the CPU a row", GROWTH, grown),
        ]
    same = {verb: found[verb, rows]["found"]["classes"] for verb in TARGETS}
    return Page(
        name="spark",
        title="Spark on one machine",
        bounds=tuple(bounds),
        comparisons=(Comparison.of("classes, with DuckDB", same, dict.fromkeys(TARGETS, bare["found"]["classes"])),),
        body=document(found, rows),
    )


def document(found: dict[Any, dict[str, Any]], rows: int) -> str:
    bare = found[BARE, rows]
    lines = [
        f"The census table resampled, nine quasi-identifiers, k = {K}, from Parquet, beside DuckDB reading the CSV of",
        "the largest of these tables and grouping it by the nine columns.",
        "",
        "| who | rows | wall s | CPU s | CPU ratio | peak GB | jobs |",
        "|" + " --- |" * 7,
    ]
    for (who, n), m in found.items():
        took = f"{m['wall']:.1f} | {m['cpu']:.1f} | {m['cpu'] / bare['cpu']:.1f} | {m['peak_gb']:.2f}"
        lines.append(f"| {who} | {n:,} | {took} | {m.get('jobs', '')} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
