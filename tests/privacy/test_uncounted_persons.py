"""Several records a person: where nobody says whose they are, no verdict is simply green."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.columns.write_roles import write_roles
from sfumato.project.file import Project
from sfumato.show.sheet import State

PERSONS = pa.table(
    {
        "Patienten Nr": [f"P{i // 5}" for i in range(20)],
        "sex": ["f", "m"] * 10,
        "ward": ["a"] * 20,
    }
)
OPEN = "some persons have several"


def questions(**asked: object) -> list[str]:
    found = sf.assess(PERSONS, quasi=["sex"], everything=False, **asked)
    return [question for question in found.verdict.open if OPEN in question]


def test_classes_of_records_are_an_open_question_where_a_key_of_persons_repeats():
    (question,) = questions(k=5)
    assert "Patienten Nr" in question
    assert "--subject" in question


def test_who_names_the_subject_is_asked_nothing():
    assert questions(k=2, subject="Patienten Nr") == []


@pytest.mark.parametrize(
    "columns",
    [
        {"patient_id": [f"P{i}" for i in range(20)]},
        {"patient_id": [f"P{i}" for i in range(20)], "mother_id": [f"M{i // 2}" for i in range(20)]},
        {"doctor_id": ["d1", "d2"] * 10},
        {"encounter_id": [f"E{i // 2}" for i in range(20)]},
        {"patient_id": pa.nulls(20, pa.string())},
    ],
    ids=["a record each", "a mother of several", "a doctor", "an encounter", "nobody named"],
)
def test_nothing_is_asked_where_nothing_says_that_a_person_has_several_records(columns):
    table = pa.table({**columns, "sex": ["f", "m"] * 10})
    found = sf.assess(table, quasi=["sex"], k=2, everything=False)
    assert [question for question in found.verdict.open if OPEN in question] == []


def test_a_search_asks_it_of_the_original_whose_key_is_not_released():
    found = sf.anonymise(PERSONS, quasi=["sex"], direct=["Patienten Nr"], non_sensitive=["ward"], k=2)
    assert "Patienten Nr" not in found.release.column_names
    assert any(OPEN in question for question in found.verdict.open)
    assert found.verdict.state is State.OPEN


def test_a_first_project_file_counts_persons(tmp_path: Path):
    lines = [f"P{i // 3},{'fm'[i % 2]},{20 + i % 7}" for i in range(60)]
    (tmp_path / "visits.csv").write_text("\n".join(["patient_id,sex,age", *lines]) + "\n", encoding="utf-8")
    source = str(tmp_path / "visits.csv")
    write_roles(sf.identify(source), source, tmp_path / "sfumato.yaml")
    assert Project.read(tmp_path / "sfumato.yaml").subject == "patient_id"
    write_roles(sf.identify(source), source, tmp_path / "sfumato.yaml")  # a second time changes nothing
    assert (tmp_path / "sfumato.yaml").read_text(encoding="utf-8").count("subject:") == 1
