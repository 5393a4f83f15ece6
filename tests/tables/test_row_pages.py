"""Pages of rows as they stand in a file, without reading what follows them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.glance import BEGINNING
from sfumato.tables.load import reader_of
from sfumato.tables.source import ReadOptions

ENGINE = DuckDB()


def page(file, after, limit):
    return reader_of(str(file)).glance(str(file), ReadOptions()).rows(after, limit, ENGINE)


@pytest.fixture(scope="module")
def long_file(tmp_path_factory):
    """A file of which the first lines are a small part."""
    file = tmp_path_factory.mktemp("rows") / "long.csv"
    file.write_text("id;name\n" + "".join(f"{i:06};é{i}\n" for i in range(60_000)), encoding="utf-8")
    assert file.stat().st_size > 2 * BEGINNING
    return file


def test_the_first_page_is_read_from_the_first_lines(long_file, monkeypatch):
    from sfumato.tables.read.formats import csv

    read = []
    usual = csv.as_utf8
    monkeypatch.setattr(csv, "as_utf8", lambda path, *more: (read.append(path.stat().st_size), usual(path, *more))[1])
    seen = page(long_file, 0, 3)
    assert (seen.columns, seen.rows[0], len(seen.rows)) == (("id", "name"), ("000000", "é0"), 3)
    assert max(read) <= BEGINNING


def test_a_later_page_is_in_its_place(long_file):
    assert [row[0] for row in page(long_file, 59_998, 5).rows] == ["059998", "059999"]
    assert page(long_file, 60_000, 5).rows == ()


def test_a_file_whose_records_have_to_be_counted_has_no_quick_page(tmp_path):
    file = tmp_path / "old.csv"
    file.write_bytes(b"a,b\r1,2\r3,4\r")
    assert page(file, 0, 5) is None


def test_a_parquet_file_says_how_many_records_it_has(tmp_path):
    pq.write_table(pa.table({"a": list(range(100))}), tmp_path / "a.parquet")
    seen = page(tmp_path / "a.parquet", 97, 5)
    assert (seen.rows, seen.records) == (((97,), (98,), (99,)), 100)
