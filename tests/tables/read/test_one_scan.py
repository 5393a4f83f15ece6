"""A CSV file is scanned once where all rows are written as the first ones are, and what is decided is the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.errors import SfumatoError
from sfumato.tables.engine import Kind, literal
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.load import load
from sfumato.tables.read import text_columns
from sfumato.tables.read.formats import csv
from sfumato.tables.source import ReadOptions

FIRST = 3  # rows that are looked at first, here: a late surprise is then in the fourth
NUMBERS = ("1", "12", "-4", "0", "1.5", "1,5", "1.234", "1.234,5", "123456789012345", "1234567890123456")
DATES = ("2020-01-31", "0000-01-31", "2020-01-31 12:00", "03.04.2020", "13.04.2020", "3/4/2020", "3/14/2020")
OTHERS = ("", "NA", " NA", "-99", "007", "+5", "+.,", "1e5", "-0", " 5", "12 ", "x", "Nein", "yes")


@pytest.fixture
def few_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_columns, "SAMPLE", FIRST)


@pytest.fixture(scope="module")
def engine() -> DuckDB:
    return DuckDB(threads=1)


def settled(engine: DuckDB, rows: Sequence[Sequence[str]], options: ReadOptions, decimal: str | None) -> Any:
    """The rows, the columns and the notes; or what is said where the options do not fit."""
    values = ", ".join(f"({', '.join(map(literal, row))})" for row in rows)
    text = engine.view(f"SELECT * FROM (VALUES {values}) AS t({', '.join(f'c{i}' for i in range(len(rows[0])))})")
    try:
        extract = text_columns.settle("rows", text, options, decimal=decimal)
        return engine.fetch(f"SELECT * FROM {extract.table}"), extract.table.kinds, extract.columns, extract.notes
    except SfumatoError as error:
        return str(error)


def both(monkeypatch: pytest.MonkeyPatch, engine: DuckDB, *given: Any) -> tuple[Any, Any]:
    """What is read as it usually is, and in two scans whatever the first rows say."""
    usual = settled(engine, *given)
    with monkeypatch.context() as patched:
        patched.setattr(text_columns, "_in_one_scan", lambda *_: None)
        return usual, settled(engine, *given)


columns_of_a_sort = st.sampled_from([NUMBERS, DATES, NUMBERS + DATES, NUMBERS + OTHERS, DATES + OTHERS, OTHERS])


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[str, ...]]:
    """Columns of which the first rows are written in one or two ways, and a later one perhaps in another."""
    columns = []
    for _ in range(draw(st.integers(1, 3))):
        sort = draw(columns_of_a_sort)
        common = st.sampled_from(draw(st.lists(st.sampled_from(sort), min_size=1, max_size=2)))
        late = common | st.sampled_from(sort) if draw(st.booleans()) else common
        columns.append(draw(st.lists(common, min_size=5, max_size=5)) + draw(st.lists(late, min_size=2, max_size=2)))
    return list(zip(*columns, strict=True))


kinds = st.sampled_from([{}, {}, {"c0": Kind.TEXT}, {"c0": Kind.INTEGER}, {"c0": Kind.REAL}, {"c0": Kind.DATE}])


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(tables(), kinds, st.sampled_from([None, ".", ","]), st.sampled_from([None, ("", "-99")]))
def test_one_scan_decides_as_two_do(few_first, engine, rows, kinds, decimal, missing):
    options = ReadOptions(kinds=kinds, missing=missing)
    with pytest.MonkeyPatch.context() as patched:
        one, two = both(patched, engine, rows, options, decimal)
    assert one == two


@settings(max_examples=40, deadline=None)
@given(tables(), st.sampled_from([None, ".", ","]))
def test_what_the_first_look_settles_is_what_all_notations_say(engine, rows, decimal):
    values = ", ".join(f"({', '.join(map(literal, row))})" for row in rows)
    names = tuple(f"c{i}" for i in range(len(rows[0])))
    text = engine.view(f"SELECT * FROM (VALUES {values}) AS t({', '.join(names)})")
    given = (engine, text, names, ("", "NA"), (*text_columns._possible(decimal), *text_columns.LOSSES))
    assert text_columns._first_tally(*given) == text_columns._stacked_tally(*given)


@pytest.mark.parametrize("cells", [("a", "b"), ("1", "-20"), ("", "NA")])
def test_words_short_numbers_and_nothing_are_settled_by_the_first_look(monkeypatch, engine, cells):
    asked = []

    def tallied(*given):
        asked.append(given[2])
        return stacked(*given)

    stacked = text_columns._stacked_tally
    monkeypatch.setattr(text_columns, "_stacked_tally", tallied)
    settled(engine, [(cell, "2020-01-31") for cell in cells], ReadOptions(), ".")
    assert asked == [("c0", "c1"), ("c1",)]


def test_rows_that_are_written_as_the_first_are_scanned_once(few_first, monkeypatch, engine):
    rows = [("1", "1.5", "2020-01-31", "a", "03.14")] * 4 + [("NA", "", "2020-02-01", "NA", "007")]
    options = ReadOptions()
    two = both(monkeypatch, engine, rows, options, ".")[1]
    monkeypatch.setattr(text_columns, "_in_two_scans", None)  # nobody may call it
    one = settled(engine, rows, options, ".")
    assert one == two
    assert [column.kind for column in one[2]] == [Kind.INTEGER, Kind.REAL, Kind.DATE, Kind.TEXT, Kind.TEXT]
    assert [column.missing for column in one[2]] == [1, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("first", "late", "kind"),
    [("1", "1.5", Kind.REAL), ("1", "x", Kind.TEXT), ("", "7", Kind.INTEGER), ("03.04.2020", "13.04.2020", Kind.DATE)],
)
def test_a_late_row_that_is_written_otherwise_is_heard(few_first, monkeypatch, engine, first, late, kind):
    rows = [(first, "a")] * 5 + [(late, "b")]
    one, two = both(monkeypatch, engine, rows, ReadOptions(), ".")
    assert one == two
    assert one[2][0].kind is kind


def test_a_number_that_a_person_says_is_missing_is_no_number(few_first, engine):
    rows = [("1",), ("2",), ("3",), ("-99",)]
    options = replace(ReadOptions(), also_missing={"c0": ("-99",)})
    values, _, columns, _ = settled(engine, rows, options, ".")
    assert values == [(1,), (2,), (3,), (None,)]
    assert columns[0].missing == 1


def test_lines_that_end_as_on_windows_are_read_where_they_are(tmp_path, monkeypatch):
    monkeypatch.setattr(csv, "_counted", None)  # nobody may write the records anew
    path = tmp_path / "windows.csv"
    path.write_bytes(b"a;b\r\n" + b"1;x y\r\n" * 50 + b'2;"z;"\r\n')
    extract = load(str(path), engine=DuckDB(threads=1))
    rows = extract.table.engine.fetch(f"SELECT * FROM {extract.table}")
    assert rows == [(1, "x y")] * 50 + [(2, "z;")]


def test_lines_are_counted_where_letters_of_several_bytes_are_cut_between_two_readings(tmp_path, monkeypatch):
    monkeypatch.setattr(csv, "_counted", None)
    monkeypatch.setattr("sfumato.tables.read.text_file.CHUNK", 3)
    path = tmp_path / "cut.csv"
    path.write_text("a,b\n" + "é,한\n" * 9 + "ä,1", encoding="utf-8")
    extract = load(str(path), engine=DuckDB(threads=1))
    assert extract.table.engine.fetch(f"SELECT count(*), max(a) FROM {extract.table}") == [(10, "é")]
