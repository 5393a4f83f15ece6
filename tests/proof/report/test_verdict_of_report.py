"""The banner of a report: green only where the policy is met and everything is decided."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pytest
from tests.show.parsed_page import Page

from sfumato.project.context.checklist import CRITERIA, FIVE_SAFES
from sfumato.proof.report.make_report import report
from sfumato.proof.report.page import report_page

QUICK = {"charts": False, "attacks": False, "curve": False, "by_position": True}


def stroke(rows: int = 600) -> pa.Table:
    """Two quasi-identifiers that thousands share, and two measurements that hardly anybody shares."""
    draw = random.Random(16)
    return pa.table({
        "sex": [draw.choice("fm") for _ in range(rows)],
        "smokes": [draw.choice(["yes", "no"]) for _ in range(rows)],
        "glucose": [round(draw.uniform(55, 272), 1) for _ in range(rows)],
        "bmi": [round(draw.gauss(29, 7.5), 1) for _ in range(rows)],
    })  # fmt: skip


@pytest.fixture
def answered(tmp_path: Path) -> Path:
    """A project file in which every question of the context is answered."""
    lists = [(checklist.key, [question.key for question in checklist.questions]) for checklist in FIVE_SAFES]
    lists.append((CRITERIA.key, [question.key for question in CRITERIA.questions]))
    said = "\n".join(f"  {key}: {{{', '.join(f'{name}: no' for name in names)}}}" for key, names in lists)
    (tmp_path / "sfumato.yaml").write_text(
        "columns: {sex: {role: quasi}, smokes: {role: quasi}, glucose: {role: non-sensitive}, "
        f"bmi: {{role: non-sensitive}}}}\ncontext:\n{said}\n",
        encoding="utf-8",
    )
    return tmp_path / "sfumato.yaml"


def test_two_released_measurements_on_which_nearly_everybody_is_alone_keep_a_report_from_being_green(answered):
    """The case of issue 16."""
    table = stroke()
    found = report(table, released=table, project=answered, k=50, **QUICK)
    assert found.met is True
    assert found.verdict.state == "met, but"
    (question,) = found.verdict.open
    assert "of 600 records are alone on everything that is released" in question
    assert "nothing is required of glucose, bmi" in question
    assert found.headline.startswith("Every requirement is met by the release, but 1 question is open.")
    text = report_page(found)
    assert '<p class="verdict amber">' in text
    assert "verdict good" not in text.partition("<body>")[2]
    assert "<li>" in text
    words = [said for _, said in Page(text).words]
    assert any("but 1 question is open" in said for said in words)
    assert any("nothing is required of glucose, bmi" in said for said in words)
    document = found.document()
    assert (document["met"], document["verdict"], document["open"]) == (True, "met, but", [question])
    assert "What is open:" in found.markdown()


def test_a_report_is_green_where_everything_is_decided_and_asked_about(answered):
    table = stroke().select(["sex", "smokes"])
    answered.write_text(
        answered.read_text(encoding="utf-8").replace(", glucose: {role: non-sensitive}, bmi: {role: non-sensitive}", "")
    )
    found = report(table, released=table, project=answered, k=50, **QUICK)
    assert (found.verdict.state, found.verdict.open) == ("met", ())
    assert '<p class="verdict good">' in report_page(found)


def test_questions_of_the_context_that_nobody_answered_keep_a_report_from_being_green():
    table = stroke().select(["sex", "smokes"])
    found = report(table, released=table, quasi=["sex", "smokes"], k=50, **QUICK)
    assert found.verdict.state == "met, but"
    (question,) = found.verdict.open
    assert question.startswith("41 of 41 questions of the context are unanswered.")
    assert "whether an impact assessment (DPIA) is required" in question


def test_the_report_tells_of_everything_that_is_released_and_hides_few_people(answered):
    table = stroke(597)
    table = pa.concat_tables([table, table.slice(0, 3)])  # six records of three pairs: the few who are not alone
    found = report(table, released=table, project=answered, k=50, **QUICK)
    block = next(b for b in found["identifiability"].blocks if b.section.title.startswith("Everything"))
    assert block.section.remarks[0].startswith(">589 of 600 records are alone on the 4 released columns together")
    assert dict(found.glance)["alone on everything that is released"] == ">589 of 600"
    assert ">589 of 600 records are alone" in found.verdict.open[0]


def test_a_release_without_any_quasi_identifier_left_is_read_over_what_is_left(answered):
    table = stroke()
    found = report(table, released=table.select(["glucose", "bmi"]), project=answered, k=50, **QUICK)
    assert found.met is None
    block = next(b for b in found["identifiability"].blocks if b.section.title.startswith("Everything"))
    assert "released columns together" in block.section.remarks[0]
