"""What is written reads back the same, in every format."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pyreadstat
import pytest

from sfumato.tables.engine import Kind, Table
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.source import ReadOptions
from sfumato.tables.write.release import ReleasedColumn
from sfumato.tables.write.table import writers

ROWS = [  # in the order in which they are written: see test_row_order
    (-3, 1000000.25, " Ø ", dt.date(1950, 3, 1), dt.datetime(2038, 1, 19, 3, 14, 7), True, "0", "mild"),
    (1, 1.5, "Zoë", dt.date(2020, 2, 29), dt.datetime(2020, 1, 1, 10, 30, 5, 250000), True, "007", "mild"),
    (2, -0.00001, 'a "b", c;\nd', dt.date(1999, 12, 31), dt.datetime(1999, 1, 1, 0, 0, 1), False, "010", "grave"),
    (None,) * 8,
]
TYPED = [".parquet", ".pq", ".arrow", ".feather", ".ipc", ".arrows", ".json", ".ndjson"]
STATISTICS = [".sav", ".zsav", ".dta", ".xpt"]
ENDINGS = [ending for writer in writers() for ending in writer.suffixes]
Release = Callable[..., Any]
Columns = Sequence[ReleasedColumn]


@pytest.mark.parametrize("ending", TYPED)
def test_typed_formats_give_back_every_kind_and_value(
    patients: Table, released: Release, columns: Columns, ending: str
) -> None:
    written = released(patients, f"r{ending}", columns=columns)
    assert written.rows == 4
    assert written.kinds == ["integer", "real", "text", "date", "timestamp", "boolean", "text", "text"]
    assert written.found == ROWS


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_delimited_text_needs_to_be_told_only_what_is_a_truth_value(
    patients: Table, released: Release, columns: Columns, ending: str
) -> None:
    written = released(patients, f"r{ending}", columns=columns, read=ReadOptions(kinds={"alive": Kind.BOOLEAN}))
    assert written.kinds == ["integer", "real", "text", "date", "timestamp", "boolean", "text", "text"]
    assert written.found == ROWS


def test_a_workbook_gives_back_all_but_the_row_without_values(
    patients: Table, released: Release, columns: Columns
) -> None:
    written = released(patients, "r.xlsx", columns=columns)
    assert written.rows == 4
    assert written.kinds == ["integer", "real", "text", "date", "timestamp", "boolean", "text", "text"]
    assert written.found == [row for row in ROWS if any(cell is not None for cell in row)]


@pytest.mark.parametrize("ending", STATISTICS)
def test_statistics_files_have_numbers_for_truth_values_and_cut_blanks_off_the_end(
    patients: Table, released: Release, columns: Columns, ending: str
) -> None:
    written = released(patients, f"r{ending}", columns=columns)
    padded = ending != ".dta"
    expected = [
        tuple(int(c) if isinstance(c, bool) else c.rstrip(" ") if padded and isinstance(c, str) else c for c in row)
        for row in ROWS
    ]
    assert written.kinds == ["integer", "real", "text", "date", "timestamp", "integer", "text", "text"]
    assert written.found == expected


@pytest.mark.parametrize("ending", STATISTICS)
def test_labels_of_columns_and_values_are_kept_where_the_format_has_them(
    patients: Table, released: Release, columns: Columns, ending: str
) -> None:
    found = {column.name: column for column in released(patients, f"r{ending}", columns=columns).extract.columns}
    assert [found[name].label for name in ("visit", "dose", "place", "grade")] == [
        "Besuch Nº", "Dose in mg", None, "Grade",
    ]  # fmt: skip
    coded = None if ending == ".xpt" else {"1": "first", "2": "später"}
    assert found["visit"].value_labels == coded
    assert found["code"].value_labels == ({"007": "seven"} if "sav" in ending else None)
    assert found["alive"].value_labels == (None if ending == ".xpt" else {"0": "false", "1": "true"})


def test_a_code_that_no_value_can_be_any_more_has_no_label(released: Release) -> None:
    columns = [
        ReleasedColumn("age", None, {"[30, 40)": "thirties", "31": "x"}),
        ReleasedColumn("real", None, {"0.5": "h"}),
    ]
    found = released("SELECT 31 AS age, CAST(0.5 AS DOUBLE) AS real", "r.sav", columns=columns).extract.columns
    assert [column.value_labels for column in found] == [{"31": "x"}, {"0.5": "h"}]


def test_spss_knows_categories_as_ordinal_and_codes_as_nominal(
    patients: Table, released: Release, columns: Columns
) -> None:
    path = released(patients, "r.sav", columns=columns).path
    _, metadata = pyreadstat.read_sav(path, metadataonly=True)
    assert metadata.variable_measure == {
        "visit": "nominal", "dose": "scale", "place": "nominal", "born": "scale", "seen": "scale",
        "alive": "nominal", "code": "nominal", "grade": "ordinal",
    }  # fmt: skip


@pytest.mark.parametrize("ending", [".parquet", ".feather"])
def test_arrow_and_parquet_keep_the_order_of_the_categories_that_somebody_has(
    patients: Table, released: Release, columns: Columns, ending: str
) -> None:
    path = released(patients, f"r{ending}", columns=columns).path
    table = pq.read_table(path) if ending == ".parquet" else feather.read_table(path)
    grade = table.schema.field("grade")
    assert grade.type.ordered
    assert table.column("grade").combine_chunks().dictionary.to_pylist() == ["mild", "grave"]
    assert grade.metadata[b"label"] == b"Grade"
    assert table.schema.field("visit").metadata[b"value_labels"].decode() == '{"1": "first", "2": "später"}'


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet", ".arrow", ".xlsx", ".json", ".ndjson"])
def test_names_may_have_blanks_accents_and_quotation_marks(released: Release, ending: str) -> None:
    written = released('SELECT 1 AS "âge, \'années\'", 2 AS "a ""b""", 3 AS "from"', f"r{ending}")
    assert [column.name for column in written.extract.columns] == ["âge, 'années'", 'a "b"', "from"]
    assert written.found == [(1, 2, 3)]


def test_stata_and_spss_have_names_with_accents(released: Release) -> None:
    for ending in (".sav", ".dta"):
        assert released("SELECT 1 AS âge", f"r{ending}").extract.columns[0].name == "âge"


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_table_without_rows_is_a_file_with_its_columns(
    patients: Table, released: Release, columns: Columns, ending: str
) -> None:
    empty = patients.engine.query(f"SELECT * FROM {patients} WHERE FALSE")
    written = released(empty, f"r{ending}", columns=columns)
    assert (written.rows, written.found) == (0, [])
    assert [column.name for column in written.extract.columns] == [column.name for column in columns]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet", ".arrow", ".ndjson"])
def test_one_column_that_ends_without_values_loses_no_record(released: Release, ending: str) -> None:
    written = released("SELECT * FROM (VALUES (NULL), ('h'), (NULL), (NULL)) AS v (alone)", f"r{ending}")
    assert written.found == [("h",), (None,), (None,), (None,)]


def test_not_a_number_is_missing_and_there_is_one_zero(released: Release) -> None:
    sql = "SELECT * FROM (VALUES (CAST('nan' AS DOUBLE)), (-0.0), (0.5)) AS v (x)"
    for ending in (".csv", ".parquet", ".arrow", ".sav", ".dta", ".xpt", ".json"):
        found = released(sql, f"r{ending}").found
        assert found == [(None,), (0.0,), (0.5,)], ending
        assert str(found[1][0]) == "0.0", ending
    assert released(sql, "r.xlsx").found == [(0.0,), (0.5,)]


def test_a_sum_stays_a_whole_number(released: Release) -> None:
    for ending in ENDINGS:
        written = released("SELECT sum(n) AS total FROM (VALUES (1), (2)) AS v (n)", f"r{ending}")
        assert (written.kinds, written.found) == (["integer"], [(3,)]), ending


def test_a_moment_with_a_zone_is_written_in_universal_time(released: Release) -> None:
    sql = "SELECT CAST('2020-06-01 12:00:00+02' AS TIMESTAMPTZ) AS seen, 1 AS n"
    for ending in (".csv", ".xlsx", ".sav", ".dta", ".xpt", ".json"):
        assert released(sql, f"r{ending}").found == [(dt.datetime(2020, 6, 1, 10), 1)], ending


def test_long_text_survives(released: Release) -> None:
    for ending, length in ((".sav", 3000), (".dta", 3000), (".xpt", 3000), (".xlsx", 32_767), (".csv", 100_000)):
        text = "é" + "x" * (length - 1)
        found = released(f"SELECT '{text}' AS note, 1 AS n", f"r{ending}").found
        assert found == [(text, 1)], ending


def test_text_that_looks_like_a_formula_or_a_number_stays_text_in_a_workbook(released: Release) -> None:
    written = released("SELECT '=1+1' AS formula, '012' AS code, 'https://a.example' AS address", "r.xlsx")
    assert written.found == [("=1+1", "012", "https://a.example")]
    assert [cell.data_type for cell in openpyxl.load_workbook(written.path).active[2]] == ["s", "s", "s"]


def test_rows_beyond_a_batch_are_all_written_in_order(released: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.tables.write.stream.ROWS_AT_ONCE", 7)
    engine = DuckDB()
    table = engine.query("SELECT i AS n, 'r' || i AS name FROM range(100) AS t (i)")
    for ending in ENDINGS:
        written = released(table, f"r{ending}")
        assert written.rows == 100
        expected = sorted(range(100), key=lambda n: sha256(f"={n};=r{n}".encode()).hexdigest())
        assert [row[0] for row in written.found] == expected, ending


def test_columns_come_in_the_order_in_which_they_are_asked_for(
    patients: Table, released: Release, columns: Columns
) -> None:
    for ending in ENDINGS:
        chosen = [columns[6], columns[0]]
        assert released(patients, f"r{ending}", columns=chosen).extract.table.columns == ("code", "visit"), ending


def test_dataset_json_has_what_the_standard_asks_for(patients: Table, released: Release, columns: Columns) -> None:
    import json

    document = json.loads(released(patients, "dm.json", columns=columns).path.read_text(encoding="utf-8"))
    assert document["datasetJSONVersion"] == "1.1.0"
    assert (document["records"], document["name"]) == (4, "dm")
    assert document["columns"][3] == {
        "itemOID": "IT.dm.born", "name": "born", "label": "Date of birth", "dataType": "date",
    }  # fmt: skip
    assert document["rows"][1][4] == "2020-01-01T10:30:05.25"


def test_pandas_and_polars_give_the_same_statistics_files(
    patients: Table, released: Release, columns: Columns, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pandas

    for ending in STATISTICS:
        first = released(patients, f"r{ending}", columns=columns).path.read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr("sfumato.tables.write.statistics_file._frames", lambda: ("pandas", pandas))
            assert released(patients, f"r{ending}", columns=columns).path.read_bytes() == first, ending


def test_arrow_types_of_a_parquet_file_are_those_of_the_table(released: Release) -> None:
    sql = "SELECT CAST(1 AS SMALLINT) AS s, CAST(1.5 AS FLOAT) AS f, CAST(2.25 AS DECIMAL(6, 2)) AS d, [1, 2] AS l"
    for ending in (".parquet", ".arrow"):
        path = released(sql, f"r{ending}").path
        schema = pq.read_schema(path) if ending == ".parquet" else pa.ipc.open_file(path).schema
        assert schema.types[:3] == [pa.int16(), pa.float32(), pa.decimal128(6, 2)], ending
        assert pa.types.is_list(schema.types[3]), ending
