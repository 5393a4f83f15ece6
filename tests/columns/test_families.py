"""Families of columns, and what siblings say of each other."""

import pytest

from sfumato.columns.evidence.siblings import Siblings
from sfumato.columns.families import headed_families, stem_families, value_families
from sfumato.columns.role_families import role_families
from sfumato.schema import Role

from .columns_beside import column_of, table_of

DOSES = ["No", "Steady", "Up", "Down"]


def grouped(columns):
    """The families of a stem, and those of values among the other columns."""
    table = table_of(columns).columns
    stems = [family.columns for family in stem_families(table)]
    rest = [column for column in table if not any(column.name in names for names in stems)]
    return stems + [family.columns for family in value_families(rest)]


@pytest.mark.parametrize(
    "names",
    [
        ["cpq1", "cpq2", "cpq12"],
        ["gym___0", "gym___1", "gym___99"],
        ["violence_nature/beaten", "violence_nature/shot", "violence_nature/no_response"],
        ["ICD9_DGNS_CD_1", "ICD9_DGNS_CD_2", "ICD9_DGNS_CD_3"],
        ["weight_v1_kg", "weight_v2_kg", "weight_v3_kg"],
    ],
    ids=["numbers", "checkboxes", "options", "at the end", "within"],
)
def test_columns_that_differ_in_a_number_or_an_option_are_a_family(names):
    assert grouped(["age", *names, "sex"]) == [tuple(names)]


@pytest.mark.parametrize(
    "names",
    [
        ["patient_name", "patient_age", "patient_sex"],
        ["Patient.name", "Patient.gender", "Patient.birthDate"],
        ["b6", "b12", "sex"],
        ["age", "sex", "weight"],
    ],
    ids=["a common beginning", "a path", "only two", "nothing"],
)
def test_columns_that_only_begin_alike_or_are_few_are_no_family(names):
    assert grouped(names) == []


def test_columns_with_the_same_telling_values_or_some_of_them_are_a_family_wherever_they_stand():
    table = {"metformin": DOSES, "age": [30, 40, 50, 60], "insulin": DOSES, "acarbose": ["No", "No", "Steady", "No"],
             "examide": ["No"] * 4, "glipizide": DOSES}  # fmt: skip
    assert grouped(table) == [("metformin", "insulin", "acarbose", "examide", "glipizide")]


def test_yes_and_no_make_a_family_of_columns_in_a_row_only():
    yes = ["yes", "no", "no", "yes"]
    apart = {"fever": yes, "a": DOSES, "b": list("wxyz"), "cough": yes, "c": DOSES, "d": list("stuv"), "rash": yes}
    assert grouped(apart) == []
    assert grouped({"fever": yes, "cough": yes, "onset": list("wxyz"), "rash": ["no"] * 4}) == [
        ("fever", "cough", "rash")
    ]


def test_steps_of_different_scales_in_a_row_are_not_one_family():
    assert grouped({"a": [0, 1], "b": [0, 1], "c": [0, 1], "d": [3, 4], "e": [3, 4], "f": [3, 4]}) == [
        ("a", "b", "c"), ("d", "e", "f")
    ]  # fmt: skip


def test_measurements_are_no_answers():
    assert grouped({name: [float(i) for i in range(20)] for name in "abcd"}) == []


def test_ten_thousand_columns_stand_in_one_family_each():
    table = table_of({f"v{i % 7}_{chr(97 + i % 26)}{i}": [str(i % 5), str(i % 11)] for i in range(10_000)})
    families = role_families(table.columns, dict.fromkeys(column.name for column in table.columns))
    names = [name for family in families for name in family]
    assert names
    assert len(names) == len(set(names))


def said(columns, roles, name):
    table = table_of(columns, roles=roles)
    return Siblings().of(next(column for column in table.columns if column.name == name), table)


def test_an_unknown_sibling_takes_the_role_of_the_known_ones_and_more_surely_the_more_agree():
    doses = dict.fromkeys(("metformin", "insulin", "acarbose", "examide", "citoglipton"), DOSES)
    few = said(doses, {"metformin": Role.SENSITIVE, "insulin": Role.SENSITIVE}, "citoglipton")
    many = said(doses, dict.fromkeys(list(doses)[:4], Role.SENSITIVE), "citoglipton")
    assert few.role is many.role is Role.SENSITIVE
    assert 0.3 < few.weight < many.weight < 0.65
    assert many.sentence == "4 of 4 known columns that share the same few values are sensitive."


def test_a_family_of_mixed_roles_says_nothing():
    mixed = {"q_1": Role.SENSITIVE, "q_2": Role.QUASI, "q_3": Role.SENSITIVE}
    assert said(["q_1", "q_2", "q_3", "q_4"], mixed, "q_4") is None


def test_a_column_is_not_its_own_sibling():
    assert said(["cpq1", "cpq2", "cpq3"], {"cpq1": Role.QUASI, "cpq2": Role.SENSITIVE}, "cpq1") is None


def test_a_stem_that_only_numbers_says_nothing_of_what_the_columns_are():
    roles = dict.fromkeys(["x1", "x2", "x3"], Role.SENSITIVE)
    assert said(["x1", "x2", "x3", "x4"], roles, "x4") is None
    assert said(["dx1", "dx2", "dx3", "dx4"], dict.fromkeys(["dx1", "dx2"], Role.SENSITIVE), "dx4") is not None


def test_columns_that_end_in_the_same_word_are_alike_with_less_weight_than_a_stem():
    names = ["tp53_mut", "kras_mut", "unknownword_mut", "brca1_mut", "age"]
    assert [f.columns for f in headed_families([column_of(n) for n in names])] == [tuple(names[:4])]
    roles = dict.fromkeys(["tp53_mut", "kras_mut", "brca1_mut"], Role.SENSITIVE)
    finding = said(names, roles, "unknownword_mut")
    assert (finding.role, finding.weight < 0.5) == (Role.SENSITIVE, True)
    assert said(names, roles, "age") is None


def test_shared_answers_say_nothing_of_a_column_that_is_known_to_be_something_else():
    yes = ["yes", "no", "no", "yes"]
    table = dict.fromkeys(("fever", "cough", "rash", "verified"), yes)
    roles = dict.fromkeys(("fever", "cough", "rash"), Role.SENSITIVE)
    assert said(table, roles, "verified").role is Role.SENSITIVE
    assert said(table, roles | {"verified": Role.NON_SENSITIVE}, "verified") is None
