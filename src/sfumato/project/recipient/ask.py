"""The questionnaire at the terminal: every question asked, every answer understood."""

from __future__ import annotations

import os
import sys

from rich.console import Console

from sfumato.errors import ProjectError
from sfumato.outputs import require_new
from sfumato.project.recipient.answers import fault, save
from sfumato.project.recipient.questions import QUESTIONS, RecipientQuestion, YearsQuestion
from sfumato.project.recipient.recipient import Recipient


def ask(console: Console | None = None) -> dict[str, str | float]:
    """Ask every question, on the error stream, and read the answers from the standard input.

    What is no answer is asked again. When the input ends before the last answer, `ProjectError` says where.
    """
    # What was found may go to a file or another program; questions are for the person at the terminal.
    console = console or Console(stderr=True, highlight=False, emoji=False)
    answers: dict[str, str | float] = {}
    score = None
    for position, question in enumerate(QUESTIONS, start=1):
        if question.score is not score:
            score = question.score
            _say(console, f"{score.capitalize()}: {score.about}\n", style="bold cyan")
        _say(console, f"{position}/{len(QUESTIONS)}  {question.asks}", style="bold")
        for line in _explained(question):
            _say(console, f"  {line}", style="dim")
        answers[question.key] = _answered(console, question, position)
    return answers


def recipient_of(
    answers: str | os.PathLike[str] | None = None,
    *,
    save_to: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
) -> Recipient:
    """The recipient that a file of answers describes, or else the answers at the terminal, which may be saved."""
    if save_to is not None:
        require_new(save_to, overwrite=overwrite)  # before fifteen questions are answered, not after
    recipient = Recipient.of(ask() if answers is None else answers)
    if save_to is not None:
        save(recipient.answers, save_to, overwrite=overwrite)
    return recipient


def _explained(question: RecipientQuestion) -> list[str]:
    """What helps to answer: the hint, and choices by number where there are many."""
    numbered = [f"{n:>2}  {word}" for n, word in enumerate(question.words, start=1)] if _is_list(question) else []
    return [*([question.hint] if question.hint else []), *numbered]


def _answered(console: Console, question: RecipientQuestion, position: int) -> str | float:
    expected = f"a number from 1 to {len(question.words)}, or a word" if _is_list(question) else question.allowed
    while True:
        given = _line(console, f"  {expected}: ", question, position)
        read = question.read(_chosen(question, given))
        if read is not None:
            _say(console, "")
            return read
        wrong = fault(question, given)
        _say(console, f"  {wrong[0].upper()}{wrong[1:]}", style="red")


def _line(console: Console, prompt: str, question: RecipientQuestion, position: int) -> str:
    try:
        given = console.input(prompt, markup=False)
    except EOFError:
        _say(console, "")
        raise ProjectError(
            "standard input",
            f"it ended before {question.key} was answered (question {position} of {len(QUESTIONS)}). "
            f"Expected {question.allowed}. To answer in a file: sfumato recipient --template FILE",
        ) from None
    except UnicodeDecodeError:
        raise ProjectError("standard input", f"the answer to {question.key} is not text in UTF-8.") from None
    if not sys.stdin.isatty():
        _say(console, given)  # nobody typed it, so it is not on the screen
    return given


def _chosen(question: RecipientQuestion, given: str) -> str:
    """The word that a number stands for, where choices are numbered."""
    numbered = {str(n): word for n, word in enumerate(question.words, start=1)} if _is_list(question) else {}
    return numbered.get(given.strip(), given)


def _is_list(question: RecipientQuestion) -> bool:
    return not isinstance(question, YearsQuestion) and len(question.words) > 2


def _say(console: Console, words: str, style: str | None = None) -> None:
    console.print(words, style=style, markup=False, soft_wrap=True)
