"""Triage of many tables: decided on as little as can decide it, and never called free on less than all."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.columns import triage as module
from sfumato.columns.triage import SAMPLE, Holds, Triage, TriageStage
from sfumato.tables.engines.duckdb import DuckDB

MANY = 2 * SAMPLE

TABLES = {
    # by names alone
    "patients": ("patient_id,age", [f"{i},{20 + i % 60}" for i in range(MANY)]),
    # by the first records: the name says nothing
    "x1": ("c1,c2", [f"a{i}@example.org,{i % 3}" for i in range(MANY)]),
    # by all of them: what is telling stands at the end
    "x2": ("line_number,unit,zqx", [f"{i},mg,{'' if i < MANY - 150 else f'a{i}@example.org'}" for i in range(MANY)]),
    "machine_log": ("line_number,unit", [f"{i},mg" for i in range(MANY)]),
    "few_lines": ("line_number,unit", [f"{i},mg" for i in range(10)]),
    "coded": ("zqv,qqx", [f"z{i % 3},{i % 4}" for i in range(MANY)]),
    "emptied": ("line_number,unit", []),
}
EXPECTED = {
    "patients": (Holds.PERSONAL, TriageStage.NAMES, 0),
    "x1": (Holds.PERSONAL, TriageStage.SAMPLE, SAMPLE + 1),
    "x2": (Holds.PERSONAL, TriageStage.ALL, SAMPLE + 1 + MANY),
    "machine_log": (Holds.FREE, TriageStage.ALL, SAMPLE + 1 + MANY),
    "few_lines": (Holds.FREE, TriageStage.ALL, 10),
    "coded": (Holds.OPEN, TriageStage.ALL, SAMPLE + 1 + MANY),
    "emptied": (Holds.OPEN, TriageStage.ALL, 0),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "tables"
    place.mkdir()
    for name, (header, rows) in TABLES.items():
        (place / f"{name}.csv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return place


def in_duckdb(folder: Path) -> Path:
    path = folder.parent / "tables.duckdb"
    with duckdb.connect(str(path)) as connection:
        for file in folder.glob("*.csv"):
            connection.execute(f"CREATE TABLE {file.stem} AS SELECT * FROM read_csv('{file}', header = true)")
    return path


def in_sqlite(folder: Path) -> Path:
    path = folder.parent / "tables.sqlite"
    with sqlite3.connect(path) as connection:
        for name, (header, rows) in TABLES.items():
            columns = header.split(",")
            connection.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
            marks = ", ".join("?" * len(columns))
            values = [[cell or None for cell in row.split(",")] for row in rows]
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", values)
    connection.close()
    return path


def decided(found: Triage) -> dict[str, tuple[Holds, TriageStage, int]]:
    return {table.name.removesuffix(".csv"): (table.holds, table.stage, table.records) for table in found.tables}


@pytest.mark.parametrize("stored", [lambda folder: folder, in_duckdb, in_sqlite], ids=["folder", "duckdb", "sqlite"])
def test_every_table_is_decided_on_as_little_as_can_decide_it(folder, stored):
    found = sf.triage(stored(folder))
    assert decided(found) == EXPECTED
    by_name = {table.name.removesuffix(".csv"): table for table in found.tables}
    assert by_name["patients"].columns[0] == "patient_id"
    assert by_name["x1"].columns[0] == "c1"
    assert by_name["x2"].columns[0] == "zqx"
    assert set(by_name["coded"].columns) == {"zqv", "qqx"}


def test_what_it_cost_is_counted_by_stage(folder):
    found = sf.triage(folder)
    costs = {stage.value: (cost.tables, cost.decided, cost.records) for stage, cost in found.costs.items()}
    assert costs == {
        "names": (7, 1, 0),
        "sample": (6, 3, 4 * (SAMPLE + 1) + 10),
        "all": (3, 3, 3 * MANY),
    }
    assert all(stage["seconds"] >= 0 for stage in found.document()["stages"])


def test_no_record_is_read_where_names_decide(folder, monkeypatch):
    monkeypatch.setattr(module, "load", None)
    monkeypatch.setattr(module, "column_proposals", None)
    for file in folder.glob("*.csv"):
        if file.stem != "patients":
            file.unlink()
    (folder / "visits.csv").write_text("patient_id,date_of_birth\n", encoding="utf-8")
    assert set(sf.triage(folder).holding(Holds.PERSONAL)) == {"patients.csv", "visits.csv"}


def test_a_table_that_cannot_be_read_is_open_and_says_why(folder):
    (folder / "broken.csv").write_bytes(b"line_number,unit\n1,mg\n2\n3,mg,4\n")
    table = next(table for table in sf.triage(folder).tables if table.name == "broken.csv")
    assert table.holds is Holds.OPEN
    assert "cannot be read" in table.because


def test_a_list_of_codes_is_not_decided_by_the_names_of_its_columns(tmp_path):
    place = tmp_path / "tables"
    place.mkdir()
    for name in ("one", "diagnosis_codes"):
        (place / f"{name}.csv").write_text("diagnosis,line_number\nA01,1\nA02,2\n", encoding="utf-8")
    stages = {table.name: table.stage for table in sf.triage(place).tables}
    assert stages["one.csv"] is TriageStage.NAMES
    assert stages["diagnosis_codes.csv"] is not TriageStage.NAMES


@settings(max_examples=8, deadline=None)
@given(
    at=st.integers(min_value=0, max_value=SAMPLE + 60), rows=st.integers(min_value=1, max_value=SAMPLE + 60),
    kind=st.sampled_from(["email", "name"]),
)  # fmt: skip
def test_a_table_with_the_address_of_somebody_anywhere_is_never_called_free(tmp_path_factory, at, rows, kind):
    """However late it comes, and however few there are."""
    place = tmp_path_factory.mktemp("tables")
    cell = {"email": "anna.jansen@example.org", "name": "Anna Jansen"}[kind]
    lines = [f"{i},{cell if i == at % rows else ''}" for i in range(rows)]
    (place / "a.csv").write_text("\n".join(["line_number,zqx", *lines]) + "\n", encoding="utf-8")
    (place / "b.csv").write_text("line_number\n1\n", encoding="utf-8")
    table = next(table for table in sf.triage(place).tables if table.name == "a.csv")
    assert table.holds is not Holds.FREE


def test_a_database_lists_its_tables_twice_however_many_there_are(tmp_path, monkeypatch):
    """Once for their places, once for a glance; never again for each of them."""
    from sfumato.tables.read.formats.database import _DuckDBFile

    path, listed = tmp_path / "many.duckdb", []
    with duckdb.connect(str(path)) as connection:
        for number in range(12):
            connection.execute(f"CREATE TABLE t{number} AS SELECT range AS line_number FROM range({MANY})")
    usual = _DuckDBFile.relations
    monkeypatch.setattr(_DuckDBFile, "relations", lambda store: listed.append(1) or usual(store))
    found = sf.triage(path)
    assert [table.stage for table in found.tables] == [TriageStage.ALL] * 12
    assert len(listed) == 2


def test_nothing_is_left_in_the_engine_of_tables_that_were_looked_at(folder):
    engine = DuckDB()
    sf.triage(in_duckdb(folder), engine=engine)
    left = engine.fetch("SELECT count(*) FROM duckdb_tables() WHERE temporary UNION ALL "
                        "SELECT count(*) FROM duckdb_views() WHERE temporary AND NOT internal")  # fmt: skip
    assert left == [(0,), (0,)]
