"""Values and records that could get lost on the way in, so that a reading would look right and be wrong."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.errors import UnreadableFile, UnusableInput
from sfumato.tables.engine import Kind
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions

SECRET = "Ermintrude"


def rows(extract: Extract) -> list[tuple[Any, ...]]:
    return extract.table.engine.fetch(f"SELECT * FROM {extract.table}")


def k(source: Any, column: str) -> float | None:
    return sf.assess(source, quasi=column, k=2).readings[0].value


# Parquet in several files


def folder(place: Path, *parts: dict[str, Any]) -> Path:
    place.mkdir()
    for number, part in enumerate(parts):
        pq.write_table(pa.table(part), place / f"part-{number}.parquet")
    return place


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([1, 2], [1.4, 2.4]),
        ([7, 7], ["007", "07"]),
        ([dt.date(2020, 1, 1)], [dt.datetime(2020, 1, 1, 5)]),
        (pa.array([0.1], pa.float32()), [0.1]),
        ([Decimal("1.5")], [Decimal("1.54")]),
        (pa.nulls(1), ["a"]),
    ],
    ids=["whole and real", "number and code", "day and moment", "half a real", "decimals", "first without a value"],
)
def test_no_value_of_one_part_is_turned_into_the_type_of_another(tmp_path: Path, first: Any, second: Any) -> None:
    parts = folder(tmp_path / "parts", {"q": first}, {"q": second})
    with pytest.raises(UnreadableFile, match=r"part-1.parquet: 'q' has another type here than in part-0.parquet"):
        load(parts)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ({"q": [1], "s": [SECRET]}, {"q": [2]}, "lacks the column 's'"),
        ({"q": [1]}, {"q": [2], "s": [SECRET]}, "has a column that part-0.parquet lacks: 's'"),
    ],
)
def test_a_part_with_other_columns_is_named(tmp_path: Path, first: Any, second: Any, words: str) -> None:
    with pytest.raises(UnreadableFile, match=f"part-1.parquet: this part of the table {words}") as caught:
        load(folder(tmp_path / "parts", first, second))
    assert SECRET not in str(caught.value)


def test_parts_whose_values_are_alike_are_one_table(tmp_path: Path) -> None:
    first = {"q": pa.array([1, 1], pa.int64()), "s": pa.array(["a", "b"]), "n": [1.5, None]}
    second = {"s": pa.array(["a", "b"], pa.large_string()), "q": pa.array([1, 1], pa.int32()), "n": pa.nulls(2)}
    assert k(folder(tmp_path / "parts", first, second), "q") == 4


# Not a number, and numbers that mean "no value"


@pytest.mark.parametrize("form", ["parquet", "duckdb", "json"])
def test_not_a_number_is_counted_as_missing(tmp_path: Path, form: str) -> None:
    path, values = tmp_path / f"d.{form}", [float("nan"), None, 1.5]
    if form == "parquet":
        pq.write_table(pa.table({"q": values}), path)
    elif form == "json":
        columns = [{"name": "q", "dataType": "float"}]
        path.write_text(json.dumps({"columns": columns, "rows": [[value] for value in values]}))
    else:
        import duckdb

        with duckdb.connect(str(path)) as connection:
            connection.execute("CREATE TABLE t AS SELECT unnest(['nan'::DOUBLE, NULL, 1.5]) AS q")
    extract = load(path)
    assert (extract.columns[0].missing, rows(extract)) == (2, [(None,), (None,), (1.5,)])


@pytest.mark.parametrize("form", ["parquet", "xlsx", "sav", "sqlite", "frame"])
def test_a_number_that_means_no_value_is_missing_in_every_format(tmp_path: Path, form: str) -> None:
    frame = pd.DataFrame({"age": [999, 5, 7], "weight": [999.0, 60.5, -1.5], "code": ["999", "a", "b"]})
    path: Any = tmp_path / f"d.{form}"
    if form == "parquet":
        frame.to_parquet(path)
    elif form == "xlsx":
        frame.to_excel(path, index=False)
    elif form == "sav":
        import pyreadstat

        pyreadstat.write_sav(frame, str(path))
    elif form == "sqlite":
        import sqlite3

        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (age, weight, code)")
            connection.executemany("INSERT INTO t VALUES (?, ?, ?)", frame.astype(object).to_numpy().tolist())
    extract = load(frame if form == "frame" else path, ReadOptions(missing=("999", "-1.5", "NA")))
    assert [column.missing for column in extract.columns] == [1, 2, 1]
    assert [column.kind for column in extract.columns] == [Kind.INTEGER, Kind.REAL, Kind.TEXT]
    assert rows(extract) == [(None, None, None), (5, 60.5, "a"), (7, None, "b")]


# Frames


def test_a_time_among_dates_keeps_its_time_of_day() -> None:
    days = pd.Series([dt.date(2020, 1, 1), dt.datetime(2020, 1, 1, 5), None, pd.NaT], dtype=object)
    extract = load(pd.DataFrame({"q": days}))
    assert rows(extract) == [(dt.datetime(2020, 1, 1),), (dt.datetime(2020, 1, 1, 5),), (None,), (None,)]
    assert load(pd.DataFrame({"q": days[[0, 2, 3]]})).columns[0].kind is Kind.DATE


def test_text_that_is_no_unicode_is_refused_with_its_column_and_not_shown() -> None:
    frame = pd.DataFrame({"name": pd.Series([f"{SECRET}\udc80", "x"], dtype=object)})
    with pytest.raises(UnusableInput, match="Column 'name' has 1 value that is no valid text") as caught:
        load(frame)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("frame", [pd.DataFrame(index=range(3)), pa.table({})], ids=["pandas", "arrow"])
def test_a_frame_without_columns_is_refused_in_plain_words(frame: Any) -> None:
    with pytest.raises(UnusableInput, match="there are no columns"):
        load(frame)


def test_a_column_that_is_named_by_a_number_is_refused_in_plain_words() -> None:
    with pytest.raises(sf.SfumatoError, match=r"takes names of columns, as text.* A number is no name; '0' is"):
        sf.assess(pd.DataFrame([[1, 2], [1, 3]]), quasi=[0], k=2)


def test_a_decimal_longer_than_an_engine_knows_is_text_and_stops_nothing() -> None:
    longest = pa.array([Decimal("0.1"), Decimal("0.2")], pa.decimal256(60, 30))
    assert k(pa.table({"q": ["a", "a"], "d": longest}), "q") == 2
    assert k(pa.table({"d": longest}), "d") == 1


# Files that are not whole, or are several


def test_an_arrow_stream_that_is_cut_within_a_batch_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cut.arrows"
    table = pa.table({"q": [SECRET] * 1000})
    with pa.ipc.new_stream(path, table.schema) as stream:
        stream.write_table(table)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(UnreadableFile, match=r"cut.arrows: this is not a whole Arrow"):
        load(path)


@pytest.mark.parametrize("version", [5, 8])
def test_a_transport_file_of_several_data_sets_is_not_read_as_one(tmp_path: Path, version: int) -> None:
    import pyreadstat

    path = tmp_path / "two.xpt"
    pyreadstat.write_xport(pd.DataFrame({"Q": ["a", "b"], "S": [1.0, 2.0]}), str(path), file_format_version=version)
    assert load(path).table.count() == 2
    alone = path.read_bytes()
    path.write_bytes(alone + alone[240:])  # without the header of the library
    with pytest.raises(UnreadableFile, match=r"two.xpt: this transport file holds 2 data sets"):
        load(path)


@pytest.mark.parametrize("form", ["json", "ndjson"])
def test_a_dataset_json_with_fewer_rows_than_it_says_is_refused(tmp_path: Path, form: str) -> None:
    header: dict[str, Any] = {"records": 3, "columns": [{"name": "q", "dataType": "string"}]}
    table = [["a"], ["b"]]
    path = tmp_path / f"d.{form}"
    lines = "\n".join(map(json.dumps, (header, *table)))
    path.write_text(lines if form == "ndjson" else json.dumps({**header, "rows": table}))
    with pytest.raises(UnreadableFile, match="the number of its rows is 2, and `records` says 3"):
        load(path)


def test_decimals_of_dataset_json_that_a_number_cannot_keep_stay_text(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    columns = [{"name": "long", "dataType": "decimal"}, {"name": "short", "dataType": "decimal"}]
    table = [["0.1234567890123456789", "1.50"], ["0.1234567890123456788", "1.5"]]
    path.write_text(json.dumps({"columns": columns, "rows": table}))
    extract = load(path)
    assert [(column.kind, k(path, column.name)) for column in extract.columns] == [(Kind.TEXT, 1), (Kind.REAL, 2)]
    assert "more digits than a number keeps" in extract.columns[0].why


def test_a_number_of_dataset_json_has_no_underscores(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    path.write_text(json.dumps({"columns": [{"name": "q", "dataType": "integer"}], "rows": [["1_0"]]}))
    with pytest.raises(UnreadableFile, match="row 1: the value of 'q'"):
        load(path)


# Databases


def test_numbers_of_postgresql_that_a_double_cannot_keep_stay_text(server: Any, database: str) -> None:
    server.run(database, "CREATE TABLE t (id numeric, price numeric(8, 2), none numeric)")
    server.run(database, "INSERT INTO t VALUES (12345678901234567, 1.10, NULL), (12345678901234568, 1.1, NULL)")
    extract = load(server.url(database))
    assert [column.kind for column in extract.columns] == [Kind.TEXT, Kind.REAL, Kind.REAL]
    assert rows(extract) == [("12345678901234567", 1.1, None), ("12345678901234568", 1.1, None)]
