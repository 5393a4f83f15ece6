"""The context that a project file describes: read, shown, drawn."""

import json
from pathlib import Path

import pytest

from sfumato.errors import MissingRole, ProjectError
from sfumato.project.context.result import Context
from sfumato.project.context.risk_benefit import Level, MeasuredRisk
from sfumato.project.file import Project
from sfumato.proof.report.context_page import context_page, matrix_chart
from sfumato.proof.report.show_context import context
from sfumato.studies.demonstrations.small_files import page_files

TABLE = "id,age,sex,town,diagnosis\n" + "".join(
    f"{i},{30 + i % 2},f,A,{'flu' if i % 3 else 'cold'}\n" for i in range(12)
)
FILE = """\
data: {source: table.csv}
subject: id
columns:
  id: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  town: {role: non-sensitive}
  diagnosis: {role: sensitive}
context:
  purpose: Research
  release: restricted
  people: {agreement: partly, trained: no, honest_broker: Y}
  dpia: {sensitive_data: true}
  benefits:
    age: {need: high, likelihood: high, form: years, recipients: physicians, effect: earlier treatment}
    sex: medium
    town: none
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(FILE, encoding="utf-8")
    return tmp_path


def changed(folder: Path, *edits: tuple[str, str]) -> Path:
    text = (folder / "sfumato.yaml").read_text(encoding="utf-8")
    for before, after in edits:
        assert before in text
        text = text.replace(before, after)
    (folder / "sfumato.yaml").write_text(text, encoding="utf-8")
    return folder / "sfumato.yaml"


def test_the_release_is_placed_by_its_smallest_class_and_its_columns(folder):
    release_context = context(folder / "sfumato.yaml")
    assert release_context.place.risk.level is Level.HIGH  # twelve people in two classes of six
    assert "has 6 persons" in release_context.place.risk.why[0]
    # Age very high, sex moderate, town none, diagnosis unanswered.
    assert release_context.place.benefit.level is Level.MODERATE
    assert release_context.place.words == "Risk high, benefit moderate: protect."
    assert release_context.benefits.irrelevant == ["town"]
    assert release_context.benefits.unanswered == ["diagnosis"]


def test_the_risk_is_that_of_the_release_when_one_is_named(folder):
    (folder / "release.csv").write_text("age,sex\n" + "30-39,f\n" * 20, encoding="utf-8")
    release_context = context(folder / "sfumato.yaml", str(folder / "release.csv"))
    assert release_context.place.risk.level is Level.LOW
    assert "release.csv has 20 records" in release_context.place.risk.why[0]
    assert "records were counted, not persons" in release_context.notes[0]
    assert [benefit.column for benefit in release_context.benefits.released] == ["age", "sex"]
    assert release_context.benefits.irrelevant == []


def test_numbers_that_became_texts_in_the_release_are_read_as_they_are(folder):
    file = changed(folder, ("age: {role: quasi}", "age: {role: quasi, type: integer, bins: [0, 31, 60]}"))
    (folder / "release.csv").write_text("age,sex\n" + "30-39,f\n" * 4 + "40-49,f\n" * 5, encoding="utf-8")
    assert context(file, str(folder / "release.csv")).place.risk.level is Level.VERY_HIGH


def test_without_a_table_the_risk_is_unanswered_and_the_release_is_not_placed(folder):
    release_context = context(folder / "sfumato.yaml", measure=False)
    assert release_context.place.risk.level is None
    assert release_context.place.area is None
    assert release_context.document()["matrix"]["sentence"] == "The release is not placed: a side is unanswered."
    assert "Risk unanswered, benefit moderate." in release_context.sheet().verdict


def test_an_empty_context_is_unanswered_through_and_through():
    release_context = Context.of(Project.parse("columns: {}"))
    assert release_context.unanswered == release_context.questions == 41
    document = release_context.document()
    assert all(c["answer"] == "unanswered" for section in document["five_safes"] for c in section["controls"])
    assert document["impact_assessment"]["likely_required"] is None
    assert (document["matrix"]["risk"]["level"], document["matrix"]["benefit"]["level"]) == (None, None)
    assert [section["yes"] for section in document["five_safes"]] == [0] * 5


def test_a_release_without_a_quasi_identifier_cannot_be_measured(folder):
    (folder / "release.csv").write_text("town\nA\n", encoding="utf-8")
    with pytest.raises(MissingRole):
        context(folder / "sfumato.yaml", str(folder / "release.csv"))


def test_a_recipient_of_grade_low_lowers_the_risk_by_one_level(folder):
    file = changed(folder, ("  purpose:", "  recipient: low\n  purpose:"))
    assert context(file).place.risk.level is Level.MODERATE


def test_the_recipient_may_be_a_file_of_answers_beside_the_project_file(folder):
    answers = page_files()["hospital.yaml"].decode()
    (folder / "hospital.yaml").write_text(answers, encoding="utf-8")
    release_context = context(changed(folder, ("  purpose:", "  recipient: hospital.yaml\n  purpose:")))
    assert release_context.grade == "Middle"
    assert release_context.place.risk.level is Level.HIGH


def test_a_level_that_people_decide_goes_before_the_rules_and_both_are_shown(folder):
    file = changed(folder, ("  purpose:", "  matrix: {risk: low, because: Three analysts.}\n  purpose:"))
    release_context = context(file)
    assert release_context.place.risk.level is Level.LOW
    assert release_context.document()["matrix"]["risk"]["by_the_rules"] == "high"
    assert release_context.document()["matrix"]["risk"]["decided"] is True
    assert release_context.document()["matrix"]["benefit"]["decided"] is False
    assert "instead of high by the rules: Three analysts." in release_context.sheet().text()


def test_a_level_without_a_reason_is_refused(folder):
    with pytest.raises(ProjectError, match="line 10: matrix of context: a level that people decide needs a reason"):
        Project.read(changed(folder, ("  purpose:", "  matrix: {risk: low}\n  purpose:")))


def test_a_column_that_the_plan_drops_is_not_released(folder):
    file = changed(folder, ("context:", "plan: {steps: [{drop: {columns: [town]}}]}\ncontext:"))
    assert context(file).benefits.irrelevant == []


def test_a_misspelt_column_among_the_benefits_is_an_error_with_its_line(folder):
    with pytest.raises(ProjectError, match=r"line 17: There is no column 'tawn'. Did you mean 'town'\?"):
        context(changed(folder, ("town: none", "tawn: none")))


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("peple: {}", "peple of context: there is no such key here. Did you mean 'people'?"),
        (
            "people: {agrement: yes}",
            "agrement of people of context: there is no such key here. Did you mean 'agreement'?",
        ),
        ("people: {agreement: partley}", "expected yes, partly, no or unanswered. Did you mean 'partly'?"),
        ("people: 5", "people of context: expected keys and answers"),
        ("release: publik", "expected public, restricted or internal. Did you mean 'public'?"),
        ("benefits: {age: hihg}", "need of age of benefits of context: expected none, low, medium or high. Did you"),
        ("benefits: {age: 3}", "age of benefits of context: expected keys and answers"),
        ("matrix: {risk: extreme, because: x}", "expected low, moderate, high or very high."),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_the_nearest_word(part, words):
    with pytest.raises(ProjectError) as error:
        Project.parse(f"context:\n  {part}\n")
    assert str(error.value).startswith("sfumato.yaml, line 2: ")
    assert words in str(error.value)


def test_the_json_schema_knows_every_question_and_agrees_with_the_reader(folder):
    import jsonschema
    import yaml

    schema = Project.json_schema()
    validator = jsonschema.Draft202012Validator(schema)
    assert not list(validator.iter_errors(yaml.safe_load(FILE.replace(": Y", ": yes"))))
    for wrong in (
        {"peple": {}},
        {"people": {"agreement": "maybe"}},
        {"matrix": {"risk": "low"}},
        {"benefits": {"a": "x"}},
    ):
        assert list(validator.iter_errors({"context": wrong})), wrong
    for name in ("ContextKeys", "SafePeopleKeys", "ImpactKeys", "MatrixKeys"):
        for key, rule in schema["$defs"][name]["properties"].items():
            assert rule["description"], key
            assert rule["examples"], key


def test_the_sheet_shows_every_question_and_what_is_unanswered(folder):
    text = context(folder / "sfumato.yaml").sheet().text()
    assert "protect [here]" in text
    assert "Remove what the purpose does not need: town." in text
    assert "Nobody has said what these are needed for: diagnosis." in text
    assert "37 questions unanswered: that counts neither as yes nor as no." in text
    assert text.rstrip().endswith("Evidence for a qualified decision; not a legal determination.")


def test_the_document_is_json_without_cell_values(folder):
    text = context(folder / "sfumato.yaml").to_json()
    assert json.loads(text)["matrix"]["area"] == "protect"
    assert not any(value in text for value in ("flu", "cold"))


def test_the_matrix_is_drawn_with_the_release_in_it_and_said_in_words(folder):
    from ...show.pictures import checked, texts

    chart = matrix_chart(context(folder / "sfumato.yaml"))
    drawn = texts(checked(chart))
    assert drawn.count("●") == 1
    assert "?" not in drawn
    assert drawn.count("protect") == 5
    assert "Marked: high risk, moderate benefit." in chart.alternative


def test_where_a_side_is_unanswered_every_possible_cell_has_a_question_mark(folder):
    from ...show.pictures import checked, texts

    for release_context, marks, words in (
        (context(folder / "sfumato.yaml", measure=False), 4, "Somewhere in: moderate benefit."),
        (Context.of(Project.parse("columns: {}"), MeasuredRisk(4, "t")), 4, "Somewhere in: very high risk."),
        (Context.of(Project.parse("columns: {}")), 0, "Nothing is marked."),
    ):
        chart = matrix_chart(release_context)
        written = texts(checked(chart))
        assert (written.count("?"), written.count("●")) == (marks, 0)
        assert words in chart.alternative


def test_the_page_holds_the_matrix_and_needs_nothing_from_elsewhere(folder):
    page = context_page(context(folder / "sfumato.yaml"))
    assert page.count("<svg") == 1
    assert "Risk and benefit of the release" in page
    assert "<script" not in page
    assert "src=" not in page


def test_a_risk_by_roles_that_nobody_confirmed_says_so(folder):
    assert context(folder / "sfumato.yaml").notes == ()
    release_context = context(changed(folder, ("sex: {role: quasi}", "sex: {role: quasi, proposed: true}")))
    assert release_context.notes == ("Nobody has confirmed the role of 1 column: the risk may be another.",)
    assert release_context.notes[0] in release_context.sheet().text()
