"""Speed and memory of `compare`, beside one GROUP BY of DuckDB, in one run and as ratios: `make bench`."""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from report import Bound, Page, publish, times
from running import COLUMNS, DATA, ROWS, TURNS, in_turns, made, measured

TARGET = 6.0  # times one GROUP BY
MODELS = (
    "non_uniform_entropy", "generic_non_uniform_entropy", "loss", "granularity", "precision",
    "normalised_certainty_penalty", "average_class_size", "discernibility", "ambiguity",
    "kullback_leibler_divergence", "missing_share", "total_variation", "jensen_shannon",
)  # fmt: skip
GENERIC = ("generic_non_uniform_entropy",)
SUPPRESSED = 0.05

Found = dict[tuple[str, int, int], dict[str, Any]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=ROWS)
    rows = options.parse_args().rows
    sizes = {n: made("plain", n) for n in (rows // 4, rows, rows * 4)}
    runs: dict[tuple[str, int, int], Callable[[], dict[str, Any]]] = {
        ("GROUP BY", rows, 0): partial(measured, "group_by", sizes[rows], repeats=3, quasi=COLUMNS, sensitive=()),
        ("all", rows, 2): ours(sizes[rows], 2, MODELS),
        **{("generic", n, 2): ours(path, 2, GENERIC) for n, path in sizes.items()},
        **{("generic", rows, height): ours(sizes[rows], height, GENERIC) for height in (4, 8)},
    }
    publish(page(in_turns(runs), rows), quick=rows != ROWS)


def released(path: Path, height: int) -> Path:
    """A release of it: every second column at level 1 of a hierarchy, and one record in twenty suppressed."""
    out, folder = path.with_name(f"{path.stem}-released-{height}.parquet"), DATA / f"hierarchies-{height}"
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


def ours(path: Path, height: int, models: tuple[str, ...]) -> Callable[[], dict[str, Any]]:
    return partial(
        measured, "sfumato_compare", path, repeats=3, quasi=COLUMNS, released=str(released(path, height)),
        models=models, hierarchies=str(DATA / f"hierarchies-{height}"),
    )  # fmt: skip


def page(found: Found, rows: int) -> Page:
    ratio, which = times(found["all", rows, 2], found["GROUP BY", rows, 0])
    per_row = {n: found["generic", n, 2]["cpu"] / n for n in (rows, rows * 4)}
    levels = {height: found["generic", rows, height]["cpu"] for height in (2, 8)}
    return Page(
        name="compare",
        title="compare",
        bounds=(
            Bound(f"{len(MODELS)} models, {rows:,} rows", f"times one GROUP BY, {which}", TARGET, ratio),
            Bound(
                "the generic entropy, four times the rows", "times the CPU", 4, per_row[rows * 4] / per_row[rows] * 4
            ),
            Bound("the generic entropy, four times the levels", "times the CPU", 4, levels[8] / levels[2]),
        ),
        body=document(found, rows),
    )


def document(found: Found, rows: int) -> str:
    yardstick, whole = found["GROUP BY", rows, 0], found["all", rows, 2]
    lines = [
        f"A release of the census table, resampled to {rows:,} rows by {len(COLUMNS)} columns, against its original:",
        f"pairing by position and all {len(MODELS)} models that are read off classes and frequencies, beside one",
        f"`GROUP BY` over the columns of the original. {SUPPRESSED:.0%} are suppressed. Medians of {TURNS} turns. The",
        "numbers are compared with those of others in the tests, not here.",
        "",
        "| contender | wall s | CPU s | wall ratio | CPU ratio | peak GB |",
        "|" + " --- |" * 6,
    ]
    for who, m in (("GROUP BY", yardstick), ("sfumato", whole)):
        wall, cpu = m["wall"] / yardstick["wall"], m["cpu"] / yardstick["cpu"]
        lines.append(f"| {who} | {m['wall']:.2f} | {m['cpu']:.2f} | {wall:.1f} | {cpu:.1f} | {m['peak_gb']:.2f} |")
    lines += [
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
    return "\n".join(lines)


if __name__ == "__main__":
    main()
