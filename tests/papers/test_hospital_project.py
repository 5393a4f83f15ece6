"""S3: tables 2 to 8 of a hospital's release by one project file, in which the plan makes a quasi-identifier.

The paper's data are not public: the admissions are made up. Every number is counted again here, record by record.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.proof.release import release
from sfumato.proof.verify import verify
from sfumato.studies.demonstrations.tables import write_demonstration
from sfumato.utility.step_effects import effects

DAYS, DATE = "HospitalisationDays", "DateOfFirstPositiveLabResult"
Row = dict[str, Any]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hospital")
    write_demonstration("hospital", folder)
    return folder / "hospital_admissions_tables.yaml"


@pytest.fixture(scope="module")
def admissions(project: Path) -> list[Row]:
    """The records, each with its days in hospital."""
    with (project.parent / "hospital_admissions.csv").open(encoding="utf-8", newline="") as file:
        rows: list[Row] = list(csv.DictReader(file))
    for row in rows:
        start, end = (date.fromisoformat(row[name][:10]) for name in ("DateOfHospitalisation", "DateOfDischarge"))
        row[DAYS] = str((end - start).days)
    return rows


@pytest.fixture(scope="module")
def exposure(project: Path) -> dict[str, Any]:
    return sf.risk(None, project=project, uniques=0, attempts=100).document()


def alone(rows: Iterable[Row], columns: Iterable[str], more: tuple[str, str] | None = None) -> int:
    """Records of persons whom nobody else looks like, on some columns and on whether one more has a value."""
    names = tuple(columns)
    keyed = [(tuple(row[name] for name in names), more is None or row[more[0]] == more[1], row) for row in rows]
    persons = Counter((key, held, row["PatientId"]) for key, held, row in keyed)
    sizes = Counter((key, held) for key, held, _ in persons)
    return sum(sizes[key, held] == 1 for key, held, _ in keyed)


def test_tables_2_and_4_scenarios_count_what_the_plan_makes_before_it_is_made(
    admissions: list[Row], exposure: dict[str, Any]
) -> None:
    assert len(exposure["scenarios"]) == 7
    for scenario in exposure["scenarios"]:
        assert scenario["records"] == len(admissions) == 1716
        assert scenario["singled_out"] == alone(admissions, scenario["quasi_identifiers"])
        assert scenario["percent"] == pytest.approx(100 * scenario["singled_out"] / 1716)
        assert scenario["after"]["records"] == 1685


def test_table_3_a_subset_is_read_before_and_after_though_the_release_says_it_otherwise(
    admissions: list[Row], exposure: dict[str, Any]
) -> None:
    died = [row for row in admissions if row["Outcome"] == "D"]
    plain, with_days = (subset for subset in exposure["subsets"] if subset["name"].startswith("died"))
    assert with_days["quasi_identifiers"] == ["Age", DAYS, "Gender"]
    for subset in (plain, with_days):
        assert subset["records"] == len(died)
        assert subset["singled_out"] == alone(died, subset["quasi_identifiers"])
    # The release has `Died` in the place of D; those who died are the same people.
    firsts = {row["PatientId"] for row in died}
    assert len(firsts) <= with_days["after"]["records"] <= len(died)
    assert with_days["after"]["singled_out"] < with_days["singled_out"]


def test_table_8_pathologies_are_one_more_thing_that_is_known(admissions: list[Row], exposure: dict[str, Any]) -> None:
    pathologies = [subset for subset in exposure["subsets"] if subset["mode"] == "as_qi"]
    columns = ["CANC", "CEREBROVASCULAR", "DIABETES", "KIDNEY", "LIVER", "LUNG", "HEART", "SMOKING", "OBESITY"]
    assert len(pathologies) == 9
    for subset, column in zip(pathologies, columns, strict=True):
        assert subset["records"] == 1716
        assert subset["singled_out"] == alone(admissions, ["Age", "Gender"], (column, "Y"))
        assert subset["after"]["percent"] < subset["percent"]


def test_table_7_both_metrics_stand_beside_each_other_and_percentages_are_counts_over_n(
    exposure: dict[str, Any],
) -> None:
    for scenario in exposure["scenarios"]:
        after, linkage = scenario["after"], scenario["after"]["linkage"]
        matched = linkage["true_matches"] / linkage[linkage["unit"]]  # persons, where a subject is known
        assert linkage["true_match_rate"] == pytest.approx(matched)
        dated = DATE in scenario["quasi_identifiers"]
        assert (after["metric"], after["perturbed"]) == (("linkage", [DATE]) if dated else ("classes", []))
        counted = matched if dated else after["singled_out"] / after["records"]
        assert after["percent"] == pytest.approx(100 * counted)


def test_every_step_is_read_over_the_same_columns(project: Path, admissions: list[Row]) -> None:
    quasi = ["Age", "Gender", "Outcome", DAYS]
    data = project.parent / "hospital_admissions.csv"
    by_project = effects(project, data)  # as the head of the file says to call it
    assert list(by_project.before.quasi_identifiers) == ["Age", "Gender", DATE, "Outcome", DAYS]
    told = effects(project, data, quasi=quasi, subject="PatientId")
    assert all(list(effect.quasi_identifiers) == quasi for effect in (told.before, *told.steps))
    assert told.before.singled_out == alone(admissions, quasi)
    names = [step.transformation for step in told.steps]
    made = names.index("duration")
    assert told.steps[made].singled_out == told.steps[made - 1].singled_out  # the step itself changes no risk
    assert told.steps[made].lost == told.steps[made - 1].lost
    grouped = names.index("generalise")
    assert told.steps[grouped].singled_out < told.steps[grouped - 1].singled_out
    assert told.steps[grouped].lost["loss"] > told.steps[grouped - 1].lost["loss"]


def test_assess_reads_a_column_that_the_plan_makes(project: Path, admissions: list[Row]) -> None:
    found = sf.assess_project(sf.Project.read(project))
    assert DAYS in found.document()["quasi_identifiers"]
    assert found.sizes.records_below(2) == alone(admissions, ["Age", "Gender", DATE, "Outcome", DAYS])


def test_compare_says_what_a_made_column_lost(project: Path) -> None:
    lost = sf.compare(project.parent / "hospital_admissions.csv", plan=project, quasi=["Age", DAYS]).document()
    assert 0 < lost["columns"][DAYS]["loss"]["normalised"] < 1


def test_the_release_has_it_and_every_claim_holds(project: Path, tmp_path: Path) -> None:
    release(project, out=tmp_path / "out", report=False)
    data = project.parent / "hospital_admissions.csv"
    found = verify(tmp_path / "out", data, evidence=tmp_path / "out-evidence")
    assert found.agrees
    with (tmp_path / "out" / "released.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1685
    assert len({row[DAYS] for row in rows}) <= 5
    assert not {"DateOfHospitalisation", "DateOfDischarge", "PatientId"} & set(rows[0])
