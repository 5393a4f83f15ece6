"""What a format cannot hold is said before anything is written, with the column and never with a value."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.errors import OutputError
from sfumato.tables.engine import Row
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.column_parts import PART
from sfumato.tables.write.release import Check, ReleasedColumn, ReleasedTable, WriteOptions
from sfumato.tables.write.table import write_table

FIVE, EIGHT = WriteOptions(transport_version=5), WriteOptions(transport_version=8)
LONG = "a" * 65


@pytest.mark.parametrize(
    ("sql", "name", "options", "words"),
    [
        ("1 AS subject_id", "r.xpt", FIVE, "'subject_id' cannot be a name.*at most 8 characters.*Rename"),
        (f"1 AS {LONG[:33]}", "r.xpt", EIGHT, "at most 32 characters"),
        (f"1 AS {LONG[:33]}", "r.xpt", None, "at most 32 characters"),
        ("1 AS âge", "r.xpt", None, "letters from A to Z"),
        ('1 AS "full name", 2 AS "1st"', "r.dta", None, "'full name', '1st' cannot be names"),
        (f"1 AS {LONG[:33]}", "r.dta", None, "at most 32 characters"),
        ('1 AS "strL"', "r.dta", None, "cannot be a name"),
        ('1 AS "full name"', "r.sav", None, "'full name' cannot be a name"),
        (f"1 AS {LONG}", "r.sav", None, "at most 64 bytes"),
        ('1 AS "with"', "r.sav", None, "'with' cannot be a name"),
        ('1 AS "ends."', "r.sav", None, "'ends.' cannot be a name"),
        ("1 AS n", "r.xpt", WriteOptions(transport_version=6), "no version 6"),
        ("repeat('Ermintrude', 30) AS note", "r.xpt", FIVE, "'note' has 1 value of more than 200 bytes"),
        ("repeat('Ermintrude', 4000) AS note", "r.xpt", None, "'note' has 1 value of more than 32767 bytes"),
        ("repeat('Ermintrude', 4000) AS note", "r.sav", None, "more than 32767 bytes"),
        ("repeat('Ermintrude', 4000) AS note", "r.xlsx", None, "more than 32767 characters"),
        ("'Ermin' || chr(0) AS note", "r.csv", None, "'note' has 1 value with a NUL character"),
        ("CAST('1899-12-31' AS DATE) AS born", "r.xlsx", None, "'born' has 1 value before 1900-03-01"),
        ("CAST('1500-01-01' AS TIMESTAMP) AS seen", "r.sav", None, "'seen' has 1 value before 1582-10-15"),
        ("CAST(9007199254740993 AS BIGINT) AS n", "r.sav", None, "'n' has 1 value with more digits"),
        ("CAST(9007199254740993 AS BIGINT) AS n", "r.json", None, "'n' has 1 value with more digits"),
        ("CAST(99999999999999999999 AS HUGEINT) AS n", "r.parquet", None, "'n' has 1 value of more than 64 bits"),
        ("CAST('inf' AS DOUBLE) AS x", "r.csv", None, "'x' has 1 value that no number of this format can be"),
        ("CAST('-inf' AS DOUBLE) AS x", "r.xlsx", None, "infinity"),
        ("CAST(1e80 AS DOUBLE) AS x", "r.xpt", None, "'x' has 1 value that no number"),
        ("CAST(1e-80 AS DOUBLE) AS x", "r.xpt", None, "'x' has 1 value that no number"),
        ("CAST(9e307 AS DOUBLE) AS x", "r.dta", None, "'x' has 1 value that no number"),
        ("CAST(NULL AS VARCHAR) AS note", "r.xpt", None, "rows that are blank"),
        ("1 AS a, 2 AS b", "r.sav", WriteOptions(cells_at_most=1), "written from memory .at most 1 cells."),
        ("1 AS a", "r.csv", WriteOptions(delimiter=";;"), "the delimiter must be one character"),
        ("1 AS a", "r.csv", WriteOptions(delimiter='"'), "the delimiter must be one character"),
    ],
)
def test_a_limit_is_said_with_its_column_before_anything_is_written(
    tmp_path: Path, sql: str, name: str, options: WriteOptions | None, words: str
) -> None:
    table = DuckDB().query(f"SELECT {sql}")
    with pytest.raises(OutputError, match=words) as caught:
        write_table(table, tmp_path / "new" / name, [ReleasedColumn(c) for c in table.columns], options=options)
    assert "Ermin" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("column", "name", "words"),
    [
        (ReleasedColumn("n", "x" * 41), "r.xpt", None),
        (ReleasedColumn("n", "x" * 257), "r.xpt", "label of more than 256 bytes"),
        (ReleasedColumn("n", "é" * 41), "r.dta", "label of more than 80 bytes"),
        (ReleasedColumn("n", "x" * 256), "r.sav", "label of more than 255 bytes"),
        (ReleasedColumn("n", None, {"1": "x" * 121}), "r.sav", "label of a value of more than 120 bytes"),
    ],
)
def test_a_label_that_is_too_long_is_an_error(tmp_path: Path, column: ReleasedColumn, name: str, words: str) -> None:
    table = DuckDB().query("SELECT 1 AS n")
    if words is None:
        assert write_table(table, tmp_path / name, [column]) == 1
        return
    with pytest.raises(OutputError, match=f"'n' has a {words}"):
        write_table(table, tmp_path / name, [column])


def test_a_value_outside_the_categories_is_an_error_and_never_lost(tmp_path: Path) -> None:
    table = DuckDB().query("SELECT * FROM (VALUES ('low'), ('Ermintrude'), (NULL)) AS v (grade)")
    for ending in (".parquet", ".arrow"):
        for categories in (("low", "high"), ()):
            with pytest.raises(
                OutputError, match=r"'grade' has [12] values? that are none of its categories"
            ) as caught:
                write_table(table, tmp_path / f"r{ending}", [ReleasedColumn("grade", None, None, categories)])
            assert "Ermintrude" not in str(caught.value)


def test_a_sheet_that_is_too_small_is_said_in_rows_and_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = DuckDB().query("SELECT i AS n, i AS m FROM range(10) AS t (i)")
    columns = [ReleasedColumn("n"), ReleasedColumn("m")]
    monkeypatch.setattr("sfumato.tables.write.formats.excel.MOST_ROWS", 10)
    with pytest.raises(OutputError, match="10 rows, and a sheet has at most 9 and a header"):
        write_table(table, tmp_path / "r.xlsx", columns)
    monkeypatch.setattr("sfumato.tables.write.formats.excel.MOST_COLUMNS", 1)
    with pytest.raises(OutputError, match="2 columns, and a sheet has at most 1"):
        write_table(table, tmp_path / "r.xlsx", columns)
    assert list(tmp_path.iterdir()) == []


def test_a_transport_file_is_of_version_5_where_the_table_fits_and_else_of_version_8(tmp_path: Path) -> None:
    for sql, version in (("1 AS usubjid", b"LIBRARY HEADER"), ("1 AS subject_id", b"LIBV8   HEADER")):
        table = DuckDB().query(f"SELECT {sql}")
        write_table(table, tmp_path / "dm.xpt", [ReleasedColumn(c) for c in table.columns])
        assert version in (tmp_path / "dm.xpt").read_bytes()[:80]


def test_capitals_alone_do_not_tell_columns_of_spss_and_sas_apart() -> None:
    from sfumato.tables.write.formats.spss import LIMITS

    class Pair:
        name, columns = "r.sav", (ReleasedColumn("age"), ReleasedColumn("Age"))

    refusal = LIMITS.names.refusal(Pair())  # type: ignore[arg-type]
    assert "'age', 'Age' differ in capitals only" in str(refusal)


@pytest.mark.parametrize(
    ("module", "name", "extra"), [("xlsxwriter", "r.xlsx", "excel"), ("pyreadstat", "r.sav", "files")]
)
def test_a_library_that_is_not_installed_is_named_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, name: str, extra: str
) -> None:
    import sys

    from sfumato.errors import MissingExtra

    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"sfumato\[.*{extra}\]"):
        write_table(DuckDB().query("SELECT 1 AS n"), tmp_path / name, [ReleasedColumn("n")])
    assert list(tmp_path.iterdir()) == []


def test_without_pandas_and_polars_statistics_files_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for module in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(OutputError, match="needs pandas or polars"):
        write_table(DuckDB().query("SELECT 1 AS n"), tmp_path / "r.dta", [ReleasedColumn("n")])


def test_of_thousands_of_columns_some_are_asked_about_at_a_time_and_the_last_one_too() -> None:
    """4,000 counts in one statement took 9 GB: DuckDB copies every column that a statement reads for each of them."""
    asked: list[str] = []

    class Asked(DuckDB):
        def fetch(self, sql: str) -> list[Row]:
            asked.append(sql)
            return super().fetch(sql)

    engine = Asked()
    table = engine.query(f"SELECT {', '.join(f'{i} AS c{i}' for i in range(1001))}")
    release = ReleasedTable(table, tuple(ReleasedColumn(name) for name in table.columns), "r.xlsx")
    checks = [Check(name, f"{name} = 1000", "of a thousand", "Count less.") for name in table.columns]
    refusal = release.refusal(checks)
    assert "'c1000' has 1 value of a thousand" in str(refusal)
    assert release.refusal(checks[:-1]) is None
    assert max(sql.count("FILTER") for sql in asked) == PART
