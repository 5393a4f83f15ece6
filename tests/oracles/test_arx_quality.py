"""Every quality statistic of ARX, for fixed transformations of the census table, to nine digits."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sfumato.hierarchies.builders.from_file import read_hierarchy
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.tables.engine import Table
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.utility.catalogue import utility_models
from sfumato.utility.model_interface import Figure, Figures
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing

ENTRIES = range(32)
BY_COLUMN = {  # ARX's name -> ours
    "granularity": "granularity",
    "non_uniform_entropy": "generic_non_uniform_entropy",
    "generalization_intensity_precision": "precision",
    "attribute_level_squared_error": "squared_error",
}
BY_TABLE = {
    "aecs": "average_class_size",
    "ambiguity": "ambiguity",
    "discernibility": "discernibility",
    "sse_sst": "sum_of_squares",
    "record_level_squared_error": "record_squared_error",
}


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-9)


@dataclass(frozen=True)
class Census:
    """The census table, its hierarchies, and the releases that the oracle describes."""

    folder: Path

    @cached_property
    def engine(self) -> DuckDB:
        return DuckDB()

    @cached_property
    def records(self) -> dict[str, list[str]]:
        with (self.folder / "adult.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter=";"))
        return {name: [row[name] for row in rows] for name in rows[0]}

    @cached_property
    def hierarchies(self) -> dict[str, Hierarchy]:
        return {name: read_hierarchy(self.folder / f"adult_hierarchy_{name}.csv") for name in self.records}

    def compared(self, entry: dict[str, Any]) -> Comparison:
        """The original beside the release: levels of each column, and the records of small classes suppressed."""
        held: dict[str, Any] = dict(self.records)
        if entry["age_scale"] == "INTEGER":
            held["age"] = [int(age) for age in held["age"]]
        original = self.engine.load(pa.table(held))
        released = self._released(entry)
        return Comparison.of(Pairing.of(original, released, list(self.records), hierarchies=self.hierarchies))

    def _released(self, entry: dict[str, Any]) -> Table:
        levels = entry["levels"]
        recoded = {
            name: [self._labels[name, levels[name]][value] for value in values] for name, values in self.records.items()
        }
        tuples = list(zip(*recoded.values(), strict=True))
        sizes: dict[tuple[str, ...], int] = {}
        for labels in tuples:
            sizes[labels] = sizes.get(labels, 0) + 1
        marked = {
            name: ["*" if sizes[t] < entry["k"] else label for label, t in zip(labels, tuples, strict=True)]
            for name, labels in recoded.items()
        }
        return self.engine.load(pa.table(marked))

    @cached_property
    def _labels(self) -> dict[tuple[str, int], dict[str, str]]:
        return {
            (name, level): {line[0]: line[level] for line in hierarchy.lines}
            for name, hierarchy in self.hierarchies.items()
            for level in range(hierarchy.height + 1)
        }


@pytest.fixture(scope="module")
def census(shared: Path) -> Census:
    return Census(shared / "data" / "adult")


@pytest.fixture(scope="module")
def oracle(shared: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((shared / "oracles" / "arx_quality.json").read_text(encoding="utf-8"))
    assert len(found) == len(ENTRIES)
    return found


Release = tuple[dict[str, Any], Comparison]


@pytest.fixture(scope="module", params=ENTRIES)
def release(request: pytest.FixtureRequest, census: Census, oracle: list[dict[str, Any]]) -> Release:
    entry = oracle[request.param]
    return entry, census.compared(entry)


def read(name: str, compared: Comparison) -> Figures:
    return utility_models()[name]().of(compared)


def turned(found: Figures) -> Figures:
    """Precision counts what is left of the way to the top, ARX's intensity the way itself."""
    figures = {
        c: Figure(1 - (f.value or 0), 1 - f.untouched, 1 - f.removed)
        for c, f in found.columns.items()
        if isinstance(f, Figure)
    }
    return Figures(figures, found.total)


def kept(found: object) -> float:
    """ARX says what was kept, from 1 (the input) to 0 (all removed); we say what was lost."""
    assert isinstance(found, Figure)
    assert found.normalised is not None
    return 1 - found.normalised


def test_the_same_records_are_suppressed_and_the_same_classes_left(release: Release) -> None:
    entry, compared = release
    assert (compared.class_sizes.suppressed, compared.class_sizes.classes) == (
        entry["suppressed_records"],
        entry["classes"],
    )


@pytest.mark.parametrize("theirs", BY_COLUMN)
def test_every_column_and_every_aggregate_agree(release: Release, theirs: str) -> None:
    entry, compared = release
    found, expected = read(BY_COLUMN[theirs], compared), entry["quality"][theirs]
    found = turned(found) if theirs == "generalization_intensity_precision" else found
    for column, value in expected["per_attribute"].items():
        assert kept(found.columns[column]) == near(value), column
    for how, ours in (("arithmetic_mean", "arithmetic"), ("geometric_mean", "geometric"), ("max", "maximum")):
        for first in (False, True):
            order = "normalize_then_aggregate" if first else "aggregate_then_normalize"
            assert found.aggregated(ours, normalised_first=first) == near(1 - expected[f"{how}_{order}"]), (how, order)


def test_the_raw_values_agree(release: Release) -> None:
    """Our loss is normalised already; ARX's granularity is the plain share of the domain."""
    entry, compared = release
    raw = entry["raw_min_result_max"]
    for theirs in ("non_uniform_entropy", "attribute_level_squared_error"):
        found = read(BY_COLUMN[theirs], compared)
        for column, figure in found.columns.items():
            assert isinstance(figure, Figure)
            assert figure.value == near(raw[theirs]["result"][column])
            assert figure.removed == near(raw[theirs]["maximum"][column])
    for column, figure in read("granularity", compared).columns.items():
        assert isinstance(figure, Figure)
        assert figure.value == near(raw["granularity"]["result"][column])
        assert figure.untouched == near(raw["granularity"]["minimum"][column])


def test_loss_is_granularity_normalised(release: Release) -> None:
    _, compared = release
    loss, granularity = read("loss", compared), read("granularity", compared)
    for column, figure in loss.columns.items():
        assert figure.value == near(granularity.columns[column].normalised)  # type: ignore[union-attr]


def test_missing_cells_agree(release: Release) -> None:
    entry, compared = release
    found = read("missing_share", compared)
    for column, share in entry["quality"]["missings"]["per_attribute"].items():
        assert found.columns[column].value == near(share)  # type: ignore[union-attr]


@pytest.mark.parametrize("theirs", BY_TABLE)
def test_the_models_of_the_whole_table_agree(release: Release, theirs: str) -> None:
    entry, compared = release
    assert kept(read(BY_TABLE[theirs], compared).total) == near(entry["quality"][theirs]["value"])
