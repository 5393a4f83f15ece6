"""HIPAA's Safe Harbor: the 18 identifiers go, and a line for each says so, or says what is left."""

from __future__ import annotations

import json
from collections import Counter

import pyarrow as pa
import pytest

from sfumato.columns.identify import identify
from sfumato.errors import OutputError, UnknownColumn
from sfumato.plans.safe_harbor.apply import safe_harbor
from sfumato.plans.safe_harbor.plan import SafeHarbor
from sfumato.plans.steps.zip3 import RESTRICTED
from sfumato.studies.demonstrations import write_demonstration

OF = {
    "A": "name", "B": "street_address", "D": "telephone", "E": "fax", "F": "email", "G": "ssn",
    "H": "medical_record_number", "I": "health_plan_number", "J": "account_number", "K": "licence_number",
    "L": "licence_plate", "M": "device_serial_number", "N": "home_page", "O": "ip_address", "P": "fingerprint",
    "Q": "photograph", "R": "sample_barcode",
}  # fmt: skip


@pytest.fixture
def patients(tmp_path):
    return write_demonstration("identified", tmp_path)


@pytest.fixture
def csv(tmp_path):
    def written(text, name="some.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return written


def lines(found):
    return {item.letter: item for item in found.items}


def test_every_one_of_the_18_lines_passes_and_says_what_was_done(patients, tmp_path):
    found = safe_harbor(patients, tmp_path / "release.csv")
    assert [item.letter for item in found.items] == list("ABCDEFGHIJKLMNOPQR")
    assert all(item.passed and item.done for item in found.items)
    assert found.met
    for letter, column in OF.items():
        assert (column, "dropped") in lines(found)[letter].done


def test_what_is_left_is_years_three_digits_and_ages_up_to_89(patients, tmp_path, rows_of):
    safe_harbor(patients, tmp_path / "release.csv")
    rows, were = rows_of(tmp_path / "release.csv"), rows_of(patients)
    assert list(rows[0]) == ["zip", "state", "birth_date", "admission_date", "age", "sex", "diagnosis"]
    expected = []
    for was in were:
        year = int(was["birth_date"][:4])
        expected.append(
            (
                was["admission_date"][:4],
                "90+" if int(was["age"]) > 89 else was["age"],
                "000" if was["zip"][:3] in RESTRICTED else was["zip"][:3],
                "1933 or earlier" if year <= 1933 else str(year),
            )
        )
    found = [(row["admission_date"], row["age"], row["zip"], row["birth_date"]) for row in rows]
    assert Counter(found) == Counter(expected)  # in an order of its own
    assert "90+" in {row["age"] for row in rows}
    assert "000" in {row["zip"] for row in rows}
    assert "1933 or earlier" in {row["birth_date"] for row in rows}


@pytest.mark.parametrize("letter", "ABDEFGHIJKLMNOPQR")
def test_a_column_that_is_kept_fails_its_line_and_no_other(patients, tmp_path, letter):
    found = safe_harbor(patients, tmp_path / "release.csv", keep=[OF[letter]])
    assert not found.met
    assert [item.letter for item in found.items if not item.passed] == [letter]
    assert lines(found)[letter].left == (OF[letter],)
    assert found.kept == (OF[letter],)


@pytest.mark.parametrize(
    ("column", "letter"), [("zip", "B"), ("birth_date", "C"), ("age", "C"), ("admission_date", "C")]
)
def test_a_zip_code_a_date_or_an_age_that_is_kept_fails_its_line(patients, tmp_path, column, letter):
    found = safe_harbor(patients, tmp_path / "release.csv", keep=[column])
    assert [item.letter for item in found.items if not item.passed] == [letter]


def test_free_text_and_dates_that_cannot_be_read_go(csv, tmp_path):
    notes = [f"Seen by the nurse number {n} who told the family to come back soon" for n in range(30)]
    rows = "\n".join(f"{note},{n % 12 + 1}/{n % 28 + 1}/20{n % 20:02},F" for n, note in enumerate(notes))
    found = safe_harbor(csv(f"notes,visit_date,sex\n{rows}\n"), tmp_path / "release.csv", year=2024)
    assert found.met
    assert [column for item in found.items for column, _ in item.done if column == "notes"] == ["notes"]


def test_a_year_of_birth_goes_where_nobody_knows_when_ages_are_counted(csv, tmp_path, rows_of):
    path = csv("sex,birth_date\n" + "".join(f"F,{1930 + n}-03-0{n % 9 + 1}\n" for n in range(20)))
    found = safe_harbor(path, tmp_path / "release.csv")
    assert lines(found)["C"].done == (("birth_date", "dropped: the year in which ages are counted is not known"),)
    found = safe_harbor(path, tmp_path / "release.csv", year=2030)
    assert found.met
    years = {row["birth_date"] for row in rows_of(tmp_path / "release.csv")}
    assert years == {"1940 or earlier", *(str(year) for year in range(1941, 1950))}


def test_a_postcode_that_is_no_zip_code_goes(csv, tmp_path):
    path = csv("postcode,sex\n" + "".join(f"L{n} {n % 9}BX,F\n" for n in range(1, 30)))
    found = safe_harbor(path, tmp_path / "release.csv")
    assert found.met
    assert lines(found)["B"].done == (("postcode", "dropped"),)


def test_a_table_without_identifiers_is_released_as_it_is(csv, tmp_path):
    path = csv("sex,diagnosis\n" + "F,flu\nM,flu\n" * 10)
    assert safe_harbor(path, tmp_path / "release.csv").met
    before, after = (file.read_text(encoding="utf-8").splitlines() for file in (path, tmp_path / "release.csv"))
    assert after[0] == before[0]
    assert Counter(after) == Counter(before)


@pytest.mark.parametrize("values", [("x", "y"), ("true", "false"), ("1", "2")])
def test_a_column_that_is_undecided_is_left_out_and_open_even_where_many_share_its_values(csv, tmp_path, values):
    one, two = values
    path = csv("sex,zqv\n" + f"F,{one}\nM,{two}\n" * 20)
    found = safe_harbor(path, tmp_path / "release.csv")
    assert not found.met
    assert [column.name for column in lines(found)["R"].open] == ["zqv"]
    assert "zqv" not in (tmp_path / "release.csv").read_text(encoding="utf-8")
    assert safe_harbor(path, tmp_path / "kept.csv", keep=["zqv"]).met


def test_a_column_to_keep_that_is_not_there_is_an_error_before_anything_is_written(patients, tmp_path):
    with pytest.raises(UnknownColumn, match="Did you mean 'email'"):
        safe_harbor(patients, tmp_path / "release.csv", keep=["e_mail"])
    assert not (tmp_path / "release.csv").exists()


def test_the_data_are_never_written_over(patients):
    before = patients.read_bytes()
    with pytest.raises(OutputError):
        safe_harbor(patients, patients)
    assert patients.read_bytes() == before


def test_the_report_holds_no_value_of_the_table(patients, tmp_path, rows_of):
    found = safe_harbor(patients, tmp_path / "release.csv", keep=["email"])
    said = json.dumps(found.document()) + str(found)
    assert not any(row["email"] in said or row["ssn"] in said for row in rows_of(patients))


def test_the_plan_drops_all_columns_in_one_step_after_the_others():
    table = pa.table({"e-mail": ["a@x.org", "b@x.org"], "name": ["Ann Lee", "Bob Ray"], "age": [30, 95]})
    plan = SafeHarbor(identify(table)).plan()
    assert [step.name for step in plan.steps] == ["top_code", "drop"]
    assert plan.steps[-1].transformation.columns == ("e-mail", "name")


def test_the_command_answers_0_when_all_is_gone_and_1_when_something_is_left(patients, tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from sfumato.cli import app

    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["safe-harbor", patients.name, "-o", "release.csv", "--json", "found.json"])
    assert done.exit_code == 0, done.output
    assert "All 18 identifiers are gone" in done.output
    assert json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["met"] is True
    assert (tmp_path / "release.csv.provenance.json").exists()
    done = CliRunner().invoke(app, ["safe-harbor", patients.name, "-o", "release.csv", "--keep", "ssn,zip"])
    assert done.exit_code == 1
    assert "Something is left in release.csv: B, G." in done.output


def test_a_column_of_dates_with_something_else_among_them_goes(csv, tmp_path):
    days = [f"{1950 + n // 30}-{n % 12 + 1:02}-{n % 28 + 1:02}" for n in range(300)]
    path = csv("admission_date,sex\n" + "".join(f"{day},F\n" for day in [*days, "soon"]))
    found = safe_harbor(path, tmp_path / "release.csv")
    assert found.met
    assert lines(found)["C"].done == (("admission_date", "dropped: its dates cannot be read"),)


def test_a_name_on_the_list_is_taken_at_its_word(csv, tmp_path):
    """The values of `name` are none that the lists of names know; kept on purpose, it fails all the same."""
    path = csv("name,sex\n" + "".join(f"Qx{n}z,F\n" for n in range(30)))
    found = safe_harbor(path, tmp_path / "release.csv")
    assert found.met
    assert [column for column, _ in lines(found)["A"].done] == ["name"]
    found = safe_harbor(path, tmp_path / "release.csv", keep=["name"])
    assert [item.letter for item in found.items if not item.passed] == ["A"]
