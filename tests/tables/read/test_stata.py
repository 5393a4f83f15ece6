"""Stata files, written with pyreadstat and pandas."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pandas as pd
import pyreadstat

from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.formats.stata import Stata
from sfumato.tables.source import ReadOptions


def test_labels_dates_and_extended_missing_values_are_read(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "sex": [1, 2, 1],
            "income": [1000.0, "a", None],
            "visit": [dt.date(1959, 12, 31), dt.date(2020, 2, 29), None],
            "seen": [dt.datetime(2020, 1, 1, 10, 11, 12, 500000), None, dt.datetime(1955, 5, 5)],
            "Sex": ["Ärztin", "", "x"],
        }
    )
    path = tmp_path / "a.dta"
    pyreadstat.write_dta(
        frame,
        path,
        column_labels={"sex": "Sex at birth"},
        variable_value_labels={"sex": {1: "male", 2: "female"}},
        missing_user_values={"income": ["a"]},
    )
    extract = Stata().read(str(path), ReadOptions(), DuckDB())
    assert extract.table.engine.fetch(f"SELECT * FROM {extract.table}") == [
        (1, 1000, dt.date(1959, 12, 31), dt.datetime(2020, 1, 1, 10, 11, 12, 500000), "Ärztin"),
        (2, None, dt.date(2020, 2, 29), None, None),
        (1, None, None, dt.datetime(1955, 5, 5), "x"),
    ]
    assert [c.name for c in extract.columns] == ["sex (1)", "income", "visit", "seen", "Sex (2)"]
    assert [c.kind for c in extract.columns] == ["integer", "integer", "date", "timestamp", "text"]
    assert [c.missing for c in extract.columns] == [0, 2, 1, 1, 1]
    assert extract.columns[0].label == "Sex at birth"
    assert extract.columns[0].value_labels == {"1": "male", "2": "female"}
    assert len(extract.notes) == 1


def test_months_stay_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.dta"
    moments = pd.to_datetime(["1960-03-01", "2020-01-01"])
    pd.DataFrame({"m": moments, "d": moments}).to_stata(path, convert_dates={"m": "tm", "d": "td"}, write_index=False)
    extract = Stata().read(str(path), ReadOptions(), DuckDB())
    assert extract.table.engine.fetch(f"SELECT * FROM {extract.table}") == [
        (2, dt.date(1960, 3, 1)),
        (720, dt.date(2020, 1, 1)),
    ]
