"""What the tests of recipes share: tables as lists of rows, before and after a plan."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from sfumato.plans.apply import apply_plan
from sfumato.plans.plan import Plan

Rows = list[dict[str, str]]


@pytest.fixture(scope="session")
def rows_of() -> Callable[[Path], Rows]:
    """A CSV file as rows of texts; a missing value is the empty text."""

    def rows(path: Path) -> Rows:
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    return rows


@pytest.fixture
def applied(tmp_path: Path, rows_of: Callable[[Path], Rows]) -> Callable[[Plan, Path], Rows]:
    """What a plan makes of a file, which is written to `applied.csv`."""
    return lambda plan, path: rows_of(apply_plan(plan, path, tmp_path / "applied.csv", release_rest=True).path)
