"""What the name of a table says of columns with bare names."""

import pytest

from sfumato.columns.bare_names import Subject, bare, subject_of
from sfumato.columns.evidence.table_names import TableNames
from sfumato.schema import Role

from .columns_beside import column_of, table_of


@pytest.mark.parametrize(
    ("table", "subject"),
    [
        ("allergies.csv", Subject.HEALTH),
        ("export/2024_LABEVENTS.csv.gz", Subject.HEALTH),
        ("patient_diagnoses", Subject.HEALTH),
        ("Diagnosen.xlsx", Subject.HEALTH),
        ("encounters", Subject.CARE),
        ("pacientes.csv", Subject.PEOPLE),
        ("covid_patients", Subject.PEOPLE),
        ("providers", Subject.STAFF),
        ("payers", Subject.ORGANISATIONS),
        ("d_labitems", Subject.LIST),
        ("klinik_bokningar.csv", Subject.CARE),
        ("clinica_alergia", Subject.HEALTH),
        ("ospedale_ricovero", Subject.CARE),
        ("hospital_xyzzy", None),
        ("diabetes_data_2015", Subject.HEALTH),
        ("heart_uci", Subject.HEALTH),
        ("export_2024.csv", None),
        ("sales", None),
        ("", None),
    ],
)
def test_the_last_word_of_a_table_that_says_something_is_its_subject(table, subject):
    assert subject_of(table) is subject


@pytest.mark.parametrize(
    ("name", "is_bare"),
    [("CODE", True), ("REASONCODE", True), ("reasonDescription", True), ("DESCRIPTION1", True), ("Wert", True),
     ("blood_value", False), ("code_system", False), ("1", False), ("zip_code", False), ("decode", False)],
)  # fmt: skip
def test_a_bare_name_holds_nothing_but_words_that_need_a_table(name, is_bare):
    assert bare(name, "content") is is_bare


def said(table, name, values=("A1", "B2", "C3")):
    return TableNames().of(column_of(name, values), table_of({name: values}, table))


@pytest.mark.parametrize(
    ("table", "name", "values", "role"),
    [
        ("medications", "CODE", ("313782", "834060"), Role.SENSITIVE),
        ("medications", "reason", ("Asthma", "Flu"), Role.SENSITIVE),
        ("conditions", "STATUS", ("active", "resolved"), Role.SENSITIVE),
        ("visits", "description", ("Check", "Emergency"), Role.SENSITIVE),
        ("labevents", "charttime", (), Role.QUASI),
        ("procedures", "STOP", ("2020-01-02", "2020-02-03"), Role.QUASI),
        ("patients", "NAME", ("Ann Lee", "Jo Roe"), Role.DIRECT),
        ("providers", "name", ("Ann Lee", "Jo Roe"), Role.DIRECT),
        ("hospitals", "name", ("St Mary", "General"), Role.QUASI),
    ],
)
def test_a_bare_name_is_what_its_table_is_about(table, name, values, role):
    assert said(table, name, values).role is role


@pytest.mark.parametrize(
    ("table", "name", "values"),
    [
        ("sales", "CODE", ("1", "2")),
        ("medications", "zip_code", ("8000", "8001")),
        ("medications", "start", ("a", "b")),
        ("medications", "type", ("same", "same")),
        ("patients", "name", ("1", "2")),
        ("patients", "code", ("1", "2")),
        ("d_labitems", "label", ("Sodium", "Iron")),
        ("parkinsons", "name", tuple(f"phon_S{i}" for i in range(40))),
    ],
    ids=[
        "another subject",
        "not bare",
        "no dates",
        "a constant",
        "no words",
        "a key",
        "a list of codes",
        "names of rows",
    ],
)
def test_nothing_is_said_where_table_name_or_values_do_not_fit(table, name, values):
    assert said(table, name, values) is None


def test_a_type_weighs_less_than_a_code():
    assert said("allergies", "TYPE").weight < said("allergies", "CODE").weight
