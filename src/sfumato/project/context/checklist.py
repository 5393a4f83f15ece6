"""Checklists: questions answered with yes, partly or no, where no answer is an answer of its own.

The checklists themselves are in `five_safes.yaml` and `impact_criteria.yaml`, with their references.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sfumato.project.packaged_data import packaged_yaml
from sfumato.project.recipient.questions import SPELLINGS
from sfumato.show.documents.context import ChecklistDocument, ControlDocument


class Response(StrEnum):
    """What was said to a question. Nothing said is never a yes."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"
    UNANSWERED = "unanswered"

    @classmethod
    def read(cls, given: object) -> Response | None:
        """The answer in one spelling; None when it is none of them.

        >>> [str(Response.read(given)) for given in (True, "N", " Partly", None, "perhaps")]
        ['yes', 'no', 'partly', 'unanswered', 'None']
        """
        if given is None:
            return cls.UNANSWERED
        if not isinstance(given, str | bool):
            return None
        word = " ".join(str(given).lower().split()) or cls.UNANSWERED.value
        word = SPELLINGS.get(word, word)
        return cls(word) if word in list(cls) else None


@dataclass(frozen=True)
class ChecklistQuestion:
    """One question of a checklist, and why it matters."""

    key: str
    asks: str
    why: str


@dataclass(frozen=True)
class ContextChecklist:
    """Questions on one subject."""

    key: str
    title: str
    about: str
    questions: tuple[ChecklistQuestion, ...]

    def answered(self, given: Mapping[str, object] | None = None) -> AnsweredChecklist:
        """The checklist with these answers; a question without one stays unanswered.

        >>> questions = (ChecklistQuestion("washed", "Clean hands?", ""), ChecklistQuestion("gloves", "?", ""))
        >>> nurse = ContextChecklist("nurse", "Nurse", "", questions)
        >>> [str(said) for _, said in nurse.answered({"washed": True})]
        ['yes', 'unanswered']
        """
        said = {key: Response.read(answer) for key, answer in (given or {}).items()}
        return AnsweredChecklist(
            self, {question.key: said.get(question.key) or Response.UNANSWERED for question in self.questions}
        )


@dataclass(frozen=True)
class AnsweredChecklist:
    """A checklist and what was said to each of its questions."""

    checklist: ContextChecklist
    answers: Mapping[str, Response] = field(hash=False)

    def __iter__(self) -> Iterator[tuple[ChecklistQuestion, Response]]:
        """Each question with what was said to it."""
        return ((question, self.answers[question.key]) for question in self.checklist.questions)

    def count(self, *said: Response) -> int:
        """How many questions were answered so."""
        return sum(answer in said for answer in self.answers.values())

    def keys(self, *said: Response) -> list[str]:
        """The questions that were answered so."""
        return [key for key, answer in self.answers.items() if answer in said]

    def content(self) -> ChecklistDocument:
        """The checklist as plain values."""
        return ChecklistDocument(
            name=self.checklist.key,
            title=self.checklist.title,
            about=self.checklist.about,
            yes=self.count(Response.YES),
            partly=self.count(Response.PARTLY),
            no=self.count(Response.NO),
            unanswered=self.count(Response.UNANSWERED),
            controls=[
                ControlDocument(key=question.key, question=question.asks, answer=response.value, why=question.why)
                for question, response in self
            ],
        )


def _checklists(name: str) -> tuple[ContextChecklist, ...]:
    return tuple(
        ContextChecklist(
            **{**entry, "questions": tuple(ChecklistQuestion(**question) for question in entry["questions"])}
        )
        for entry in packaged_yaml(__package__, name)
    )


FIVE_SAFES = _checklists("five_safes.yaml")
(CRITERIA,) = _checklists("impact_criteria.yaml")  # of an impact assessment
CHECKLISTS = (*FIVE_SAFES, CRITERIA)
