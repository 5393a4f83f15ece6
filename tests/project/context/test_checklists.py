"""Five Safes and impact assessment: nothing said is never a yes, and never a no."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.project.context.checklist import CRITERIA, FIVE_SAFES, Response
from sfumato.project.context.impact import Impact

KEYS = [question.key for question in CRITERIA.questions]


def test_there_are_five_sections_in_the_order_of_the_framework():
    assert [section.key for section in FIVE_SAFES] == ["projects", "people", "settings", "data", "outputs"]


def test_every_checklist_is_complete():
    for checklist in (*FIVE_SAFES, CRITERIA):
        assert all((checklist.key, checklist.title, checklist.about))
        assert all(all((question.key, question.asks, question.why)) for question in checklist.questions)
    assert [len(checklist.questions) for checklist in FIVE_SAFES] == [9, 6, 6, 7, 4]
    assert len(CRITERIA.questions) == 9


def test_every_control_is_asked_once_and_says_why_it_matters():
    questions = [question for section in (*FIVE_SAFES, CRITERIA) for question in section.questions]
    assert len({question.key for question in questions}) == len(questions)
    assert [question.key for question in questions if not question.asks.endswith((".", "?"))] == []
    assert [question.key for question in questions if len(question.why) < 20 or not question.why.endswith(".")] == []


def test_what_the_sources_ask_for_is_asked():
    """Articles 25 and 35 of the GDPR (S3.1), consent and rights (S3), honest broker and usage log (S4.15), S4.16."""
    keys = {question.key for section in FIVE_SAFES for question in section.questions}
    assert {"impact_assessment", "protection_by_design", "honest_broker", "usage_log", "minimised"} <= keys
    assert {"consent", "subject_rights"} <= keys


@given(st.fixed_dictionaries({}, optional={key: st.sampled_from([*Response, True, False, None, ""]) for key in KEYS}))
def test_only_a_yes_counts_as_yes_and_every_question_is_counted_once(answers):
    criteria = CRITERIA.answered(answers)
    assert criteria.count(Response.YES) == sum(answer in ("yes", True) for answer in answers.values())
    assert criteria.count(Response.NO) == sum(
        answer in ("no", False) for answer in answers.values() if answer is not None
    )
    assert sum(criteria.count(said) for said in Response) == 9


@pytest.mark.parametrize("answer", ["perhaps", 1, 0, ["yes"], "yes and no"])
def test_what_is_no_answer_leaves_the_question_unanswered(answer):
    assert CRITERIA.answered({"scoring": answer}).keys(Response.UNANSWERED) == KEYS


def test_the_nine_criteria_of_wp_248_are_asked():
    assert len(KEYS) == 9


@given(st.lists(st.sampled_from(Response), min_size=9, max_size=9))
def test_the_impact_is_decided_only_where_no_open_answer_could_change_it(responses):
    """Brute force: every way in which the unanswered could still be answered."""
    ways = product(
        *((answer,) if answer is not Response.UNANSWERED else (Response.YES, Response.NO) for answer in responses)
    )
    outcomes = {sum(answer in (Response.YES, Response.PARTLY) for answer in way) >= 2 for way in ways}
    impact = Impact(CRITERIA.answered(dict(zip(KEYS, responses, strict=True))))
    assert impact.likely is (outcomes.pop() if len(outcomes) == 1 else None)


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({}, "0 criteria of 9 met, 9 unanswered: whether a DPIA is required cannot be said yet."),
        (
            {"scoring": "yes", "combined": "yes"},
            "2 criteria of 9 met, 7 unanswered: an impact assessment (DPIA) is likely",
        ),
        (dict.fromkeys(KEYS, "no"), "0 criteria of 9 met: nothing that was answered makes a DPIA likely"),
        ({**dict.fromkeys(KEYS, "no"), "scoring": "partly"}, "1 criterion of 9 met: one can be enough."),
    ],
)
def test_what_follows_is_said_as_evidence(answers, words):
    impact = Impact(CRITERIA.answered(answers))
    assert impact.words.startswith(words)
    assert impact.content().sentence == impact.words
