"""S0.14: the recipe makes of the thesis's stage 1 tables its stage 2 tables, value for value.

Labels are compared through `STYLE`: the thesis writes `18-40` and `40-69`, which overlap (A0-9), `> 2019` for 2020 and
later, and `5.0-10.0` for what is above 4.5; ours say exactly what an interval holds. A missing value is the word
`missing` in the thesis. Everything else is compared as it is, every column and every row.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

import sfumato as sf
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import read_plan
from sfumato.studies.demonstrations import demonstration, write_demonstration

STYLE = {
    "age": {"18-39": "18-40", "40-69": "40-69"},
    "edss": {"<4.6": "0.0-4.5", ">=4.6": "5.0-10.0"},
    "ms_diagnosis_date": {"<1980": "< 1980", "2020+": "> 2019"},
}
# The table of the thesis, named after the attribute de-identified last, k, l of each sensitive attribute, largest t.
THOUSAND = [
    ("original", 1, (1, 1, 1), 0.975),
    ("age", 1, None, None),
    ("comorbidities", 6, (3, 3, 2), 0.615),
    ("covid19_symptoms", 110, (3, 6, 2), 0.32376),
]
FIVE_HUNDRED = [
    ("original", 1, None, 0.972),
    ("edss", 1, None, None),
    ("age", 1, None, None),
    ("comorbidities", 1, None, None),
    ("covid19_symptoms", 1, None, None),
    ("ms_type", 4, (2, 2), 0.75),
]
ROLES = {
    1000: (["age", "comorbidities", "covid19_symptoms"], ["bmi", "ms_diagnosis_date", "edss"]),
    500: (["edss", "age", "comorbidities", "covid19_symptoms", "ms_type"], ["bmi", "ms_diagnosis_date"]),
}
CASES = [(1000, *case) for case in THOUSAND] + [(500, *case) for case in FIVE_HUNDRED]


def dimension(rows: int, last: str) -> Plan:
    """The recipe up to the attribute de-identified last; `original` has nothing but its sensitive attributes done."""
    plan = read_plan("recipe:ms-thesis")
    quasi = ROLES[rows][0]
    order = [step.transformation.settings().get("column") for step in plan.steps]
    end = order.index(last) + 1 if last != "original" else order.index(quasi[0])
    return replace(plan, steps=plan.steps[:end])


def in_their_style(column: str, value: str) -> str:
    return STYLE.get(column, {}).get(value, value) or "missing"


@pytest.mark.parametrize(("rows", "last"), [case[:2] for case in CASES])
def test_the_recipe_gives_the_table_of_the_thesis_value_for_value(shared, applied, rows_of, rows, last):
    folder = shared / "data" / "ms_mock" / f"df_{rows}_rows"
    found = applied(dimension(rows, last), folder / f"stage_1_df_mock_{rows}.csv")
    printed = rows_of(folder / f"stage_2_df_{last}.csv")
    columns = [name for name in printed[0] if name not in ("", "Row_Number")]
    assert list(found[0]) == columns
    assert [row["Row_Number"] for row in printed] == [str(number) for number in range(1, rows + 1)]
    for name in columns:
        assert [in_their_style(name, row[name]) for row in found] == [row[name] for row in printed], name


@pytest.mark.parametrize(("rows", "last", "k", "l", "t"), CASES)
def test_k_l_and_t_of_the_recipe_are_those_of_the_thesis(shared, applied, tmp_path, rows, last, k, l, t):  # noqa: E741
    folder = shared / "data" / "ms_mock" / f"df_{rows}_rows"
    applied(dimension(rows, last), folder / f"stage_1_df_mock_{rows}.csv")
    quasi, sensitive = ROLES[rows]
    found = sf.assess(tmp_path / "applied.csv", quasi=quasi, sensitive=sensitive, k=2, l=2, t=0.5)
    readings = {name: [r.value for r in found.readings if r.measure.name() == name] for name in
                ("k_anonymity", "distinct_l_diversity", "t_closeness")}  # fmt: skip
    assert readings["k_anonymity"] == [k]
    if l is not None:
        assert tuple(readings["distinct_l_diversity"]) == l
    if t is not None:
        assert max(readings["t_closeness"]) == pytest.approx(t, abs=0.0005)


def test_the_steps_stand_in_the_order_of_the_risk_rate_highest_first(shared):
    """S0.12, by S0.10: the sensitive attributes, then the quasi-identifiers, each by descending risk rate."""
    file = shared / "data" / "ms_mock" / "df_1000_rows" / "stage_1_df_mock_1000.csv"
    rates = {column.name: column.risk_rate for column in sf.identify(file, method="risk-rate")}
    columns = [step.transformation.settings().get("column") for step in read_plan("recipe:ms-thesis").steps]
    order = list(dict.fromkeys(name for name in columns if name))
    assert order[0] == "bmi"
    assert all(rates[first] > rates[second] for first, second in pairwise(order))


def test_the_made_up_registry_has_the_layout_of_the_thesis_and_its_missing_values(shared, tmp_path, rows_of):
    theirs = rows_of(shared / "data" / "ms_mock" / "df_1000_rows" / "stage_1_df_mock_1000.csv")
    ours = rows_of(write_demonstration("ms", tmp_path))
    assert list(ours[0]) == list(theirs[0])
    assert len(ours[0]) == 17
    for name in ours[0]:
        missing = [sum(row[name] == "" for row in rows) / 1000 for rows in (theirs, ours)]
        assert missing[1] == pytest.approx(missing[0], abs=0.02), name
    for name in ("sex", "ms_type", "comorbidities", "covid19_symptoms", "covid19_outcome_recovered"):
        assert {row[name] for row in ours} == {row[name] for row in theirs}, name


def test_the_made_up_registry_is_the_same_to_the_byte_and_of_any_length():
    assert demonstration("ms", 300) == demonstration("ms", 300)
    assert demonstration("ms", 300) == "".join(demonstration("ms", 700).splitlines(keepends=True)[:301])
    assert demonstration("ms", 300) != demonstration("ms", 300, seed=1)


def test_in_the_made_up_registry_disability_grows_with_the_years_and_hospital_with_frailty(tmp_path, rows_of):
    rows = rows_of(write_demonstration("ms", tmp_path, 4000))

    def mean(of, where):
        chosen = [of(row) for row in rows if where(row)]
        return sum(chosen) / len(chosen)

    long, short = (lambda row: int(row["ms_diagnosis_date"]) < 2005), (lambda row: int(row["ms_diagnosis_date"]) > 2015)
    assert mean(lambda row: float(row["edss"]), long) > mean(lambda row: float(row["edss"]), short) + 1
    ill, well = (lambda row: row["comorbidities"] != "no"), (lambda row: row["comorbidities"] == "no")
    admitted = lambda row: row["covid19_admission_hospital"] == "yes"  # noqa: E731
    assert mean(admitted, ill) > mean(admitted, well) + 0.1
    assert all(row["covid19_icu_stay"] == "no" for row in rows if not admitted(row))
    assert all(int(row["ms_diagnosis_date"]) - (2023 - int(row["age"])) >= 15 for row in rows)


def test_the_recipe_goes_through_the_made_up_registry_and_no_value_is_without_a_place(applied, tmp_path):
    rows = applied(read_plan("recipe:ms-thesis"), write_demonstration("ms", tmp_path))
    assert len(rows) == 1000
    assert {row["age"] for row in rows} == {"18-39", "40-69"}
    assert {row["bmi"] for row in rows} == {"underweight", "healthy weight", "overweight", "obese"}
    assert {row["comorbidities"] for row in rows} == {"yes", "no"}
