"""Long tables: what was measured, its value, its unit and its flag."""

import pytest

from sfumato.columns.bare_names import part_of_long_table
from sfumato.columns.evidence.long_tables import LongTables
from sfumato.schema import Role

from .columns_beside import table_of

TESTS = ["sodium", "potassium", "glucose"] * 10
NUMBERS = [140.5, 4.2, 5.6, 139.0, 4.4] * 6


def said(columns, name, table=""):
    beside = table_of(columns, table)
    return LongTables().of(next(column for column in beside.columns if column.name == name), beside)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("valuenum", "value"), ("RESULT", "value"), ("result_value", "value"), ("Wert", "value"),
        ("test_result", "value"), ("unit_concept_id", "unit"),
        ("itemid", "measured"), ("LBTESTCD", None), ("test_code", "measured"), ("Parameter", "measured"),
        ("valueuom", "unit"), ("result_unit", "unit"), ("Einheit", "unit"),
        ("flag", "unusual"), ("abnormal_flag", "unusual"),
        ("value_date", None), ("market_value", None), ("postal_code", None), ("age", None), ("care_unit", None),
    ],
)  # fmt: skip
def test_the_parts_of_a_long_table_are_known_by_their_names(name, part):
    assert part_of_long_table(name) == part


@pytest.mark.parametrize(
    ("name", "role"),
    [("value", Role.SENSITIVE), ("unit", Role.NON_SENSITIVE), ("flag", Role.SENSITIVE), ("test", Role.SENSITIVE)],
)
def test_a_value_beside_what_was_measured_is_a_result_with_unit_and_flag(name, role):
    table = {
        "subject_id": list(range(30)),
        "test": TESTS,
        "value": NUMBERS,
        "unit": ["mmol/L"] * 30,
        "flag": ["H", None] * 15,
    }
    assert said(table, name).role is role


@pytest.mark.parametrize(
    ("code", "value"), [("itemid", "valuenum"), ("Parameter", "Messwert"), ("prueba", "resultado")]
)
def test_the_names_alone_are_enough_in_a_table_of_people(code, value):
    assert said(["patient_id", code, value], value).role is Role.SENSITIVE
    assert said([code, value], value) is None


def test_values_of_who_somebody_is_are_quasi_identifiers_and_what_was_asked_is_of_the_study():
    table = {
        "patient_id": list(range(30)),
        "question": ["marital status", "date of birth", "ethnicity"] * 10,
        "answer": NUMBERS,
    }
    assert said(table, "answer").role is Role.QUASI
    assert said(table, "question").role is Role.NON_SENSITIVE


@pytest.mark.parametrize(
    "table",
    [
        {"code": [f"c{i}" for i in range(30)], "label": [f"l{i}" for i in range(30)], "value": NUMBERS},
        {"age": NUMBERS, "value": NUMBERS},
        {"key": ["colour", "size", "font"] * 10, "value": NUMBERS},
        {"item": ["a", "b", "c"] * 10, "price": NUMBERS, "flag": ["x", None] * 15},
    ],
    ids=["a list of codes", "nothing that names", "settings of a program", "no value"],
)
def test_a_table_without_recurring_names_or_values_is_not_long(table):
    assert all(said(table, name) is None for name in table)
