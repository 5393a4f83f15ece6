"""Thousands of small tables: they share engines, and what is found in each is what is found in it alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato import identify
from sfumato.columns import several_tables
from sfumato.columns.identification import Identifications
from sfumato.tables.engines.duckdb import DuckDB


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> list[DuckDB]:
    """The engines that were made for tables of a folder, in turn."""
    made: list[DuckDB] = []

    def counted() -> DuckDB:
        made.append(DuckDB(threads=1))
        return made[-1]

    monkeypatch.setattr(several_tables, "DuckDB", counted)
    return made


def folder_of(tmp_path: Path, *tables: str) -> Path:
    for number, text in enumerate(tables):
        (tmp_path / f"t{number:03}.csv").write_text(text, encoding="utf-8")
    return tmp_path


def identified(folder: Path) -> Identifications:
    whole = identify(str(folder))
    assert isinstance(whole, Identifications)
    return whole


def test_a_hundred_small_tables_take_two_engines(tmp_path: Path, engines: list[DuckDB]) -> None:
    folder = folder_of(tmp_path, *(f"name{i},age\nx,{i}\ny,5\n" for i in range(120)))
    assert len(identified(folder).tables) == 120
    assert len(engines) == 2


def test_after_a_table_that_is_not_small_comes_another_engine(
    tmp_path: Path, engines: list[DuckDB], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(several_tables, "CELLS", 3100)
    small, large = "a\nx\ny\n", "a\n" + "x\n" * 2000
    identified(folder_of(tmp_path, small, large, small, small))
    assert len(engines) == 2


def test_a_table_that_cannot_be_read_leaves_the_others_as_they_are(tmp_path: Path, engines: list[DuckDB]) -> None:
    whole = identified(folder_of(tmp_path, "a\nx\n", "a,b\n1\n2,3,4\n", "a\nx\n"))
    assert [len(one.columns) for one in whole.tables] == [1, 1]
    assert len(whole.failures) == 1
    assert len(engines) == 2


def test_what_is_found_in_a_table_does_not_depend_on_the_engine_that_others_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = ["patient_id,sex,age\n" + "".join(f"P{i}{j},{'FM'[j % 2]},{30 + j}\n" for j in range(9)) for i in range(3)]
    folder = folder_of(tmp_path, *tables, "code,day\n007,2020-01-31\n", "age\n1.5\n2\n")
    together = identified(folder).to_json()
    monkeypatch.setattr(several_tables, "CELLS", 0)
    assert identified(folder).to_json() == together
