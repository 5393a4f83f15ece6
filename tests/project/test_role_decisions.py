"""Decisions that are written into a project file: what changes in its text, and what never does."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.project.test_proposed_roles import FILES

from sfumato.errors import ProjectError
from sfumato.project.file import Project, RoleDecision, project_template, with_decisions, with_proposals
from sfumato.schema import Role
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.source import Column, Extract

JO = RoleDecision(Role.QUASI, 'Zoë O\'Hara: "R&D"', "2026-05-31", "codebook, p. 3: #12 {x}, 'y'")
ROLES = {"age": RoleDecision(Role.SENSITIVE, "Jo", "2026-05-31"), "sex": JO, 'no "x"': RoleDecision(Role.DIRECT)}
STYLES = {
    **FILES,
    "the mark first": "columns:\n  sex:\n    proposed: true\n    role: quasi\n",
    "the mark with a comment": "columns:\n  sex:\n    role: quasi\n    proposed: true  # ask Jo\n    type: text\n",
    "the mark in the middle of a line": "columns:\n  sex: {proposed: true, role: quasi, type: text}\n",
    "no line end after the mark": "columns:\n  sex:\n    role: quasi\n    proposed: true",
    "Windows lines for each key": "columns:\r\n  sex:\r\n    role: quasi\r\n    proposed: true\r\n  b: {role: direct}",
    "empty keys": "columns:\n  sex:\n    role: undecided\n    decided_by:\n    reason:\n",
    "a reason for waiting": "columns:\n  sex: {role: undecided, reason: the lab will tell}\n",
    "undecided by a person": "columns:\n  sex:\n    role: undecided  # who knows\n",
    "an explicit key": "columns:\n  ? sex\n  : role: quasi\n    proposed: true\n",
    "over several lines in braces": "columns:\n  sex: {\n    role: 'quasi', # a\n    proposed: true # b\n  }\n",
    "JSON over lines": json.dumps(
        {"columns": {"sex": {"role": "quasi", "proposed": True}}, "engine": "duckdb"}, indent=1
    ),
    "JSON with tabs": json.dumps({"columns": {"sex": {"role": "quasi", "proposed": True}}}, indent="\t"),
    "names with accents": 'columns:\n  "größe ✓": {role: direct}\n  sex: {role: quasi, proposed: true}  # Größe\n',
}


def comments(text: str) -> list[str]:
    return [line.partition("#")[2].strip() for line in text.splitlines() if "#" in line and not text.startswith("{")]


@pytest.mark.parametrize("text", STYLES.values(), ids=STYLES.keys())
def test_whatever_the_style_of_the_file_the_decisions_are_in_it_and_all_else_is_as_it_was(text):
    before = Project.parse(text)
    new = {name: decision for name, decision in ROLES.items() if name not in before.decisions}
    after = with_decisions(text, new, "sfumato.yaml")
    project = Project.parse(after)
    assert project.decisions == {**before.decisions, **new}
    assert not {*new} & project.proposed
    assert "proposed: true" not in after
    plain = "# ask Jo" if "# ask Jo" in text else ""
    assert plain in after
    assert [said for said in comments(text) if said not in after] == []
    for key in ("data", "engine", "measures"):
        assert project.file.value.get(key) == before.file.value.get(key)
    if text.startswith("{"):
        json.loads(after)
    if text.startswith("\ufeff"):
        assert after.startswith("\ufeff")


def test_comments_order_and_the_other_columns_stay_letter_by_letter():
    text = (
        "# Mine\ncolumns:\n    sex:  # decide\n        role: non-sensitive   # or not\n        proposed: true\n"
        "        type: text\n    age: {role: direct, proposed: true}  # read as text\n    b: {role:   quasi}\n\n# end\n"
    )
    after = with_decisions(text, {"sex": JO, "age": RoleDecision(Role.QUASI, "Jo")}, "sfumato.yaml")
    assert after == (
        "# Mine\ncolumns:\n    sex:  # decide\n        role: quasi   # or not\n"
        '        decided_by: "Zoë O\'Hara: \\"R&D\\""\n        decided_on: "2026-05-31"\n'
        "        reason: \"codebook, p. 3: #12 {x}, 'y'\"\n"
        "        type: text\n    age: {role: quasi, decided_by: Jo}  # read as text\n    b: {role:   quasi}\n\n# end\n"
    )


def test_other_readers_of_yaml_read_the_same_names_days_and_reasons():
    after = with_decisions("columns:\n  sex: {role: quasi, proposed: true}\n", {"sex": JO}, "sfumato.yaml")
    assert yaml.safe_load(after)["columns"]["sex"] == {
        "role": "quasi", "decided_by": JO.by, "decided_on": JO.on, "reason": JO.reason,
    }  # fmt: skip


def test_a_decision_is_not_written_over_unless_it_is_decided_again():
    text = "columns:\n  sex: {role: quasi, decided_by: Ann, decided_on: 2026-01-01, reason: old}  # kept\n"
    anew = {"sex": RoleDecision(Role.SENSITIVE, "Jo")}
    with pytest.raises(ProjectError, match="line 2: the role of column 'sex' is decided already"):
        with_decisions(text, anew, "sfumato.yaml")
    after = with_decisions(text, anew, "sfumato.yaml", again=True)
    assert Project.parse(after).decisions == anew
    assert "old" not in after
    assert "# kept" in after


@pytest.mark.parametrize(
    "text",
    [
        "columns:\n  sex:\n    role: |-\n      quasi\n    proposed: true\n",
        "columns:\n  sex: !!map\n    role: quasi\n    proposed: true\n",
        "columns:\n  sex: &mine {role: quasi, proposed: true}\n",
    ],
)
def test_what_cannot_be_written_without_changing_more_is_refused(text):
    with pytest.raises(ProjectError, match="Nothing was written"):
        with_decisions(text, {"sex": JO}, "sfumato.yaml")


@given(
    names=st.lists(st.text(), unique=True, min_size=1, max_size=4),
    more=st.lists(st.text(), unique=True, max_size=3),
    words=st.text(),
    json_file=st.booleans(),
)
def test_any_name_of_a_column_and_any_reason_survive(names, more, words, json_file):
    if json_file:
        text = json.dumps({"columns": {name: {"role": "quasi", "proposed": True} for name in names}})
    else:
        extract = Extract("x.csv", DuckDB().load, tuple(Column(n, Kind.TEXT, "why") for n in names))  # type: ignore[arg-type]
        text = project_template(extract, "x.csv", dict.fromkeys(names, Role.QUASI))
    decisions = {name: RoleDecision(Role.SENSITIVE, words, "2026-05-31", words) for name in {*names[1:], *more}}
    after = Project.parse(with_decisions(text, decisions, "sfumato.yaml"))
    line = " ".join("".join(c if c.isprintable() else " " for c in words).split()) or None
    assert after.decisions == {n: RoleDecision(Role.SENSITIVE, line, "2026-05-31", line) for n in decisions}
    assert after.proposed == {*names} - {*decisions}


def test_decisions_and_proposals_do_not_disturb_each_other():
    text = with_decisions("data: {source: a.csv}\n", {"sex": JO}, "sfumato.yaml")
    after = with_proposals(text, {"sex": Role.DIRECT, "age": Role.QUASI}, "sfumato.yaml")
    assert Project.parse(after).decisions == {"sex": JO}
    assert Project.parse(after).proposed == {"age"}
