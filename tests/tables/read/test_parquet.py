"""Reading Parquet files and folders of them."""

from __future__ import annotations

import traceback
from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.errors import EngineError, UnknownColumn, UnreadableFile, WrongScale
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.formats.parquet import Parquet
from sfumato.tables.source import Extract, ReadOptions


@pytest.fixture
def engine() -> DuckDB:
    return DuckDB(threads=1)


@pytest.fixture
def read(tmp_path, engine):
    def read(table: pa.Table, *, statistics: bool = True, name: str = "t.parquet", **options) -> Extract:
        path = tmp_path / name
        pq.write_table(table, path, write_statistics=statistics)
        return Parquet().read(str(path), ReadOptions(**options), engine)

    return read


def rows(extract: Extract) -> list[tuple]:
    return extract.table.engine.fetch(f"SELECT * FROM {extract.table}")


def test_columns_keep_the_kinds_of_the_file(read):
    extract = read(pa.table({"a": [1, None], "b": ["x", "NA"], "c": [date(2020, 1, 1)] * 2, "d": [True, False]}))
    assert extract.table.kinds == {"a": Kind.INTEGER, "b": Kind.TEXT, "c": Kind.DATE, "d": Kind.BOOLEAN}
    assert rows(extract) == [(1, "x", date(2020, 1, 1), True), (None, "NA", date(2020, 1, 1), False)]
    assert [column.missing for column in extract.columns] == [1, 0, 0, 0]


def test_nan_reads_as_null(read):
    extract = read(pa.table({"a": [1.5, float("nan"), None]}))
    assert rows(extract) == [(1.5,), (None,), (None,)]
    assert extract.columns[0].missing == 2  # the footer does not count NaN, so the column is looked at


def test_missing_values_are_counted_by_a_scan_when_the_footer_does_not_say(read):
    extract = read(pa.table({"a": [1.5, float("nan"), None], "b": ["x", None, None]}), statistics=False)
    assert [column.missing for column in extract.columns] == [2, 2]


def test_missing_tokens_apply_to_text_and_numbers_when_they_are_named(read):
    extract = read(pa.table({"a": ["x", " NA ", None], "b": [1, 2, 3]}), missing=("NA", "2"))
    assert rows(extract) == [("x", 1), (None, None), (None, 3)]
    assert [column.missing for column in extract.columns] == [2, 1]


def test_duplicate_names_are_told_apart(read):
    extract = read(pa.table([[1], [2], [3]], names=["a", "A", "a_1"]))
    assert extract.table.columns == ("a (1)", "A (2)", "a_1")
    assert rows(extract) == [(1, 2, 3)]
    assert extract.notes[0].startswith("There are 2 columns called 'a' when capitals are ignored")


def test_a_folder_is_one_table_and_its_missing_values_add_up(engine, tmp_path):
    folder = tmp_path / "part[s]"
    folder.mkdir()
    for i in range(3):
        pq.write_table(pa.table({"a": [i, None]}), folder / f"{i}.parquet")
    assert Parquet().claims(str(folder))
    extract = Parquet().read(str(folder), ReadOptions(), engine)
    assert extract.table.count() == 6
    assert extract.columns[0].missing == 3


def test_partitions_of_a_folder_are_columns(engine, tmp_path):
    for year in (2020, 2021):
        (tmp_path / f"year={year}").mkdir()
        pq.write_table(pa.table({"a": [1]}), tmp_path / f"year={year}" / "x.parquet")
    assert Parquet().read(str(tmp_path), ReadOptions(), engine).table.columns == ("a", "year")


def test_an_empty_folder_is_not_a_table(engine, tmp_path):
    assert not Parquet().claims(str(tmp_path))
    with pytest.raises(UnreadableFile, match="no Parquet files"):
        Parquet().read(str(tmp_path), ReadOptions(), engine)


@pytest.mark.parametrize("kept", [0, 4, 100, -1])
def test_a_truncated_file_is_refused(engine, tmp_path, kept):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": ["Wilhelmina"] * 50}), path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(UnreadableFile, match="not a whole Parquet file") as caught:
        Parquet().read(str(path), ReadOptions(), engine)
    assert "Wilhelmina" not in "".join(traceback.format_exception(caught.value))


def test_a_person_decides_the_kind(read):
    table = pa.table({"a": ["007", "8"], "b": [1.0, None], "c": ["2020-01-02", None], "d": [1, 2]})
    decided = {"a": Kind.INTEGER, "b": Kind.INTEGER, "c": Kind.DATE, "d": Kind.TEXT}
    extract = read(table, kinds=decided)
    assert extract.table.kinds == decided
    assert rows(extract) == [(7, 1, date(2020, 1, 2), "1"), (8, None, None, "2")]
    assert {column.why for column in extract.columns} == {"decided by a person"}


def test_a_decision_that_does_not_fit_names_the_count_and_no_value(read):
    table = pa.table({"a": ["Wilhelmina", "8"], "b": [1.5, 2.0]})
    with pytest.raises(WrongScale, match=r"'a' cannot be read as integer: 1 value does not fit") as caught:
        read(table, kinds={"a": Kind.INTEGER})
    assert "Wilhelmina" not in str(caught.value)
    with pytest.raises(WrongScale, match="'b' cannot be read as integer: 1 value"):
        read(table, kinds={"b": Kind.INTEGER})
    with pytest.raises(UnknownColumn):
        read(table, kinds={"z": Kind.INTEGER})


def test_a_nested_column_is_another_kind(read):
    extract = read(pa.table({"a": [[1, 2], None], "b": [1, None]}))
    assert extract.table.kinds == {"a": Kind.OTHER, "b": Kind.INTEGER}
    assert [column.missing for column in extract.columns] == [1, 1]


def test_a_query_of_a_small_table_with_many_columns_does_not_read_its_file_again(read, engine, tmp_path):
    extract = read(pa.table({f"c{i}": [i, None, float("nan")] for i in range(300)}))
    (tmp_path / "t.parquet").unlink()
    assert engine.fetch(f"SELECT c7, c299 FROM {extract.table}") == [(7.0, 299.0), (None, None), (None, None)]


def test_rows_of_a_table_with_few_columns_stay_in_the_file(read, engine, tmp_path):
    extract = read(pa.table({"a": [1, 2]}))
    (tmp_path / "t.parquet").unlink()
    with pytest.raises(EngineError):
        engine.fetch(f"SELECT a FROM {extract.table}")
