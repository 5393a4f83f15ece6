"""S3: the release of a hospital's admissions, with the risk before and after each step, on made-up admissions.

The paper's data are not public. The tables have its shape, its directions and its arithmetic: every percentage is a
whole number of records over n, recomputed here record by record.
"""

from __future__ import annotations

import csv
from collections import Counter
from datetime import date
from itertools import pairwise
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


@pytest.fixture(scope="module")
def written(admissions: Extract, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """The admissions as they stand in the file, each with its days in hospital."""
    path = write_demonstration("hospital", tmp_path_factory.mktemp("written"))
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        start, end = (date.fromisoformat(row[name]) for name in ("DateOfHospitalisation", "DateOfDischarge"))
        row["HospitalisationDays"] = str((end - start).days)
    return rows


def first_admissions(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    first: dict[str, dict[str, str]] = {}
    for row in sorted(rows, key=lambda row: row["DateOfHospitalisation"]):
        first.setdefault(row["PatientId"], row)
    return list(first.values())


def counted_alone(rows: list[dict[str, str]], columns: tuple[str, ...]) -> int:
    return list(Counter(tuple(row[name] for name in columns) for row in rows).values()).count(1)


# S3.18 on the made-up admissions: who is alone among all 1,716 and among the 1,685 that stay.
READMISSIONS = {
    "age, gender": (26, 26),
    "age, gender, outcome": (94, 96),
    "age, days, gender": (1146, 1135),
    "age, date, gender": (1654, 1685),
}


@pytest.mark.parametrize("name", READMISSIONS)
def test_suppressing_readmissions_raises_the_risk_and_says_so(
    admissions: Extract, recipe: Plan, written: list[dict[str, str]], name: str
) -> None:
    """S3.18: 1716 records become 1685. On some columns fewer of them are alone, and still a larger share of all."""
    steps = {step.name: i for i, step in reversed(list(enumerate(recipe.steps, 1)))}
    whole = Plan(recipe.steps[steps["duration"] - 1 : steps["duration"]], recipe.seed, recipe.path, recipe.folder)
    draft = whole.apply(Draft.of(admissions), Secrets({}))
    before = risks(Extract("before", draft.engine.query(draft.select()), ()), known=SETS[name])["known"]
    later = risks(after(admissions, recipe, steps["duration"])[1], known=SETS[name])["known"]
    assert (before["records"], later["records"]) == (1716, 1685)
    assert (before["singled_out"], later["singled_out"]) == READMISSIONS[name]
    kept = first_admissions(written)
    assert (counted_alone(written, SETS[name]), counted_alone(kept, SETS[name])) == READMISSIONS[name]
    assert later["percent"] == pytest.approx(100 * READMISSIONS[name][1] / 1685)
    assert later["percent"] > before["percent"]


PERIODS = {  # S3.24, in per cent for 2, 5 and 7 days in the paper
    ("Age", DATE, "Gender"): (42.61, 23.20, 19.58),
    ("Age", DATE, "Gender", "Outcome"): (62.01, 38.57, 32.58),
    ("Age", "HospitalisationDays", DATE, "Gender", "Outcome"): (84.28, 69.44, 63.68),
}


@pytest.mark.parametrize("known", PERIODS, ids=["age, date, gender", "and outcome", "and days and outcome"])
def test_longer_periods_of_dates_lower_the_risk_of_every_set(
    admissions: Extract, recipe: Plan, written: list[dict[str, str]], known: tuple[str, ...]
) -> None:
    """S3.24: the risk falls from days to periods of 2, 5 and 7 days, as it does in the paper, record by record."""
    from sfumato.plans.steps.date_periods import DatePeriods

    assert list(PERIODS[known]) == sorted(PERIODS[known], reverse=True)
    number, kept = step_of(recipe, "truncate_dates"), first_admissions(written)
    shares = [risks(after(admissions, recipe, number)[1], known=known)["known"]["percent"]]
    for days in (2, 5, 7):
        plan = Plan(recipe.steps[:number], recipe.seed, recipe.path, recipe.folder).then(DatePeriods(DATE, days))
        draft = plan.apply(Draft.of(admissions), Secrets({}))
        found = risks(Extract("after", draft.engine.query(draft.select()), ()), known=known)["known"]
        periods = [
            {**row, DATE: str((date.fromisoformat(row[DATE][:10]) - date(2000, 1, 3)).days // days)} for row in kept
        ]
        assert (found["singled_out"], found["records"]) == (counted_alone(periods, known), 1685)
        shares.append(found["percent"])
    assert all(later < before for before, later in pairwise(shares))


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
