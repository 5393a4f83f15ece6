"""Shapes of columns: bars without values, the same whether few records are counted in Python or many in the engine."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pytest

from sfumato.columns import profile as counting
from sfumato.columns.column_shapes import BARS
from sfumato.columns.profile import Profile
from sfumato.tables.engines.duckdb import DuckDB

DAY = datetime.date(2024, 1, 31)
COLUMNS = {
    "whole": [1, 2, 2, 2, None, 4],
    "real": [0.0, 0.5, 1.0, float("nan"), float("inf"), 100.0],
    "day": [DAY, DAY, DAY, datetime.date(1950, 5, 1), None, DAY],
    "text": ["a", "b", "b", "", None, "b"],
    "flag": [True, False, False, False, None, False],
    "empty": pa.array([None] * 6, pa.string()),
    "one": [7] * 6,
}


def shapes(**columns):
    return {column.name: column.shape for column in Profile.of(DuckDB().load(pa.table(columns)))}


def test_numbers_stand_from_low_to_high_and_all_else_by_how_often_it_occurs():
    seen = shapes(**COLUMNS)
    assert seen["whole"] == (0.33, 1.0, 0.0, 0.33)
    assert seen["text"] == (1.0, 0.33, 0.33)
    assert seen["flag"] == (1.0, 0.25)
    assert (seen["empty"], seen["one"]) == ((), (1.0,))
    assert (len(seen["real"]), seen["real"][0], seen["real"][-1]) == (BARS, 1.0, 0.33)
    assert (len(seen["day"]), seen["day"][0], seen["day"][-1]) == (BARS, 0.25, 1.0)


def test_the_engine_counts_the_same_shapes_as_python(monkeypatch):
    few = shapes(**COLUMNS)
    monkeypatch.setattr(counting, "SAMPLE", 0)
    assert shapes(**COLUMNS) == few


@pytest.mark.parametrize("count", [3, 700])
def test_a_shape_holds_no_more_bars_than_a_picture_can_show(count):
    seen = shapes(key=[f"k{i}" for i in range(count)], number=list(range(count)))
    assert all(len(shape) <= BARS for shape in seen.values())
    assert set(seen["key"]) == {1.0}
