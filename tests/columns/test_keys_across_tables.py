"""Columns whose values lie in the key of another table, or in another column of their own."""

import csv
import random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import identify
from sfumato.columns.evidence.keys_of_other_tables import KeysOfOtherTables
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import Surroundings
from sfumato.columns.table_keys import TableKey
from sfumato.schema import Role
from sfumato.tables.engine import Kind


def column(name, values, times=1):
    """A column in which every value occurs so often, all of its values in the sample."""
    texts = [str(value) for value in values]
    kind = Kind.INTEGER if all(text.isdecimal() for text in texts) else Kind.TEXT
    sample = tuple(dict.fromkeys(texts))
    return ColumnProfile(name, kind, len(texts) * times, 0, len(sample), 0, 0.0, 0, sample)


def key(name, values, table="patients.csv", role=Role.DIRECT):
    return TableKey.of(column(name, values), table, role)


def in_key(profile, *keys):
    return KeysOfOtherTables().of(profile, Surroundings("t.csv", (profile,), keys))


FAR_APART = random.Random(1).sample(range(10_000, 99_999), 60)


@given(st.lists(st.uuids(), min_size=12, unique=True), st.data())
def test_whatever_lies_in_a_key_of_codes_is_that_key(codes, data):
    chosen = data.draw(st.lists(st.sampled_from(codes), min_size=6, unique=True))
    finding = in_key(column("v1", chosen, 3), key("Id", codes))
    assert (finding.role, finding.sentence) == (Role.DIRECT, "All values are in the key `Id` of table patients.csv.")


@given(st.integers(1, 2000), st.integers(2, 60))
def test_counts_and_ages_lie_in_every_row_number_and_are_no_key(records, most):
    assert in_key(column("v1", range(1, most)), key("row_id", range(1, records + most))) is None


@given(st.lists(st.uuids(), min_size=20, max_size=60, unique=True))
def test_what_lies_in_no_key_is_none(codes):
    assert in_key(column("v1", codes[10:]), key("Id", codes[:12])) is None


def test_counts_are_no_key_though_a_key_has_a_few_numbers_far_away():
    assert in_key(column("v1", range(1, 40)), key("case_id", [*range(1, 50), 900_000_000])) is None


def test_numbers_that_lie_far_apart_are_no_accident():
    assert in_key(column("v1", FAR_APART[:9], 3), key("case_id", FAR_APART)).role is Role.DIRECT


@pytest.mark.parametrize(
    ("name", "of"), [("person_id", "person_id"), ("mother_person_id", "person_id"), ("PATIENT", "Id")]
)
def test_numbers_that_follow_each_other_are_the_key_by_which_they_are_named(name, of):
    assert in_key(column(name, range(1, 40), 3), key(of, range(1, 90))).role is Role.DIRECT


@pytest.mark.parametrize("name", ["id", "row_id", "age", "visit_type_id", "provider_id"])
def test_numbers_that_follow_each_other_are_no_key_by_another_name(name):
    assert in_key(column(name, range(1, 40), 3), key("Id", range(1, 90))) is None


def test_a_number_that_means_nobody_does_not_count():
    visits = key("visit_occurrence_id", FAR_APART, "visits")
    assert in_key(column("preceding_visit_occurrence_id", [0, FAR_APART[3]], 9), visits) is not None


def test_numbers_are_the_same_whether_some_are_missing_or_not():
    assert in_key(column("v1", [f"{number}.0" for number in FAR_APART[:9]]), key("case_id", FAR_APART)) is not None


def test_the_key_of_a_hospital_gives_a_quasi_identifier():
    codes = [UUID(int=random.Random(number).getrandbits(128)) for number in range(30)]
    assert in_key(column("v1", codes), key("Id", codes, "hospitals", Role.QUASI)).role is Role.QUASI


def test_a_column_may_repeat_a_key_of_its_own_table():
    cases = column("case_id", [f"c{number}" for number in FAR_APART])
    infector = column("source", [f"c{number}" for number in FAR_APART[:12]], 3)
    beside = Surroundings("t.csv", (cases, infector))
    assert KeysOfOtherTables().of(infector, beside).sentence == "All values are in the key `case_id`."
    assert KeysOfOtherTables().of(cases, beside) is None


def test_of_a_key_too_large_to_remember_the_first_by_hash_tell():
    codes = sorted((f"P{number}" for number in range(100_000, 130_000)), key=hash)
    patients = TableKey.of(column("patient_id", codes), "patients", Role.DIRECT, codes[:3000])
    inside, half = codes[::60], sorted([*codes[::120], *(f"Q{number}" for number in range(250_000, 250_250))], key=hash)
    assert patients.share == 0.1
    assert in_key(column("v1", inside), patients) is not None
    assert in_key(column("v1", half), patients) is None


def test_no_key_can_be_read_out_of_what_is_remembered():
    secret = "P-00012345"
    assert secret not in repr(key("Id", [secret, *map(str, range(20))]))


@pytest.fixture
def folder(tmp_path):
    """Three tables that belong together: people, hospitals, and what happened where to whom."""
    draw = random.Random(2)
    people, hospitals = ([str(UUID(int=draw.getrandbits(128))) for _ in range(30)] for _ in range(2))
    happened = ((draw.choice(people), draw.choice(hospitals), draw.randint(1, 9)) for _ in range(200))
    tables = {
        "patients": [("Id", "sex"), *((person, draw.choice("fm")) for person in people)],
        "hospitals": [("Id", "beds"), *((hospital, draw.randint(20, 900)) for hospital in hospitals)],
        "events": [("a", "b", "c"), *happened],
    }
    for name, rows in tables.items():
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(rows)
    return tmp_path


def test_tables_of_a_folder_are_read_beside_the_keys_of_the_others(folder):
    events = next(table for table in identify(folder).tables if table.source == "events.csv")
    roles = {column.name: column.role for column in events.columns}
    assert (roles["a"], roles["b"]) == (Role.DIRECT, Role.QUASI)
    assert roles["c"] is not Role.DIRECT
    said = next(finding.sentence for finding in events.columns[0].findings if "key `" in finding.sentence)
    assert said == "All values are in the key `Id` of table patients.csv."


def test_classes_are_counted_again_where_a_key_makes_a_quasi_identifier(folder):
    events = next(table for table in identify(folder).tables if table.source == "events.csv")
    assert "b" in events.influences.columns
    assert next(column for column in events.columns if column.name == "b").profile.influence is not None


def test_the_key_of_a_dictionary_is_no_key_of_anybody(folder):
    rows = [("itemid", "label"), *((number, f"test {number}") for number in FAR_APART)]
    with (folder / "d_items.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    with (folder / "measured.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("x", "y"), *((number, number % 7) for number in FAR_APART * 5)])
    measured = next(table for table in identify(folder).tables if table.source == "measured.csv")
    assert not any("key `" in finding.sentence for column in measured.columns for finding in column.findings)


def test_a_table_that_cannot_be_read_does_not_stop_the_others(folder):
    (folder / "broken.parquet").write_bytes(b"nothing")
    found = identify(folder)
    assert [name for name, _ in found.failures] == ["broken.parquet"]
    assert len(found.tables) == 3


def test_what_a_person_decided_stays(folder):
    events = next(table for table in identify(folder, non_sensitive="a").tables if table.source == "events.csv")
    assert events.columns[0].role is Role.NON_SENSITIVE
