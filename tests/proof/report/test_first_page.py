"""The first page of a report: the decision and the data; and what nobody answered, in a line each."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sfumato.proof.report.make_report import report
from sfumato.proof.report.page import report_page

QUICK = {"charts": False, "attacks": False, "curve": False}
SAID = """\
  handed_to: The asthma registry
  controller: Hospital of Aba
  officer: privacy@hospital.example
  legal_basis: GDPR article 9(2)(j)
  decisions:
    policy: {decided_by: J. Doe, decided_on: "2026-05-30", reason: As always.}
    release: {decided_by: Access committee, decided_on: "2026-05-31"}
"""


def rows(found, key, title):
    return next(block.section.rows for block in found[key].blocks if block.section.title == title)


@pytest.fixture
def told(folder):
    """A report on a project that says who decided, and on which grounds."""
    text = (folder / "sfumato.yaml").read_text(encoding="utf-8") + SAID
    decided = "age: {role: quasi, decided_by: J. Doe, decided_on: '2026-05-29', reason: Neighbours know it.}"
    (folder / "sfumato.yaml").write_text(text.replace("age: {role: quasi}", decided), encoding="utf-8")
    return report(project="sfumato.yaml", **QUICK)


def test_the_first_page_says_to_whom_what_for_and_who_decided(told):
    decision = dict(rows(told, "summary", "The decision"))
    assert decision["to whom"] == "The asthma registry, named recipients (restricted)"
    assert decision["what for"] == "Research into asthma"
    assert decision["required"] == "k_anonymity >= 4, distinct_l_diversity(diagnosis) >= 2"
    assert "1 role by J. Doe on 2026-05-29" in decision["roles decided"]
    assert "1 role only proposed" in decision["roles decided"]
    assert decision["policy decided"] == "J. Doe, 2026-05-30: As always."
    assert decision["release decided"] == "Access committee, 2026-05-31"


def test_what_nobody_said_is_said_to_be_missing_with_its_key(folder):
    found = report(project="sfumato.yaml", **QUICK)
    decision = dict(rows(found, "summary", "The decision"))
    assert decision["release decided"] == "not stated (`context: decisions: release` in the project file)"
    grounds = dict(rows(found, "authority", "The release and its grounds"))
    assert grounds["legal basis"] == "not stated (`context: legal_basis` in the project file)"
    assert grounds["controller"].startswith("not stated")
    assert found["authority"].gist == "7 answers not stated."


def test_every_column_leaves_or_stays_and_says_what_becomes_of_it_or_why(folder):
    found = report(project="sfumato.yaml", **QUICK)
    leaves = {row[0]: row[1:] for row in rows(found, "summary", "What leaves")}
    assert set(leaves) == {"age", "sex", "town", "diagnosis", "weight"}
    assert leaves["diagnosis"] == ("sensitive", "as it is", "3", "-")
    assert leaves["weight"][0] == "sensitive, proposed"
    assert leaves["age"][1].startswith("generalised")
    assert leaves["age"][2].startswith("50 → ")
    assert leaves["age"][3].endswith(" %")
    assert rows(found, "summary", "What does not leave") == (
        ("tells persons apart (subject): 1", "patient"),
        ("names a person (direct): 1", "name"),
    )


def test_the_first_page_reads_what_the_parts_read(folder):
    found = report(project="sfumato.yaml", charts=False, curve=False)
    summary = {row[0]: row[1:] for row in rows(found, "summary", "What could be found")}
    readings = {row[0]: row[2:6] for row in rows(found, "identifiability", "Readings")}
    assert summary["k_anonymity >= 4"] == (*readings["k_anonymity"][:2], "yes")
    attackers = {row[:2]: row[3:5] for row in rows(found, "identifiability", "Attackers")}
    highest = (attackers["prosecutor", "before"][0], attackers["prosecutor", "after"][0], "")
    assert summary["highest risk (prosecutor)"] == highest
    average = (attackers["marketer", "before"][1], attackers["marketer", "after"][1], "")
    assert summary["average risk (marketer)"] == average
    assert any(name.startswith("attack: ") for name in summary)
    left = dict(rows(found, "summary", "What was lost"))["records left out"]
    assert left.startswith(dict(found.glance)["records left out"])


def test_a_dozen_columns_come_first_and_the_others_are_folded():
    table = pa.table({"age": [30, 30, 40] * 20, **{f"item {i}": [i] * 60 for i in range(30)}})
    found = report(table, quasi="age", k=2, release_rest=True, **QUICK)
    first = rows(found, "summary", "What leaves")
    assert len(first) == 12
    assert first[0][:2] == ("age", "quasi")
    assert len(rows(found, "summary", "What leaves: 19 more columns")) == 19
    assert '<details class="more"><summary><h2>What leaves: 19 more columns</h2></summary>' in report_page(found)


def test_questionnaires_that_nobody_answered_take_a_line_each():
    found = report(pa.table({"age": [30, 30, 40] * 20}), quasi="age", **QUICK)
    blocks = {block.section.title: block.section for block in found["context"].blocks}
    assert set(blocks) == {"The release", "What nobody has answered"}
    lines = blocks["What nobody has answered"].remarks
    assert lines[0] == "Five Safes: 0 of 32 answered; `sfumato context --ask -p sfumato.yaml` asks them."
    assert [line.partition(":")[0] for line in lines] == [
        "Five Safes", "Impact assessment", "Benefit", "Recipient", "Risk-benefit matrix",
    ]  # fmt: skip


def test_of_a_questionnaire_that_was_answered_in_part_the_rest_is_counted(folder):
    found = report(project="sfumato.yaml", **QUICK)
    people = next(b.section for b in found["context"].blocks if b.section.title == "Safe people")
    assert [row[:2] for row in people.rows] == [("agreement", "partly")]
    assert people.remarks[-1] == "1 of 6 answered; `sfumato context --ask -p sfumato.yaml` asks the others."
    silent = next(b.section for b in found["context"].blocks if b.section.title == "What nobody has answered").remarks
    assert "Safe data: 0 of 7 answered; `sfumato context --ask -p sfumato.yaml` asks them." in silent


def test_a_role_is_shown_with_who_confirmed_it_when_and_why(told):
    said = {row[0]: row[3] for row in rows(told, "data", "Columns, their roles and the evidence")}
    assert said["age"] == "confirmed by J. Doe on 2026-05-29: Neighbours know it."
    assert said["sex"] == "confirmed in the project file"
    assert said["weight"] == "proposed, NOT confirmed"


def test_the_authority_reads_grounds_measures_risk_and_who_decided(told):
    grounds = dict(rows(told, "authority", "The release and its grounds"))
    assert grounds["legal basis"] == "GDPR article 9(2)(j)"
    assert "cannot be said yet" in grounds["impact assessment"]
    measures = rows(told, "authority", "Measures taken")
    steps = [row for row in measures if row[0].startswith("step ")]
    assert len(steps) == len(rows(told, "transformations", "Steps"))
    assert "smallest class 4" in steps[-1][2]
    risk = dict(rows(told, "authority", "The risk that is left"))
    assert risk["required"].endswith(": met")
    assert risk["smallest group that looks alike"] == "4"
    assert dict(rows(told, "authority", "Who decided"))["release"] == "Access committee, 2026-05-31"


def test_every_form_begins_with_the_same_tables_in_the_same_order(told):
    titles = [block.section.title for block in told["summary"].blocks]
    assert titles == ["The decision", "What leaves", "What does not leave", "What could be found", "What was lost"]
    for text in (str(told), told.markdown(), report_page(told)):
        places = [text.index(title) for title in titles]
        assert places == sorted(places)
        assert places[-1] < text.index("1. Context")
    document = told.document()
    assert [section["title"] for section in document["summary"]["sections"]] == titles
    assert list(document).index("summary") < list(document).index("parts")
