"""`sfumato release`: a project from end to end into one folder that proves itself, or nothing."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from tests.doors.conftest import Command

PATIENTS = "patient,age,sex,diagnosis\n" + "".join(
    f"P{i},{30 + i * 7 % 40},{'MF'[i % 2]},{['flu', 'cold', 'asthma'][i % 3]}\n" for i in range(60)
)
PROJECT = """\
data: {source: patients.csv}
subject: patient
columns:
  patient: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 4}
  - {measure: distinct_l_diversity, sensitive: diagnosis, at_least: 2}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(PROJECT + "anonymise: {method: optimal, suppress: 0.1}\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def sfumato(sfumato: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(folder)
    return sfumato


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_package_is_whole_verifies_and_is_the_same_twice(sfumato: Command, folder: Path) -> None:
    assert sfumato("key", "new", "steward.pem").code == 0
    ran = sfumato("release", "--out", "one", "--key", "steward.pem")
    assert ran.code == 0, ran.said
    assert set(contents(folder / "one")) == {
        "released.csv", "release.json", "plan.yaml", "assessment.json", "report.html", "manifest.json",
        "manifest.json.sig", "manifest.json.pub",
    }  # fmt: skip
    assert set(contents(folder / "one-evidence")) == {
        "released.csv.provenance.json", "plan.yaml", "assessment.json", "anonymisation.json", "comparison.json",
        "report.html", "manifest.json", "keys.json", "salt",
    }  # fmt: skip
    assert stat.S_IMODE((folder / "one-evidence").stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in (folder / "one-evidence").iterdir()} == {0o600}
    released = (folder / "one" / "released.csv").read_text(encoding="utf-8")
    assert "patient" not in released
    assert "P17" not in released
    assert sfumato("verify", "one", "--key", "steward.pem.pub").code == 0
    assert sfumato("verify", "one", "--evidence", "one-evidence", "--original", "patients.csv").code == 0
    assert sfumato("release", "--out", "two", "--key", "steward.pem").code == 0
    assert contents(folder / "one") == contents(folder / "two")
    assert contents(folder / "one-evidence") == contents(folder / "two-evidence")
    assert sfumato("log", "--verify").code == 0


def test_a_changed_cell_is_found(sfumato: Command, folder: Path) -> None:
    assert sfumato("release", "--out", "package").code == 0
    file = folder / "package" / "released.csv"
    file.write_text(file.read_text(encoding="utf-8").replace("flu", "cold", 1), encoding="utf-8")
    ran = sfumato("verify", "package")
    assert ran.code == 1
    assert "released.csv" in ran.said


def test_a_plan_that_does_not_keep_to_the_measures_is_refused_and_nothing_is_written(
    sfumato: Command, folder: Path
) -> None:
    plan = "plan: {seed: 1, steps: [{mask: {columns: [sex]}}]}\n"
    (folder / "sfumato.yaml").write_text(PROJECT + plan, encoding="utf-8")
    before = set(contents(folder)) if not any(p.is_dir() for p in folder.iterdir()) else set()
    ran = sfumato("release", "--out", "package")
    assert ran.code == 1
    assert "Nothing was released: k_anonymity >= 4 is required, and it reads 1" in ran.said
    assert "anonymise:" in ran.said
    assert not (folder / "package").exists()
    assert not (folder / "package-evidence").exists()
    assert {path.name for path in folder.iterdir()} - before <= {"sfumato.log.jsonl", "sfumato.log.head"}


def test_a_plan_alone_is_released_where_it_keeps_to_the_measures(sfumato: Command, folder: Path) -> None:
    plan = "plan: {seed: 1, steps: [{generalise: {column: age, level: 3, hierarchy: {kind: ages}}}]}\n"
    (folder / "sfumato.yaml").write_text(PROJECT + plan, encoding="utf-8")
    ran = sfumato("release", "--out", "package")
    assert ran.code == 0, ran.said
    assert "without a search" in ran.said
    assert sfumato("verify", "package", "--evidence", "package-evidence", "--original", "patients.csv").code == 0
    for document in ("package/release.json", "package-evidence/anonymisation.json"):
        assert json.loads((folder / document).read_text(encoding="utf-8"))["method"] == "plan"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("age: {role: quasi}", "age: {role: quasi, proposed: true}"), "only proposed"),
        (("age: {role: quasi}", "age: {role: undecided, proposed: true}"), "1 column is undecided (age)"),
        (("age: {role: quasi}", "age: {role: undecided}"), "Give each a role under `columns:`"),
        (("data: {source: patients.csv}\n", ""), "nothing to release"),
        (("{role: quasi}", "{role: non-sensitive}"), "role 'quasi'"),
        (("at_least: 4", "at_least: 400"), "No release keeps to the policy"),
    ],
)
def test_what_is_not_decided_is_not_released(
    sfumato: Command, folder: Path, change: tuple[str, str], says: str
) -> None:
    text = (folder / "sfumato.yaml").read_text(encoding="utf-8").replace(*change)
    (folder / "sfumato.yaml").write_text(text, encoding="utf-8")
    ran = sfumato("release", "--out", "package")
    assert ran.code in (1, 2)
    assert says in ran.said
    assert not (folder / "package").exists()


def test_a_folder_of_something_else_is_never_replaced(sfumato: Command, folder: Path) -> None:
    (folder / "package").mkdir()
    (folder / "package" / "thesis.txt").write_text("mine", encoding="utf-8")
    assert sfumato("release", "--out", "package").code == 2
    assert sfumato("release", "--out", "package", "--force").code == 2
    assert contents(folder / "package") == {"thesis.txt": b"mine"}
    for more in ([], ["--force"]):
        assert sfumato("release", "--out", "other", "--evidence", "package", *more).code == 2
    assert contents(folder / "package") == {"thesis.txt": b"mine"}
    assert not (folder / "other").exists()


@pytest.mark.parametrize(
    ("out", "evidence"), [("package", "package"), ("package", "package/evidence"), ("all/package", "all")]
)
def test_the_evidence_is_never_part_of_the_package(sfumato: Command, folder: Path, out: str, evidence: str) -> None:
    ran = sfumato("release", "--out", out, "--evidence", evidence)
    assert (ran.code, "not to be handed on" in ran.said) == (2, True)
    assert not (folder / out).exists()
