"""Settings that would do nothing, and project files that say what the data are not: said, with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

SECRET = "Ermintrude"

PROJECT = """\
data:
  source: d.csv
columns:
  age: {role: quasi}
  sex: {role: quasi}
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "d.csv"
    path.write_text(f"age,sex,name\n30,F,{SECRET}\n30,F,{SECRET}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("option", ["table", "query"])
def test_a_table_or_a_query_that_chooses_nothing_is_said(sfumato, data, option):
    for command in (("columns", data), ("assess", data, "--quasi", "age")):
        notes = sfumato(*command, f"--{option}", "select", "--json", "-").document["notes"]
        assert notes == [f"The {option} that was asked for chose nothing: d.csv is one table, and all of it is read."]


def test_a_table_and_a_query_at_once_are_refused(sfumato, tmp_path):
    import duckdb

    with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
        connection.execute("CREATE TABLE a AS SELECT 1 AS q; CREATE TABLE b AS SELECT unnest([1, 1]) AS q")
    both = ("--table", "b", "--query", "SELECT * FROM a")
    outcome = sfumato("assess", "d.duckdb", "--quasi", "q", *both)
    assert (outcome.code, "both a table and a query" in outcome.said) == (2, True)


def test_a_table_that_is_named_stands_in_for_the_query_of_the_project_file(sfumato, tmp_path):
    import duckdb

    with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
        connection.execute("CREATE TABLE a AS SELECT 1 AS q; CREATE TABLE b AS SELECT unnest([1, 1]) AS q")
    text = "data: {source: d.duckdb, query: SELECT * FROM a}\ncolumns: {q: {role: quasi}}\n"
    (tmp_path / "sfumato.yaml").write_text(text, encoding="utf-8")
    assert sfumato("assess", "--json", "-").document["records"] == 1
    assert sfumato("assess", "--table", "b", "--json", "-").document["records"] == 2


def test_a_decimal_sign_that_is_none_is_refused(sfumato, data):
    outcome = sfumato("columns", data, "--decimal", "x")
    assert (outcome.code, "must be a point or a comma" in outcome.said) == (2, True)


def test_a_folder_of_files_that_are_no_parts_is_called_a_folder(sfumato, data, tmp_path):
    outcome = sfumato("assess", tmp_path, "--quasi", "age")
    assert (outcome.code, "this folder holds no Parquet files" in outcome.said) == (2, True)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("sex: {role: quasi}", "sex: {role: quasi, bins: [0, 1]}", 5, "bins of column 'sex'"),
        ("sex: {role: quasi}", "sex:\n    role: quasi\n    type: date", 7, "Column 'sex' cannot be read as date"),
        ("sex: {role: quasi}", "sx: {role: quasi, type: text}", 5, "Did you mean 'sex'?"),
        ("sex: {role: quasi}", "sex: {role: quasi, hierarchy: no.csv, level: 1}", 5, "hierarchy of column 'sex'"),
        ("data:", "engine: dukdb\ndata:", 1, "Did you mean 'duckdb'?"),
    ],
    ids=["bins", "type", "type of no column", "hierarchy", "engine"],
)
def test_what_the_data_deny_is_named_by_its_line(sfumato, data, tmp_path, old, new, line, words):
    (tmp_path / "sfumato.yaml").write_text(PROJECT.replace(old, new), encoding="utf-8")
    outcome = sfumato("assess")
    assert outcome.code == 2
    assert f"sfumato.yaml, line {line}: " in outcome.said
    assert words in outcome.said
    assert SECRET not in outcome.said


def test_a_level_that_a_hierarchy_lacks_is_named_with_its_column(sfumato, data, tmp_path):
    (tmp_path / "h.csv").write_text("30;*\n", encoding="utf-8")
    outcome = sfumato("assess", data, "--quasi", "age", "--hierarchy", "age=h.csv@9")
    assert (outcome.code, "Column 'age': its hierarchy has levels 0 to 1" in outcome.said) == (2, True)


def test_flagged_records_do_not_take_the_place_of_the_data(sfumato, data, tmp_path):
    source = data.rename(tmp_path / "flagged_k_anonymity.csv")
    before = source.read_bytes()
    outcome = sfumato("assess", source, "--quasi", "name", "--k", "3", "--out", tmp_path)
    assert outcome.code == 2
    assert "Choose another folder for --out." in outcome.err
    assert source.read_bytes() == before
    assert sfumato("assess", source, "--quasi", "name", "--k", "3", "--out", tmp_path / "out").code == 1


def test_a_first_project_file_does_not_take_the_place_of_the_data(sfumato, data):
    before = data.read_bytes()
    outcome = sfumato("init", data, "--out", data, "--force")
    assert outcome.code == 2
    assert "is the data itself" in outcome.err
    assert data.read_bytes() == before
