"""What is proposed of a column, and that typing what is proposed does it."""

from __future__ import annotations

import datetime as dt
import re
import shlex
from pathlib import Path

import openpyxl
import pytest
import yaml
from typer.testing import CliRunner

from sfumato.cli.app import app
from sfumato.cli.options import ReadingOptions
from sfumato.errors import SchemaError
from sfumato.project.file import Project, project_template
from sfumato.tables.engine import Kind
from sfumato.tables.load import load
from sfumato.tables.read.date_format import DateFormat
from sfumato.tables.source import Extract, ReadOptions


@pytest.fixture(autouse=True)
def fixed_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.tables.read.proposals._today", lambda: dt.date(2026, 11, 17))


def written(path: Path, column: str, *values: str) -> str:
    path.write_text("id," + column + "\n" + "".join(f'{i},"{value}"\n' for i, value in enumerate(values)), "utf-8")
    return str(path)


def typed(option: str) -> ReadOptions:
    """The options as a shell and the command line read them."""
    given: dict[str, list[str]] = {"also_missing": [], "type_": [], "date_format": []}
    words = shlex.split(option)
    decimal = words[words.index("--decimal") + 1] if "--decimal" in words else None
    for name, key in (("--also-missing", "also_missing"), ("--type", "type_"), ("--date-format", "date_format")):
        given[key] = [words[place + 1] for place, word in enumerate(words) if word == name]
    return ReadingOptions(decimal=decimal, **given).value()  # type: ignore[arg-type]


def column(extract: Extract, name: str = "x") -> tuple[Kind, list[object]]:
    rows = extract.table.engine.fetch(f'SELECT "{name}" FROM {extract.table} ORDER BY id')
    return extract.table.kinds[name], [value for (value,) in rows]


CASES = {
    "a date with the name of a month": (
        ("19-Feb-13", "01-Mar-27"), Kind.DATE, [dt.date(2013, 2, 19), dt.date(1927, 3, 1)],
    ),
    "a date in eight digits": (("20130219", "19991231"), Kind.DATE, [dt.date(2013, 2, 19), dt.date(1999, 12, 31)]),
    "a date with a time": (
        ("19.02.2013 10:30", "01.12.2014 08:05"), Kind.TIMESTAMP,
        [dt.datetime(2013, 2, 19, 10, 30), dt.datetime(2014, 12, 1, 8, 5)],
    ),
    "a question mark": (("34", "?", "50"), Kind.INTEGER, [34, None, 50]),
    "a question mark among decimals": (("3.4", "?", "5"), Kind.REAL, [3.4, None, 5.0]),
    "unknown among dates": (("19-Feb-2013", "unknown", "1-Mar-2014"), Kind.DATE,
                            [dt.date(2013, 2, 19), None, dt.date(2014, 3, 1)]),
    "thousands": (("1,234", "12", "1,000,000"), Kind.INTEGER, [1234, 12, 1_000_000]),
    "blanks": ((" 12 ", "13", "14 "), Kind.INTEGER, [12, 13, 14]),
    "an apostrophe of a spreadsheet": (("'12", "'13", "'14"), Kind.INTEGER, [12, 13, 14]),
    "Swiss thousands": (("1'234.5", "12.5", "1'000.0"), Kind.REAL, [1234.5, 12.5, 1000.0]),
    "a code below zero": (("34", "-99", "50"), Kind.INTEGER, [34, None, 50]),
    "a code above all": (("34", "999", "50"), Kind.INTEGER, [34, None, 50]),
    "a text by convention": (("no", "Unknown", "yes"), Kind.TEXT, ["no", None, "yes"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_nothing_changes_by_itself_and_typing_the_proposal_reads_the_column_so(tmp_path: Path, case: str) -> None:
    values, kind, expected = CASES[case]
    source = written(tmp_path / "a.csv", "x", *values)
    before = load(source)
    (proposal,) = before.proposals
    assert proposal.note in before.notes
    assert [str(value) for value in column(before)[1]] == list(values)
    after = load(source, typed(proposal.option))
    assert column(after) == (kind, expected)
    assert after.proposals == ()


@pytest.mark.parametrize("case", CASES)
def test_the_key_beside_the_column_in_a_first_project_file_does_the_same(tmp_path: Path, case: str) -> None:
    values, kind, expected = CASES[case]
    source = written(tmp_path / "a.csv", "x", *values)
    text = project_template(load(source), "a.csv")
    (key,) = re.findall(r"add: (.*)", text)
    key, _, data = key.partition(", and under data: ")
    text = text.replace("  x: {role: undecided, proposed: true}", f"  x: {{role: undecided, proposed: true, {key}}}")
    text = text.replace("  source: a.csv\n", f"  source: a.csv\n  {data}\n") if data else text
    assert column(load(source, Project.parse(text).read_options())) == (kind, expected)


@pytest.mark.parametrize("case", CASES)
def test_what_was_typed_stands_in_the_first_project_file(tmp_path: Path, case: str) -> None:
    values, kind, expected = CASES[case]
    source = written(tmp_path / "a.csv", "x", *values)
    extract = load(source, typed(load(source).proposals[0].option))
    text = project_template(extract, "a.csv")
    assert yaml.safe_load(text)["data"]["source"] == "a.csv"
    assert column(load(source, Project.parse(text).read_options())) == (kind, expected)


def test_numbers_that_are_stored_as_text_in_a_workbook_are_proposed_and_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["id", "x", "day"], [0, "12", 20130219], [1, 13, 20140320], [2, "?", 20150421]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    source = str(tmp_path / "a.xlsx")
    proposals = load(source).proposals
    after = load(source, typed(" ".join(proposal.option for proposal in proposals)))
    assert column(after) == (Kind.INTEGER, [12, 13, None])
    assert column(after, "day")[1] == [dt.date(2013, 2, 19), dt.date(2014, 3, 20), dt.date(2015, 4, 21)]


def test_where_day_and_month_may_be_swapped_both_forms_are_offered(tmp_path: Path) -> None:
    (proposal,) = load(written(tmp_path / "a.csv", "x", "03/01/2024", "04/02/2024")).proposals
    assert "--date-format x=%d/%m/%Y, or --date-format x=%m/%d/%Y" in proposal.option
    assert "nothing tells the day from the month" in proposal.words


@pytest.mark.parametrize(
    "values",
    [
        ("007", "012", "?"),  # codes with leading zeros are no numbers
        ("-5", "-99", "3"),  # below zero there are others
        ("99", "98", "97"),  # not far from all others
        ("12345678", "87654321", "99999999"),  # eight digits and no dates
        ("a", "b", "c"),
    ],
)
def test_what_may_be_right_as_it_stands_is_let_be(tmp_path: Path, values: tuple[str, ...]) -> None:
    source = written(tmp_path / "a.csv", "x", *values)
    assert [p for p in load(source).proposals if "also-missing 'x=?'" not in p.option] == []


def test_a_column_that_a_person_decided_is_not_spoken_of_again(tmp_path: Path) -> None:
    source = written(tmp_path / "a.csv", "x", "no", "Unknown", "yes")
    assert load(source, ReadOptions(kinds={"x": Kind.TEXT})).proposals == ()


def test_no_other_value_of_a_column_is_in_a_note(tmp_path: Path) -> None:
    source = written(tmp_path / "a.csv", "x", "34", "?", "Ermintrude", *["35"] * 20)
    notes = " ".join(load(source).notes)
    assert "but for 1 other" in notes
    assert "Ermintrude" not in notes


def test_one_option_stands_for_a_text_in_several_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,a,b,c\n1,x,y,z\n2,-,-,-\n", "utf-8")
    (proposal,) = load(str(tmp_path / "a.csv")).proposals
    assert proposal.option == "--also-missing =-"
    assert [c.missing for c in load(str(tmp_path / "a.csv"), typed(proposal.option)).columns] == [0, 1, 1, 1]


def test_a_text_that_appears_late_in_a_column_of_numbers_is_proposed(tmp_path: Path) -> None:
    source = written(tmp_path / "a.csv", "x", *["5"] * 5000, "?")
    (proposal,) = load(source).proposals
    assert "1 is '?'" in proposal.words


@pytest.mark.parametrize("name", ["n", "N", "n (2)"])
def test_values_that_repeat_are_counted_as_often_as_they_stand_whatever_the_column_is_called(
    tmp_path: Path, name: str
) -> None:
    texts = ["1,234"] * 5 + ["12"] * 3 + [""] * 2 + ["unknown"] * 4
    (proposal,) = load(written(tmp_path / "t.csv", name, *texts)).proposals
    assert f"Column {name!r}: of 12 values 4 are 'unknown', and the others are numbers stored as text" in proposal.note


def test_years_of_two_digits_need_their_hundred_years() -> None:
    with pytest.raises(SchemaError, match="hundred years"):
        DateFormat.of("%d-%b-%y")
    with pytest.raises(SchemaError, match="hundred years"):
        DateFormat.of("%d-%b-%Y from 1927")
    with pytest.raises(SchemaError, match="cannot be read"):
        DateFormat.of("%d-%Q-%Y")


def test_dates_that_are_still_to_come_are_counted_and_never_silent(tmp_path: Path) -> None:
    source = written(tmp_path / "a.csv", "x", "19-Feb-13", "01-Mar-40")
    extract = load(source, ReadOptions(date_formats={"x": "%d-%b-%y from 1950"}))
    assert column(extract)[1] == [dt.date(2013, 2, 19), dt.date(2040, 3, 1)]
    assert any("1 date lies in the future" in note and "1950 to 2049" in note for note in extract.notes)


def test_the_command_line_takes_what_it_proposes(tmp_path: Path) -> None:
    source = written(tmp_path / "a.csv", "x y", "34", "?", "50")
    shown = CliRunner().invoke(app, ["columns", source]).output
    (option,) = re.findall(r"To read them so: (.*)", " ".join(shown.splitlines()))
    again = CliRunner().invoke(app, ["columns", source, *shlex.split(option)])
    assert again.exit_code == 0
    assert "To read them so" not in again.output
