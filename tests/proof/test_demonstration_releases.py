"""`sfumato release` on every demonstration project, on the thesis's data and on the census of the literature.

Each package is written, verified against its original, written again to the same bytes, and its readings are counted
anew from the released file by pandas and scipy.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from scipy.stats import wasserstein_distance
from tests.doors.conftest import PROGRAM, Command

from sfumato.studies.demonstrations import TABLES

CHOLESTEROL = (float("-inf"), 100, 150, 200, 250, float("inf"))


@dataclass(frozen=True)
class Case:
    """A project that can be released: where its file and its data are, and what is not in its release."""

    project: Path
    original: Path
    hidden: tuple[str, ...]
    report: bool = False
    elsewhere: bool = False  # it is written again by another process, where sets are ordered otherwise


# What is written, and what must be true of it


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def released(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "released.csv", dtype=str, keep_default_na=False)


def spread(values: pd.Series) -> pd.Series:
    """The share of each value that is known."""
    return values[values != ""].value_counts(normalize=True)


def different(values: pd.Series, everybody: pd.Series, bins: Sequence[float] | None = None) -> float:
    known = values[values != ""]
    return (pd.cut(known.astype(float), list(bins), right=False) if bins else known).nunique()


def closeness(values: pd.Series, everybody: pd.Series) -> float:
    """The total variation of a class from everybody."""
    return float(spread(values).sub(spread(everybody), fill_value=0).abs().sum() / 2)


def transport(values: pd.Series, everybody: pd.Series) -> float:
    """The earth mover's distance of a class from everybody, in the unit of the values."""
    mine, theirs = (column[column != ""].astype(float) for column in (values, everybody))
    return float(wasserstein_distance(mine, theirs))


OF_A_CLASS: dict[str, tuple[Callable[..., float], Callable[..., float]]] = {
    "distinct_l_diversity": (different, min),
    "t_closeness": (closeness, max),
    "t_wasserstein": (transport, max),
}


def counted(table: pd.DataFrame, quasi: list[str], reading: dict[str, Any]) -> float:
    """A reading of a table, from its rows alone."""
    classes = [part for _, part in table.groupby(quasi, sort=False)]
    if reading["measure"] == "k_anonymity":
        return min(map(len, classes))
    of, worst = OF_A_CLASS[reading["measure"]]
    name = reading["sensitive"]
    more = (CHOLESTEROL,) if (reading["measure"], name) == ("distinct_l_diversity", "LB__Cholesterol") else ()
    return worst(of(part[name], table[name], *more) for part in classes)


def check_readings(folder: Path) -> None:
    assessment = json.loads((folder / "assessment.json").read_text(encoding="utf-8"))
    table = released(folder)
    assert assessment["records"] == len(table)
    assert assessment["met"] is True
    for reading in assessment["readings"]:
        found = counted(table, assessment["quasi_identifiers"], reading)
        assert found == pytest.approx(reading["value"], rel=1e-9), reading["measure"]
        safer_higher = reading["measure"] in ("k_anonymity", "distinct_l_diversity")
        assert found >= reading["bound"] if safer_higher else found <= reading["bound"]


def check_hidden(case: Case, folder: Path) -> None:
    """The columns that name people are gone, and what they held is in no column of the release."""
    options = yaml.safe_load(case.project.read_text(encoding="utf-8"))["data"]
    before = pd.read_csv(case.original, dtype=str, keep_default_na=False, sep=options.get("delimiter", ","))
    after = released(folder)
    assert set(case.hidden) <= set(before.columns)
    assert set(after.columns) <= set(before.columns) - set(case.hidden)
    for name in case.hidden:
        if before[name].nunique() > 0.9 * len(before):  # it names people
            assert not any(set(before[name]) & set(after[column]) for column in after.columns)


def check_worth(folder: Path, *, lost: float) -> None:
    """Not everything is generalised away: few people are left out, and every column still tells people apart."""
    evidence = folder.with_name(f"{folder.name}-evidence")
    found = json.loads((evidence / "anonymisation.json").read_text(encoding="utf-8"))
    assessment = json.loads((folder / "assessment.json").read_text(encoding="utf-8"))
    assert found["suppressed"] / (found["suppressed"] + assessment["records"]) <= lost
    assert all(released(folder)[name].nunique() > 1 for name in assessment["quasi_identifiers"])


def again(case: Case, sfumato: Command) -> Callable[..., int]:
    """A second run, in this process or in another one; its exit code."""
    if not case.elsewhere:
        return lambda *arguments: sfumato(*arguments).code
    environment = {**os.environ, "PYTHONHASHSEED": "42"}
    return lambda *arguments: (
        subprocess.run(
            [PROGRAM, *map(str, arguments)], env=environment, capture_output=True, timeout=120, check=False
        ).returncode
    )


def check(case: Case, sfumato: Command, folder: Path, *, lost: float) -> None:
    options = ("--project", case.project, *(() if case.report else ("--no-report",)))
    project = case.project.read_bytes()
    ran = sfumato("release", *options, "--out", folder / "one")
    assert ran.code == 0, ran.said
    verified = sfumato(
        "verify", folder / "one", "--evidence", folder / "one-evidence", "--original", case.original,
        "--project", case.project,
    )  # fmt: skip
    assert verified.code == 0, verified.said
    case.project.write_bytes(project)  # the way that was taken was written into it, and would not be compared again
    assert again(case, sfumato)("release", *options, "--out", folder / "two") == 0
    assert contents(folder / "one") == contents(folder / "two")
    assert ("report.html" in contents(folder / "one")) is case.report
    check_readings(folder / "one")
    check_hidden(case, folder / "one")
    check_worth(folder / "one", lost=lost)


# The demonstrations


@pytest.mark.parametrize(
    ("table", "hidden"),
    [
        ("ms", ("secret_name",)),
        ("hospital", ("RecordId", "PatientId", "AgeMonth", "AgeDay")),
        ("census", ()),
    ],
)
def test_a_demonstration_table_is_released_by_its_project_file(
    sfumato: Command, tmp_path: Path, table: str, hidden: tuple[str, ...]
) -> None:
    assert sfumato("demo", "--table", table, "--folder", tmp_path).code == 0
    data = tmp_path / TABLES[table].file
    case = Case(data.with_suffix(".yaml"), data, hidden, elsewhere=table == "ms")
    check(case, sfumato, tmp_path, lost=0.04)


def test_every_table_with_a_project_file_is_among_those_that_are_released(sfumato: Command, tmp_path: Path) -> None:
    for table in TABLES:
        rows = () if table == "hospital" else ("--rows", 30)
        assert sfumato("demo", "--table", table, "--folder", tmp_path, *rows).code == 0
    assert {path.stem for path in tmp_path.glob("*.yaml")} == {
        "ms_registry", "hospital_admissions", "hospital_admissions_tables", "census",  # the third in tests/papers
    }  # fmt: skip


def test_the_pilot_is_released_after_its_study_with_the_bounds_of_the_study(sfumato: Command, tmp_path: Path) -> None:
    """K 5, L 5 and T 30 mg/dL, all met by sex and the bins of the study; 56 of 633 children are left out."""
    assert sfumato("demo", "--folder", tmp_path).code == 0
    assert sfumato("study", "bio-streams", "--root", tmp_path).code == 1
    pilot = tmp_path / "pilot_report" / "PENTELI"
    hidden = ("USUBJID", "DM__SUBJID", "VS__HEIGHT", "VS__WEIGHT", "SC__District of Permanent Address")
    case = Case(pilot / "release.yaml", pilot / "processed_for_anonym" / "combined_dataset.csv", hidden, report=True)
    check(case, sfumato, tmp_path, lost=0.09)
    bounds = {
        reading["measure"]: reading["bound"]
        for reading in json.loads((tmp_path / "one" / "assessment.json").read_text(encoding="utf-8"))["readings"]
    }
    assert bounds == {"k_anonymity": 5, "distinct_l_diversity": 5, "t_wasserstein": 30}
    table = released(tmp_path / "one")
    assert len(table) == 633 - 56
    assert set(table["VS__BMI"]) <= {"[0, 20)", "[20, 30)", "[30, 40)"}
    assert set(table["DM__AGE"]) <= {"[0, 6)", "[6, 12)", "[12, 18)"}


# The thesis's data, and the census of the literature

THESIS = """\
preset: thesis
data: {{source: "{source}"}}
columns:
  secret_name: {{role: direct}}
{roles}
plan:
  steps:
    - drop: {{columns: [covid19_self_isolation]}}  # more than 85 % of the values are missing
anonymise: {{suppress: 0.02}}
"""
SENSITIVE = {1000: ("bmi", "ms_diagnosis_date", "edss"), 500: ("bmi", "ms_diagnosis_date")}
QUASI = {
    1000: ("age", "comorbidities", "covid19_symptoms"),
    500: ("age", "comorbidities", "covid19_symptoms", "edss", "ms_type"),
}


@pytest.mark.parametrize("rows", [1000, 500])
def test_the_data_of_the_thesis_are_released_with_its_preset(
    sfumato: Command, tmp_path: Path, shared: Path, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SFUMATO_ALLOW", str(shared))
    data = shared / "data" / "ms_mock" / f"df_{rows}_rows" / f"stage_1_df_mock_{rows}.csv"
    rest = [name for name in data.read_text(encoding="utf-8").split("\n", 1)[0].split(",") if name != "secret_name"]
    roles = dict.fromkeys(rest, "non-sensitive")
    roles |= dict.fromkeys(QUASI[rows], "quasi") | dict.fromkeys(SENSITIVE[rows], "sensitive")
    project = tmp_path / "thesis.yaml"
    said = "\n".join(f"  {name}: {{role: {role}}}" for name, role in roles.items())
    project.write_text(THESIS.format(source=data, roles=said), encoding="utf-8")
    check(Case(project, data, ("secret_name", "covid19_self_isolation")), sfumato, tmp_path, lost=0.02)
    assessment = json.loads((tmp_path / "one" / "assessment.json").read_text(encoding="utf-8"))
    assert [reading["bound"] for reading in assessment["readings"]] == [2]
    assert assessment["missing_values"] == "own_value"


CENSUS = ("sex", "age", "race", "marital-status", "education", "native-country")


def test_the_census_of_the_literature_is_released_with_its_own_hierarchies(
    sfumato: Command, tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SFUMATO_ALLOW", str(shared))
    folder = shared / "data" / "adult"
    columns = {name: {"role": "quasi", "hierarchy": str(folder / f"adult_hierarchy_{name}.csv")} for name in CENSUS} | {
        "occupation": {"role": "sensitive"},
        "workclass": {"role": "non-sensitive"},
        "salary-class": {"role": "non-sensitive"},
    }
    document = {
        "data": {"source": str(folder / "adult.csv"), "delimiter": ";"},
        "columns": columns,
        "measures": [
            {"measure": "k_anonymity", "at_least": 5},
            {"measure": "distinct_l_diversity", "sensitive": "occupation", "at_least": 2},
        ],
        "anonymise": {"method": "optimal", "suppress": 0.04},
    }
    project = tmp_path / "adult.yaml"
    project.write_text(yaml.safe_dump(document), encoding="utf-8")
    check(Case(project, folder / "adult.csv", ()), sfumato, tmp_path, lost=0.04)
    assert set(released(tmp_path / "one")["age"]) == {"0-19", "20-39", "40-59", "60-79", "80-99"}
