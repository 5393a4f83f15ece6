"""S3: the admissions that the generator makes up, and what the recipe makes of them."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from statistics import mean

import pytest
from tests.plans.recipes.conftest import in_source_order

import sfumato as sf
from sfumato.plans.apply import apply_plan
from sfumato.plans.plan_file import read_plan
from sfumato.studies.demonstrations import demonstration, write_demonstration

TESTED = "DateOfFirstPositiveLabResult"
SCENARIOS = [
    ["Age", "Gender"],
    ["Age", "Gender", "Outcome"],
    ["Age", "HospitalisationDays", "Gender"],
    ["Age", "HospitalisationDays", "Gender", "Outcome"],
    ["Age", TESTED, "Gender"],
    ["Age", TESTED, "Gender", "Outcome"],
    ["Age", TESTED, "HospitalisationDays", "Gender", "Outcome"],
]


@pytest.fixture(scope="module")
def admissions(tmp_path_factory):
    return write_demonstration("hospital", tmp_path_factory.mktemp("hospital"))


@pytest.fixture(scope="module")
def before(admissions, rows_of):
    return rows_of(admissions)


@pytest.fixture(scope="module")
def applied_recipe(admissions):
    return apply_plan("recipe:hospital", admissions, admissions.with_name("release.csv"), release_rest=True)


@pytest.fixture(scope="module")
def release(applied_recipe):
    return applied_recipe.path


@pytest.fixture(scope="module")
def in_order(applied_recipe, rows_of):
    """The rows of the release in the order of the source, which only the steward has."""
    return rows_of(in_source_order(applied_recipe, applied_recipe.path.with_name("in_order.csv")))


@pytest.fixture(scope="module")
def first(before):
    """The first admission of each patient, in the order of the table."""
    found = {}
    for row in before:
        found.setdefault(row["PatientId"], row)
    return list(found.values())


def alone(path, quasi):
    """The share of the records that are singled out, in per cent (S3.7)."""
    sizes = sf.assess(path, quasi=quasi, k=2).sizes
    return 100 * sizes.singletons / sizes.records


def test_there_are_as_many_admissions_patients_and_columns_as_in_the_paper(before):
    assert len(before) == 1716
    assert len(before[0]) == 38
    assert len({row["RecordId"] for row in before}) == 1716
    assert len({row["PatientId"] for row in before}) == 1685


def test_the_subsets_of_table_3_have_the_sizes_that_the_paper_counts(before):
    outcomes = Counter(row["Outcome"] for row in before)
    assert (outcomes["D"], outcomes["N"]) == (368, 41)
    assert sum(row["IntensiveCare"] == "Y" for row in before) == 529
    assert sum(int(row["AgeMonth"]) < 12 for row in before) == 12
    assert mean(int(row["Age"]) for row in before) == pytest.approx(67, abs=1)


def test_the_admissions_are_the_same_to_the_byte_each_time():
    assert demonstration("hospital") == demonstration("hospital")
    assert demonstration("hospital") != demonstration("hospital", seed=1)


def test_ages_in_years_months_and_days_are_of_one_person(before):
    for row in before:
        years, months, days = int(row["Age"]), int(row["AgeMonth"]), int(row["AgeDay"])
        assert months // 12 == years
        assert days / 31 - 1 <= months <= days / 28


def test_other_illnesses_grow_with_age_and_go_with_death(before):
    def ill(row):
        return sum(row[name] == "Y" for name in ("HYPERTENSION", "DIABETES", "HEART", "KIDNEY", "DEMENTIA"))

    old, young = ([ill(r) for r in before if low <= int(r["Age"]) < low + 25] for low in (70, 30))
    assert mean(old) > mean(young) + 1
    died, lived = ([ill(r) for r in before if (r["Outcome"] == "D") is is_dead] for is_dead in (True, False))
    assert mean(died) > mean(lived) + 0.3


def test_what_nobody_asked_for_is_mostly_missing_and_what_all_have_is_constant(before):
    for name in ("DateOfOnset", "PlaceOfInfection", "CloseContactRecordId"):
        assert sum(row[name] == "" for row in before) > 0.85 * 1716, name
    assert {row["Hospitalisation"] for row in before} == {"Y"}


def test_a_readmission_has_the_same_test_and_comes_after_the_discharge(before):
    stays = {}
    for row in before:
        stays.setdefault(row["PatientId"], []).append(row)
    again = [rows for rows in stays.values() if len(rows) > 1]
    assert len(again) == 31
    for earlier, later in again:
        assert earlier[TESTED] == later[TESTED]
        assert earlier["DateOfDischarge"] < later["DateOfHospitalisation"]


def test_the_recipe_leaves_1685_records_and_the_columns_that_the_paper_keeps(release, rows_of):
    rows = rows_of(release)
    assert len(rows) == 1685
    gone = {"RecordId", "PatientId", "AgeDay", "AgeMonth", "Hospitalisation", "Imported", "CloseContactRecordId",
            "DateOfOnset", "PlaceOfInfection", "DateOfHospitalisation", "DateOfDischarge", "HIV", "PREGNANCY",
            "TUBERCULOSIS", "IMMUNODEFICIENCY"}  # fmt: skip
    assert not gone & rows[0].keys()
    assert {"HospitalisationDays", "OtherPathologies"} <= rows[0].keys()
    assert len(rows[0]) == 38 - len(gone) + 2


def test_the_values_are_recoded_as_the_paper_says(in_order, first):
    rows = in_order
    recoded = {"H": "Recovered", "N": "Recovered", "D": "Died", "O": "Other"}
    assert [row["Outcome"] for row in rows] == [recoded[row["Outcome"]] for row in first]
    for row, was in zip(rows, first, strict=True):
        low = int(was["Age"]) // 5 * 5
        assert row["Age"] == ("90+" if low >= 90 else f"{low}-{low + 4}")


def test_the_days_in_hospital_are_in_quartiles(release, first, rows_of):
    held = Counter(row["HospitalisationDays"] for row in rows_of(release))
    assert len(held) == 4
    assert all(0.2 * 1685 < n < 0.3 * 1685 for n in held.values())
    longest = max(
        (date.fromisoformat(row["DateOfDischarge"]) - date.fromisoformat(row["DateOfHospitalisation"])).days
        for row in first
    )
    assert longest > 60


def test_the_noise_is_every_whole_day_from_minus_3_to_3_zero_among_them(in_order, first):
    """S3.25, A3-8: uniform, so each of seven with 1/7; 1,685 draws put the share within 0.035 of it."""
    moved = Counter(
        (date.fromisoformat(row[TESTED]) - datetime.fromisoformat(was[TESTED]).date()).days
        for row, was in zip(in_order, first, strict=True)
    )
    assert sorted(moved) == [-3, -2, -1, 0, 1, 2, 3]
    assert all(n / 1685 == pytest.approx(1 / 7, abs=0.035) for n in moved.values())


def test_other_pathologies_are_there_where_one_of_the_merged_is(in_order, first):
    merged = ("HIV", "TUBERCULOSIS", "PREGNANCY", "IMMUNODEFICIENCY")
    for row, was in zip(in_order, first, strict=True):
        answers = {was[name] for name in merged}
        assert row["OtherPathologies"] == ("Y" if "Y" in answers else "N" if answers == {"N"} else "")


@pytest.mark.parametrize("quasi", SCENARIOS, ids=["+".join(scenario) for scenario in SCENARIOS])
def test_fewer_people_are_singled_out_after_the_recipe(admissions, release, quasi):
    """Of the seven scenarios of Tables 2 and 7: at most a quarter where there is no date, fewer with one."""
    plan = read_plan("recipe:hospital")
    days = [step.transformation for step in plan.steps if step.name == "duration"]
    raw = admissions.with_name("raw.csv")
    apply_plan(type(plan)().then(*days), admissions, raw, release_rest=True)
    was, now = alone(raw, quasi), alone(release, quasi)
    assert now < was
    assert TESTED in quasi or now <= was / 4


def test_hardly_anybody_is_singled_out_by_age_and_gender(release):
    """Table 7 has nobody: that is a matter of the hospital's own patients. Of ours it may be two in a thousand."""
    assert alone(release, ["Age", "Gender"]) <= 0.2
