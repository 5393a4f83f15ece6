"""`sfumato plan effects`: risk and utility before a plan and after each of its steps (S3.5)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.doors.conftest import Command

DATA = "id,age,town,days\n1,21,Ayr,3\n2,22,Ayr,5\n3,35,Bath,3\n4,36,Bath,9\n5,71,Cork,9\n"
PLAN = """\
steps:
  - generalise: {column: age, level: 1, hierarchy: {kind: intervals, width: 10}}
  - suppress_records: {where: {column: town, equals: Cork}}
  - drop: {columns: [town]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text(DATA, encoding="utf-8")
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    return tmp_path


def test_every_step_is_followed_by_its_risk_and_its_loss(sfumato: Command, folder: Path) -> None:
    found = sfumato("plan", "effects", "plan.yaml", "data.csv", "--quasi", "age,town", "--json", "-").document
    before, (wider, fewer, without) = found["before"], found["steps"]
    assert (before["k"], before["singled_out"], before["lost"]["loss"]) == (1, 5, 0)
    assert (wider["k"], wider["singled_out"], wider["records"]) == (1, 1, 5)
    assert wider["lost"]["loss"] == pytest.approx((4 * 1 / 4) / 5 / 2)  # four of five ages could be two of five
    assert (fewer["k"], fewer["singled_out"], fewer["records"]) == (2, 0, 4)
    assert without["quasi_identifiers"] == ["age"]
    assert without["lost"]["loss"] == pytest.approx(((4 * 1 / 4 + 1) / 5 + 1) / 2)  # the town is gone altogether
    losses = [step["lost"]["loss"] for step in found["steps"]]
    assert losses == sorted(losses)


def test_of_a_project_file_the_columns_and_the_subject_are_those_that_it_says(sfumato: Command, folder: Path) -> None:
    steps = "".join(f"  {line}\n" for line in PLAN.splitlines())
    roles = "columns: {age: {role: quasi}, town: {role: quasi}, days: {role: quasi, proposed: true}}\n"
    (folder / "clinic.yaml").write_text(f"data: {{source: data.csv}}\nsubject: id\n{roles}plan:\n{steps}")
    found = sfumato("plan", "effects", "clinic.yaml", "data.csv", "--json", "-").document
    assert found["before"]["quasi_identifiers"] == ["age", "town"]  # nobody confirmed the third
    named = ("--quasi", "age,town", "--subject", "id", "--json", "-")
    assert sfumato("plan", "effects", "clinic.yaml", "data.csv", *named).document == found
    assert "--quasi" in sfumato("plan", "effects", "plan.yaml", "data.csv").err


def test_a_table_without_records_is_refused(sfumato: Command, folder: Path) -> None:
    (folder / "data.csv").write_text("id,age,town\n", encoding="utf-8")
    ran = sfumato("plan", "effects", "plan.yaml", "data.csv", "--quasi", "age")
    assert (ran.code, "has no records" in ran.err) == (2, True)


def test_a_quasi_identifier_that_no_step_makes_is_unknown(sfumato: Command, folder: Path) -> None:
    ran = sfumato("plan", "effects", "plan.yaml", "data.csv", "--quasi", "age,twon")
    assert ran.code == 2
    assert "Did you mean 'town'?" in ran.said


def test_nothing_is_written(sfumato: Command, folder: Path) -> None:
    ran = sfumato("plan", "effects", "plan.yaml", "data.csv", "--quasi", "age")
    assert ran.code == 0
    assert "Generalise age to level 1" in ran.said
    assert sorted(path.name for path in folder.iterdir()) == ["data.csv", "plan.yaml"]
