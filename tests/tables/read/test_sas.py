"""SAS transport files, written with pyreadstat.

There is no free writer of sas7bdat: only its errors are tested.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from sfumato.errors import UnreadableFile
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.formats.sas import SAS, time_format
from sfumato.tables.source import ReadOptions


@pytest.mark.parametrize("version", [5, 8])
def test_dates_times_labels_and_missing_values_are_read(tmp_path: Path, version: int) -> None:
    frame = pd.DataFrame(
        {
            "USUBJID": ["S-001", "Zoë", ""],
            "AGE": [30.0, None, 41.0],
            "BIRTH": [dt.date(1582, 10, 15), dt.date(2020, 2, 29), None],
            "SEEN": [dt.datetime(2020, 1, 1, 10, 11, 12), None, dt.datetime(1959, 12, 31, 23, 59, 59)],
            "AT": [dt.time(1, 2, 3), None, dt.time(23, 59, 59)],
        }
    )
    path = tmp_path / "dm.xpt"
    labels = {"AGE": "Age in years", "USUBJID": "Sujet é"}
    pyreadstat.write_xport(frame, path, file_format_version=version, table_name="DM", column_labels=labels)
    extract = SAS().read(str(path), ReadOptions(), DuckDB())
    assert extract.table.engine.fetch(f"SELECT * FROM {extract.table}") == [
        ("S-001", 30, dt.date(1582, 10, 15), dt.datetime(2020, 1, 1, 10, 11, 12), "01:02:03"),
        ("Zoë", None, dt.date(2020, 2, 29), None, None),
        (None, 41, None, dt.datetime(1959, 12, 31, 23, 59, 59), "23:59:59"),
    ]
    assert [c.kind for c in extract.columns] == ["text", "integer", "date", "timestamp", "text"]
    assert [c.missing for c in extract.columns] == [1, 1, 1, 1, 1]
    assert [c.label for c in extract.columns] == ["Sujet é", "Age in years", None, None, None]


def test_special_missing_values_are_null(tmp_path: Path) -> None:
    path = tmp_path / "lb.xpt"
    pyreadstat.write_xport(pd.DataFrame({"RESULT": [7.0, None, 2.0]}), path)
    plain, special = b"." + bytes(7), b"Q" + bytes(7)
    assert path.read_bytes().count(plain) == 1
    path.write_bytes(path.read_bytes().replace(plain, special))
    extract = SAS().read(str(path), ReadOptions(), DuckDB())
    assert extract.table.engine.fetch(f"SELECT * FROM {extract.table}") == [(7,), (None,), (2,)]
    assert extract.columns[0].missing == 1


def test_formats_of_dates_are_told_from_formats_of_numbers() -> None:
    dates = (
        "DATE9",
        "DATE9.",
        "YYMMDD10.",
        "YYMMDDN8",
        "DDMMYYS10",
        "MONYY7",
        "E8601DA",
        "B8601DA8",
        "WORDDATE18",
    )
    assert {name: time_format(name).kind for name in dates} == dict.fromkeys(dates, Kind.DATE)
    stamps = ("DATETIME", "DATETIME20.", "DATETIME22.3", "E8601DT19", "B8601DT", "DTDATE9", "DATEAMPM")
    assert {name: time_format(name).kind for name in stamps} == dict.fromkeys(stamps, Kind.TIMESTAMP)
    times = ("TIME8", "HHMM5", "E8601TM8", "TOD8", "TIMEAMPM11")
    assert {name: time_format(name).kind for name in times} == dict.fromkeys(times, Kind.TEXT)
    numbers = ("", "BEST12", "8.2", "F8.2", "COMMA10", "DOLLAR8", "PERCENT6", "Z5", "$10", "SEXFMT", "DATEX")
    assert [name for name in numbers if time_format(name)] == []


@pytest.mark.parametrize("content", [b"", b"SAS?" * 500, bytes(8192)])
def test_a_damaged_data_set_is_unreadable(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.sas7bdat").write_bytes(content)
    with pytest.raises(UnreadableFile, match="not a whole file"):
        SAS().read(str(tmp_path / "a.sas7bdat"), ReadOptions(), DuckDB())


def test_capitals_in_the_suffix_do_not_matter() -> None:
    assert [SAS().claims(name) for name in ("DM.XPT", "a.sas7bdat", "a.sav", "xpt")] == [
        True,
        True,
        False,
        False,
    ]
