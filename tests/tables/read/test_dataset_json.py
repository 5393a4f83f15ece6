"""CDISC Dataset-JSON, both layouts of version 1.1 and that of version 1.0."""

from __future__ import annotations

import datetime as dt
import json
import traceback
from pathlib import Path
from typing import Any

import pytest

from sfumato.errors import UnreadableFile
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.formats.dataset_json import DatasetJSON
from sfumato.tables.source import Extract, ReadOptions

COLUMNS = [
    {
        "itemOID": "IT.DM.USUBJID",
        "name": "USUBJID",
        "label": "Unique Subject Identifier",
        "dataType": "string",
    },
    {"itemOID": "IT.DM.AGE", "name": "AGE", "label": "Age", "dataType": "integer"},
    {
        "itemOID": "IT.DM.W",
        "name": "WEIGHT",
        "label": "Weight é",
        "dataType": "decimal",
        "targetDataType": "decimal",
    },
    {"itemOID": "IT.DM.H", "name": "HEIGHT", "label": "", "dataType": "double"},
    {"itemOID": "IT.DM.F", "name": "FLAG", "dataType": "boolean"},
    {"itemOID": "IT.DM.B", "name": "BRTHDTC", "dataType": "date"},
    {"itemOID": "IT.DM.P", "name": "PARTIAL", "dataType": "date"},
    {"itemOID": "IT.DM.S", "name": "SEEN", "dataType": "datetime", "targetDataType": "integer"},
    {"itemOID": "IT.DM.T", "name": "AT", "dataType": "time"},
]
ROWS: list[list[Any]] = [
    ["S-1", 30, "70.50", 1.75, True, "1990-01-02", "1990-01", "2020-01-01T10:11:12", "10:11:12"],
    ["", None, None, 2, False, None, "1990-01-02", "2020-01-02T00:00:00", ""],
]
READ = [
    (
        "S-1",
        30,
        70.5,
        1.75,
        True,
        dt.date(1990, 1, 2),
        "1990-01",
        dt.datetime(2020, 1, 1, 10, 11, 12),
        "10:11:12",
    ),
    (None, None, None, 2.0, False, None, "1990-01-02", dt.datetime(2020, 1, 2), None),
]


def document(**changes: Any) -> dict[str, Any]:
    header = {"datasetJSONVersion": "1.1.0", "itemGroupOID": "IG.DM", "name": "DM", "label": "Demographics"}
    return {**header, "records": len(ROWS), "columns": COLUMNS, "rows": ROWS, **changes}


def read(path: Path, content: str | dict[str, Any], **options: Any) -> tuple[Extract, list[tuple[Any, ...]]]:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    extract = DatasetJSON().read(str(path), ReadOptions(**options), DuckDB())
    return extract, extract.table.engine.fetch(f"SELECT * FROM {extract.table}")


def lines(*rows: Any) -> str:
    header = {key: value for key, value in document(records=len(rows)).items() if key != "rows"}
    return "\n".join(json.dumps(line) for line in (header, *rows)) + "\n"


def test_values_labels_and_kinds_follow_the_columns(tmp_path: Path) -> None:
    extract, rows = read(tmp_path / "dm.json", document())
    assert rows == READ
    kinds = ["text", "integer", "real", "real", "boolean", "date", "text", "timestamp", "text"]
    assert [column.kind for column in extract.columns] == kinds
    assert [column.missing for column in extract.columns] == [1, 1, 1, 0, 0, 1, 0, 0, 1]
    assert [column.label for column in extract.columns][:4] == [
        "Unique Subject Identifier",
        "Age",
        "Weight é",
        None,
    ]


def test_a_row_a_line_reads_the_same_as_one_object(tmp_path: Path) -> None:
    extract, rows = read(tmp_path / "dm.ndjson", lines(*ROWS))
    assert rows == READ


def test_the_layout_of_version_1_0_reads_the_same(tmp_path: Path) -> None:
    items = [{**column, "type": column["dataType"]} for column in COLUMNS]
    for item in items:
        del item["dataType"]
    group = {"IG.DM": {"records": 2, "name": "DM", "items": items, "itemData": ROWS}}
    extract, rows = read(tmp_path / "dm.json", {"clinicalData": {"studyOID": "x", "itemGroupData": group}})
    assert rows == READ
    group["IG.AE"] = {"records": 0, "name": "AE", "items": items, "itemData": []}
    with pytest.raises(UnreadableFile, match=r"datasets 'AE', 'DM'.*--table"):
        read(tmp_path / "dm.json", {"clinicalData": {"itemGroupData": group}})
    assert read(tmp_path / "dm.json", {"clinicalData": {"itemGroupData": group}}, table="AE")[1] == []


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (json.dumps(document())[:-40], "not whole JSON"),
        ("[1, 2]", "expected an object with `columns`"),
        (json.dumps({"rows": []}), "no list `columns`"),
        (json.dumps({"columns": COLUMNS}), "no list `rows`"),
        (json.dumps(document(columns=[*COLUMNS[:8], {"name": "X"}])), "entry 9 of `columns` has no `name`"),
        (json.dumps(document(columns=[*COLUMNS[:8], {"name": "X", "dataType": "datum"}])), "dataType of 'X'"),
        (json.dumps(document(rows=[ROWS[0], ROWS[1][:7]])), "row 2 has 7 values; `columns` has 9"),
        (json.dumps(document(rows=[ROWS[0], {"a": "S-1"}])), "row 2 is not a list"),
        (
            json.dumps(document(rows=[ROWS[0], ["S-1", "Ermintrude", *ROWS[0][2:]]])),
            "row 2: the value of 'AGE'",
        ),
        (json.dumps(document(rows=[["S-1", 1.5, *ROWS[0][2:]]])), "row 1: the value of 'AGE'"),
        (json.dumps(document(rows=[["S-1", 10**30, *ROWS[0][2:]]])), "first 1 rows: the value of 'AGE'"),
        (json.dumps(document(rows=[[5, *ROWS[0][1:]]])), "row 1: the value of 'USUBJID'"),
    ],
)
def test_a_malformed_document_is_unreadable_and_quotes_no_cell(tmp_path: Path, content: str, problem: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(tmp_path / "dm.json", content)
    assert problem in str(caught.value)
    shown = "".join(traceback.format_exception(caught.value))
    assert not any(cell in shown for cell in ("Ermintrude", "S-1", "70.50"))


def test_a_damaged_line_is_named_by_its_number(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"dm\.ndjson, line 3: this is not whole JSON") as caught:
        read(tmp_path / "dm.ndjson", lines(*ROWS)[:-20])
    assert caught.value.line == 3
    with pytest.raises(UnreadableFile, match="row 2 has 1 values"):
        read(tmp_path / "dm.ndjson", lines(ROWS[0], ["S-2"]))
    with pytest.raises(UnreadableFile, match="line 1"):
        read(tmp_path / "dm.ndjson", "")


def test_a_person_decides_a_kind(tmp_path: Path) -> None:
    options = {"kinds": {"AGE": Kind.TEXT, "WEIGHT": Kind.TEXT}, "missing": ("S-1",)}
    extract, rows = read(tmp_path / "dm.json", document(), **options)
    assert [row[:3] for row in rows] == [(None, "30", "70.5"), (None, None, None)]


def test_rows_beyond_a_batch_are_all_read_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.tables.read.formats.dataset_json.ROWS_AT_ONCE", 7)
    rows = [[f"S-{i}", i, *ROWS[0][2:]] for i in range(100)]
    extract, found = read(tmp_path / "dm.ndjson", lines(*rows))
    assert [row[:2] for row in found] == [(f"S-{i}", i) for i in range(100)]
