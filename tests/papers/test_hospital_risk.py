"""S3: the release of a hospital's admissions, with the risk before and after each step, on made-up admissions.

The paper's data are not public. The tables have its shape, its directions and its arithmetic: every percentage is a
whole number of records over n, recomputed here record by record.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import read_plan
from sfumato.secrets import Secrets
from sfumato.studies.demonstrations.tables import write_demonstration
from sfumato.tables.load import load
from sfumato.tables.source import Extract

DATE = "DateOfFirstPositiveLabResult"
SETS = {  # the check marks of tables 2 and 4
    "age, gender": ("Age", "Gender"),
    "age, gender, outcome": ("Age", "Gender", "Outcome"),
    "age, days, gender": ("Age", "HospitalisationDays", "Gender"),
    "age, date, gender": ("Age", DATE, "Gender"),
    "all": ("Age", "HospitalisationDays", DATE, "Gender", "Outcome"),
}


@pytest.fixture(scope="module")
def admissions(tmp_path_factory: pytest.TempPathFactory) -> Extract:
    return load(str(write_demonstration("hospital", tmp_path_factory.mktemp("hospital"))))


@pytest.fixture(scope="module")
def recipe() -> Plan:
    return read_plan("recipe:hospital")


def after(admissions: Extract, recipe: Plan, steps: int) -> tuple[pa.Table, Extract]:
    """The table after the first steps of the recipe."""
    found = Plan(recipe.steps[:steps], recipe.seed, recipe.path, recipe.folder).apply(Draft.of(admissions), Secrets({}))
    table = found.engine.query(found.select())
    return found.engine.arrow(f"SELECT * FROM {table}"), Extract("after", table, ())


def by_hand(table: pa.Table, columns: tuple[str, ...]) -> int:
    """Records that are alone on the columns."""
    tuples = list(zip(*(table[name].to_pylist() for name in columns), strict=True))
    return sum(n == 1 for n in Counter(tuples).values())


def step_of(recipe: Plan, name: str, column: str = "") -> int:
    """The number of a step of the recipe."""
    return next(
        i
        for i, step in enumerate(recipe.steps, 1)
        if step.name == name and column in str(step.transformation.settings())
    )


def risks(extract: Extract, **sets: tuple[str, ...]) -> dict[str, Any]:
    found = sf.risk(extract, quasi=["Age", "Gender"], scenarios=sets, uniques=0).document()
    return {scenario["name"]: scenario for scenario in found["scenarios"]}


def test_every_percentage_of_tables_2_and_4_is_a_count_over_n(admissions: Extract, recipe: Plan) -> None:
    for steps in (step_of(recipe, "duration"), step_of(recipe, "generalise", "ages")):
        table, extract = after(admissions, recipe, steps)
        found = risks(extract, **SETS)
        for name, columns in SETS.items():
            alone = by_hand(table, columns)
            assert found[name]["singled_out"] == alone, name
            assert found[name]["records"] == table.num_rows
            assert found[name]["percent"] == pytest.approx(100 * alone / table.num_rows)
        shares = [found[name]["percent"] for name in ("age, gender", "age, gender, outcome", "all")]
        assert shares == sorted(shares)  # more columns single out more


@pytest.mark.parametrize(
    ("step", "column", "known"),
    [
        ("truncate_dates", "", ("Age", DATE, "Gender")),  # S3.19: 99.88 -> 89.02
        ("recode", "Outcome", ("Age", "Gender", "Outcome")),  # S3.20: 8 -> 6.5
        ("generalise", "HospitalisationDays", ("Age", "HospitalisationDays", "Gender")),  # S3.21: 65.28 -> 8.7
        ("generalise", "ages", ("Age", "Gender", "Outcome")),  # S3.22: 6.5 -> 1.8
    ],
)
def test_the_risk_falls_at_each_step_as_in_the_paper(
    admissions: Extract, recipe: Plan, step: str, column: str, known: tuple[str, ...]
) -> None:
    number = step_of(recipe, step, column)
    before, later = (risks(after(admissions, recipe, n)[1], known=known)["known"] for n in (number - 1, number))
    assert later["percent"] < before["percent"]


def test_suppressing_readmissions_may_raise_the_risk_and_says_so(admissions: Extract, recipe: Plan) -> None:
    """S3.18: 1716 records become 1685, and n is printed with each share."""
    found = risks(after(admissions, recipe, step_of(recipe, "keep_first"))[1], known=("Age", "Gender"))
    assert found["known"]["records"] == 1685


@pytest.mark.parametrize("days", [2, 5, 7])
def test_longer_periods_of_dates_lower_the_risk(admissions: Extract, recipe: Plan, days: int) -> None:
    """S3.24: 42.61, 23.20 and 19.58 per cent."""
    from sfumato.plans.steps.date_periods import DatePeriods

    number = step_of(recipe, "truncate_dates")
    plan = Plan(recipe.steps[:number], recipe.seed, recipe.path, recipe.folder).then(DatePeriods(DATE, days))
    found = plan.apply(Draft.of(admissions), Secrets({}))
    extract = Extract("after", found.engine.query(found.select()), ())
    later = risks(extract, known=("Age", DATE, "Gender"))["known"]["percent"]
    before = risks(after(admissions, recipe, number)[1], known=("Age", DATE, "Gender"))["known"]["percent"]
    assert later < before


def test_subsets_divide_by_the_subset_and_table_8_by_all_records(admissions: Extract, recipe: Plan) -> None:
    """S3.10, S3.11 and A3-1."""
    table, extract = after(admissions, recipe, step_of(recipe, "duration"))
    died = {"column": "Outcome", "equals": "D"}
    found = sf.risk(
        extract, quasi=["Age", "Gender"], uniques=0,
        subsets=[{"name": "died", "columns": ["Age", "Gender"], "where": died},
                 {"name": "diabetes", "columns": ["Age", "Gender"], "where": {"column": "DIABETES", "equals": "Y"},
                  "mode": "as_qi"}],
    ).document()["subsets"]  # fmt: skip
    rows = table.to_pylist()
    dead = Counter((r["Age"], r["Gender"]) for r in rows if r["Outcome"] == "D")
    assert found[0]["records"] == sum(dead.values())
    assert found[0]["singled_out"] == sum(n == 1 for n in dead.values())
    keyed = Counter((r["Age"], r["Gender"], r["DIABETES"] == "Y") for r in rows)
    assert found[1]["records"] == len(rows)
    assert found[1]["singled_out"] == sum(n == 1 for n in keyed.values())


def test_noise_of_three_days_leaves_about_one_true_match_in_seven(admissions: Extract) -> None:
    """S3.27 and A3-2: of about 30 % matches about 13 % are true, since P(no noise) = 1/7; read off by linkage."""
    found = sf.risk(
        admissions, plan="recipe:hospital", quasi=["Age", "Gender", "Outcome", DATE],
        scenarios={"with date": ["Age", "Gender", DATE], "without": ["Age", "Gender"]}, uniques=0, attempts=200,
    ).document()  # fmt: skip
    dated, undated = (scenario["after"] for scenario in found["scenarios"])
    assert (dated["metric"], dated["perturbed"]) == ("linkage", [DATE])
    assert undated["metric"] == "classes"
    linkage = found["linkage"]
    assert linkage["match_rate"] == pytest.approx(linkage["true_match_rate"] + linkage["false_match_rate"])
    assert 0.09 < linkage["true_match_rate"] < 0.17
    assert 100 * linkage["true_match_rate"] < found["scenarios"][0]["percent"]


def test_the_document_has_what_was_asked_for(tmp_path: Path, admissions: Extract) -> None:
    found = sf.risk(admissions, plan="recipe:hospital", quasi=["Age", "Gender"], attempts=50).document()
    assert {"scenarios", "subsets", "attackers", "population", "uniques", "linkage"} <= set(found)
    assert {"name", "quasi_identifiers", "records", "singled_out", "percent", "k"} <= set(found["scenarios"][0])
    assert {"match_rate", "true_match_rate", "false_match_rate"} <= set(found["linkage"])
