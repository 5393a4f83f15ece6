"""Answers in a file: each below its question, and the rest of the project file as it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import ProjectError
from sfumato.project.context.checklist import CHECKLISTS, Response
from sfumato.project.context.file import with_context, written_context
from sfumato.project.file import Project
from sfumato.project.file.yaml_file import read_yaml

BEFORE = "# mine\ndata: {source: a.csv}  # here\ncolumns:\n  age: {role: quasi}\n"
AFTER = "\n# what must hold\nmeasures:\n  - {measure: k_anonymity, at_least: 5}\n"
words = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co")), max_size=12)
answers = st.fixed_dictionaries(
    {},
    optional={
        "purpose": words,
        "release": st.sampled_from(["public", "restricted", "internal"]),
        **{
            checklist.key: st.fixed_dictionaries(
                {},
                optional={question.key: st.sampled_from(["yes", "partly", "no"]) for question in checklist.questions},
            )
            for checklist in CHECKLISTS
        },
        "benefits": st.dictionaries(
            words,
            st.fixed_dictionaries(
                {"need": st.sampled_from(["none", "low", "medium", "high"])}, optional={"form": words}
            ),
            max_size=3,
        ),
        "matrix": st.just({"risk": "very high", "because": "no: 'reason' # \"here\""}),
    },
)


def said(text: str) -> dict[str, object]:
    """What a file says, without what is left empty."""
    return {key: value for key, value in Project.parse(text).context.items() if value not in ({}, "")}


@settings(max_examples=60)
@given(answers)
def test_what_is_written_is_read_again_and_nothing_else_changes(given):
    text = with_context(BEFORE + AFTER, given, "sfumato.yaml", columns=("age",))
    assert text.startswith(BEFORE + AFTER)
    found = said(text)
    for checklist in CHECKLISTS:
        kept = {
            key: answer for key, answer in found.get(checklist.key, {}).items() if answer is not Response.UNANSWERED
        }
        assert kept == given.get(checklist.key, {})
    assert found.get("purpose", "") == given.get("purpose", "")
    assert found.get("matrix") == given.get("matrix")
    benefits = {name: benefit for name, benefit in found.get("benefits", {}).items() if benefit}
    assert benefits == given.get("benefits", {})
    assert with_context(text, given, "sfumato.yaml", columns=("age",)) == text


@pytest.mark.parametrize(
    "old",
    [
        "context:\n  purpose: old\n  # a thought\n  people:\n    trained: yes\n",
        "context: {purpose: old}\n",
        "context: {\n  purpose: old,\n}\n",
        "context:\n",
    ],
)
def test_the_part_is_replaced_where_it_stands_and_what_surrounds_it_stays(old):
    text = with_context(BEFORE + old + AFTER, {"purpose": "new"}, "sfumato.yaml")
    assert text == BEFORE + written_context({"purpose": "new"}) + AFTER
    assert Project.parse(text).context["purpose"] == "new"


def test_a_file_that_ends_without_a_line_break_is_continued_on_a_new_line():
    text = with_context("engine: duckdb", {"purpose": "new"}, "sfumato.yaml")
    assert text.startswith("engine: duckdb\n#")
    assert Project.parse(text).engine == "duckdb"


def test_a_file_in_json_is_refused_and_told_what_to_do():
    with pytest.raises(ProjectError, match=r"this file is JSON.* Use --save FILE"):
        with_context('{"engine": "duckdb"}', {}, "sfumato.yaml")


def test_without_answers_every_question_is_there_and_unanswered():
    text = written_context({}, ("age", "no"))
    for checklist in CHECKLISTS:
        for question in checklist.questions:
            assert text.count(f"# {question.asks} {question.why}\n    {question.key}:\n") == 1
    assert read_yaml(text, "t").value["context"]["benefits"] == {"age": None, "no": None}
    assert said(text) == {"benefits": {"age": {}, "no": {}}}
