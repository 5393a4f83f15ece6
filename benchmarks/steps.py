"""Two steps of plans that were slow by themselves, and what microaggregation by cells loses.

Microaggregation of many records beside DuckDB reading and grouping a file, and codes of diagnoses beside a join of
their different values.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pyarrow as pa
from report import Bound, Page, publish
from running import COLUMNS, TURNS, as_csv, made, measured
from running import ROWS as READ

from sfumato.hierarchies.builders.icd10 import Icd10
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources
from sfumato.plans.steps.generalise import Generalise
from sfumato.plans.steps.microaggregate import mdav, means
from sfumato.secrets import Secrets
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.source import Column, Extract

POINTS, READINGS = 1_200_000, 30 / 1.4  # records of five numbers; times DuckDB: 30 s where it takes 1.4 s
SOME, LOST = 20_000, 1.15  # records that are more than MDAV takes together; times what it loses on all together
CODED, JOINS = 3_000_000, 1.5  # records with a code; times a join of the different ones, check of all codes included
K = 3


@dataclass(frozen=True)
class Beside:
    """CPU seconds of a step, and of its yardstick."""

    ours: float
    yardstick: float

    @property
    def ratio(self) -> float:
        return self.ours / self.yardstick


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--share", type=float, default=1.0, help="of the records of both steps")
    share = options.parse_args().share
    publish(page(microaggregation(int(POINTS * share)), loss(SOME), diagnoses(int(CODED * share))), quick=share != 1)


def microaggregation(rows: int) -> Beside:
    """MDAV on so many records, beside DuckDB reading a CSV file of 1.2 million rows and grouping it by nine columns."""
    path = as_csv(made("varied", READ))
    read = measured("read_and_group", path, repeats=TURNS, quasi=COLUMNS, held=True)
    points = np.random.Generator(np.random.PCG64(5)).normal(size=(rows, 5))
    return Beside(least(lambda: mdav(points, K), 1), read["cpu"])


def loss(rows: int) -> float:
    """The sum of squares within the groups that cells lead to, times that of MDAV on all records together."""
    points = np.random.Generator(np.random.PCG64(7)).normal(size=(rows, 5))
    by_cells, together = (
        sum(float(np.square(column - means(column, groups)).sum()) for column in points.T)
        for groups in (mdav(points, K), mdav(points, K, whole=rows))
    )
    return by_cells / together


def diagnoses(rows: int) -> Beside:
    """A column of ICD-10 codes at the level of blocks, beside a join of the different codes."""
    draw = np.random.Generator(np.random.PCG64(6))
    every = (f"{letter}{i:02}.{j}" for letter in "ABCDEFGHIJKLM" for i in range(0, 99, 3) for j in range(4))
    codes = pa.array([code for code in every if Icd10().places(code)])
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

    return Beside(least(ours, TURNS), least(join, TURNS))


def least(run: Callable[[], Any], repeats: int) -> float:
    """The least CPU seconds of some runs."""
    seconds = []
    for _ in range(repeats):
        begun = process_time()
        run()
        seconds.append(process_time() - begun)
    return min(seconds)


def page(points: Beside, lost: float, codes: Beside) -> Page:
    unit = "times DuckDB reading and grouping the file, CPU"
    return Page(
        name="steps",
        title="single steps of plans",
        bounds=(
            Bound("microaggregation, 1.2 million records of 5 numbers, k = 3", unit, READINGS, points.ratio),
            Bound(f"the same, {SOME:,} records: squares within groups", "times MDAV on all together", LOST, lost),
            Bound("ICD-10 codes to blocks, 3 million records", "times a join, CPU", JOINS, codes.ratio),
        ),
        body=f"""Microaggregation runs MDAV on up to 10,000 records together, and on more of them cell by cell. Codes go
through the step `generalise`, with the check that each has a place. The file is a CSV file of 160 MB, which DuckDB
reads and groups by nine columns.

| step | CPU s | yardstick | its CPU s |
| --- | --- | --- | --- |
| microaggregation | {points.ours:.2f} | reading and grouping the file | {points.yardstick:.2f} |
| ICD-10 | {codes.ours:.2f} | a join of the different codes | {codes.yardstick:.2f} |""",
    )


if __name__ == "__main__":
    main()
