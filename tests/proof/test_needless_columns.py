"""A column that the purpose does not need is left out by the release, or somebody says why it stays."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
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


def cells_of(folder: Path, name: str) -> list[str]:
    with (folder / "package" / "released.csv").open(encoding="utf-8", newline="") as file:
        return [row[name] for row in csv.DictReader(file)]


UNSEARCHABLE = "context: {benefits: {%s: {need: none, unsearchable: their programs expect the column}}}\n"


@pytest.mark.parametrize("how", [SEARCHED, PLANNED, SEARCHED + PLANNED], ids=["searched", "planned", "both"])
def test_an_unsearchable_column_stays_with_a_token_of_its_own_in_every_cell(sfumato, write, how):
    """Of 40 people, 10 have each size: 40 different tokens, none of them a size, and nothing to count."""
    folder = write(how, UNSEARCHABLE % "shoe_size")
    done = sfumato("release", "--out", "package")
    assert done.code == 0, done.said
    tokens = cells_of(folder, "shoe_size")
    assert len(set(tokens)) == len(tokens) == 40
    assert all(re.fullmatch("[0-9a-f]{16}", token) for token in tokens)
    assert "seal" in (folder / "package" / "plan.yaml").read_text(encoding="utf-8")
    report = (folder / "package-evidence" / "report.html").read_text(encoding="utf-8")
    assert "Stays, and cannot be searched: shoe_size (their programs expect the column)." in report
    verified = sfumato("verify", "package", "--evidence", "package-evidence", "--original", "patients.csv", "-p",
                       "sfumato.yaml")  # fmt: skip
    assert verified.code == 0, verified.said


def test_a_quasi_identifier_that_is_unsearchable_tells_nobody_apart(sfumato, write):
    folder = write(SEARCHED, UNSEARCHABLE % "sex")
    assert sfumato("release", "--out", "package").code == 0
    assert len(set(cells_of(folder, "sex"))) == 40
    assert min(Counter(cells_of(folder, "age")).values()) >= 2
    assert sfumato("verify", "package", "--evidence", "package-evidence", "--original", "patients.csv").code == 0


def test_a_missing_value_has_a_token_too_and_tokens_are_the_same_in_the_next_run(sfumato, write):
    folder = write(PLANNED, UNSEARCHABLE % "shoe_size")
    (folder / "patients.csv").write_text(PATIENTS.replace(",37,", ",,"), encoding="utf-8")
    assert sfumato("release", "--out", "package").code == 0
    first = cells_of(folder, "shoe_size")
    assert "" not in first
    assert sfumato("release", "--out", "package", "--force").code == 0
    assert cells_of(folder, "shoe_size") == first


AS_IT_IS = "context: {benefits: {sex: {need: high, as_it_is: the study is about women%s}}}\n"


def test_a_needed_column_stays_as_it_is_and_the_others_are_protected_more_strongly(sfumato, write):
    """Four ages in each sex, five of each: k of 2 holds as it is. With k of 6 in its place, age must be coarsened."""
    folder = write(SEARCHED, AS_IT_IS % ", instead: k_anonymity >= 6")
    done = sfumato("release", "--out", "package")
    assert done.code == 0, done.said
    sexes, ages = cells_of(folder, "sex"), cells_of(folder, "age")
    assert set(sexes) == {"F", "M"}
    assert min(Counter(zip(sexes, ages, strict=True)).values()) >= 6
    report = (folder / "package-evidence" / "report.html").read_text(encoding="utf-8")
    assert "Stays as it is: sex (the study is about women)." in report
    assert "In the place of sex must hold: k_anonymity &gt;= 6." in report
    assert "nothing says what is protected more strongly" not in done.said


def test_without_a_stricter_bound_the_line_to_write_is_an_open_question(sfumato, write):
    write(SEARCHED, AS_IT_IS % "")
    done = sfumato("release", "--out", "package")
    assert done.code == 0, done.said
    report = Path("package-evidence/report.html").read_text(encoding="utf-8")
    assert "write `instead: k_anonymity &gt;= 4` beside it" in report


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("context: {benefits: {shoe_size: {need: high, unsearchable: so}}}", "need: none"),
        ("context: {benefits: {shoe_size: {need: none, unsearchable: so, exempt: so}}}", "one of the two"),
        ("context: {benefits: {sex: {need: none, as_it_is: so}}}", "need: high"),
        ("context: {benefits: {sex: {need: high, instead: k_anonymity >= 9}}}", "as_it_is"),
        (AS_IT_IS % ", instead: k_anonymity >= 2", "no more than"),
        (AS_IT_IS % ", instead: k_anonymity", "cannot be read"),
        (AS_IT_IS % ", instead: nonsense >= 2", "nonsense"),
        (AS_IT_IS % "" + "plan: {steps: [{suppress_values: {columns: [sex]}}]}\n", "stays as it is, and steps"),
        (UNSEARCHABLE % "shoe_size" + "plan: {steps: [{round_to: {column: shoe_size, base: 10}}]}\n", "does not need"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_refused_and_nothing_is_released(sfumato, write, said, why):
    folder = write("" if "plan:" in said else SEARCHED, said)
    refused = sfumato("release", "--out", "package")
    assert (refused.code, why in " ".join(refused.said.split())) == (2, True), refused.said
    assert not (folder / "package").exists()


def test_a_level_that_contradicts_the_context_is_refused(sfumato, write):
    write("anonymise: {method: optimal, levels: {sex: 1}}\n", AS_IT_IS % "")
    refused = sfumato("release", "--out", "package")
    assert refused.code == 2
    assert "another level" in refused.said
