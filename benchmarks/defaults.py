"""What the default method loses beside each single one, on public tables and the demonstrations: `make bench`.

A table needs no hierarchy and no decision of anybody: roles are the labels of `shared/data/foreign`, or those of the
demonstration's project file, and hierarchies are inferred, as in somebody's first release.
"""

import argparse
import csv
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from report import Bound, Page, publish
from report import table as markdown
from running import HERE

import sfumato as sf
from sfumato.errors import InfeasiblePolicy, SfumatoError
from sfumato.studies.demonstrations import write_demonstration

FOREIGN = HERE.parents[1] / "shared" / "data" / "foreign"
STROKE = FOREIGN.parent / "pycanon" / "processed_healthcare-dataset-stroke-data.csv"
K = 5
MOST = 8  # quasi-identifiers, the first of a table: with more, one level for each cannot be searched to the end
FEWEST = 4 * K  # records: of fewer, nothing but everything can be generalised
WAYS: dict[str, dict[str, Any]] = {
    "optimal, nobody left out (old default)": {"method": "optimal", "suppress": 0.0},
    "optimal, 5 %": {"method": "optimal", "suppress": 0.05},
    "local, 5 %": {"method": "local", "suppress": 0.05},
    "mondrian": {"method": "mondrian"},
    "cells": {"method": "cells"},
}
TARGET = 1.02  # times the loss of the best single way
DEMONSTRATIONS = {"hospital": "hospital_admissions", "census": "census", "ms": "ms_registry"}


@dataclass(frozen=True)
class Case:
    name: str
    path: Path
    quasi: tuple[str, ...]
    subject: str | None = None


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", help="Tables whose name begins so.")
    only = options.parse_args().only
    with tempfile.TemporaryDirectory() as folder:
        cases = [case for case in (*foreign(), *demonstrations(Path(folder))) if case.name.startswith(only or "")]
        measured(Case("once, so that everything is loaded", STROKE, ("gender", "age")))
        results = {case.name: measured(case) for case in cases}
    publish(page(results), raw=results, quick=bool(only))


def foreign() -> Iterator[Case]:
    """The public tables, with the columns that are labelled quasi."""
    if not FOREIGN.is_dir():
        raise SystemExit(f"There is no folder {FOREIGN}: the tables of others are not part of this repository.")
    quasi: dict[str, list[str]] = {}
    with (FOREIGN / "labels.csv").open(encoding="utf-8") as file:
        for line in csv.DictReader(file):
            quasi.setdefault(line["table"], [])
            if line["role"] == "quasi":
                quasi[line["table"]].append(line["column"])
    yield Case("stroke", STROKE, ("gender", "age", "ever_married", "work_type", "Residence_type"))
    for name, columns in quasi.items():
        yield Case(name, FOREIGN / name, tuple(columns[:MOST]))


def demonstrations(folder: Path) -> Iterator[Case]:
    for table, name in DEMONSTRATIONS.items():
        write_demonstration(table, folder / table)
        project = sf.Project.read(next((folder / table).rglob(f"{name}.yaml")))
        quasi = tuple(a.name for a in project.attributes if a.role is sf.Role.QUASI)
        yield Case(f"demonstration {table}", Path(str(project.source)), quasi[:MOST], project.subject)


def measured(case: Case) -> dict[str, Any]:
    """The loss and the processor time of the default and of each way; of a table that is too small, why it has none."""
    if not case.quasi:
        return {"why": "no column is a quasi-identifier"}
    extract = sf.load(case.path)
    records = extract.table.count()
    if records < FEWEST:
        return {"why": f"{records} records"}
    result: dict[str, Any] = {"records": records, "quasi": len(case.quasi), "ways": {}}
    for name, settings in {"default": {}, **WAYS}.items():
        start = process_time()
        try:
            anonymised = sf.anonymise(extract, quasi=case.quasi, k=K, explain=False, **settings)
        except InfeasiblePolicy:
            result["ways"][name] = {"why": "cannot be met"}
            continue
        except SfumatoError as error:
            return {"why": type(error).__name__}
        total = anonymised.losses["loss"].total
        result["ways"][name] = {
            "loss": float(total.normalised or 0.0),
            "suppressed": anonymised.solution.suppressed,
            "method": anonymised.method,
            "cpu": process_time() - start,
        }
    print(case.name, {name: way.get("loss") for name, way in result["ways"].items()}, flush=True)
    return result


def page(results: dict[str, dict[str, Any]]) -> Page:
    bounds, rows, left_out = [], [], []
    for name, result in results.items():
        if "why" in result:
            left_out.append(f"{name} ({result['why']})")
            continue
        ways = result["ways"]
        losses = {way: ways[way]["loss"] for way in WAYS if "loss" in ways[way]}
        default, best = ways["default"], min(losses.values(), default=None)
        if "loss" not in default or best is None:
            left_out.append(f"{name} (k = {K} cannot be met)")
            continue
        ratio = default["loss"] / best if best else (1.0 if not default["loss"] else float("inf"))
        bounds.append(Bound(f"{name}, loss of the default", "times the best single way", TARGET, ratio))
        shown = [f"{losses[way]:.4f}" if way in losses else "-" for way in WAYS]
        old = ways["optimal, nobody left out (old default)"].get("cpu")
        spent = f"{default['cpu'] / old:.1f}" if old else "-"
        taken = f"{default['loss']:.4f} ({default['method']}, {default['suppressed']} out)"
        rows.append([name, str(result["records"]), str(result["quasi"]), taken, *shown, spent])
    columns = ["table", "records", "quasi", "default", *WAYS, "CPU, times the old default"]
    body = (
        f"k = {K}, hierarchies inferred, the first {MOST} columns that are labelled quasi at the most. The loss is "
        f"what `compare` reads off the release: the share of its domain that a label leaves open, on average. The "
        f"last column is the processor time of the whole of `anonymise` (reading apart, comparison included).\n\n"
        f"{markdown(columns, rows)}\n\nNot compared: {'; '.join(left_out) or 'none'}."
    )
    return Page("defaults", "the default method beside each single one", body, tuple(bounds))


if __name__ == "__main__":
    main()
