"""Why a step is done, and who proposed it: said to the steward, and to nobody else (S3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.errors import PlanError
from sfumato.plans.apply import plan_document
from sfumato.plans.plan_file import parse_plan, plan_text
from sfumato.plans.steps.drop import Drop
from sfumato.proof.release import release

STEPS = """
steps:
  - drop: {columns: [id]}
    because: Nobody needs it, says Ermintrude.
    proposed_by: J. Doe
  - drop: {columns: [b]}
"""
PROJECT = """
data: {source: people.csv}
columns: {id: {role: direct}, age: {role: quasi}, b: {role: non-sensitive}}
measures: [{measure: k_anonymity, at_least: 2}]
plan: {steps: [{drop: {columns: [b]}, because: "Nobody needs it, says Ermintrude.", proposed_by: J. Doe}]}
"""


def test_a_step_says_why_it_is_done_and_the_plan_is_the_same() -> None:
    plan = parse_plan(STEPS)
    first, second = plan_document(plan).steps
    assert (first.because, first.proposed_by) == ("Nobody needs it, says Ermintrude.", "J. Doe")
    assert second.because is None
    bare = parse_plan("steps: [{drop: {columns: [id]}}, {drop: {columns: [b]}}]")
    assert plan.fingerprint() == bare.fingerprint()
    assert "Ermintrude" not in plan_text(plan)
    assert plan.then(Drop(("c",))).steps[0].because == first.because


def test_a_reason_is_a_text() -> None:
    with pytest.raises(PlanError, match="line 2: expected a text for `because`"):
        parse_plan("steps:\n  - {drop: {columns: [id]}, because: [1]}")


def test_the_report_of_the_steward_says_it_and_the_package_does_not(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("id,age,b\n" + "".join(f"{i},{30 + i % 2},x\n" for i in range(12)), "utf-8")
    (tmp_path / "sfumato.yaml").write_text(PROJECT, "utf-8")
    release(tmp_path / "sfumato.yaml", out=tmp_path / "out")
    assert "Ermintrude" in (tmp_path / "out-evidence" / "report.html").read_text("utf-8")
    for path in (tmp_path / "out").iterdir():
        assert b"Ermintrude" not in path.read_bytes()
