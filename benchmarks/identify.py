"""Speed and memory of `identify`, beside its yardstick and pandas, in one run and as ratios: `make bench`."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from report import Bound, Comparison, Page, publish, times
from running import DATA, TURNS, in_turns, measured

TARGET = 5.0  # times one GROUP BY over all columns
ROWS, WIDTH, CHUNK = 1_200_000, 50, 200_000
# pandas regroups the table without each of its columns: on 1.2 million rows that takes more than five minutes, and then
# nothing is compared. So the numbers are compared on tables of the same make that are smaller.
SMALL = 20_000
REPEATS = 3  # in a process: the first loads the lists of words, which RESULTS-columns.md counts and this page does not
TOLERANCE = 1e-6  # the risk rate is rounded to 0.01 % by both
CONTENDERS = {"GROUP BY": "group_by_columns", "sfumato": "sfumato_identify"}
# How the values of column i come about from whole numbers: as codes, numbers, categories with gaps, and dates.
KINDS = (
    (1_200_000, lambda x: [f"P{v:08}" for v in x]),
    (90, lambda x: x),
    (2, lambda x: x),
    (500, lambda x: [f"code{v}" for v in x]),
    (3_000, lambda x: x / 10),
    (30_000, lambda x: x.astype("datetime64[D]")),
    (5, lambda x: [f"group {v}" for v in x]),
    (100_000, lambda x: x),
    (40, lambda x: [None if v > 27 else f"category {v}" for v in x]),
    (9_000, lambda x: [f"12{v:04}" for v in x]),
)


@dataclass(frozen=True)
class Sample:
    """A table: `people` is how many different rows it is drawn from, 0 for a new one each time."""

    name: str
    people: int
    says: str

    def path(self, rows: int) -> Path:
        return DATA / f"identify-{self.name}-{rows}.parquet"


SAMPLES = (
    Sample("unique", 0, "every row differs from every other"),
    Sample("repeated", 60_000, "60 000 different rows, each some 20 times"),
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=ROWS, help="of the tables that are timed")
    rows = options.parse_args().rows
    runs = {(sample.name, who): run(sample, who, rows) for sample in SAMPLES for who in CONTENDERS}
    found = in_turns(runs)
    small = {(sample.name, who): run(sample, who, SMALL)() for sample in SAMPLES for who in ("sfumato", "pandas")}
    publish(page(found, small, rows), quick=rows != ROWS)


def run(sample: Sample, who: str, rows: int) -> Callable[[], dict[str, Any]]:
    """One contender on one table, which is made where it is not there."""
    path = sample.path(rows)
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        make(sample, rows)
    names = [f"c{i:02}" for i in range(WIDTH)]
    return partial(
        measured, CONTENDERS.get(who, f"{who}_identify"), path, repeats=REPEATS if rows > SMALL else 1, columns=names
    )


def make(sample: Sample, rows: int) -> None:
    draw = np.random.Generator(np.random.PCG64(20260101))
    people = sample.people * rows // ROWS  # each as often as in the large table
    draft = sample.path(rows).with_suffix(".draft")
    table = columns(draw, people or min(CHUNK, rows))
    with pq.ParquetWriter(draft, table.schema) as file:
        for start in range(0, rows, CHUNK):
            size = min(CHUNK, rows - start)
            part = table.take(draw.integers(0, people, size)) if people else columns(draw, size)
            file.write_table(part, row_group_size=122_880)
    draft.rename(sample.path(rows))


def columns(draw: np.random.Generator, rows: int) -> pa.Table:
    made = {}
    for i in range(WIDTH):
        values, kind = KINDS[i % len(KINDS)]
        made[f"c{i:02}"] = pa.array(kind(draw.integers(0, values, rows)))
    return pa.table(made)


Found = dict[tuple[str, str], dict[str, Any]]


def page(found: Found, small: Found, rows: int) -> Page:
    bounds, comparisons = [], []
    for sample in SAMPLES:
        ratio, which = times(found[sample.name, "sfumato"], found[sample.name, "GROUP BY"])
        bounds.append(Bound(f"the table {sample.name}", f"times one GROUP BY, {which}", TARGET, ratio))
        ours, theirs = (small[sample.name, who]["found"] for who in ("sfumato", "pandas"))
        what = f"{sample.name}, {SMALL:,} rows, column by column with pandas"
        comparisons.append(Comparison.of(what, ours, theirs, TOLERANCE))
    return Page("identify", "identify", document(found, rows), tuple(bounds), tuple(comparisons))


def document(found: Found, rows: int) -> str:
    lines = [
        f"Risk rate, uniqueness and influence of {WIDTH} columns by {rows:,} rows, influence among all of them, names",
        f"and values looked at besides, against one bare DuckDB GROUP BY over all columns. Medians of {TURNS}",
        f"turns, of each the best of {REPEATS} runs in one process: what a process loads once is not in it.",
        "",
        *(f"- {sample.name}: {sample.says}" for sample in SAMPLES),
        "",
        "| table | contender | wall s | CPU s | wall ratio | CPU ratio | peak GB |",
        "|" + " --- |" * 7,
    ]
    for (sample, who), m in found.items():
        bare = found[sample, "GROUP BY"]
        wall, cpu = m["wall"] / bare["wall"], m["cpu"] / bare["cpu"]
        lines.append(
            f"| {sample} | {who} | {m['wall']:.2f} | {m['cpu']:.2f} | {wall:.1f} | {cpu:.1f} | {m['peak_gb']:.2f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
