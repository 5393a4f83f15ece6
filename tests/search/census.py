"""The census table of the anonymisation literature as counted tuples."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sfumato.hierarchy import Hierarchy
from sfumato.partitioning import CountedTuples, Order, Tree


def read(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return [row for row in csv.reader(file, delimiter=";") if row]


def census(shared: Path, *, ordered: Sequence[str] = (), sensitive: str | None = None) -> CountedTuples:
    folder = shared / "data" / "adult"
    head, *rows = read(folder / "adult.csv")
    columns, codes, kept = [], [], []
    for name, values in zip(head, zip(*rows, strict=True), strict=True):
        if name == sensitive:
            places = {value: i for i, value in enumerate(sorted(set(values)))}
            kept = [(name, [places[value] for value in values])]
        elif name in ordered:
            numbers = np.unique([float(value) for value in values])
            columns.append(Order(name, numbers))
            codes.append(np.searchsorted(numbers, [float(value) for value in values]))
        else:
            hierarchy = Hierarchy(tuple(tuple(line) for line in read(folder / f"adult_hierarchy_{name}.csv")))
            places = {value: i for i, value in enumerate(hierarchy.values)}
            columns.append(Tree.of(name, hierarchy))
            codes.append([places[value] for value in values])
    return CountedTuples.of(columns, np.array(codes, dtype=np.int32).T, kept)
