"""Any text, number and date comes back from a file as it was."""

from __future__ import annotations

import datetime as dt
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.load import load
from sfumato.tables.source import ReadOptions
from sfumato.tables.write.release import ReleasedColumn, WriteOptions
from sfumato.tables.write.table import write_table

CHILDREN = 5  # examples of formats that a process of its own reads: each takes a second
KINDS = {"text": Kind.TEXT, "whole": Kind.INTEGER, "real": Kind.REAL, "day": Kind.DATE, "moment": Kind.TIMESTAMP}
SCHEMA = pa.schema(
    [
        ("key", pa.int64()), ("text", pa.string()), ("whole", pa.int64()), ("real", pa.float64()),
        ("day", pa.date32()), ("moment", pa.timestamp("us")),
    ]
)  # fmt: skip
ODD = st.sampled_from(
    ["007", "1e5", '"', '""', "a,b", "a;b", "\n", "\r\n", "x\ry", "é", "'", "\\", "#", "sep=;", "=1+1"]
)
# Blank text is read as missing by our own readers; NUL is refused; the rest of the controls are not text in XML.
LETTERS = st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
TEXTS = st.one_of(ODD, st.text(LETTERS, min_size=1, max_size=20)).filter(lambda text: text.strip())
DAYS = st.dates(dt.date(1900, 3, 1), dt.date(9999, 12, 31))
MOMENTS = st.datetimes(dt.datetime(1900, 3, 1), dt.datetime(9999, 12, 31))
REALS = st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: x == 0 or 1e-70 < abs(x) < 1e70)


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), values)


CELLS = st.tuples(maybe(TEXTS), maybe(st.integers(-(2**53) + 1, 2**53 - 1)), maybe(REALS), maybe(DAYS), maybe(MOMENTS))
TABLES = st.lists(CELLS, max_size=6)


def there_and_back(rows: list[tuple[Any, ...]], name: str, **options: Any) -> list[tuple[Any, ...]]:
    numbered = [(key, *row) for key, row in enumerate(rows)]
    table = DuckDB().load(pa.Table.from_pylist([dict(zip(SCHEMA.names, row, strict=True)) for row in numbered], SCHEMA))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        columns = [ReleasedColumn(column) for column in SCHEMA.names]
        assert write_table(table, path, columns, options=WriteOptions(**options)) == len(rows)
        text = path.suffix in (".csv", ".tsv", ".xlsx")
        kinds = KINDS if text else {}
        delimiter = options.get("delimiter")
        extract = load(path, ReadOptions(missing=("",) if text else None, kinds=kinds, delimiter=delimiter))
        return [row[1:] for row in extract.table.engine.fetch(f"SELECT * FROM {extract.table} ORDER BY key")]


def without_zero(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [tuple(0.0 if cell == 0 and isinstance(cell, float) else cell for cell in row) for row in rows]


@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r.parquet", "r.arrow"])
@given(rows=TABLES)
@settings(max_examples=12)
def test_every_cell_comes_back(rows: list[tuple[Any, ...]], name: str) -> None:
    assert there_and_back(rows, name) == without_zero(rows)


@given(rows=TABLES)
@settings(max_examples=12)
def test_another_delimiter_and_a_byte_order_mark_change_nothing(rows: list[tuple[Any, ...]]) -> None:
    assert there_and_back(rows, "r.csv", delimiter=";", byte_order_mark=True) == without_zero(rows)


def in_a_workbook(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Line ends are one character there, and real numbers have 15 digits."""
    text, whole, real, *rest = row
    plain = None if text is None else text.replace("\r\n", "\n").replace("\r", "\n")
    return plain, whole, None if real is None else float(f"{real:.15g}") + 0.0, *rest


@given(rows=st.lists(CELLS.map(lambda row: (*row[:4], None)), max_size=6))
@settings(max_examples=CHILDREN)
def test_a_workbook_gives_every_cell_back(rows: list[tuple[Any, ...]]) -> None:
    assert list(map(in_a_workbook, there_and_back(rows, "r.xlsx"))) == list(map(in_a_workbook, rows))


def in_milliseconds(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Seconds since 1582 leave a double fewer places than a microsecond needs; blanks at the end are filling."""
    text, *rest, moment = row
    half = dt.timedelta(microseconds=500)
    cut = moment and (moment + half).replace(microsecond=(moment + half).microsecond // 1000 * 1000)
    return text and text.rstrip(" "), *rest, cut


@pytest.mark.parametrize("name", ["r.sav", "r.dta", "r.xpt"])
@given(rows=TABLES)
@settings(max_examples=CHILDREN)
def test_statistics_files_give_every_cell_back_to_the_thousandth_of_a_second(
    rows: list[tuple[Any, ...]], name: str
) -> None:
    cut = list(map(in_milliseconds, without_zero(rows)))
    assert list(map(in_milliseconds, there_and_back(cut, name))) == cut
