"""Keys by their name and the form of their values, also where they recur."""

import random
from uuid import UUID

import pytest

from sfumato.columns.evidence.keys import Keys
from sfumato.columns.evidence.named_keys import NamedKeys
from sfumato.columns.lexicon.key_names import Whose, key_name, whose_rows
from sfumato.columns.lexicon.meaning import ADMINISTERED
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import Surroundings
from sfumato.columns.table_keys import Shape, shape_of
from sfumato.schema import Role
from sfumato.tables.engine import Kind

DRAW = random.Random(5)


def column(name, values, times=1, label=None):
    """A column in which every value occurs so often."""
    texts = [str(value) for value in values]
    numbers = all(isinstance(value, int) for value in values)
    kind = Kind.INTEGER if numbers else Kind.TEXT
    return ColumnProfile(
        name, kind, len(texts) * times, 0, len(set(texts)), 0, 0.0, 0, tuple(dict.fromkeys(texts)), label
    )


def uuids(count):
    return [str(UUID(int=DRAW.getrandbits(128))) for _ in range(count)]


def numbers(count, digits=6):
    return DRAW.sample(range(10 ** (digits - 1), 10**digits), count)


PEOPLE = Surroundings("labs.csv", (column("subject_id", numbers(40), 5),))


@pytest.mark.parametrize(
    ("name", "whose"),
    [
        ("patient_id", Whose.PERSON),
        ("PatientID", Whose.PERSON),
        ("USUBJID", Whose.PERSON),
        ("id_paciente", Whose.PERSON),
        ("Patienten-ID", Whose.PERSON),
        ("id du patient", Whose.PERSON),
        ("ID pazienti", Whose.PERSON),
        ("numer_pacjenta", Whose.PERSON),
        ("pid", Whose.PERSON),
        ("mother_id", Whose.PERSON),
        ("patient_id_hash", Whose.PERSON),
        ("hadm_id", Whose.RECORD),
        ("hadmid", Whose.RECORD),
        ("encounterID", Whose.RECORD),
        ("numero_dossier", Whose.RECORD),
        ("ID de caso", Whose.RECORD),
        ("condition_occurrence_id", Whose.OCCURRENCE),
        ("drug_exposure_id", Whose.OCCURRENCE),
        ("provider_id", Whose.STAFF),
        ("care_site_id", Whose.ORGANISATION),
        ("SITEID", Whose.ORGANISATION),
        ("admission_type_id", Whose.LIST),
        ("admission_source_id", Whose.LIST),
        ("gender_concept_id", Whose.LIST),
        ("itemid", Whose.LIST),
        ("acme_id", Whose.UNKNOWN),
        ("id", Whose.UNKNOWN),
    ],
)
def test_a_name_says_whose_key_a_column_is(name, whose):
    said = key_name(name)
    assert said.numbered
    assert said.whose is whose


@pytest.mark.parametrize("name", ["num_procedures", "number_outpatient", "number", "acid", "lipid", "patient_weight",
                                  "visit_date", "no_response", "hybrid", "v1", ""])  # fmt: skip
def test_what_only_ends_like_a_key_or_counts_is_none(name):
    assert key_name(name) is None


@pytest.mark.parametrize("name", ["PATIENT", "encounter", "secondary_payer"])
def test_a_thing_may_be_a_key_though_its_name_does_not_say_so(name):
    assert not key_name(name).numbered


@pytest.mark.parametrize(
    ("table", "whose"),
    [("patients.csv", Whose.PERSON), ("synthea_encounters", Whose.RECORD), ("raw/d_items.csv", Whose.LIST),
     ("drug_codes", Whose.LIST), ("organizations.parquet", Whose.ORGANISATION), ("wide.csv", None)],
)  # fmt: skip
def test_the_name_of_a_table_says_what_its_rows_are(table, whose):
    assert whose_rows(table) is whose


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        (uuids(9), Shape.MADE_UP),
        ([f"{{{value}}}" for value in uuids(9)], Shape.MADE_UP),
        ([f"1.2.840.99999999.1.{number}.{number * 7}" for number in numbers(9)], Shape.MADE_UP),
        (numbers(20, 5), Shape.ALIKE),
        ([f"{number}.0" for number in numbers(20, 5)], Shape.ALIKE),
        ([f"01-701-{number}" for number in numbers(20, 4)], Shape.ALIKE),
        (list(range(1, 40)), Shape.NUMBERS),
        (["A12", "B1-7", "C123"], Shape.CODES),
        ([f"{number / 100:.2f}" for number in numbers(20)], None),
        ([f"2020-01-{day:02d}" for day in range(1, 29)], None),
        ([f"2020010{day}" for day in range(1, 10)], None),
        (["1.2.840.10008.5.1.4.1.1.2", "1.2.840.10008.5.1.4.1.1.4"], Shape.ALIKE),
        (["male", "female"], None),
        (["the patient came", "the patient left"], None),
        ([], None),
    ],
)
def test_the_values_of_a_key_have_a_form(values, shape):
    assert shape_of(column("v", values)) is shape


@pytest.mark.parametrize(
    ("profile", "beside"),
    [
        (column("patient_id", numbers(40), 20), PEOPLE),
        (column("SUBJECT", [f"S-{number}" for number in numbers(40)], 20), PEOPLE),
        (column("PATIENT", uuids(3), 20), PEOPLE),
        (column("pid", list(range(1, 41)), 20), PEOPLE),
        (column("hadm_id", numbers(40), 20), PEOPLE),
        (column("ENCOUNTER", uuids(40), 20), PEOPLE),
        (column("condition_occurrence_id", numbers(40)), PEOPLE),
        (column("measurement_id", list(range(1, 99))), PEOPLE),
        (column("Id", uuids(40)), Surroundings("careplans.csv")),
        (column("SEQN", list(range(83732, 83800)), label="Respondent sequence number"), PEOPLE),
        (column("SERIES_UID", [f"1.2.840.99999999.1.{number}" for number in numbers(40)], 2), PEOPLE),
    ],
)
def test_a_key_of_a_person_or_a_record_is_direct_however_often_it_recurs(profile, beside):
    finding = NamedKeys().of(profile, beside)
    assert finding.role is Role.DIRECT
    assert finding.weight >= 0.8


@pytest.mark.parametrize("name", ["ENCOUNTER", "visit_id", "study", "event_uid", "patient"])
def test_codes_that_a_computer_made_up_outweigh_a_name_that_says_not_personal(name):
    assert NamedKeys().of(column(name, uuids(30), 9)).weight > ADMINISTERED


@pytest.mark.parametrize(
    "profile",
    [
        column("admission_type_id", list(range(1, 9)), 50),
        column("discharge_disposition_id", list(range(1, 30)), 50),
        column("measurement_concept_id", numbers(60, 7), 9),
        column("itemid", numbers(60, 5), 9),
        column("visit_number", list(range(1, 9)), 50),
        column("visit_id", list(range(1, 6)), 50),
        column("member_number", list(range(1, 9)), 50),
        column("children", list(range(5)), 50),
        column("patient_id", ["one"], 50),
        column("procedure_id", numbers(30, 5), 50),
        column("case", ["yes", "no"], 50),
        column("haemoglobin_id", [f"{number / 100}" for number in numbers(30)], 1),
        column("order_no", numbers(30), 1),
    ],
    ids=lambda profile: profile.name,
)
def test_lists_of_codes_and_counts_are_no_keys(profile):
    assert NamedKeys().of(profile) is None


@pytest.mark.parametrize("name", ["PROVIDER", "payer_uuid", "organization", "hospital_id", "care_site_id"])
def test_a_key_of_who_gives_or_pays_care_is_a_quasi_identifier(name):
    codes = column(name, uuids(30), 9)
    assert NamedKeys().of(codes, PEOPLE).role is Role.QUASI
    assert Keys().of(codes, PEOPLE) is None


def test_a_bare_id_is_of_what_the_rows_of_the_table_are():
    ids = column("Id", uuids(30))
    roles = [NamedKeys().of(ids, Surroundings(table)).role for table in ("providers.csv", "patients.csv", "x.csv")]
    assert roles == [Role.QUASI, Role.DIRECT, Role.DIRECT]


def test_what_may_be_an_entry_of_a_list_is_sure_only_beside_people():
    medications = column("medication_id", numbers(50))
    alone, beside = (NamedKeys().of(medications, around).weight for around in (Surroundings("stock"), PEOPLE))
    assert alone < 0.8 < beside


def test_a_column_without_values_is_what_its_name_says():
    roles = {name: (f := NamedKeys().of(column(name, []))) and f.role for name in ("Bericht_ID", "Mitarbeiter_ID", "x")}
    assert roles == {"Bericht_ID": Role.DIRECT, "Mitarbeiter_ID": Role.QUASI, "x": None}


def test_the_entries_of_a_list_are_of_nobody_unless_the_table_says_whose_they_are():
    items = column("itemid", numbers(40, 5))
    assert NamedKeys().of(items, Surroundings("d_items.csv", (items,))).role is Role.NON_SENSITIVE
    assert Keys().of(column("label", [f"test {number}" for number in numbers(40)]), Surroundings("d_items.csv")) is None
    people = column("patient_id", numbers(40))
    assert NamedKeys().of(people, Surroundings("patient_codes.csv", (people,))).role is Role.DIRECT


@pytest.mark.parametrize(
    "table", ["line_list.csv", "linelist", "patients_list.xlsx", "d.csv", "dim_patient", "study", "device_tests", ""]
)
def test_a_list_of_people_is_no_list_of_codes(table):
    assert whose_rows(table) is not Whose.LIST


def test_no_sentence_holds_a_value():
    values = uuids(30)
    assert not any(value in NamedKeys().of(column("patient", values)).sentence for value in values)


@pytest.mark.parametrize("name", ["subject_id", "hadm_id", "patient_id"])
def test_the_key_of_one_person_only_is_a_key(name):
    """A table of one person's events holds one key throughout."""
    finding = NamedKeys().of(column(name, [42367], times=22), Surroundings("events.csv"))
    assert finding.role is Role.DIRECT
    assert finding.weight >= 0.65


def test_few_keys_of_stays_are_keys_where_they_have_the_form_of_one():
    assert NamedKeys().of(column("icustay_id", [250305, 250411, 250999], times=9)).role is Role.DIRECT
    assert NamedKeys().of(column("visit_no", [1, 2, 3], times=9)) is None


def test_the_key_of_a_payment_is_one_among_people_and_none_in_a_list():
    payments = column("payment_id", [1, 2, 3])
    people = Surroundings("payments.csv", (column("patient_id", [7, 9, 8]), payments))
    assert NamedKeys().of(payments, people).role is Role.DIRECT
    assert NamedKeys().of(payments, Surroundings("stock.csv", (payments,))) is None


def test_what_stands_before_the_last_word_of_a_table_is_the_database():
    assert whose_rows("clinic_bookings.csv") is not Whose.ORGANISATION
    assert whose_rows("care_clinics.csv") is Whose.ORGANISATION
    assert whose_rows("clinic_patients.csv") is Whose.PERSON
