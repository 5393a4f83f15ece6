"""Roles that are proposed in a project file: what changes, and what never does."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ProjectError
from sfumato.project.file import Project, project_template, with_proposals
from sfumato.schema import Role
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.source import Column, Extract

ROLES = {"age": Role.QUASI, "sex": Role.SENSITIVE, 'no "x"': Role.DIRECT}

BLOCK = """\
# Mine: do not touch
columns:
    sex:  # decide
        role: non-sensitive   # or not
        proposed: true
    age: {role: direct, bins: [0, 18]}

measures: [{measure: k_anonymity, at_least: 5}]
"""
FILES = {
    "no columns": "data: {source: a.csv}\n",
    "no line at the end": "data: {source: a.csv}",
    "nothing in columns": "columns:\nengine: duckdb\n",
    "a comment in columns": "columns: # none yet\nengine: duckdb\n",
    "an empty list of columns": "columns: {}\nengine: duckdb\n",
    "lines": BLOCK,
    "a mapping on one line": "columns: {sex: {role: non-sensitive, proposed: true}}\n",
    "JSON": '{"columns": {"sex": {"role": "non-sensitive", "proposed": true}}}',
    "JSON without columns": '{"data": {"source": "a.csv"}}',
    "JSON with empty columns": '{"columns": null, "engine": "duckdb"}',
    "a byte order mark": "\ufeffcolumns:\n  sex: {role: quasi, proposed: true}\n",
    "Windows lines": "columns:\r\n  sex: {role: quasi, proposed: true}\r\n",
}


def roles(text: str) -> dict[str, Role]:
    return {attribute.name: attribute.role for attribute in Project.parse(text).attributes}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_whatever_the_style_of_the_file_every_role_is_there_and_no_decision_changes(text):
    decided = Project.parse(text).decided()
    after = with_proposals(text, ROLES, "sfumato.yaml")
    assert roles(after) == {**ROLES, **decided}
    assert Project.parse(after).decided() == decided
    assert with_proposals(after, ROLES, "sfumato.yaml") == after
    if text.startswith("{"):
        json.loads(after)


def test_comments_order_and_all_else_stay():
    after = with_proposals(BLOCK, ROLES, "sfumato.yaml")
    assert after == BLOCK.replace(
        "    sex:", '    "no \\"x\\"": {role: direct, proposed: true}\n    sex:'
    ).replace("role: non-sensitive ", "role: sensitive ")  # fmt: skip


def test_a_file_that_is_wrong_is_an_error_and_not_written_over():
    with pytest.raises(ProjectError, match="line 2"):
        with_proposals("columns:\n  age: {role: nobody}\n", ROLES, "sfumato.yaml")


@given(names=st.lists(st.text(), unique=True, max_size=5), more=st.lists(st.text(), unique=True, max_size=5))
def test_any_column_name_survives(names, more):
    table = DuckDB().load
    extract = Extract("x.csv", table, tuple(Column(name, Kind.TEXT, "why") for name in names))  # type: ignore[arg-type]
    text = project_template(extract, "x.csv", dict.fromkeys(names, Role.SENSITIVE))
    assert roles(text) == dict.fromkeys(names, Role.SENSITIVE)
    wanted = dict.fromkeys([*names, *more], Role.QUASI)
    assert roles(with_proposals(text, wanted, "sfumato.yaml")) == wanted


# Undecided columns


UNDECIDED = {"age": Role.QUASI, "x1": None}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_an_undecided_column_is_written_as_such_and_read_as_decided_by_nobody(text):
    after = with_proposals(text, {"x1": None}, "sfumato.yaml")
    project = Project.parse(after)
    assert project.undecided == {"x1"}
    assert "x1" in project.proposed
    assert "x1" not in project.decided()


def test_evidence_that_is_found_later_takes_the_place_of_undecided():
    before = with_proposals("data: {source: a.csv}\n", UNDECIDED, "sfumato.yaml")
    after = with_proposals(before, {"x1": Role.SENSITIVE}, "sfumato.yaml")
    assert "x1: {role: sensitive, proposed: true}" in after
    assert Project.parse(after).undecided == frozenset()


def test_undecided_without_the_mark_is_no_decision_and_is_left_to_the_person_who_wrote_it():
    text = "columns:\n  x1: {role: undecided}\n"
    assert Project.parse(text).decided() == {}
    assert with_proposals(text, {"x1": Role.QUASI}, "sfumato.yaml") == text


def test_the_first_version_of_a_file_calls_nothing_non_sensitive_that_nobody_decided():
    table = DuckDB().query("SELECT 1 AS x1, 2 AS age")
    extract = Extract("a.csv", table, (Column("x1", Kind.INTEGER, ""), Column("age", Kind.INTEGER, "")))
    project = Project.parse(project_template(extract, "a.csv", UNDECIDED))
    assert project.undecided == {"x1"}
    assert project.proposed == {"x1", "age"}
    assert project.decided() == {}
    assert Project.parse(project_template(extract, "a.csv")).undecided == {"x1", "age"}
