"""Speed and memory of `compare`, beside one GROUP BY of DuckDB, in one run and as ratios: `make bench`."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from running import COLUMNS, DATA, HERE, made, measured

TARGET = 6.0  # times one GROUP BY
MODELS = (
    "non_uniform_entropy", "generic_non_uniform_entropy", "loss", "granularity", "precision",
    "normalised_certainty_penalty", "average_class_size", "discernibility", "ambiguity",
    "kullback_leibler_divergence", "missing_share", "total_variation", "jensen_shannon",
)  # fmt: skip
GENERIC = ("generic_non_uniform_entropy",)
SUPPRESSED = 0.05


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=1_200_000)
    rows = options.parse_args().rows
    found = {}
    for n in (rows // 4, rows, rows * 4):
        path = made("plain", n)
        found["GROUP BY", n, 0] = measured("group_by", path, repeats=3, quasi=COLUMNS, sensitive=())
        if n == rows:
            found["all", n, 2] = ours(path, 2, MODELS)
        found["generic", n, 2] = ours(path, 2, GENERIC)
    for height in (4, 8):
        found["generic", rows, height] = ours(made("plain", rows), height, GENERIC)
    text = document(found, rows)
    print("\n" + text)
    (HERE / "RESULTS-compare.md").write_text(text, encoding="utf-8")


def released(path: Path, height: int) -> Path:
    """A release of it: every second column at level 1 of a hierarchy, and one record in twenty suppressed."""
    out, folder = path.with_name(f"{path.stem}-released.parquet"), DATA / f"hierarchies-{height}"
    folder.mkdir(exist_ok=True)
    table = pq.read_table(path, columns=list(COLUMNS))
    gone = pa.array(np.random.Generator(np.random.PCG64(7)).random(len(table)) < SUPPRESSED)
    columns = {}
    for place, name in enumerate(COLUMNS):
        texts = table[name].cast(pa.string())
        values = sorted(texts.unique().to_pylist())
        lines = [[v, *(f"{i // 2**level}^{level}" for level in range(1, height)), "*"] for i, v in enumerate(values)]
        (folder / f"{name}.csv").write_text("\n".join(";".join(line) for line in lines), encoding="utf-8")
        labels = {line[0]: line[1] if place % 2 else line[0] for line in lines}
        encoded = texts.combine_chunks().dictionary_encode()
        recoded = pa.array([labels[v] for v in encoded.dictionary.to_pylist()]).take(encoded.indices)
        columns[name] = pc.if_else(gone, "*", recoded)
    pq.write_table(pa.table(columns), out, row_group_size=122_880)
    return out


def ours(path: Path, height: int, models: tuple[str, ...]) -> dict[str, Any]:
    return measured(
        "sfumato_compare", path, repeats=3, quasi=COLUMNS, released=str(released(path, height)), models=models,
        hierarchies=str(DATA / f"hierarchies-{height}"),
    )  # fmt: skip


def document(found: dict[tuple[str, int, int], dict[str, Any]], rows: int) -> str:
    yardstick, whole = found["GROUP BY", rows, 0], found["all", rows, 2]
    wall, cpu = whole["wall"] / yardstick["wall"], whole["cpu"] / yardstick["cpu"]
    verdict = "met" if max(wall, cpu) <= TARGET else "met in CPU" if cpu <= TARGET else "NOT MET"
    lines = [
        "# Results of `make bench`: compare",
        "",
        f"A release of the census table, resampled to {rows:,} rows by {len(COLUMNS)} columns, against its original:",
        f"pairing by position and all {len(MODELS)} models that are read off classes and frequencies, beside one",
        f"`GROUP BY` over the columns of the original. Target: {TARGET:g} times. {SUPPRESSED:.0%} are suppressed.",
        "",
        "| contender | wall s | CPU s | wall ratio | CPU ratio | peak GB | verdict |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        f"| GROUP BY | {yardstick['wall']:.2f} | {yardstick['cpu']:.2f} | 1.0 | 1.0 | {yardstick['peak_gb']:.2f} | |",
        f"| sfumato | {whole['wall']:.2f} | {whole['cpu']:.2f} | {wall:.1f} | {cpu:.1f} | {whole['peak_gb']:.2f} "
        f"| {verdict} |",
        "",
        "The generic entropy alone, by rows and by levels of the hierarchies; CPU per row against the first line:",
        "",
        "| rows | levels | wall s | CPU s | CPU per row |",
        "| --- | --- | --- | --- | --- |",
    ]
    generic = [(key, m) for key, m in found.items() if key[0] == "generic"]
    first = generic[0][1]["cpu"] / generic[0][0][1]
    for (_, n, height), m in generic:
        lines.append(f"| {n:,} | {height} | {m['wall']:.2f} | {m['cpu']:.2f} | {m['cpu'] / n / first:.2f} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
