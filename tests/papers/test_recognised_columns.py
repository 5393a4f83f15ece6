"""The direct identifiers of Jung et al. (S4) and the pathologies of Carvalho et al. (S3), by names and by values."""

from __future__ import annotations

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.schema import Role

RECORDS = 60
GIVEN = ("Anna", "Bram", "Clara", "Dirk", "Emma", "Frits", "Grace", "Hugo", "Irene", "Joost", "Maria", "John")
FAMILY = ("Jansen", "Smith", "Bakker", "Miller", "Visser", "Brown", "Garcia", "Meyer")


def people(different: int) -> list[str]:
    return [f"{GIVEN[i % different % 12]} {FAMILY[i % different % 8]}" for i in range(RECORDS)]


PATIENTS, STAFF = people(RECORDS), people(5)
KEYS = [f"D{1000 + i % 7}" for i in range(RECORDS)]
# S4, results: "patient names, town-level addresses, and patient identification numbers", and those of the staff.
IDENTIFIERS = {
    "patient name": PATIENTS,
    "town-level address": [f"{1 + i % 9} Mill Street, Ashford" for i in range(RECORDS)],
    "patient identification number": [str(10_000_000 + 37 * i) for i in range(RECORDS)],
    "doctor ID": KEYS,
    "doctor name": STAFF,
    "therapist ID": KEYS,
    "therapist name": STAFF,
    "anesthesiologist ID": KEYS,
    "anesthesiologist name": STAFF,
    "initial keyboarder": STAFF,
    "final amender": STAFF,
}
STAFF_KEYS = {name for name in IDENTIFIERS if name.endswith(" ID")}
# S3, table 8.
PATHOLOGIES = ("Cancer", "Cerebrovascular", "Diabetes", "Kidney", "Liver", "Lung", "Heart", "Smoking", "Obesity")


def roles(columns: dict[str, list[str]]) -> dict[str, Role | None]:
    return sf.identify(pa.table(columns), combinations=0).roles


def test_the_eleven_direct_identifiers_are_recognised_by_name_and_value_together():
    """The key of a doctor names no patient: it is a quasi-identifier here, where the paper removes it all the same."""
    assert len(IDENTIFIERS) == 11
    expected = {name: Role.QUASI if name in STAFF_KEYS else Role.DIRECT for name in IDENTIFIERS}
    assert roles(IDENTIFIERS) == expected


def test_by_the_name_alone_each_of_them_identifies():
    """The values say nothing: a letter for each record."""
    nothing = {name: [chr(97 + i % 20) for i in range(RECORDS)] for name in IDENTIFIERS}
    assert {name for name, role in roles(nothing).items() if role not in (Role.DIRECT, Role.QUASI)} == set()


def test_by_values_alone_names_addresses_and_numbers_are_direct_and_short_keys_are_not_called_harmless():
    unnamed = {f"x{i}": values for i, values in enumerate(IDENTIFIERS.values())}
    found = dict(zip(IDENTIFIERS, roles(unnamed).values(), strict=True))
    assert {name for name, role in found.items() if role is Role.DIRECT} == IDENTIFIERS.keys() - STAFF_KEYS
    assert all(found[name] is not Role.NON_SENSITIVE for name in STAFF_KEYS)


@pytest.mark.parametrize("name", [*PATHOLOGIES, *(f"{organ} disease" for organ in PATHOLOGIES[3:7])])
def test_a_pathology_is_sensitive_by_the_name_of_its_column(name):
    assert roles({name: ["yes", "no"] * (RECORDS // 2)}) == {name: Role.SENSITIVE}


@pytest.mark.parametrize("pathology", PATHOLOGIES)
def test_a_pathology_is_sensitive_by_values_beside_others(pathology):
    values = [pathology if i % 3 else PATHOLOGIES[i % 9] for i in range(RECORDS)]
    assert roles({"x1": values}) == {"x1": Role.SENSITIVE}
