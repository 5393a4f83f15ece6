"""On few rows threads wait for each other longer than they work, so there DuckDB has one."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from sfumato.tables.engines.duckdb import FEW, DuckDB
from sfumato.tables.load import load
from sfumato.tables.read import column_parts


def threads(engine: DuckDB) -> int:
    return int(engine.fetch("SELECT current_setting('threads')")[0][0])


def test_few_rows_are_worked_on_by_one_thread_and_many_by_as_many_as_before() -> None:
    engine = DuckDB()
    usual = threads(engine)
    engine.expect(engine.view(f"SELECT * FROM range({FEW - 1})"))
    assert threads(engine) == 1
    engine.expect(engine.view(f"SELECT * FROM range({FEW})"))
    assert threads(engine) == usual


def test_a_number_of_threads_that_was_asked_for_comes_back_after_few_rows() -> None:
    engine = DuckDB(threads=3)
    engine.expect(engine.view("SELECT 1 AS n"))
    engine.expect(None)
    assert threads(engine) == 3


def test_one_thread_is_for_a_block_whatever_happens_in_it() -> None:
    engine = DuckDB(threads=3)
    with suppress(ZeroDivisionError), engine.one_thread():
        assert threads(engine) == 1
        raise ZeroDivisionError
    assert threads(engine) == 3
    engine.expect(engine.view("SELECT 1 AS n"))
    with engine.one_thread():
        pass
    assert threads(engine) == 1  # few rows are still expected


def test_a_very_wide_file_is_read_by_one_thread_and_then_by_as_many_as_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(column_parts, "VERY_WIDE", 600)
    file = tmp_path / "wide.csv"
    file.write_text("\n".join([",".join(f"c{i}" for i in range(601)), *[",".join(["7"] * 601)] * 3]))
    engine = DuckDB(threads=3)
    seen = []
    monkeypatch.setattr(engine, "query", lambda sql, query=engine.query: seen.append(threads(engine)) or query(sql))
    extract = load(file, engine=engine)
    assert (extract.table.count(), len(extract.columns)) == (3, 601)
    assert (seen[0], seen[-1]) == (1, 1)  # the text as it is, and the parts put together
    assert set(seen[1:-1]) == {3}
    assert threads(engine) == 3
