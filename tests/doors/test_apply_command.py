"""`sfumato apply` and `sfumato plan` as a person uses them."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest
from tests.plans.key.test_key_file import RANDOM

PATIENTS = """\
id,name,age,postcode,visit,diagnosis
007,Anna,34,0151,2024-03-05,asthma
008,Bram,95,0151,2024-03-09,flu
007,Anna,34,0203,2024-06-01,flu
009,,41,,2024-01-31,
"""
PLAN = """\
steps:
  - drop: {columns: [name]}
  - mask: {columns: [postcode], keep_left: 2}
  - top_code: {column: age, at: 90}
  - id: visits
    add_noise: {column: visit, range: [-3, 3]}
"""


DECIDED = ("--non-sensitive", "id,diagnosis")  # what no step of the plan treats


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    return tmp_path


def lines(path: Path) -> list[list[str]]:
    return [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_plan_is_applied_and_the_input_is_not_touched(sfumato, files):
    outcome = sfumato("apply", "plan.yaml", "patients.csv", "-o", "out.csv", *DECIDED)
    assert outcome.code == 0, outcome.said
    found = lines(files / "out.csv")
    assert found[0] == ["id", "age", "postcode", "visit", "diagnosis"]
    expected = [["007", "34", "01**"], ["007", "34", "02**"], ["008", "90", "01**"], ["009", "41", ""]]
    assert sorted(row[:3] for row in found[1:]) == expected
    assert (files / "patients.csv").read_text(encoding="utf-8") == PATIENTS


def test_the_record_says_what_went_in_what_was_done_and_what_came_out(sfumato, files):
    sfumato("apply", "plan.yaml", "patients.csv", "-o", "out.csv")
    record = json.loads((files / "out.csv.provenance.json").read_text(encoding="utf-8"))
    assert record["input"]["sha256"] == sha256(PATIENTS.encode()).hexdigest()
    assert record["output"]["sha256"] == sha256((files / "out.csv").read_bytes()).hexdigest()
    assert (record["input"]["records"], record["output"]["records"]) == (4, 4)
    assert [list(step)[-1] for step in record["plan"]["steps"]] == ["drop", "mask", "top_code", "add_noise"]
    assert record["draws"] == {"visits": "the key of the project"}
    assert "Anna" not in json.dumps(record)


def test_the_same_plan_and_key_give_the_same_bytes_and_another_key_others(sfumato, files, monkeypatch):
    for out in ("one.csv", "two.csv"):
        sfumato("apply", "plan.yaml", "patients.csv", "-o", out, *DECIDED)
    assert (files / "one.csv").read_bytes() == (files / "two.csv").read_bytes()
    monkeypatch.setenv("SFUMATO_KEY", RANDOM)
    sfumato("apply", "plan.yaml", "patients.csv", "-o", "three.csv", *DECIDED)
    one, three = (lines(files / name) for name in ("one.csv", "three.csv"))
    assert sorted(row[:3] for row in three) == sorted(row[:3] for row in one)
    assert sorted(three) != sorted(one)


def test_other_steps_leave_the_chance_of_a_step_alone(sfumato, files):
    sfumato("apply", "plan.yaml", "patients.csv", "-o", "one.csv")
    alone = "steps:\n  - {id: visits, add_noise: {column: visit, range: [-3, 3]}}\n"
    (files / "alone.yaml").write_text(alone, encoding="utf-8")
    sfumato("apply", "alone.yaml", "patients.csv", "-o", "two.csv")
    assert sorted(row[2] for row in lines(files / "one.csv")) == sorted(row[0] for row in lines(files / "two.csv"))


def test_a_plan_may_stand_in_the_project_file(sfumato, files):
    project = "data: {source: patients.csv}\nplan:\n  " + PLAN.replace("\n", "\n  ").rstrip() + "\n"
    (files / "sfumato.yaml").write_text(project, encoding="utf-8")
    assert sfumato("apply", "sfumato.yaml", "patients.csv", "-o", "out.csv").code == 0
    assert sfumato("assess", "--quasi", "age", "--json", "-").code in (0, 1)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ("steps:\n  - drop: {columns: [nam]}\n", "line 2, step 1: There is no column 'nam'. Did you mean 'name'?"),
        ("steps:\n  - drp: {columns: [name]}\n", "line 2: there is no transformation 'drp'. Did you mean 'drop'?"),
        ("steps:\n  - drop: {column: name}\n", "drop has no parameter 'column'. Did you mean 'columns'?"),
        ("steps: []\n", "expected a list of steps"),
        ("stps: []\n", "there is no key 'stps'. Did you mean 'steps'?"),
        ("steps:\n  - drop: [name]\n", "expected parameters"),
        ("steps:\n  - {drop: {columns: [name]}, mask: {columns: [age]}}\n", "one transformation per step"),
        (
            "steps:\n  - {id: a, drop: {columns: [name]}}\n  - {id: a, drop: {columns: [age]}}\n",
            "Two steps have the id 'a'",
        ),
        ("steps: [", "line"),
        ("", "expected keys and values"),
    ],
)
def test_a_wrong_plan_is_said_with_its_line_and_nothing_is_written(sfumato, files, plan, said):
    (files / "plan.yaml").write_text(plan, encoding="utf-8")
    outcome = sfumato("apply", "plan.yaml", "patients.csv", "-o", "out.csv")
    assert outcome.code == 2
    assert said in outcome.said
    assert not (files / "out.csv").exists()
    assert not (files / "out.csv.provenance.json").exists()


def test_the_release_is_never_written_over_its_input_or_the_plan(sfumato, files):
    for target in ("patients.csv", "plan.yaml"):
        outcome = sfumato("apply", "plan.yaml", "patients.csv", "-o", target)
        assert outcome.code == 2
    os.link(files / "patients.csv", files / "same.csv")
    assert sfumato("apply", "plan.yaml", "patients.csv", "-o", "same.csv").code == 2
    assert (files / "patients.csv").read_text(encoding="utf-8") == PATIENTS


def test_the_json_is_never_written_over_what_is_read_or_released(sfumato, files):
    for target in ("patients.csv", "plan.yaml", "out.csv", "out.csv.provenance.json"):
        outcome = sfumato("apply", "plan.yaml", "patients.csv", "-o", "out.csv", "--json", target)
        assert outcome.code == 2
        assert "Choose another file for --json" in outcome.said
        assert not (files / "out.csv").exists()
    for target in ("patients.csv", "out.csv"):
        outcome = sfumato("safe-harbor", "patients.csv", "-o", "out.csv", "--json", target)
        assert (outcome.code, "Choose another file for --json" in outcome.said) == (2, True)
    assert (files / "patients.csv").read_text(encoding="utf-8") == PATIENTS


def test_an_output_that_cannot_be_written_is_said(sfumato, files):
    assert sfumato("apply", "plan.yaml", "patients.csv", "-o", "out.docx").code == 2
    (files / "file").write_text("x", encoding="utf-8")
    assert sfumato("apply", "plan.yaml", "patients.csv", "-o", "file/out.csv").code == 2


SECRET = "seed: 1\nsteps:\n  - pseudonymise: {columns: [id], secret: study_key}\n"


def test_a_secret_comes_from_the_environment_or_a_file_of_the_owner_and_is_never_shown(sfumato, files, monkeypatch):
    (files / "plan.yaml").write_text(SECRET, encoding="utf-8")
    lacking = sfumato("apply", "plan.yaml", "patients.csv", "-o", "out.csv")
    assert lacking.code == 2
    assert "SFUMATO_SECRET_STUDY_KEY" in lacking.said
    monkeypatch.setenv("SFUMATO_SECRET_STUDY_KEY", "correct horse battery")
    assert sfumato("apply", "plan.yaml", "patients.csv", "-o", "out.csv").code == 0
    key = files / "key"
    key.write_text("correct horse battery\n", encoding="utf-8")
    key.chmod(0o644)
    readable = sfumato("apply", "plan.yaml", "patients.csv", "-o", "two.csv", "--secret", "study_key=key")
    assert readable.code == 2
    assert "chmod 600" in readable.said
    key.chmod(0o600)
    assert sfumato("apply", "plan.yaml", "patients.csv", "-o", "two.csv", "--secret", "study_key=key").code == 0
    assert (files / "out.csv").read_bytes() == (files / "two.csv").read_bytes()
    for file in files.iterdir():
        assert file.name == "key" or b"horse" not in file.read_bytes()


def test_a_person_gets_the_same_pseudonym_in_every_record(sfumato, files, monkeypatch):
    monkeypatch.setenv("SFUMATO_SECRET_STUDY_KEY", "correct horse battery")
    (files / "plan.yaml").write_text(SECRET, encoding="utf-8")
    sfumato("apply", "plan.yaml", "patients.csv", "-o", "out.csv")
    ids = [row[0] for row in lines(files / "out.csv")[1:]]
    assert sorted(map(ids.count, set(ids))) == [1, 1, 2]
    assert not {"007", "008", "009"} & set(ids)


def test_a_plan_is_explained_without_a_look_at_the_data(sfumato, files):
    (files / "patients.csv").unlink()
    outcome = sfumato("plan", "show", "plan.yaml", "--json", "-")
    assert outcome.code == 0
    assert [step["transformation"] for step in outcome.document["steps"]] == ["drop", "mask", "top_code", "add_noise"]
    assert all(step["explanation"].endswith(".") for step in outcome.document["steps"])
    shown = sfumato("plan", "show", "plan.yaml").out
    assert "Examples, made up" in shown


def test_every_transformation_says_what_it_does(sfumato):
    found = sfumato("plan", "steps", "--json", "-").document["transformations"]
    names = {entry["name"] for entry in found}
    assert {"drop", "mask", "generalise", "recode", "shift_dates", "add_noise", "pseudonymise"} <= names
    assert all(entry["summary"] for entry in found)
    one = sfumato("plan", "steps", "mask")
    assert one.code == 0
    assert sfumato("plan", "steps", "msk").code == 2


@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx", "sav", "dta", "xpt"])
def test_every_ending_reads_back_with_the_same_values(sfumato, files, ending):
    out = f"out.{ending}"
    outcome = sfumato("apply", "plan.yaml", "patients.csv", "-o", out, *DECIDED)
    assert outcome.code == 0, outcome.said
    back = sfumato("columns", out, "--json", "-").document
    assert back["records"] == 4
    assert [column["name"].lower() for column in back["columns"]] == ["id", "age", "postcode", "visit", "diagnosis"]


@pytest.mark.spark
def test_spark_gives_the_same_release(spark, sfumato, files):
    assert sfumato("apply", "plan.yaml", "patients.csv", "-o", "one.csv").code == 0
    assert sfumato("apply", "plan.yaml", "patients.csv", "-o", "two.csv", "--engine", "spark").code == 0
    assert (files / "one.csv").read_bytes() == (files / "two.csv").read_bytes()


NINE = (
    "age",
    "education",
    "marital-status",
    "native-country",
    "occupation",
    "race",
    "salary-class",
    "sex",
    "workclass",
)


def test_a_folder_of_hierarchies_serves_every_column(sfumato, files, shared):
    adult = shared / "data" / "adult"
    steps = "".join(f"  - generalise: {{column: {name}, level: 1}}\n" for name in NINE)
    (files / "plan.yaml").write_text(f"steps:\n{steps}", encoding="utf-8")
    outcome = sfumato("apply", "plan.yaml", adult / "adult.csv", "-o", "out.parquet", "--hierarchies", adult)
    assert outcome.code == 0, outcome.said
    document = sfumato("identify", "out.parquet", "--quasi", ",".join(NINE), "--json", "-").document
    assert document["records"] == 30162
    assert sfumato("apply", "plan.yaml", adult / "adult.csv", "-o", "no.parquet").code == 2
