"""What the tests of recipes share: tables as lists of rows, before and after a plan."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from sfumato.plans.apply import AppliedPlan, apply_plan
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
    """What a plan makes of a file, in the order of the file; it is written to `applied.csv`, in an order of its own."""
    return lambda plan, path: rows_of(
        in_source_order(apply_plan(plan, path, tmp_path / "applied.csv", release_rest=True), tmp_path / "in_order.csv")
    )


def in_source_order(applied: AppliedPlan, path: Path) -> Path:
    """The rows that were released as the steward has them, in the order of the source."""
    after = applied.followed.after
    after.engine.write(after.select(), path)
    return path
