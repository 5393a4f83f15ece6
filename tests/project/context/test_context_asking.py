"""The questions at the terminal: typed, or from a pipe."""

import io
import sys

import pytest
from rich.console import Console

from sfumato.errors import ProjectError
from sfumato.project.context.ask import ask_context
from sfumato.project.context.checklist import CHECKLISTS

QUESTIONS = [question for checklist in CHECKLISTS for question in checklist.questions]


@pytest.fixture
def typed(monkeypatch):
    """What a person types, line by line, gives the answers and what was on the screen."""

    def answer(*lines: object, known=None, columns=()):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        screen = io.StringIO()
        return ask_context(known, columns, Console(file=screen, width=100, highlight=False)), screen.getvalue()

    return answer


def flat(answers):
    return {key: answer for checklist in CHECKLISTS for key, answer in (answers.get(checklist.key) or {}).items()}


def test_every_question_is_asked_once_with_why_and_its_answer_kept(typed):
    said = [*["yes", "partly", "no"] * 13, "yes", "no"]
    answers, screen = typed("Research", "public", *said, "high", "none", columns=("age", "town"))
    assert list(flat(answers).values()) == said
    assert list(flat(answers)) == [question.key for question in QUESTIONS]
    assert [screen.count(question.asks) for question in QUESTIONS] == [1] * 41
    assert all(question.why in screen for question in QUESTIONS)
    assert (answers["purpose"], answers["release"]) == ("Research", "public")
    assert answers["benefits"] == {"age": {"need": "high"}, "town": {"need": "none"}}


def test_an_empty_line_leaves_a_question_unanswered(typed):
    answers, screen = typed(*[""] * 48, columns=("age",))
    assert set(flat(answers).values()) == {None}
    assert answers["benefits"] == {"age": {"need": None}}
    assert screen.count("[unanswered]: ") == 48


def test_an_empty_line_keeps_what_was_answered_before(typed):
    known = {"purpose": "Research", "people": {"trained": True}, "benefits": {"age": {"need": "low", "form": "years"}}}
    answers, screen = typed(*[""] * 44, known=known, columns=("age",))
    assert answers["purpose"] == "Research"
    assert answers["people"]["trained"] == "yes"
    assert answers["benefits"] == known["benefits"]
    assert "  any words [Research]: " in screen


def test_an_answer_may_be_taken_back(typed):
    answers, _ = typed("", "", "unanswered", known={"projects": {"purpose_stated": "yes"}})
    assert answers["projects"]["purpose_stated"] == "unanswered"


@pytest.mark.parametrize("wrong", ["perhaps", "1", "[/red]", "9" * 5000])
def test_a_wrong_answer_asks_again_and_says_what_is_allowed(typed, wrong):
    answers, screen = typed("", "", wrong, "partly")
    assert answers["projects"]["purpose_stated"] == "partly"
    assert screen.count("This is not one of the answers. Expected yes, partly or no.") == 1


def test_an_input_that_ends_early_leaves_the_rest_as_it_was_and_says_so(typed):
    known = {"dpia": {"scoring": "yes"}}
    answers, screen = typed("Research", known=known)
    assert answers["purpose"] == "Research"
    assert flat(answers) == {"scoring": "yes"}
    assert "The input ended" in screen


def test_bytes_that_are_no_text_are_an_error_of_ours(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"h\xf4pital\n"), encoding="utf-8"))
    with pytest.raises(ProjectError, match="the answer to purpose is not text in UTF-8"):
        ask_context(console=Console(file=io.StringIO()))


def test_questions_go_to_the_error_stream_so_that_results_can_be_piped(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("Research\n"))
    ask_context()
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "What are the data released for?" in shown.err
