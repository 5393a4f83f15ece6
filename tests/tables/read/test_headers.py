"""Text files without a header: the first record is asked about, and never shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from sfumato.cli.app import app
from sfumato.errors import UnreadableFile
from sfumato.project.file import Project
from sfumato.tables.load import load
from sfumato.tables.read.delimited import Layout
from sfumato.tables.read.header import looks_like_data
from sfumato.tables.read.text_file import TextFile
from sfumato.tables.source import ReadOptions

SHARED = Path(__file__).parents[4] / "shared" / "data"
HEADLESS = {
    "dates": "Ermintrude,1969-07-20,f\nDougal,1970-01-02,m\nZebedee,1971-03-04,m\nFlorence,1972-03-04,f\n",
    "numbers": "7,71.5,120\n1,80.25,130\n9,60.5,110\n3,90.5,125\n",
    "codes": "P-001,Ermintrude\nP-002,Dougal\nP-003,Zebedee\nP-004,Florence\n",
    "words that come again": "f,Athens,yes\nm,Athens,no\nf,Sparta,yes\nm,Thebes,yes\nm,Sparta,no\n",
    "one column": "17\n12\n30\n4\n",
    "semicolons and commas": "7;71,5;Ermintrude\n1;80,25;Dougal\n9;60,5;Zebedee\n3;90,5;Florence\n",
    "two records below": "7,71.5\n1,80.25\n9,60.5\n",
    "one record below": "44,f,Athens\n45,m,Sparta\n",
    "none below": "Ermintrude,1969-07-20,44\n",
    "a series": "1,Ermintrude\n2,Dougal\n3,Zebedee\n4,Florence\n",
    "a number twice": "1,1,Ermintrude\n0,1,Dougal\n1,0,Zebedee\n0,0,Florence\n",
}
HEADED = {
    "names": "id,age\n1,30\n2,41\n3,28\n4,50\n",
    "years": "country,2001,2002\nA,1999,2010\nB,2010,3000\nC,7,1\n",
    "years alone": "2001,2002,2003\n1,5000,4\n3000,2,1\n7,8,5000\n",
    "visits": "patient,0,7,14\na,3,9,20\nb,0,1,2\nc,5,7,14\n",
    "concepts": "person,3004249,3012888\na,120,80\nb,130,70\nc,110,75\n",
    "text": "name,town,smoker\nErmintrude,Athens,yes\nDougal,Sparta,no\nZebedee,Athens,no\n",
    "names that are numbered": "V1,V2,V3\nA5,x,1\nB7,y,2\nC9,z,3\n",
    "concepts above one record": "person,3004249,3012888,3020000\na,120,80,75\n",
    "names above one record": "id,age,born\n1,30,1969-07-20\n",
    "names alone": "id,age,born\n",
    "years above nothing": "country,2001,2002\n",
    "a header again in the middle": "a,b,c\nx,y,z\na,b,c\nu,v,w\n",
    "empty columns": "a,b\n,\n,\n,\n",
    "dates as names": "patient,2020-01-01,2020-02-01\na,1,2\nb,3,4\nc,5,6\n",
}


def source(folder: Path, content: str) -> str:
    (folder / "a.csv").write_text(content, "utf-8")
    return str(folder / "a.csv")


@pytest.mark.parametrize("case", HEADLESS)
def test_a_first_record_that_looks_like_data_is_asked_about_and_not_shown(tmp_path: Path, case: str) -> None:
    with pytest.raises(UnreadableFile, match="line 1: this line looks like a record") as caught:
        load(source(tmp_path, HEADLESS[case]))
    message = str(caught.value)
    assert "--header yes" in message
    assert "--header no" in message
    for cell in HEADLESS[case].replace(";", ",").split("\n")[0].split(","):
        assert len(cell) < 4 or cell not in message.removeprefix(str(tmp_path))


@pytest.mark.parametrize("case", HEADLESS)
def test_once_it_is_said_what_it_is_it_is_read_so(tmp_path: Path, case: str) -> None:
    content = HEADLESS[case]
    unnamed = load(source(tmp_path, content), ReadOptions(header=False))
    assert unnamed.table.count() == content.count("\n")
    assert unnamed.columns[0].name == "column_1"
    named = load(source(tmp_path, content), ReadOptions(header=True))
    assert named.table.count() == content.count("\n") - 1


@pytest.mark.parametrize("case", HEADED)
def test_names_are_no_data_be_they_years_visits_or_codes(tmp_path: Path, case: str) -> None:
    extract = load(source(tmp_path, HEADED[case]))
    assert extract.table.count() == HEADED[case].count("\n") - 1


def test_records_with_line_ends_in_quotes_are_counted_without_a_header_too(tmp_path: Path) -> None:
    content = '1,"a\nb",3.5\n2,c,4.5\n\n3,d,5.5\n4,e,6.5\n'
    extract = load(source(tmp_path, content), ReadOptions(header=False))
    assert extract.table.engine.fetch(f"SELECT * FROM {extract.table}")[0] == (1, "a\nb", 3.5)
    assert extract.table.count() == 4


def test_command_line_and_project_file_say_it_too(tmp_path: Path) -> None:
    data = source(tmp_path, HEADLESS["dates"])
    shown = CliRunner().invoke(app, ["columns", data, "--header", "no"])
    assert "column_3" in shown.output
    assert "Ermintrude" not in shown.output
    assert "--header yes or --header no" in str(CliRunner().invoke(app, ["columns", data, "--header", "x"]).exception)
    (tmp_path / "p.yaml").write_text("data: {source: a.csv, header: false}\n", "utf-8")
    assert Project.read(tmp_path / "p.yaml").read_options().header is False
    written = CliRunner().invoke(app, ["init", data, "--header", "no", "-o", str(tmp_path / "q.yaml")])
    assert written.exit_code == 0, written.output
    assert Project.read(tmp_path / "q.yaml").read_options().header is False


@pytest.mark.skipif(not SHARED.exists(), reason="the folder of shared data is not here")
def test_no_table_of_others_that_has_a_header_is_asked_about() -> None:
    files = [file for file in SHARED.rglob("*.csv") if "hierarchy" not in file.name]
    assert len(files) > 20
    for file in files:
        Layout.of(TextFile(file, file))


def test_the_headers_of_every_table_that_ships_are_headers() -> None:
    files = list((Path(__file__).parents[3] / "src").rglob("demonstrations/files/*.csv"))
    assert len(files) > 5
    for file in files:
        if file.name not in {"headless.csv", "postcode.csv"}:  # the other is a hierarchy: none has a header
            Layout.of(TextFile(file, file))


@settings(max_examples=100)
@given(st.lists(st.lists(st.integers(-999, 999).map(str), min_size=3, max_size=3), min_size=4, max_size=20))
def test_names_of_letters_above_numbers_are_never_asked_about(rows: list[list[str]]) -> None:
    assert looks_like_data([["id", "age", "weight"], *rows]) == 0
