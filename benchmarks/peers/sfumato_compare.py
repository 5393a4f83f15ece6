"""Sfumato: the public verb on two Parquet files."""

import csv
from pathlib import Path

from timed import Task, timed

import sfumato as sf
from sfumato.hierarchies.hierarchy import Hierarchy


def hierarchies(folder: str) -> dict[str, Hierarchy]:
    found = {}
    for path in sorted(Path(folder).glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            found[path.stem] = Hierarchy(tuple(tuple(line) for line in csv.reader(file, delimiter=";")))
    return found


def compared(task: Task) -> dict[str, float]:
    found = sf.compare(
        task["path"], task["released"], quasi=task["quasi"], hierarchies=hierarchies(task["hierarchies"]),
        models=task["models"], by_position=True,
    )  # fmt: skip
    return {name: read["value"] for name, read in found.document()["total"].items()}


if __name__ == "__main__":
    timed(compared)
