"""Speed and memory of `apply`, beside DuckDB copying the same file, in one run and as ratios: `make bench`."""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from report import Bound, Comparison, Page, publish, times
from running import DATA, TURNS, in_turns, measured

TARGET, MEMORY = 3.0, 3.0  # times one copy; GB
ROWS, CHUNK = 12_000_000, 500_000
PLAN = """\
seed: 1
steps:
  - drop: {columns: [name, phone]}
  - mask: {columns: [postcode], keep_left: 3}
  - top_code: {column: age, at: 90}
  - generalise: {column: age, level: 1, hierarchy: {kind: intervals, width: 5}}
  - truncate_dates: {columns: [admission], to: month}
  - duration: {start: visit, end: discharge, into: stay}
  - recode: {column: outcome, mapping: {home: recovered, nursing: recovered, died: died, other: other}}
  - round_to: {column: weight, base: 5}
  - add_noise: {column: sampled, range: [-3, 3]}
  - suppress_values: {columns: [smoker], where: {column: age_group, equals: child}}
"""
TEXTS = {
    "outcome": ["home", "nursing", "died", "other"],
    "smoker": ["yes", "no", "former"],
    "age_group": ["child", "adult"],
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=ROWS)
    rows = options.parse_args().rows
    path = DATA / f"apply-{rows}.parquet"
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        make(path, rows)
    out = {who: str(DATA / f"applied-{who}.parquet") for who in ("copy", "sfumato")}
    runs = {
        who: partial(measured, f"{who}_apply", path, repeats=1, plan=PLAN, out=out[who]) for who in ("copy", "sfumato")
    }
    publish(page(in_turns(runs), rows), quick=rows != ROWS)


def make(path: Path, rows: int) -> None:
    draw = np.random.Generator(np.random.PCG64(20260202))
    draft, writer = path.with_suffix(".draft"), None
    for start in range(0, rows, CHUNK):
        part = table(draw, start, min(CHUNK, rows - start))
        writer = writer or pq.ParquetWriter(draft, part.schema)
        writer.write_table(part, row_group_size=122_880)
    if writer:
        writer.close()
    draft.rename(path)


def table(draw: np.random.Generator, start: int, n: int) -> pa.Table:
    """Twenty columns as a hospital has them."""
    day = np.datetime64("2020-01-01")
    visit = day + draw.integers(0, 1400, n)
    columns: dict[str, Any] = {
        "patient_id": start + np.arange(n),
        "name": pa.array([f"Person {i}" for i in draw.integers(0, 10_000_000, n)]),
        "phone": pa.array([f"06{i:08}" for i in draw.integers(0, 100_000_000, n)]),
        "postcode": pa.array([f"{i:05}" for i in draw.integers(0, 99_999, n)]),
        "age": draw.integers(0, 103, n),
        "visit": visit,
        "discharge": visit + draw.integers(0, 30, n),
        "admission": day + draw.integers(0, 1400, n),
        "sampled": day + draw.integers(0, 1400, n),
        "weight": np.round(draw.normal(75, 15, n), 1),
        **{name: pa.array(values).take(pa.array(draw.integers(0, len(values), n))) for name, values in TEXTS.items()},
        **{f"lab{i}": np.round(draw.lognormal(3, 1, n), 2) for i in range(7)},
    }
    return pa.table(columns)


def page(found: dict[str, dict[str, Any]], rows: int) -> Page:
    ours, copy = found["sfumato"], found["copy"]
    ratio, which = times(ours, copy)
    return Page(
        name="apply",
        title="apply",
        bounds=(
            Bound("a plan of ten steps, Parquet to Parquet", f"times one copy, {which}", TARGET, ratio),
            Bound("a plan of ten steps, Parquet to Parquet", "peak GB", MEMORY, ours["peak_gb"]),
        ),
        comparisons=(Comparison.of("records written, with the copy", ours["found"], copy["found"]),),
        body=document(found, rows),
    )


def document(found: dict[str, dict[str, Any]], rows: int) -> str:
    copy = found["copy"]
    lines = [
        f"A plan of ten steps over {rows:,} rows by 20 columns, Parquet to Parquet, provenance with hashes included,",
        f"against DuckDB copying the same file. Medians of {TURNS} turns. Wall time is mostly that of the disk.",
        "",
        "| contender | wall s | CPU s | wall ratio | CPU ratio | peak GB |",
        "|" + " --- |" * 6,
    ]
    for who, m in found.items():
        wall, cpu = m["wall"] / copy["wall"], m["cpu"] / copy["cpu"]
        lines.append(f"| {who} | {m['wall']:.1f} | {m['cpu']:.1f} | {wall:.1f} | {cpu:.1f} | {m['peak_gb']:.2f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
