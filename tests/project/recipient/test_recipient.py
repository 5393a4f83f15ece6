"""The recipient: scores, grade and threshold, and what is said about answers that cannot be."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ProjectError
from sfumato.project.recipient.grade import Grade
from sfumato.project.recipient.questions import QUESTIONS, Score, YearsQuestion
from sfumato.project.recipient.recipient import Recipient, recipient

RISKS = ("shaming", "profit", "ban_missing", "open_data")
PROTECTIONS = (
    "training", "handling_plan", "safe_transfer", "intrusion_protection", "access_records", "security_checks",
)  # fmt: skip
KNOWLEDGE = ("expertise", "resources", "other_databases")

ANSWERS = st.fixed_dictionaries(
    {q.key: st.floats(0, 80) if isinstance(q, YearsQuestion) else st.sampled_from(q.words) for q in QUESTIONS}
)
ORDER = [Grade.LOW, Grade.MIDDLE, Grade.HIGH]


def test_every_question_is_complete_and_no_score_exceeds_10():
    assert len({question.key for question in QUESTIONS}) == len(QUESTIONS) == 15
    assert all(question.asks.endswith("?") and len(question.answers) >= 2 for question in QUESTIONS)
    assert all(bool(answer.points) is bool(answer.why) for question in QUESTIONS for answer in question.answers)
    most = [(q.score, max(answer.points for answer in q.answers)) for q in QUESTIONS]
    assert {score: sum(points for of, points in most if of is score) for score in Score} == dict.fromkeys(Score, 10)


@pytest.mark.parametrize("scores", [(10, 2, 8), (10, 5, 5)])
def test_the_examples_of_the_paper_are_middle_with_6_67(scores):
    """Table 5 has (10, 2, 8), the text (10, 5, 5)."""
    graded = Recipient.of_scores(*scores)
    assert graded.average == 20 / 3
    assert (graded.grade, graded.threshold) == ("Middle", 0.5)
    assert "an average of 6.67 out of 10" in str(graded)
    assert round(json.loads(graded.to_json())["average"], 2) == 6.67


@pytest.mark.parametrize(
    ("scores", "grade", "threshold"),
    [
        ((10, 10, 10), "High", 0.25), ((10, 10, 1), "High", 0.25), ((10, 10, 0), "Middle", 0.5),
        ((1, 1, 10), "Middle", 0.5), ((1, 1, 9), "Low", 0.75), ((0, 0, 0), "Low", 0.75),
    ],
)  # fmt: skip
def test_high_begins_at_7_and_middle_at_4(scores, grade, threshold):
    graded = Recipient.of_scores(*scores)
    assert (graded.grade, graded.threshold) == (grade, threshold)


@pytest.mark.parametrize(
    ("answer", "points"),
    [
        ("insurer", 10), ("insurance reviewer", 10), ("public hospital", 10), ("hospital", 10), ("ministry", 5),
        ("pharmaceutical company", 5), ("other", 1), ("high", 10), ("middle", 5), ("low", 1),
        ("Public_Hospital", 10), (" pharmaceutical-company ", 5),
    ],
)  # fmt: skip
def test_the_institution_is_a_kind_or_a_grade(safe, answer, points):
    assert recipient({**safe, "institution": answer}).linkage == points


@pytest.mark.parametrize(
    ("years", "points"),
    [(0, 0), (2.99, 0), (3, 3), (6.99, 3), (7, 5), ("9.99", 5), (10, 7), ("10", 7), (80, 7)],
)
def test_the_working_period_scores_from_its_first_year_on(safe, years, points):
    assert recipient({**safe, "working_years": years}).understanding == points


@pytest.mark.parametrize("key", RISKS)
def test_a_yes_to_a_reason_to_re_identify_is_one_point(safe, key):
    graded = recipient({**safe, key: "yes"})
    assert (graded.reidentifiability, graded.reasons[-1].question, graded.reasons[-1].points) == (1, key, 1)


@pytest.mark.parametrize("key", PROTECTIONS)
def test_a_no_to_a_protection_is_one_point(safe, key):
    graded = recipient({**safe, key: "no"})
    assert (graded.reidentifiability, graded.reasons[-1].question, graded.reasons[-1].points) == (1, key, 1)


@pytest.mark.parametrize("key", KNOWLEDGE)
def test_a_yes_to_knowledge_is_one_point(safe, key):
    assert recipient({**safe, key: "yes"}).understanding == 1


def test_the_worst_answers_score_10_each_and_the_best_1_in_all(safe):
    worst = {**dict.fromkeys(RISKS + KNOWLEDGE, "yes"), **dict.fromkeys(PROTECTIONS, "no")}
    graded = recipient({**worst, "institution": "insurer", "working_years": 10})
    assert (graded.linkage, graded.reidentifiability, graded.understanding) == (10, 10, 10)
    best = recipient(safe)
    assert (best.linkage, best.reidentifiability, best.understanding) == (1, 0, 0)


def test_the_questions_are_1_of_linkage_10_of_reidentifiability_and_4_of_understanding():
    assert [sum(question.score is score for question in QUESTIONS) for score in Score] == [1, 10, 4]
    assert len({question.key for question in QUESTIONS}) == 15


def test_every_answer_that_scores_says_why_in_a_sentence():
    for answer in (answer for question in QUESTIONS for answer in question.answers):
        assert bool(answer.why) == bool(answer.points)
        assert not answer.why or re.fullmatch(r"[A-Z].*\.", answer.why)


@pytest.mark.parametrize(
    ("yes", "no"),
    [("yes", "no"), ("Yes", "NO"), ("y", "n"), ("true", "false"), (True, False), (" YES ", "N")],
)
def test_a_yes_has_many_spellings(safe, yes, no):
    graded = recipient({**safe, "shaming": yes, "training": no})
    assert graded.reidentifiability == 2
    assert (graded.answers["shaming"], graded.answers["training"]) == ("yes", "no")


@given(ANSWERS)
def test_each_score_is_the_sum_of_its_reasons_and_lies_within_0_and_10(answers):
    graded = recipient(answers)
    for score in Score:
        value = getattr(graded, score)
        assert 0 <= value <= 10
        assert value == sum(reason.points for reason in graded.reasons if reason.score is score)


@given(ANSWERS, st.sampled_from(RISKS + KNOWLEDGE))
def test_one_more_yes_to_a_risk_never_lowers_the_grade_nor_raises_the_threshold(answers, key):
    less, more = recipient({**answers, key: "no"}), recipient({**answers, key: "yes"})
    assert ORDER.index(more.grade) >= ORDER.index(less.grade)
    assert more.threshold <= less.threshold


@given(ANSWERS, st.sampled_from(PROTECTIONS))
def test_one_more_protection_never_raises_the_grade(answers, key):
    without, protected = recipient({**answers, key: "no"}), recipient({**answers, key: "yes"})
    assert ORDER.index(protected.grade) <= ORDER.index(without.grade)


@given(ANSWERS, st.floats(0, 80), st.floats(0, 80))
def test_more_years_never_lower_the_grade(answers, one, other):
    fewer, more = (recipient({**answers, "working_years": years}) for years in sorted((one, other)))
    assert ORDER.index(more.grade) >= ORDER.index(fewer.grade)


@pytest.mark.parametrize("scores", [(11, 0, 0), (0, -1, 0), (0, 0, 2.5), (True, 0, 0), ("1", 0, 0)])
def test_a_score_beyond_0_to_10_is_refused(scores):
    with pytest.raises(ProjectError, match="expected a whole number from 0 to 10"):
        Recipient.of_scores(*scores)


def test_the_document_has_the_scores_the_grade_the_reasons_and_the_answers(safe):
    document = json.loads(recipient({**safe, "institution": "ministry", "profit": True}).to_json())
    assert list(document) == [
        "linkage", "reidentifiability", "understanding", "average", "grade", "threshold", "reasons", "answers",
    ]  # fmt: skip
    assert [document[key] for key in list(document)[:6]] == [5, 1, 0, 2.0, "Low", 0.75]
    assert document["reasons"][1] == {
        "question": "profit",
        "score": "reidentifiability",
        "points": 1,
        "why": "There is money in finding people in the data.",
        "sentence": "There is money in finding people in the data (1 point).",
    }
    assert document["answers"]["profit"] == "yes"
    assert list(document["answers"]) == [question.key for question in QUESTIONS]


def test_the_sheet_shows_scores_grade_threshold_and_reasons(safe):
    graded = recipient({**safe, "institution": "hospital", "working_years": 12})
    text = str(graded)
    assert repr(graded) == text
    assert "Grade Middle: an average of 5.67 out of 10." in text
    rows = [" ".join(line.split()) for line in text.split("\n")]
    assert "linkage institution 10 A hospital has clinical records of its own to link with." in rows
    assert "add up to 0.5 or more" in text
    assert "honest broker" in text
    assert "2 of 15 answers score" in text
    assert graded._repr_html_().startswith('<div class="sfumato"><h3>Recipient of the data</h3>')


def test_a_recipient_of_scores_alone_gives_no_reasons():
    assert "Why" not in str(Recipient.of_scores(1, 2, 3)).split("\n")
