"""The census table, condensed once for all searches."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sfumato.hierarchies.builders.from_file import read_hierarchy
from sfumato.privacy.classes import Value
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.dataset import Dataset
from sfumato.tables.engines.duckdb import DuckDB

SENSITIVE = "occupation"


def census_table(folder: Path, roles: dict[str, str]) -> Dataset:
    with (folder / "adult.csv").open(encoding="utf-8", newline="") as file:
        header, *records = list(csv.reader(file, delimiter=";"))
    table = DuckDB().load(pa.table({name: [record[i] for record in records] for i, name in enumerate(header)}))
    dataset = Dataset.of(table, dict.fromkeys(header, "quasi") | roles)
    return replace(
        dataset, hierarchies={name: read_hierarchy(folder / f"adult_hierarchy_{name}.csv") for name in header}
    )


@pytest.fixture(scope="session")
def census(shared: Path) -> dict[str, CodedTable]:
    """By set-up: nine quasi-identifiers, eight of them, and eight with the occupation as a sensitive value."""
    folder = shared / "data" / "adult"
    values = [Value(SENSITIVE)]
    return {
        "nine": condense(census_table(folder, {})),
        "eight": condense(census_table(folder, {SENSITIVE: "non-sensitive"})),
        "sensitive": condense(census_table(folder, {SENSITIVE: "sensitive"}), values),
    }


@pytest.fixture(scope="session")
def arx_optimal(shared: Path) -> list[dict[str, Any]]:
    return list(json.loads((shared / "oracles" / "arx_optimal.json").read_text(encoding="utf-8")))


@pytest.fixture(scope="session")
def arx_privacy(shared: Path) -> list[dict[str, Any]]:
    return list(json.loads((shared / "oracles" / "arx_privacy.json").read_text(encoding="utf-8")))
