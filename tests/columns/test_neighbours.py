"""What the columns beside say of one of which nothing is known."""

import pytest

from sfumato.columns.evidence.neighbours import Neighbours
from sfumato.schema import Role

from .columns_beside import column_of, table_of

CLINICAL = {"age": Role.QUASI, "sex": Role.QUASI, "chol": Role.SENSITIVE, "bp": Role.SENSITIVE, "ecg": Role.SENSITIVE}
TOWN = {"town": Role.QUASI, "age": Role.QUASI, "job": Role.QUASI, "rent": Role.SENSITIVE, "car": Role.QUASI}
DECIMALS = [1.5, 2.25, 3.0, 4.75] * 5
CATEGORIES = ["flat", "up", "down", "flat"] * 5


def said(values, roles=CLINICAL, name="oldpeak"):
    return Neighbours().of(column_of(name, values), table_of([*roles, name], roles=roles))


@pytest.mark.parametrize("values", [DECIMALS, [0, 1, 1, 0] * 5, CATEGORIES], ids=["decimals", "numbers", "categories"])
def test_an_unknown_column_of_numbers_or_categories_among_health_is_sensitive_with_little_weight(values):
    finding = said(values)
    assert finding.role is Role.SENSITIVE
    assert 0.4 <= finding.weight <= 0.58


def test_the_more_columns_beside_are_health_the_surer_and_decimals_more_than_anything():
    more = CLINICAL | {f"lab_{i}": Role.SENSITIVE for i in range(10)}
    assert said([0, 1, 1, 0] * 5).weight < said([0, 1, 1, 0] * 5, more).weight < said(DECIMALS, more).weight <= 0.58


@pytest.mark.parametrize(
    ("values", "roles"),
    [
        (CATEGORIES, TOWN),
        ([7, 8, 9, 8], TOWN),
        (CATEGORIES, {}),
        (DECIMALS, {"price": Role.NON_SENSITIVE, "chol": Role.SENSITIVE}),
        (list(range(1000, 1020)), CLINICAL),
        ([f"a sentence that is only number {i}" for i in range(20)], CLINICAL),
        (["same"] * 20, CLINICAL),
        ([], CLINICAL),
        (CATEGORIES, CLINICAL | {"oldpeak": Role.QUASI}),
    ],
    ids=["neighbours not health", "numbers there", "nothing known", "no people", "a key", "texts", "a constant",
         "no values", "already known"],
)  # fmt: skip
def test_nothing_is_said_without_people_health_or_measurements(values, roles):
    assert said(values, roles) is None


def test_in_a_table_without_records_the_columns_beside_tip_and_do_not_decide():
    many = CLINICAL | {"lab": Role.SENSITIVE}
    finding = said([], many)
    assert (finding.role, finding.weight) == (Role.SENSITIVE, 0.25)
    assert said([None] * 20, many) is None
