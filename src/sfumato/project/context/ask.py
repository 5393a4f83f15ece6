"""The questions about the context at the terminal: what is not answered stays unanswered."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console

from sfumato.errors import ProjectError, did_you_mean
from sfumato.project.context.checklist import CHECKLISTS, ContextChecklist, Response
from sfumato.project.context.file import TEXTS
from sfumato.project.file.context_keys import AUDIENCES, NEEDS

Read = Callable[[str], str | None]


def ask_context(
    answers: Mapping[str, Any] | None = None, columns: tuple[str, ...] = (), console: Console | None = None
) -> dict[str, Any]:
    """Ask every question, on the error stream, and read the answers from the standard input.

    An empty line keeps what was answered before, or leaves the question unanswered. What is no answer is asked again.
    When the input ends, the remaining questions stay as they were.
    """
    # What was found may go to a file or another program; questions are for the person at the terminal.
    asking = _Asking(console or Console(stderr=True, highlight=False, emoji=False), dict(answers or {}))
    try:
        asking.texts()
        for checklist in CHECKLISTS:
            asking.checklist(checklist)
        asking.benefits(columns)
        asking.responsibility()
    except EOFError:
        asking.say("\nThe input ended: the questions that are left stay as they were.")
    return asking.answers


@dataclass
class _Asking:
    """A walk through the questions, with the answers so far."""

    console: Console
    answers: dict[str, Any] = field(default_factory=dict)

    def texts(self) -> None:
        """What the release is for, and for whom."""
        self.say("Enter leaves a question as it is.\n", "dim")
        self._put(self.answers, "purpose", "What are the data released for?", expected="any words", read=str.strip)
        self._put(self.answers, "release", "Who may have them?", expected=_either(AUDIENCES), read=_one_of(AUDIENCES))

    def checklist(self, checklist: ContextChecklist) -> None:
        """The questions of one subject."""
        self.say(f"\n{checklist.title}\n{checklist.about}", "bold cyan")
        given = {**(self.answers.get(checklist.key) or {})}
        self.answers[checklist.key] = given
        for question in checklist.questions:
            said = Response.read(given.get(question.key))
            given[question.key] = None if said in (None, Response.UNANSWERED) else str(said)
            self._put(given, question.key, question.asks, expected="yes, partly or no", read=_said, why=question.why)

    def benefits(self, columns: tuple[str, ...]) -> None:
        """How much the purpose needs each column."""
        self.say("\nBenefit\nHow much does the purpose need each column?", "bold cyan")
        given = {**(self.answers.get("benefits") or {})}
        self.answers["benefits"] = given
        for column in columns:
            whole = given.get(column)
            known = dict(whole) if isinstance(whole, Mapping) else {"need": whole}
            given[column] = known
            self._put(known, "need", column, expected=_either(NEEDS), read=_one_of(NEEDS))

    def responsibility(self) -> None:
        """Who answers for the release, and on which grounds: what a supervisory authority asks first."""
        self.say("\nResponsibility\nWho answers for the release, to whom, and on which grounds?", "bold cyan")
        for key in ("handed_to", "controller", "officer", "legal_basis"):
            self._put(self.answers, key, TEXTS[key], expected="any words", read=str.strip)

    def say(self, words: str, style: str | None = None) -> None:
        """Say something to the person at the terminal."""
        self.console.print(words, style=style, markup=False, soft_wrap=True)

    def _put(self, into: dict[str, Any], key: str, asks: str, *, expected: str, read: Read, why: str = "") -> None:
        """Ask one question until it is answered, or left as it is."""
        self.say(f"\n{asks}", "bold")
        if why:
            self.say(f"  {why}", "dim")
        kept = into.get(key)
        while given := self._line(f"  {expected} [{kept or Response.UNANSWERED}]: ", key):
            answer = read(given)
            if answer is not None:
                into[key] = answer
                return
            self.say(f"  This is not one of the answers. Expected {expected}.{_near(given, expected)}", "red")

    def _line(self, prompt: str, key: str) -> str:
        try:
            given = self.console.input(prompt, markup=False)
        except UnicodeDecodeError:
            raise ProjectError("standard input", f"the answer to {key} is not text in UTF-8.") from None
        if not sys.stdin.isatty():
            self.say(given)  # nobody typed it, so it is not on the screen
        return given.strip()


def _said(given: str) -> str | None:
    response = Response.read(given)
    return None if response is None else response.value


def _one_of(options: tuple[str, ...]) -> Read:
    def read(given: str) -> str | None:
        word = given.strip().lower()
        return word if word in options else None

    return read


def _either(options: tuple[str, ...]) -> str:
    return f"{', '.join(options[:-1])} or {options[-1]}"


def _near(given: str, expected: str) -> str:
    words = did_you_mean(given, expected.replace(" or ", ", ").split(", "))
    return words if words.startswith(" Did you mean") else ""
