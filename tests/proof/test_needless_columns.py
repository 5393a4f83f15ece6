"""A column that the purpose does not need is left out by the release, or somebody says why it stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato.errors import ProjectError
from sfumato.project.file import Project

PATIENTS = "age,sex,shoe_size,diagnosis\n" + "".join(
    f"{30 + i % 5},{'FM'[i % 2]},{36 + i % 4},asthma{i % 3}\n" for i in range(40)
)
PROJECT = """\
data: {source: patients.csv}
columns:
  age: {role: quasi, bins: [30, 40]}
  sex: {role: quasi}
  shoe_size: {role: non-sensitive}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 2}
"""
SEARCHED = "anonymise: {method: optimal}\n"
PLANNED = "plan: {steps: [{round_to: {column: age, base: 10}}]}\n"


@pytest.fixture
def write(tmp_path: Path):
    def written(*parts: str) -> Path:
        (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")
        (tmp_path / "sfumato.yaml").write_text(PROJECT + "".join(parts), encoding="utf-8")
        return tmp_path

    return written


def released_columns(folder: Path) -> list[str]:
    return (folder / "package" / "released.csv").read_text(encoding="utf-8").splitlines()[0].split(",")


@pytest.mark.parametrize("how", [SEARCHED, PLANNED, SEARCHED + PLANNED], ids=["searched", "planned", "both"])
def test_what_the_purpose_does_not_need_is_left_out_and_the_package_verifies(sfumato, write, how):
    folder = write(how, "context: {benefits: {shoe_size: none, age: high}}\n")
    done = sfumato("release", "--out", "package")
    assert done.code == 0, done.said
    assert "shoe_size" not in released_columns(folder)
    plan = (folder / "package" / "plan.yaml").read_text(encoding="utf-8")
    assert "shoe_size" in plan
    verified = sfumato("verify", "package", "--evidence", "package-evidence", "--original", "patients.csv", "-p",
                       "sfumato.yaml")  # fmt: skip
    assert verified.code == 0, verified.said


def test_a_column_that_is_exempt_stays_and_the_report_says_why(sfumato, write):
    folder = write(SEARCHED, "context: {benefits: {shoe_size: {need: none, exempt: the key to the casts}}}\n")
    assert sfumato("release", "--out", "package").code == 0
    assert "shoe_size" in released_columns(folder)
    report = (folder / "package-evidence" / "report.html").read_text(encoding="utf-8")
    assert "Stays though the purpose does not need it: shoe_size (the key to the casts)." in report
    shown = json.loads(sfumato("context", "--json", "-").out)
    assert shown["benefits"]["exempted"] == {"shoe_size": "the key to the casts"}
    assert shown["benefits"]["irrelevant"] == []


def test_a_column_that_a_step_treats_is_a_refusal_that_says_what_to_do(sfumato, write):
    folder = write("plan: {steps: [{round_to: {column: shoe_size, base: 10}}]}\n",
                   "context: {benefits: {shoe_size: none}}\n")  # fmt: skip
    refused = sfumato("release", "--out", "package")
    assert refused.code == 2
    assert "the purpose does not need shoe_size" in refused.said
    assert "exempt" in refused.said
    assert not (folder / "package").exists()


def test_only_what_is_not_needed_can_be_exempt():
    with pytest.raises(ProjectError, match="line 1"):
        Project.parse("context: {benefits: {age: {need: high, exempt: since}}}")
