"""The selection of quasi-identifiers in the text of a project file: written, replaced, and all else as it was."""

from __future__ import annotations

import json

import pytest

from sfumato.errors import ProjectError
from sfumato.project.file import GradeSelection, Project, with_selection
from sfumato.project.recipient.grade import Grade

FIRST = GradeSelection(
    Grade.MIDDLE, {"age": 0.8}, {"sex: f/m": 0.0, "größe": 0.3}, "hospital.yaml",
    {"linkage": 10, "reidentifiability": 2, "understanding": 8},
)  # fmt: skip
SECOND = GradeSelection(Grade.HIGH, {"age": 0.8, "größe": 0.3})
BASE = "columns:\n  age: {role: quasi, proposed: true}\n"


@pytest.mark.parametrize(
    "text",
    [
        BASE,
        BASE.rstrip("\n"),
        f"{BASE}selection:\n",
        f"{BASE}selection: {{grade: Low, threshold: 0.75}}\nmeasures: []  # none\n",
        f"selection:\n     grade: Low  # before\n     threshold: 0.75\n     final:\n     - {{column: a, score: 1}}\n\n"
        f"# about columns\n{BASE}",
        "\ufeff" + BASE,
        json.dumps({"columns": {"age": {"role": "quasi"}}}),
        json.dumps({"selection": {"grade": "Low", "threshold": 0.75}, "columns": {"age": {"role": "quasi"}}}, indent=1),
    ],
)
def test_a_selection_is_written_and_written_over_and_nothing_else_changes(text):
    before = Project.parse(text)
    once = with_selection(text, FIRST, "sfumato.yaml")
    assert Project.parse(once).selection == FIRST
    twice = with_selection(once, SECOND, "sfumato.yaml")
    assert Project.parse(twice).selection == SECOND
    for written in (once, twice):
        after = Project.parse(written)
        assert (after.attributes, after.proposed, after.measures) == (
            before.attributes,
            before.proposed,
            before.measures,
        )
    for comment in ("# none", "# about columns"):
        assert (comment in twice) is (comment in text)
    assert with_selection(twice, SECOND, "sfumato.yaml") == twice


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("{grade: Middle, threshold: 0.25}", "expected 0.5, the threshold of the grade Middle"),
        ("{grade: middling, threshold: 0.5}", "High, Middle or Low"),
        ("{grade: Low, threshold: 0.75, final: [{column: age}]}", "score"),
        ("{grade: Low, threshold: 0.75, linkage: 11}", "linkage"),
    ],
)
def test_a_selection_that_cannot_be_is_refused_with_its_line(section, words):
    with pytest.raises(ProjectError, match="line 3") as refused:
        Project.parse(f"{BASE}selection: {section}\n")
    assert words in str(refused.value)
