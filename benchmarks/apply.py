"""Speed and memory of `apply`, beside DuckDB copying the same file, in one run and as ratios: `make bench`."""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).parent
DATA, PEERS = HERE / "data", HERE / "peers"
CAP, TARGET, MEMORY = 600, 3.0, 3.0  # seconds; times one copy; GB
CHUNK = 500_000
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
    options.add_argument("--rows", type=int, default=12_000_000)
    rows = options.parse_args().rows
    path = DATA / f"apply-{rows}.parquet"
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        make(path, rows)
    found = {who: measured(who, path) for who in ("copy", "sfumato")}
    text = document(found, rows)
    print("\n" + text)
    (HERE / "RESULTS-apply.md").write_text(text, encoding="utf-8")


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


def measured(who: str, path: Path) -> dict[str, Any]:
    task = {"path": str(path), "repeats": 1, "plan": PLAN, "out": str(DATA / f"applied-{who}.parquet")}
    print(f"{who} ...", end=" ", flush=True)
    child = subprocess.run(
        [sys.executable, str(PEERS / f"{who}_apply.py"), json.dumps(task)],
        capture_output=True, text=True, timeout=CAP, check=True,
    )  # fmt: skip
    result: dict[str, Any] = json.loads(child.stdout)
    print(f"{result['wall']:.1f} s, {result['cpu']:.1f} s of processor, {result['peak_gb']:.2f} GB")
    return result


def document(found: dict[str, dict[str, Any]], rows: int) -> str:
    ours, copy = found["sfumato"], found["copy"]
    wall, cpu = ours["wall"] / copy["wall"], ours["cpu"] / copy["cpu"]
    lines = [
        "# Results of `make bench`: apply",
        "",
        f"A plan of ten steps over {rows:,} rows by 20 columns, Parquet to Parquet, provenance with hashes included,",
        f"against DuckDB copying the same file. Targets: at most {TARGET:g} times, peak memory below {MEMORY:g} GB.",
        "",
        "| contender | wall s | CPU s | wall ratio | CPU ratio | peak GB | verdict |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        f"| copy | {copy['wall']:.1f} | {copy['cpu']:.1f} | 1.0 | 1.0 | {copy['peak_gb']:.2f} | |",
        f"| sfumato | {ours['wall']:.1f} | {ours['cpu']:.1f} | {wall:.1f} | {cpu:.1f} | {ours['peak_gb']:.2f} "
        f"| {'met' if max(wall, cpu) <= TARGET and ours['peak_gb'] < MEMORY else 'NOT MET'} |",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
