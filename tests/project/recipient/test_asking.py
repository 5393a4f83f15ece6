"""The questionnaire at the terminal: typed, or from a pipe."""

import io
import sys

import pytest
from rich.console import Console

from sfumato.errors import OutputError, ProjectError
from sfumato.project.recipient.ask import ask, recipient_of
from sfumato.project.recipient.questions import QUESTIONS
from sfumato.project.recipient.recipient import recipient


@pytest.fixture
def typed(monkeypatch):
    """What a person types, line by line, gives the answers and what was on the screen."""

    def answer(*lines: object):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        screen = io.StringIO()
        try:
            return ask(Console(file=screen, width=100, highlight=False)), screen.getvalue()
        except ProjectError as error:
            return error, screen.getvalue()

    return answer


def test_every_question_is_asked_once_and_its_answer_kept(typed, safe):
    answers, screen = typed(*safe.values())
    assert answers == safe
    assert list(answers) == [question.key for question in QUESTIONS]
    assert [screen.count(question.asks) for question in QUESTIONS] == [1] * 15
    assert recipient(answers).average == 1 / 3


def test_an_institution_is_chosen_by_its_number_or_its_name(typed, safe):
    _, *rest = safe.values()
    for given, kind in (("1", "insurer"), ("4", "hospital"), ("Public Hospital", "public hospital"), ("10", "low")):
        assert typed(given, *rest)[0]["institution"] == kind


def test_the_choices_are_numbered_and_explained(typed, safe):
    _, screen = typed(*safe.values())
    assert "\n   1  insurer\n" in screen
    assert "\n  10  low\n" in screen
    assert "Choose the nearest kind" in screen
    assert "Of several users, the one who has worked longest counts." in screen
    assert "  yes or no: " in screen


@pytest.mark.parametrize("wrong", ["0", "11", "-1", "", "hospitel", "[/red]", "9" * 5000])
def test_a_wrong_answer_asks_again_and_says_what_is_allowed(typed, safe, wrong):
    _, *rest = safe.values()
    answers, screen = typed(wrong, "ministry", *rest)
    assert answers["institution"] == "ministry"
    assert screen.count("Expected insurer, insurance reviewer, ") == 1


def test_a_misspelt_answer_is_guessed_and_an_empty_one_is_no_answer(typed, safe):
    _, *rest = safe.values()
    _, screen = typed("hospitel", "", "other", *rest)
    assert "  This is not one of the answers. Expected insurer" in screen
    assert "Did you mean 'hospital'?" in screen
    assert "  This question is not answered. Expected insurer" in screen


def test_a_number_is_a_choice_only_where_choices_are_numbered(typed, safe):
    institution, *rest = safe.values()
    answers, screen = typed(institution, "1", *rest)
    assert answers == safe
    assert "This is not one of the answers. Expected yes or no." in screen


def test_years_are_asked_again_until_they_are_years(typed, safe):
    *first, _ = safe.values()
    answers, screen = typed(*first, "2015", "many", "7.5")
    assert answers["working_years"] == 7.5
    assert screen.count("Expected a number of years from 0 to 80.") == 2


@pytest.mark.parametrize("answered", [0, 1, 14])
def test_an_input_that_ends_early_is_an_error_that_names_the_question(typed, safe, answered):
    error, _ = typed(*list(safe.values())[:answered])
    assert isinstance(error, ProjectError)
    assert f"ended before {QUESTIONS[answered].key} was answered (question {answered + 1} of 15)" in str(error)


def test_one_wrong_answer_in_a_pipe_never_shifts_the_others_unnoticed(typed, safe):
    error, _ = typed("hospitel", *list(safe.values())[1:])
    assert isinstance(error, ProjectError)


def test_bytes_that_are_no_text_are_an_error_of_ours(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"h\xf4pital\n"), encoding="utf-8"))
    with pytest.raises(ProjectError, match="the answer to institution is not text in UTF-8"):
        ask(Console(file=io.StringIO()))


def test_questions_go_to_the_error_stream_so_that_results_can_be_piped(monkeypatch, capsys, safe):
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in safe.values())))
    assert ask() == safe
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "1/15  What kind of institution" in shown.err


def test_what_was_answered_is_saved_and_gives_the_same_recipient_again(monkeypatch, tmp_path, safe):
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in safe.values())))
    asked = recipient_of(save_to=tmp_path / "answers.yaml")
    assert asked == recipient_of(tmp_path / "answers.yaml") == recipient(safe)


def test_a_file_that_cannot_be_saved_is_refused_before_the_first_question(monkeypatch, tmp_path, capsys):
    (tmp_path / "answers.yaml").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match="exists already"):
        recipient_of(save_to=tmp_path / "answers.yaml")
    assert capsys.readouterr().err == ""
