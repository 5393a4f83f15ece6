"""What labels of variables and of values say."""

import pytest

from sfumato.columns.evidence.labels import Labels
from sfumato.schema import Role

from .columns_beside import column_of

CODES = [1, 2, 3, None] * 5
MEASURED = [61.25, 70.5, 80.75, 90.0] * 10


def said(label, values=CODES, name="V17", **told):
    return Labels().of(column_of(name, values, label=label, **told))


@pytest.mark.parametrize(
    ("label", "values", "role"),
    [
        ("Weight Comment", CODES, Role.NON_SENSITIVE),
        ("Head Circumference Comment", CODES, Role.NON_SENSITIVE),
        ("Body Measures Component Status Code", CODES, Role.NON_SENSITIVE),
        ("Interview/Examination status", CODES, Role.NON_SENSITIVE),
        ("Age imputation flag", CODES, Role.NON_SENSITIVE),
        ("Upper Leg Length (cm)", MEASURED, Role.SENSITIVE),
        ("Serum ferritin [ng/mL]", MEASURED, Role.SENSITIVE),
        ("Total number of people in the Household", CODES, Role.QUASI),
        ("# of children 5 years or younger in HH", CODES, Role.QUASI),
    ],
)
def test_the_words_of_a_label_show_what_the_column_is(label, values, role):
    finding = said(label, values)
    assert finding.role is role
    assert finding.weight >= 0.75


@pytest.mark.parametrize(
    ("label", "values"),
    [
        ("Comment", CODES),
        ("Physician comment", [f"a remark that is only number {i}" for i in range(40)]),
        ("Marital status", CODES),
        ("Pregnancy status at exam", CODES),
        ("Age at interview (years)", MEASURED),
        ("Distance to the clinic (km)", MEASURED),
        ("Answer (see manual)", MEASURED),
        ("", CODES),
        (None, CODES),
    ],
    ids=["a comment alone", "texts", "a status of a person", "another", "an age", "a way", "no unit", "empty", "none"],
)
def test_a_label_that_shows_nothing_of_that_is_left_to_the_lexicon(label, values):
    assert said(label, values) is None


def test_a_label_speaks_beside_a_name_that_was_surer_and_not_twice():
    beside = said("Diagnosis of the visit", ["A", "B"] * 10, name="diagnosis")
    assert (beside.role, beside.weight < 0.8) == (Role.SENSITIVE, True)
    assert said("Diagnosis", ["A", "B"] * 10, name="V17") is None


@pytest.mark.parametrize(
    ("worded", "role"),
    [
        (("Male", "Female"), Role.QUASI),
        (("Male", "Female", "Refused"), Role.QUASI),
        (("Diabetes", "Asthma", "Stroke"), Role.SENSITIVE),
        (("Could not obtain", "Clothing", "Exceeds capacity"), Role.NON_SENSITIVE),
    ],
)
def test_labels_of_values_are_read_as_values_are(worded, role):
    assert said(None, CODES, value_labels=worded).role is role


@pytest.mark.parametrize(
    "worded", [("Yes", "No"), ("Yes", "No", "Don't know"), ("Group A", "Group B"), ("Red", "Blue"), ()]
)
def test_labels_that_answer_anything_say_nothing(worded):
    assert said(None, CODES, value_labels=worded) is None


def test_no_sentence_holds_a_label_of_a_value():
    assert "Male" not in said(None, CODES, value_labels=("Male", "Female")).sentence
