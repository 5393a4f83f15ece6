"""Jung et al., A determination scheme for quasi-identifiers: tables 6 and 7 as printed, added up and selected again."""

import csv
from decimal import Decimal
from pathlib import Path

import pytest

from sfumato.project.recipient.grade import Grade
from sfumato.project.recipient.recipient import selected

HERE = Path(__file__).parent


def rows(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


TABLE_6, TABLE_7 = rows("table_6.csv"), rows("table_7.csv")


def named(row: dict[str, str]) -> str:
    return f"{row['number']}: {row['column']}"


SCORES = {named(row): float(row["sum"]) for row in TABLE_7}


@pytest.mark.parametrize(
    ("role", "total"), [("direct", 108), ("quasi", 137), ("sensitive", 68), ("non_sensitive", 460)]
)
def test_the_columns_of_table_6_add_up_to_the_totals_of_the_text(role, total):
    assert sum(int(row[role]) for row in TABLE_6) == total


def test_table_6_has_20_tables_and_773_columns():
    assert [row["number"] for row in TABLE_6] == [str(number) for number in range(1, 21)]
    assert sum(int(row[role]) for row in TABLE_6 for role in ("direct", "quasi", "sensitive", "non_sensitive")) == 773


def test_62_columns_are_printed_where_the_text_speaks_of_64():
    """Who is right cannot be told; the printed rows are the fixture."""
    assert len(TABLE_7) == len(SCORES) == 62


def test_no_table_has_more_printed_columns_than_quasi_identifiers():
    quasi = {row["number"]: int(row["quasi"]) for row in TABLE_6}
    printed = [row["number"] for row in TABLE_7]
    assert [number for number in set(printed) if printed.count(number) > quasi[number]] == []


@pytest.mark.parametrize("row", TABLE_7, ids=named)
def test_the_score_of_a_column_is_its_uniqueness_plus_its_influence(row):
    total = Decimal(row["uniqueness"]) + Decimal(row["influence"])
    assert total.quantize(Decimal("0.0001")) == Decimal(row["sum"]).quantize(Decimal("0.0001"))


@pytest.mark.parametrize(("grade", "count"), [(Grade.HIGH, 28), (Grade.MIDDLE, 21), (Grade.LOW, 17)])
def test_a_higher_grade_selects_more_columns(grade, count):
    """28, 21 and 17 by the check marks. The text says 20 at 0.5, and the abstract begins at 18: the table is right."""
    assert len(selected(SCORES, grade.threshold)) == count


@pytest.mark.parametrize(("threshold", "marks"), [(0.25, 1), (0.5, 2), (0.75, 3)])
def test_the_selected_columns_are_those_with_a_check_mark(threshold, marks):
    marked = {named(row) for row in TABLE_7 if len(row["marks"]) >= marks}
    assert set(selected(SCORES, threshold)) == marked


def test_columns_are_selected_highest_score_first():
    chosen = selected(SCORES, 0.25)
    assert [SCORES[column] for column in chosen] == sorted((SCORES[column] for column in chosen), reverse=True)
    assert chosen[-1] == "14: Gender"


def test_a_column_at_the_threshold_is_selected_although_its_parts_are_not_exact():
    assert 0.1 + 0.7 - 0.05 < 0.75
    assert selected({"at": 0.1 + 0.7 - 0.05, "below": 0.7499}, 0.75) == ["at"]


def test_uniqueness_or_influence_is_enough_for_a_secondary_quasi_identifier():
    """41 columns have a uniqueness of 0 (7 of them rounded) and 9 no influence: it cannot be that both are needed."""
    parts = ("uniqueness", "influence")
    without = {which: {named(row) for row in TABLE_7 if float(row[which]) == 0} for which in parts}
    assert {which: len(columns) for which, columns in without.items()} == {"uniqueness": 41, "influence": 9}
    assert without["uniqueness"] & without["influence"] == set()
    assert sum(row["uniqueness"] == "0.0000" for row in TABLE_7) == 7


def most_influence(values: int) -> float:
    """Without a column of d values, each class is at most d classes in one: influence is at most 1 - 1/d."""
    return 1 - 1 / values


def test_a_gender_an_age_and_a_type_code_of_table_7_have_an_influence_that_no_column_can_have():
    """The paper is wrong: influence is below 1, whatever the column, and at most 0.5 for two genders."""
    assert {named(row) for row in TABLE_7 if float(row["influence"]) >= 1} == {
        "7: Gender",
        "7: Age at the prescription",
        "7: Prescription type code",
    }


def test_every_other_gender_and_age_keeps_to_the_bound_of_its_number_of_values():
    bounds = {"Gender": most_influence(2), "Age": most_influence(120)}
    broken = {
        named(row)
        for row in TABLE_7
        for column, bound in bounds.items()
        if row["column"].startswith(column) and float(row["influence"]) > bound
    }
    assert broken == {"7: Gender", "7: Age at the prescription"}


def test_the_rows_of_table_17_look_shifted():
    """Only there a gender is unique and a date of birth is not: not a fixture for uniqueness or influence."""
    genders = {row["number"] for row in TABLE_7 if row["column"] == "Gender" and row["uniqueness"] != "0"}
    births = {row["number"] for row in TABLE_7 if row["column"] == "Date of birth" and row["uniqueness"] == "0"}
    assert genders == births == {"17"}
