"""The questionnaire: what is asked about who will receive the data, and what each answer scores.

The questions themselves are in `questions.yaml`, with their reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sfumato.packaged_data import packaged_yaml
from sfumato.show.sheet import counted

LONGEST_CAREER = 80  # years; more is the year in which somebody began

SPELLINGS = {"y": "yes", "true": "yes", "n": "no", "false": "no"}


class Score(StrEnum):
    """The three scores, each from 0 to 10: the higher, the easier it is to re-identify people."""

    LINKAGE = "linkage"
    REIDENTIFIABILITY = "reidentifiability"
    UNDERSTANDING = "understanding"

    @property
    def about(self) -> str:
        """What the score says, in plain words."""
        return {
            Score.LINKAGE: "how easily the institution can link the data with other data",
            Score.REIDENTIFIABILITY: "reasons to re-identify people, and gaps in the protection of the data",
            Score.UNDERSTANDING: "how well the users know such data and the work with it",
        }[self]


@dataclass(frozen=True)
class Answer:
    """One answer that a question allows, what it scores, and why."""

    text: str
    points: int
    why: str = ""
    from_years: float = 0  # of a number of years: the first that this answer stands for

    def __str__(self) -> str:
        """The answer and its points: `yes (1 point)`."""
        return f"{self.text} ({counted(self.points, 'point')})"


@dataclass(frozen=True)
class RecipientQuestion:
    """A question that is answered with one of a few words.

    >>> bans = RecipientQuestion("ban", "Is there a ban?", Score.LINKAGE, (Answer("yes", 0), Answer("no", 1)))
    >>> bans.read("N"), bans.read(True), bans.read("perhaps"), bans.allowed
    ('no', 'yes', None, 'yes or no')
    """

    key: str
    asks: str
    score: Score
    answers: tuple[Answer, ...]
    hint: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The answers as they are written."""
        return tuple(answer.text for answer in self.answers)

    @property
    def allowed(self) -> str:
        """What may be answered, for people."""
        return f"{', '.join(self.words[:-1])} or {self.words[-1]}"

    def read(self, given: object) -> str | float | None:
        """The answer as it is written here, whatever its spelling; None when it is no answer."""
        if not isinstance(given, str | bool):
            return None
        word = " ".join(str(given).lower().replace("_", " ").replace("-", " ").split())
        word = SPELLINGS.get(word, word)
        return word if word in self.words else None

    def answer(self, read: str | float) -> Answer:
        """The answer that was read, with what it scores."""
        return next(answer for answer in self.answers if answer.text == read)


@dataclass(frozen=True)
class YearsQuestion(RecipientQuestion):
    """A question that is answered with a number of years; its answers are the periods that score alike."""

    @property
    def allowed(self) -> str:
        """What may be answered, for people."""
        return f"a number of years from 0 to {LONGEST_CAREER}"

    def read(self, given: object) -> str | float | None:
        """The years as a number, or None when this is no working period."""
        if isinstance(given, bool) or not isinstance(given, str | int | float):
            return None
        try:
            years = float(given)
        except (ValueError, OverflowError):
            return None
        if not 0 <= years <= LONGEST_CAREER:
            return None
        return int(years) if years.is_integer() else years

    def answer(self, read: str | float) -> Answer:
        """The period that the years fall in."""
        return [period for period in self.answers if period.from_years <= float(read)][-1]


def _question(entry: Mapping[str, Any]) -> RecipientQuestion:
    """A question as it is listed: with its answers, or with which of yes and no scores a point, and why."""
    about = {"key": entry["key"], "asks": entry["asks"], "score": Score(entry["score"]), "hint": entry.get("hint", "")}
    if "scores" not in entry:
        kind = YearsQuestion if entry.get("years") else RecipientQuestion
        return kind(answers=tuple(Answer(**answer) for answer in entry["answers"]), **about)
    either = (Answer(word, 1, entry["why"]) if word == entry["scores"] else Answer(word, 0) for word in ("yes", "no"))
    return RecipientQuestion(answers=tuple(either), **about)


QUESTIONS: tuple[RecipientQuestion, ...] = tuple(map(_question, packaged_yaml(__package__, "questions.yaml")))
