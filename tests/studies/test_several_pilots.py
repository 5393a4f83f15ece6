"""Several pilots side by side, asked by a project file, on both engines, and released with what the study found."""

import csv
from pathlib import Path

import pytest

from sfumato.errors import ProjectError
from sfumato.proof.release_study import StudyRelease, assess_and_release
from sfumato.proof.verify import verify
from sfumato.studies.bio_streams.pilot import write_pilot
from sfumato.studies.bio_streams.study import COMBINED, OUTPUT, pilots_of
from sfumato.studies.study import JOINT, assess_pilots, bio_streams, opened
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.load import load

CONFIG = """\
categorical_qis: [DM__SEX]
continuous_qis: [DM__AGE]
binning_config: {DM__AGE: [0, 40, 80]}
sensitive_feature: LB__Chol
K: 2
L: 2
T: 30
"""
PROJECT = """\
data: {source: processed_for_anonym/combined_dataset.csv}
subject: USUBJID
columns:
  USUBJID: {role: direct}
  DM__SEX: {role: quasi}
  DM__AGE: {role: quasi, bins: [0, 40, 80]}
  LB__Chol: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 2}
  - {measure: distinct_l_diversity, sensitive: LB__Chol, at_least: 2}
  - {measure: t_wasserstein, sensitive: LB__Chol, at_most: 30}
anonymise: {suppress: 0.5, method: optimal}
"""


def small_pilot(root, name, *, people=12, config=CONFIG, project=PROJECT):
    """Women and men of 20 and 60, two visits each; the last person is alone."""
    folder = root / "pilot_report" / name
    folder.mkdir(parents=True)
    demographics, results = ["USUBJID,SEX,AGE"], ["USUBJID,LBTESTCD,LBTEST,LBSTRESN,VISITNUM,LBBLFL"]
    for number in range(people):
        sex, age = "FM"[number % 2], 20 if number < people - 1 else 60
        demographics.append(f"{name}-{number},{sex},{age}")
        results.append(f"{name}-{number},CHOL,Chol,{180 + number},1,Y")
        results.append(f"{name}-{number},CHOL,Chol,{90 + number},2,")
    (folder / "DM.csv").write_text("\n".join(demographics) + "\n")
    (folder / "LB.csv").write_text("\n".join(results) + "\n")
    (folder / "config.yaml").write_text(config)
    (folder / "release.yaml").write_text(project)
    return folder


def table_of(summary, heading):
    """The rows of a table of a summary, as lists of cells."""
    block = summary.split(f"## {heading}\n")[1].split("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines() if line[:2] == "| "]


def test_pilots_stand_side_by_side_and_each_has_its_own_files(tmp_path):
    for name, people in (("ONE", 12), ("TWO", 7)):
        small_pilot(tmp_path, name, people=people)
    joint = assess_pilots(opened(tmp_path, ["ONE", "TWO"]))
    assert table_of(joint.summary, "K-Anonymity Summary")[1:] == [
        ["ONE", "12", "2", "1", "8.3%", "1"],
        ["TWO", "7", "2", "1", "14.3%", "1"],
        ["All pilots", "19", "-", "2", "10.5%", "-"],
    ]
    assert (tmp_path / "pilot_report" / JOINT).read_text() == joint.summary
    assert {file.relative_to(tmp_path / "pilot_report").parts[0] for file in joint.files} == {"ONE", "TWO", JOINT}
    for name in ("ONE", "TWO"):
        alone = bio_streams(tmp_path, pilot=name)
        written = {file: file.read_bytes() for file in alone.files}
        assert set(written) < set(joint.files)
        assert alone.summary in {one.summary for one in joint.pilots}


def test_all_pilots_below_the_root_are_found_and_none_is_taken_twice(tmp_path):
    for name in ("TWO", "ONE"):
        small_pilot(tmp_path, name)
    (tmp_path / "pilot_report" / ".hidden").mkdir()
    assert pilots_of(tmp_path) == ("ONE", "TWO")
    assert [study.pilot for study in opened(tmp_path, ["TWO", "ONE", "TWO"])] == ["TWO", "ONE"]


def test_no_pilot_is_read_while_the_configuration_of_another_is_wrong(tmp_path):
    small_pilot(tmp_path, "ONE")
    small_pilot(tmp_path, "TWO", config="K: many\n")
    with pytest.raises(ProjectError, match="TWO"):
        opened(tmp_path, pilots_of(tmp_path))
    assert not (tmp_path / "pilot_report" / "ONE" / OUTPUT).exists()


def test_the_joint_summary_warns_of_pilots_that_were_not_asked_the_same(tmp_path):
    small_pilot(tmp_path, "ONE")
    small_pilot(tmp_path, "TWO", config=CONFIG.replace("K: 2", "K: 3"))
    assert "not asked the same" in assess_pilots(opened(tmp_path, ["ONE", "TWO"])).summary
    (tmp_path / "pilot_report" / "TWO" / "config.yaml").write_text(CONFIG)
    assert "not asked the same" not in assess_pilots(opened(tmp_path, ["ONE", "TWO"])).summary


def test_a_project_file_asks_what_the_configuration_asks(tmp_path):
    write_pilot(tmp_path, children=60)
    first = bio_streams(tmp_path, pilot="PENTELI")
    asked = {file.name: file.read_bytes() for file in first.files if file.suffix == ".csv"}
    again = bio_streams(tmp_path, pilot="PENTELI", project="release.yaml")
    assert {file.name: file.read_bytes() for file in again.files if file.suffix == ".csv"} == asked
    assert first.summary.split("## Notes")[0] == again.summary.split("## Notes")[0]
    assert "- Roles, bins and bounds: pilot_report/PENTELI/release.yaml." in again.summary


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ("subject: USUBJID", "subject: DM__SEX", "the subject of a study is USUBJID"),
        ("at_least: 2}\n  - {measure: t", "at_least: 2.5}\n  - {measure: t", "a whole number"),
        ("  - {measure: k_anonymity, at_least: 2}\n", "", "no bound on k_anonymity"),
        ("LB__Chol: {role: sensitive}", "LB__Chol: {role: non-sensitive}", "at least one that is sensitive"),
    ],
)
def test_a_project_that_no_study_can_follow_is_refused_with_its_line(tmp_path, was, becomes, said):
    assert was in PROJECT
    small_pilot(tmp_path, "ONE", project=PROJECT.replace(was, becomes))
    with pytest.raises(ProjectError, match=said) as caught:
        opened(tmp_path, ["ONE"], project="release.yaml")
    assert caught.value.line


def test_a_measure_that_the_study_does_not_read_is_said(tmp_path):
    small_pilot(
        tmp_path, "ONE", project=PROJECT.replace("anonymise:", "  - {measure: maximum_risk, at_most: 0.5}\nanonymise:")
    )
    result = bio_streams(tmp_path, pilot="ONE", project="release.yaml")
    assert "WARNING: the study does not read maximum_risk" in result.summary


ID_RULE = "id_rule: {pattern: '^ONE-([0-9])', replacement: 'P\\1'}\n"


@pytest.mark.spark
def test_the_domains_of_a_pilot_become_the_same_table_on_spark(tmp_path, spark):
    from sfumato.tables.engines.spark import Spark

    small_pilot(tmp_path, "ONE", people=4, config=CONFIG + ID_RULE)
    (study,) = opened(tmp_path, ["ONE"])
    combined = []
    for engine in (DuckDB(), Spark(spark)):
        made = study.combine(engine, lambda path, engine=engine: load(path, study.read_options(path), engine))
        combined.append((made.path.read_bytes(), made.notes))
    assert combined[0] == combined[1]
    assert combined[0][0].splitlines()[1] == b"P0,F,20,180"


def test_a_release_of_pilots_is_one_folder_with_the_files_of_the_study_in_the_evidence(tmp_path):
    for name in ("ONE", "TWO"):
        small_pilot(tmp_path, name)
    studies = opened(tmp_path, ["ONE", "TWO"], project="release.yaml")
    outcome = assess_and_release(studies, StudyRelease(tmp_path / "out", report=False))
    assert outcome.met
    assert not outcome.refusals
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "ONE", "ONE-evidence", "TWO", "TWO-evidence",
    ]  # fmt: skip
    evidence = tmp_path / "out" / "ONE-evidence"
    for name in ("risky_rows_k2_anonymity.csv", "risky_rows_l2_LB__Chol.csv", "ONE_privacy_summary.txt"):
        own = tmp_path / "pilot_report" / "ONE" / OUTPUT / name
        assert (evidence / name).read_bytes() == own.read_bytes()
        assert not (tmp_path / "out" / "ONE" / name).exists()
    joint = (tmp_path / "pilot_report" / JOINT).read_bytes()
    for name in ("ONE", "TWO"):
        assert (tmp_path / "out" / f"{name}-evidence" / JOINT).read_bytes() == joint
        assert not (tmp_path / "out" / name / JOINT).exists()
    assert not (evidence / COMBINED).exists()
    combined = tmp_path / "pilot_report" / "ONE" / OUTPUT / COMBINED
    checked = verify(tmp_path / "out" / "ONE", evidence=evidence, original=str(combined))
    assert checked.agrees
    (evidence / "ONE_privacy_summary.txt").write_text("changed")
    assert not verify(tmp_path / "out" / "ONE", evidence=evidence).agrees


def test_a_pilot_that_cannot_keep_to_its_policy_is_not_released_and_the_others_are(tmp_path):
    small_pilot(tmp_path, "GOOD")
    small_pilot(tmp_path, "POOR", project=PROJECT.replace("k_anonymity, at_least: 2", "k_anonymity, at_least: 50"))
    studies = opened(tmp_path, pilots_of(tmp_path), project="release.yaml")
    outcome = assess_and_release(studies, StudyRelease(tmp_path / "out", report=False))
    assert not outcome.met
    assert [text.split(":")[0] for text in outcome.refusals] == ["POOR"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["GOOD", "GOOD-evidence"]


def test_nothing_is_released_by_a_project_for_other_data(tmp_path):
    folder = small_pilot(tmp_path, "ONE", project=PROJECT.replace(COMBINED, "other.csv"))
    studies = opened(tmp_path, ["ONE"], project="release.yaml")
    with pytest.raises(ProjectError, match="which the study writes"):
        assess_and_release(studies, StudyRelease(tmp_path / "out", report=False))
    with pytest.raises(ProjectError, match="needs a project file"):
        assess_and_release(opened(tmp_path, ["ONE"]), StudyRelease(tmp_path / "out", report=False))
    assert not (folder / OUTPUT).exists()
    assert not (tmp_path / "out").exists()


def test_the_files_of_a_summary_list_the_one_who_is_alone(tmp_path):
    small_pilot(tmp_path, "ONE")
    bio_streams(tmp_path, pilot="ONE", project="release.yaml")
    path = Path(tmp_path, "pilot_report", "ONE", OUTPUT, "risky_rows_k2_anonymity.csv")
    with path.open(newline="") as file:
        assert [row["USUBJID"] for row in csv.DictReader(file)] == ["ONE-11"]
