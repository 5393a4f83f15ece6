"""The key of a project on the command line, and dates that give shifted ones away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.plans.key.test_key_file import PATIENTS, RANDOM, STEPS

VISITS = "id,sex,born,admitted,discharged\n" + "".join(
    f"P{i % 40},{'fm'[i % 2]},19{50 + i % 40}-0{1 + i % 9}-11,2021-0{1 + i % 9}-1{i % 10},2021-0{1 + i % 9}-2{i % 9}\n"
    for i in range(120)
)
PROJECT = """\
data: {source: visits.csv}
subject: id
columns:
  id: {role: direct}
  sex: {role: quasi}
  born: {role: non-sensitive}
  admitted: {role: non-sensitive}
  discharged: {role: non-sensitive}
measures: [{measure: k_anonymity, at_least: 2}]
plan:
  steps:
    - pseudonymise: {columns: [id]}
    - year_of: {column: born}
    - shift_dates: {columns: [admitted]}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.delenv("SFUMATO_KEY")
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (tmp_path / "plan.yaml").write_text(STEPS, encoding="utf-8")
    (tmp_path / "visits.csv").write_text(VISITS, encoding="utf-8")
    return tmp_path


def project(folder: Path, text: str = PROJECT) -> None:
    (folder / "sfumato.yaml").write_text(text, encoding="utf-8")


def test_the_command_line_notes_the_key_on_stderr_and_takes_one_from_a_file(sfumato, folder):
    outcome = sfumato("apply", "plan.yaml", "patients.csv", "-o", "out.csv", "--subject", "id")
    assert outcome.code == 0, outcome.said
    assert "Note: A key was made: sfumato.key" in outcome.said
    (folder / "other.key").write_text(RANDOM, encoding="ascii")
    (folder / "other.key").chmod(0o600)
    args = ("apply", "plan.yaml", "patients.csv", "--subject", "id")
    assert sfumato(*args, "-o", "two.csv", "--key-file", "other.key").code == 0
    assert (folder / "two.csv").read_bytes() != (folder / "out.csv").read_bytes()
    (folder / "other.key").chmod(0o644)
    refused = sfumato(*args, "-o", "three.csv", "--key-file", "other.key")
    assert refused.code == 2
    assert "chmod 600" in refused.said
    assert RANDOM not in refused.said


def test_a_release_with_only_a_seed_is_refused_and_without_it_a_key_is_made(sfumato, folder):
    text = PROJECT.replace("[admitted]", "[admitted, discharged], beside: [born]")
    project(folder, text.replace("plan:\n", "plan:\n  seed: 3\n"))
    refused = sfumato("release", "--out", "package")
    assert refused.code == 2
    assert "Delete `seed`" in refused.said
    assert not (folder / "package").exists()
    assert not (folder / "sfumato.key").exists()
    project(folder, text)
    assert sfumato("release", "--out", "package", "--no-report").code == 0
    key = (folder / "sfumato.key").read_text(encoding="ascii").strip()
    for path in (p for p in folder.rglob("*") if p.is_file() and p.name != "sfumato.key"):
        assert key.encode() not in path.read_bytes(), path


def test_a_plan_with_only_a_seed_is_marked_in_the_headline_of_apply(sfumato, folder):
    (folder / "plan.yaml").write_text(f"seed: 3\n{STEPS}", encoding="utf-8")
    outcome = sfumato("apply", "plan.yaml", "patients.csv", "-o", "out.csv", "--subject", "id")
    assert outcome.code == 0
    assert "Not protected: the draws follow from a seed that stands in the plan" in outcome.out
    shown = sfumato("plan", "show", "plan.yaml")
    assert "Not protected" in " ".join(shown.out.split())


def test_release_refuses_dates_that_stay_beside_shifted_ones_until_somebody_decides(sfumato, folder):
    project(folder)
    refused = sfumato("release", "--out", "package")
    assert refused.code == 2
    assert "born, discharged hold dates that are not shifted" in refused.said
    assert "`beside: [born, discharged]`" in refused.said
    assert not (folder / "package").exists()
    project(folder, PROJECT.replace("[admitted]", "[admitted, discharged]"))
    assert "born holds dates that are not shifted" in sfumato("release", "--out", "package").said
    project(folder, PROJECT.replace("[admitted]", "[admitted], beside: [born, discharged]"))
    outcome = sfumato("release", "--out", "package", "--no-report")
    assert outcome.code == 0, outcome.said
    assert "An exception was decided: born, discharged beside shifted dates" in outcome.said
    assert "Verdict: met, but" in outcome.said


def test_apply_and_plan_show_say_which_dates_give_the_shifted_ones_away(sfumato, folder):
    project(folder)
    outcome = sfumato("apply", "sfumato.yaml", "visits.csv", "-o", "out.csv")
    assert outcome.code == 0, outcome.said
    assert "born, discharged hold dates that are not shifted" in outcome.out
    record = json.loads((folder / "out.csv.provenance.json").read_text(encoding="utf-8"))
    assert any("not shifted" in note for note in record["notes"])
    shown = " ".join(sfumato("plan", "show", "sfumato.yaml").out.split())
    assert "born holds dates that are not shifted" in shown  # the plan calls it a date; the data are not looked at
    assert "look for them" in shown


def test_verify_without_the_key_says_what_was_not_checked_and_why(sfumato, folder):
    project(folder, PROJECT.replace("[admitted]", "[admitted, discharged], beside: [born]"))
    assert sfumato("release", "--out", "package", "--no-report").code == 0
    again = sfumato(
        "verify", "package", "--evidence", "package-evidence", "--original", "visits.csv", "--project", "sfumato.yaml"
    )
    assert again.code == 0, again.said
    (folder / "sfumato.key").rename(folder / "taken.key")
    outcome = sfumato(
        "verify", "package", "--evidence", "package-evidence", "--original", "visits.csv", "--project", "sfumato.yaml"
    )
    assert "draw by the key of the project" in " ".join(outcome.out.split())
    assert not (folder / "sfumato.key").exists()
    named = ("--key-file", "taken.key")
    assert (
        sfumato(
            "verify",
            "package",
            "--evidence",
            "package-evidence",
            "--original",
            "visits.csv",
            "--project",
            "sfumato.yaml",
            *named,
        ).code
        == 0
    )
