"""A CSV file of many rows is read straight into lists of its texts. What is read is the same as without them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.tables.engine import Engine
from sfumato.tables.engines.duckdb import DuckDB, short_texts
from sfumato.tables.load import load
from sfumato.tables.read import text_columns
from sfumato.tables.source import Extract, ReadOptions
from sfumato.utility.paired import record_join

ROWS, FIRST = 300, 60
# What stands in the row of each number, by the name of its column.
COLUMNS: dict[str, Callable[[int], str]] = {
    "sex": lambda i: "fm"[i % 2],
    'say "né"': lambda i: ("a", 'say "x"', "it's", "é", " b", "[c]", "NAME", "", "NA", ".", " ")[i % 11],
    "late": lambda i: "rare, and late" if i == ROWS - 1 else "x",
    "grows": lambda i: "a" if i < FIRST else f"v{i}",
    "many": lambda i: f"id{i}",
    "empty first": lambda i: "" if i < 2 * FIRST else f"t{i % 7}",
    "zip": lambda i: f"{i % 30:05}",
    "age": lambda i: "" if i % 9 == 0 else str(i % 70),
    "cost": lambda i: f"{i % 40}.5",
    "day": lambda i: f"2020-01-{1 + i % 28:02}",
    "others": lambda i: f"o{i % 3}",
    "row": lambda i: f"r{i % 4}",
}


def written(path: Path, columns: dict[str, Callable[[int], str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(columns)
        lines.writerows([value(i) for value in columns.values()] for i in range(ROWS))
    return path


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """300 rows are taken for many, and 60 of them are looked at first."""
    monkeypatch.setattr(short_texts, "MANY", 100)
    monkeypatch.setattr(record_join, "MANY", 100)
    monkeypatch.setattr(short_texts, "FIRST", FIRST)
    monkeypatch.setattr(short_texts, "FEW_OF_FIRST", 31)
    monkeypatch.setattr(short_texts, "LISTED", 40)
    monkeypatch.setattr(text_columns, "SAMPLE", 20)


def read(path: Path, *, counted: bool, engine: Engine | None = None) -> Extract:
    return load(str(path), ReadOptions(counted=counted), engine)


def rows_of(extract: Extract) -> Sequence[tuple[Any, ...]]:
    return extract.table.engine.fetch(f"SELECT * FROM {extract.table}")


@pytest.mark.parametrize("extra", [{}, {"RowID": lambda i: f"p{i % 5}"}], ids=["usual", "rowid"])
def test_rows_that_are_read_into_lists_are_those_that_are_read(many: None, tmp_path: Path, extra: Any) -> None:
    path = written(tmp_path / "people.csv", COLUMNS | extra)
    plain, short = read(path, counted=False), read(path, counted=True)
    assert plain.held is None
    assert short.held is not None
    assert rows_of(short) == rows_of(plain)
    assert (short.columns, short.notes, short.table.kinds) == (plain.columns, plain.notes, plain.table.kinds)
    held = short.held.short
    listed = {
        "sex",
        'say "né"',
        "late",
        "empty first",
        "zip",
        "others",
        "row",
        *extra,
    }
    assert set(held.texts) == listed
    assert short.held.table == short.table
    numbers = held.table.engine.fetch(f'SELECT "{short.held.row}", many FROM {held.table}')
    assert numbers == [(i + 1, f"id{i}") for i in range(ROWS)]


def test_a_list_is_that_of_all_texts_in_their_order(many: None, tmp_path: Path) -> None:
    extract = read(written(tmp_path / "people.csv", COLUMNS), counted=True)
    assert extract.held is not None
    for name in ("late", 'say "né"', "empty first"):
        column = name.replace('"', '""')
        grouped = f'SELECT CAST("{column}" AS VARCHAR) FROM {extract.held.short.table} GROUP BY "{column}"'
        texts = [text for (text,) in extract.table.engine.fetch(f'{grouped} ORDER BY "{column}" NULLS LAST')]
        assert texts == sorted(filter(None, texts), key=str.encode) + [None] * (None in texts)


def test_few_rows_and_rows_that_nobody_counts_are_read_as_they_are(many: None, tmp_path: Path, monkeypatch) -> None:
    path = written(tmp_path / "people.csv", COLUMNS)
    assert read(path, counted=False).held is None
    monkeypatch.setattr(short_texts, "MANY", ROWS + 2)
    assert read(path, counted=True).held is None


@pytest.mark.parametrize(
    "surprise", [lambda i: "x" if i == 250 else str(i), lambda i: "" if i < 250 else str(i)], ids=["text", "numbers"]
)
def test_where_a_later_row_surprises_nothing_of_the_first_reading_is_left(
    many: None, tmp_path: Path, surprise: Callable[[int], str]
) -> None:
    path, engine = written(tmp_path / "people.csv", {**COLUMNS, "age": surprise}), DuckDB()
    short, plain = read(path, counted=True, engine=engine), read(path, counted=False)
    assert short.held is None
    assert (rows_of(short), short.columns) == (rows_of(plain), plain.columns)
    assert engine.fetch("SELECT count(*) FROM duckdb_tables()") == [(1,)]


def test_a_release_has_the_same_bytes_however_its_file_was_read(many: None, tmp_path: Path, monkeypatch) -> None:
    path = written(tmp_path / "people.csv", COLUMNS)
    releases = []
    for most in (100, ROWS + 2):
        monkeypatch.setattr(short_texts, "MANY", most)
        monkeypatch.setattr(record_join, "MANY", most)
        found = sf.anonymise(
            path, quasi=["age", "sex", "late", "zip"], sensitive=['say "né"'], non_sensitive=["grows", "row", "cost"],
            k=3, suppress=0.2, method="optimal",
        )  # fmt: skip
        files = found.write(tmp_path / f"out {most}")
        releases.append({file.name: file.read_bytes() for file in files if "provenance" not in file.name})
    assert releases[0] == releases[1]
    assert len(releases[0]["released.csv"].splitlines()) > ROWS / 2
