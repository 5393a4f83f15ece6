"""From the grade of a recipient to the release: what it selects is protected, and what it does not is asked about."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from sfumato.project.file import Project
from sfumato.schema import Role
from sfumato.studies.demonstrations.small_files import page_files

MIDDLE = page_files()["hospital.yaml"].decode()
HIGH = MIDDLE.replace("working_years: 8", "working_years: 20").replace("shaming: no", "shaming: yes")
LOW = MIDDLE.replace("institution: hospital", "institution: other").replace("working_years: 8", "working_years: 1")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Ages that tell most people apart, a weight that tells some apart, and a sex that tells nobody apart."""
    rows = [[f"P{i:03}", 20 + i % 40, "FM"[i % 2], 40 + i // 40, ["asthma", "gout", "flu"][i % 3]] for i in range(120)]
    with (tmp_path / "study.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["patient_id", "age", "sex", "postcode", "diagnosis"], *rows])
    for name, answers in (("high.yaml", HIGH), ("middle.yaml", MIDDLE), ("low.yaml", LOW)):
        (tmp_path / name).write_text(answers, encoding="utf-8")
    return tmp_path / "study.csv"


def selected(sfumato, study: Path, answers: str) -> Project:
    outcome = sfumato("identify", study, "--recipient", answers, "--quasi", "postcode", "--write")
    assert outcome.code == 0, outcome.said
    return Project.read("sfumato.yaml")


def test_the_grade_decides_which_quasi_identifiers_the_release_protects(sfumato, study):
    project = selected(sfumato, study, "middle.yaml")
    assert (project.selection.grade, project.selection.answers) == ("Middle", "middle.yaml")
    assert set(project.selection.final) == {"age", "postcode"}
    assert set(project.selection.below) == {"sex"}
    assert project.undecided == {"sex"}
    refused = sfumato("release", "--out", "package")
    assert refused.code == 2
    # A person keeps the proposals: what is below the threshold is none of them.
    kept = sfumato("confirm", "--all", "--by", "J. Doe")
    assert "Still open: 1 undecided" in kept.said
    refused = sfumato("release", "--out", "package")
    assert (refused.code, "1 column is undecided (sex)" in refused.said) == (2, True)
    decided = sfumato("confirm", "--non-sensitive", "sex", "--by", "J. Doe")
    assert "not selected for this recipient, though the evidence says quasi" in decided.said
    released = sfumato("release", "--out", "package")
    assert released.code == 0, released.said
    manifest = json.loads(Path("package/manifest.json").read_text(encoding="utf-8"))
    assert "sex" in (Path("package") / "released.csv").read_text(encoding="utf-8").splitlines()[0]
    roles = {a.name: a.role for a in Project.read("sfumato.yaml").attributes}
    assert {name for name, role in roles.items() if role is Role.QUASI} == {"age", "postcode"}
    assert manifest
    report = Path("package-evidence/report.html").read_text(encoding="utf-8")
    assert "for a recipient of grade Middle, from a score of 0.5" in report


def test_a_column_below_the_threshold_is_never_called_harmless_by_writing(sfumato, study):
    project = selected(sfumato, study, "low.yaml")
    assert project.selection.below
    assert not {name for name, role in project.decided().items() if role is Role.NON_SENSITIVE}
    by_name = {attribute.name: attribute for attribute in project.attributes}
    assert all(name in project.undecided or by_name[name].role is Role.QUASI for name in project.selection.below)
    sure = sfumato("identify", study, "--recipient", "low.yaml", "--write", "--confirm-sure")
    assert sure.code == 0
    assert "sex" in Project.read("sfumato.yaml").undecided


def test_a_persons_decision_stays_whatever_the_grade(sfumato, study):
    sfumato("identify", study, "--quasi", "sex,age,postcode", "--write")
    project = selected(sfumato, study, "low.yaml")
    assert project.decided()["sex"] is Role.QUASI
    assert "sex" in project.selection.below


def test_the_selection_stays_when_roles_are_written_again_without_a_recipient(sfumato, study):
    before = selected(sfumato, study, "middle.yaml")
    text = Path("sfumato.yaml").read_text(encoding="utf-8")
    assert sfumato("identify", "--write").code == 0
    assert Path("sfumato.yaml").read_text(encoding="utf-8") == text
    assert Project.read("sfumato.yaml").selection == before.selection


def test_a_release_to_a_higher_grade_than_was_selected_for_is_refused(sfumato, study):
    selected(sfumato, study, "low.yaml")
    sfumato("confirm", "--all", "--role", "sex=quasi", "--by", "J. Doe")
    text = Path("sfumato.yaml").read_text(encoding="utf-8")
    for context, words in (("recipient: middle.yaml", "the recipient has the grade Middle"),
                           ("release: public", "a public release counts as the grade High")):  # fmt: skip
        Path("sfumato.yaml").write_text(f"{text}context: {{{context}}}\n", encoding="utf-8")
        refused = sfumato("release", "--out", "package")
        assert refused.code == 2
        assert words in refused.said
        assert "selected for the grade Low" in refused.said
        assert not Path("package").exists()


def test_a_column_that_was_let_go_for_a_lower_grade_must_be_decided_anew_for_a_higher_one(sfumato, study):
    project = selected(sfumato, study, "middle.yaml")
    text = Path("sfumato.yaml").read_text(encoding="utf-8")
    score = project.selection.below["sex"]
    # As if the score had been above the threshold of High, and the grade Low.
    edited = text.replace("grade: Middle", "grade: Low").replace("threshold: 0.5", "threshold: 0.75")
    edited = edited.replace(f"score: {score}", "score: 0.6").replace("sex: {role: undecided, proposed: true}",
                                                                    "sex: {role: non-sensitive}")  # fmt: skip
    Path("sfumato.yaml").write_text(edited, encoding="utf-8")
    refused = sfumato("identify", "--recipient", "high.yaml", "--write")
    assert refused.code == 2
    assert "column 'sex' is decided as non-sensitive" in refused.said
    assert Path("sfumato.yaml").read_text(encoding="utf-8") == edited
    assert sfumato("confirm", "--again", "--quasi", "sex").code == 0
    assert sfumato("identify", "--recipient", "high.yaml", "--write").code == 0


def test_several_tables_get_a_project_file_each_with_their_own_selection(sfumato, study):
    folder = study.parent / "tables"
    folder.mkdir()
    for name in ("one.csv", "two.csv"):
        (folder / name).write_bytes(study.read_bytes())
    refused = sfumato("identify", folder, "--recipient", "middle.yaml", "--write")
    assert (refused.code, "--project FOLDER" in refused.said) == (2, True)
    outcome = sfumato("identify", folder, "--recipient", "middle.yaml", "--write", "--project", ".")
    assert outcome.code == 0, outcome.said
    for name in ("one.csv", "two.csv"):
        project = Project.read(f"{name}.yaml")
        assert Path(project.source).name == name
        assert project.selection.grade == "Middle"
        assert "sex" in project.undecided
    again = Path("one.csv.yaml").read_bytes()
    assert sfumato("identify", folder, "--recipient", "middle.yaml", "--write", "--project", ".").code == 0
    assert Path("one.csv.yaml").read_bytes() == again


def test_the_project_file_of_another_table_is_not_written_over(sfumato, study):
    folder = study.parent / "tables"
    folder.mkdir()
    for name in ("one.csv", "two.csv"):
        (folder / name).write_bytes(study.read_bytes())
    sfumato("identify", study, "--write", "--project", "one.csv.yaml")
    refused = sfumato("identify", folder, "--write", "--project", ".")
    assert (refused.code, "describes another table" in refused.said) == (2, True)
