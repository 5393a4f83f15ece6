"""Speed and memory of `apply`, beside DuckDB copying the same file, in one run and as ratios: `make bench`.

Beside it two steps that were slow by themselves: microaggregation of many records, against a sort, and codes of
diagnoses, against a join of their different values.
"""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from report import Bound, Comparison, Page, publish, times
from running import DATA, TURNS, in_turns, measured

from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources
from sfumato.plans.steps.generalise import Generalise
from sfumato.plans.steps.microaggregate import mdav
from sfumato.secrets import Secrets
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.source import Column, Extract

TARGET, MEMORY = 3.0, 3.0  # times one copy; GB
ROWS, CHUNK = 12_000_000, 500_000
POINTS, SORTS = 1_200_000, 4_400  # records of five numbers; sorts of nine census columns: 30 s where one takes 6.8 ms
CODED, JOINS = 3_000_000, 1.5  # records with a code; times a join of the different ones, check of all codes included
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
    share = rows / ROWS
    steps = {"mdav": microaggregation(int(POINTS * share)), "icd10": diagnoses(int(CODED * share))}
    publish(page(in_turns(runs), steps, rows), quick=rows != ROWS)


def microaggregation(rows: int) -> tuple[float, float]:
    """CPU seconds of MDAV on so many records, and of the yardstick."""
    draw = np.random.Generator(np.random.PCG64(5))
    points, codes = draw.normal(size=(rows, 5)), draw.integers(0, 70, (9, 30_162))
    return least(lambda: mdav(points, 3), 1), least(lambda: np.lexsort(codes), 20)


def diagnoses(rows: int) -> tuple[float, float]:
    """CPU seconds of a column of ICD-10 codes at the level of blocks, and of a join of the different codes."""
    draw = np.random.Generator(np.random.PCG64(6))
    codes = pa.array([f"{letter}{i:02}.{j}" for letter in "ABCDEFGHIJKLM" for i in range(0, 99, 3) for j in range(4)])
    engine = DuckDB()
    held = engine.load(pa.table({"code": codes.take(pa.array(draw.integers(0, len(codes), rows)))}))
    columns = tuple(Column(name, kind, "") for name, kind in held.kinds.items())
    draft = Draft.of(Extract("made up", held, columns))
    step, resources = Generalise("code", 2, {"kind": "icd10"}), Resources("step", Path(), Secrets(), lambda: bytes(32))

    def ours() -> None:
        engine.drop(engine.query(f"SELECT * FROM {step.apply(draft, resources).table}"))

    def join() -> None:
        different = engine.query(f"SELECT DISTINCT code AS value, code AS label FROM {held}")
        engine.drop(
            engine.query(f"""
            SELECT record.row, different.label FROM {draft.table} AS record
            LEFT JOIN {different} AS different ON different.value IS NOT DISTINCT FROM record.code""")
        )

    return least(ours, TURNS), least(join, TURNS)


def least(run: Callable[[], Any], repeats: int) -> float:
    """The least CPU seconds of some runs."""
    seconds = []
    for _ in range(repeats):
        begun = process_time()
        run()
        seconds.append(process_time() - begun)
    return min(seconds)


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


def page(found: dict[str, dict[str, Any]], steps: dict[str, tuple[float, float]], rows: int) -> Page:
    ours, copy = found["sfumato"], found["copy"]
    ratio, which = times(ours, copy)
    return Page(
        name="apply",
        title="apply",
        bounds=(
            Bound("a plan of ten steps, Parquet to Parquet", f"times one copy, {which}", TARGET, ratio),
            Bound("a plan of ten steps, Parquet to Parquet", "peak GB", MEMORY, ours["peak_gb"]),
            Bound("MDAV, 1.2 million records of 5 numbers, k = 3", "sorts, CPU", SORTS, quotient(*steps["mdav"])),
            Bound("ICD-10 codes to blocks, 3 million records", "times a join, CPU", JOINS, quotient(*steps["icd10"])),
        ),
        comparisons=(Comparison.of("records written, with the copy", ours["found"], copy["found"]),),
        body=document(found, steps, rows),
    )


def quotient(ours: float, yardstick: float) -> float:
    return ours / yardstick


def document(found: dict[str, dict[str, Any]], steps: dict[str, tuple[float, float]], rows: int) -> str:
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
    lines += ["", "| step | CPU s | yardstick | its CPU s |", "|" + " --- |" * 4]
    yardsticks = {
        "mdav": "one `np.lexsort` of nine columns of 30,162 records",
        "icd10": "a join of the different codes",
    }
    lines += [f"| {name} | {ours:.2f} | {yardsticks[name]} | {base:.4f} |" for name, (ours, base) in steps.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
