"""On few rows threads wait for each other longer than they work, so there DuckDB has one."""

from __future__ import annotations

from sfumato.tables.engines.duckdb import FEW, DuckDB


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
