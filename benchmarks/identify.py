"""Speed and memory of `identify`, beside its yardstick and pandas, in one run and as ratios: `make bench`."""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).parent
DATA, PEERS = HERE / "data", HERE / "peers"
CAP = 300  # seconds that a contender may take
TARGET = 5.0  # times one GROUP BY over all columns
ROWS, WIDTH, CHUNK = 1_200_000, 50, 200_000
CONTENDERS = {
    "GROUP BY": ("group_by_columns.py", 3),
    "sfumato": ("sfumato_identify.py", 3),
    "pandas": ("pandas_identify.py", 1),
}
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

    @property
    def path(self) -> Path:
        return DATA / f"identify-{self.name}.parquet"


SAMPLES = (
    Sample("unique", 0, "every row differs from every other"),
    Sample("repeated", 60_000, "60 000 different rows, each some 20 times"),
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="leave out pandas")
    contenders = list(CONTENDERS)[: 2 if options.parse_args().quick else 3]
    found = {}
    for sample in SAMPLES:
        if not sample.path.exists():
            DATA.mkdir(exist_ok=True)
            make(sample)
        for contender in contenders:
            found[sample.name, contender] = measured(sample, contender)
    text = document(found)
    print("\n" + text)
    (HERE / "RESULTS-identify.md").write_text(text, encoding="utf-8")


def make(sample: Sample) -> None:
    draw = np.random.Generator(np.random.PCG64(20260101))
    rows = sample.people or CHUNK
    draft = sample.path.with_suffix(".draft")
    table = columns(draw, rows)
    with pq.ParquetWriter(draft, table.schema) as file:
        for _ in range(ROWS // CHUNK):
            part = table.take(draw.integers(0, rows, CHUNK)) if sample.people else columns(draw, CHUNK)
            file.write_table(part, row_group_size=122_880)
    draft.rename(sample.path)


def columns(draw: np.random.Generator, rows: int) -> pa.Table:
    made = {}
    for i in range(WIDTH):
        values, kind = KINDS[i % len(KINDS)]
        made[f"c{i:02}"] = pa.array(kind(draw.integers(0, values, rows)))
    return pa.table(made)


def measured(sample: Sample, contender: str) -> dict[str, Any]:
    script, repeats = CONTENDERS[contender]
    task = {"path": str(sample.path), "repeats": repeats, "columns": [f"c{i:02}" for i in range(WIDTH)]}
    print(f"{sample.name} / {contender} ...", end=" ", flush=True)
    try:
        child = subprocess.run(
            [sys.executable, str(PEERS / script), json.dumps(task)],
            capture_output=True, text=True, timeout=CAP, check=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        print(f"stopped after {CAP} s")
        return {}
    result: dict[str, Any] = json.loads(child.stdout)
    print(f"{result['wall']:.2f} s, {result['cpu']:.2f} s of processor, {result['peak_gb']:.2f} GB")
    return result


def document(found: dict[tuple[str, str], dict[str, Any]]) -> str:
    lines = [
        "# Results of `make bench`: identify",
        "",
        f"Risk rate, uniqueness and influence of {WIDTH} columns by {ROWS:,} rows, influence among all of them, names",
        f"and values looked at besides. Target: at most {TARGET:g} times one bare DuckDB GROUP BY over all columns.",
        "",
        *(f"- {sample.name}: {sample.says}" for sample in SAMPLES),
        "",
        "| table | contender | wall s | CPU s | wall ratio | CPU ratio | peak GB | verdict |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (sample, contender), result in found.items():
        if not result:
            lines.append(f"| {sample} | {contender} | stopped after {CAP} s | | | | | |")
            continue
        bare = found[sample, "GROUP BY"]
        wall, cpu = result["wall"] / bare["wall"], result["cpu"] / bare["cpu"]
        verdict = ("met" if max(wall, cpu) <= TARGET else "NOT MET") if contender == "sfumato" else ""
        lines.append(
            f"| {sample} | {contender} | {result['wall']:.2f} | {result['cpu']:.2f} | {wall:.1f} | {cpu:.1f} "
            f"| {result['peak_gb']:.2f} | {verdict} |"
        )
    return "\n".join([*lines, "", "## Agreement", "", agreement(found)]) + "\n"


def agreement(found: dict[tuple[str, str], dict[str, Any]]) -> str:
    compared = differ = 0
    for sample in SAMPLES:
        ours, theirs = (found.get((sample.name, who), {}).get("found", {}) for who in ("sfumato", "pandas"))
        for name in ours.keys() & theirs.keys():
            compared += 1
            differ += abs(ours[name] - theirs[name]) > 1e-6 * max(1, abs(theirs[name]))
    return f"{compared} numbers compared with pandas, {differ} differ."


if __name__ == "__main__":
    main()
