"""SPSS files, written with pyreadstat."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pandas as pd
import pyreadstat

from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.formats.spss import SPSS
from sfumato.tables.source import ReadOptions


def test_labels_are_kept_beside_the_codes_and_declared_missing_values_are_null(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "sex": [1.0, 2.0, 9.0, 1.0],
            "dose": [0.5, 1.0, None, 97.0],
            "ort": ["Köln", "", "XX", "d'Aix"],
        }
    )
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(
        frame,
        path,
        column_labels={"sex": "Geschlecht"},
        variable_value_labels={
            "sex": {1: "männlich", 2: "weiblich", 9: "k.A."},
            "dose": {1: "one", 0.5: "half"},
        },
        missing_ranges={"sex": [9], "dose": [{"lo": 90, "hi": 99}], "ort": ["XX"]},
    )
    extract = SPSS().read(str(path), ReadOptions(), DuckDB())
    rows = extract.table.engine.fetch(f"SELECT * FROM {extract.table}")
    assert rows == [(1, 0.5, "Köln"), (2, 1.0, None), (None, None, None), (1, None, "d'Aix")]
    sex, dose, ort = extract.columns
    assert (sex.kind, sex.label, sex.missing) == ("integer", "Geschlecht", 1)
    assert sex.value_labels == {"1": "männlich", "2": "weiblich", "9": "k.A."}
    assert (dose.kind, dose.missing, dose.value_labels) == ("real", 2, {"1.0": "one", "0.5": "half"})
    assert (ort.kind, ort.missing, ort.value_labels) == ("text", 2, None)


def test_moments_counted_from_1582_are_exact_to_the_microsecond(tmp_path: Path) -> None:
    moments = [dt.datetime(2020, 2, 29, 23, 59, 59), None, dt.datetime(1601, 1, 1, 0, 0, 1)]
    frame = pd.DataFrame({"d": [dt.date(1583, 1, 1), dt.date(2400, 2, 29), None]})
    frame["t"] = pd.Series(moments, dtype="object")
    frame["at"] = pd.Series([dt.time(0, 0, 1), dt.time(12, 30), None], dtype="object")
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(frame, path)
    extract = SPSS().read(str(path), ReadOptions(), DuckDB())
    assert [column.kind for column in extract.columns] == ["date", "timestamp", "text"]
    assert extract.table.engine.fetch(f"SELECT * FROM {extract.table}") == [
        (dt.date(1583, 1, 1), moments[0], "00:00:01"),
        (dt.date(2400, 2, 29), None, "12:30:00"),
        (None, moments[2], None),
    ]
