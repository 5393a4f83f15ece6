"""The recipient: how far whoever receives the data could re-identify people in it.

Reference: Jung, Park, Lee, Lee, Lee, Cha. A determination scheme for quasi-identifiers using uniqueness and influence
for de-identification of clinical data, steps 3 and 4.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sfumato.errors import ProjectError
from sfumato.project.recipient.answers import Answers, read_answers
from sfumato.project.recipient.grade import Grade
from sfumato.project.recipient.questions import QUESTIONS, Score
from sfumato.schema import TOLERANCE
from sfumato.show.documents.recipient import ReasonDocument, RecipientDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet, counted
from sfumato.show.sheets.recipient import recipient_sheet


@dataclass(frozen=True)
class Reason:
    """One answer that scored: the question, the score that it counts for, its points, and why."""

    question: str
    score: Score
    points: int
    why: str

    def __str__(self) -> str:
        """One sentence, with its points."""
        return f"{self.why.rstrip('.')} ({counted(self.points, 'point')})."

    def content(self) -> ReasonDocument:
        """The reason as plain values."""
        return ReasonDocument(
            question=self.question, score=self.score.value, points=self.points, why=self.why, sentence=str(self)
        )


@dataclass(frozen=True, repr=False)
class Recipient(Presented):
    r"""The three scores of a recipient, the grade that their average gives, and the threshold of that grade.

    .. math:: \bar s = \tfrac13 (s_\text{linkage} + s_\text{reidentifiability} + s_\text{understanding}),
              \quad \text{High if } \bar s \ge 7, \text{ Middle if } 4 \le \bar s < 7, \text{ Low if } \bar s < 4

    Each score is a whole number from 0 to 10. Linkage: 10, 5 or 1 by the kind of institution. Re-identifiability: a
    point for each reason to re-identify (of 4), and one for each protection that lacks (of 6). Understanding: a point
    for each kind of knowledge (of 3), and 0, 3, 5 or 7 for less than 3, 7, 10, or for more years of work. The paper
    leaves an average of exactly 4 open; here it is Middle, the safer side.

    References
    ----------
    Jung et al., A determination scheme for quasi-identifiers using uniqueness and influence, tables 1 to 5.

    Examples
    --------
    The two recipients of the paper, one from the text and one from the table:

    >>> for graded in Recipient.of_scores(10, 5, 5), Recipient.of_scores(10, 2, 8):
    ...     print(round(graded.average, 2), graded.grade, graded.threshold)
    6.67 Middle 0.5
    6.67 Middle 0.5
    """

    linkage: int
    reidentifiability: int
    understanding: int
    reasons: tuple[Reason, ...] = ()
    answers: Answers = field(default_factory=dict, hash=False)
    answered_in: str | None = field(default=None, compare=False)  # the file of the answers, where there is one

    def __post_init__(self) -> None:
        for score in Score:
            value = getattr(self, score)
            if type(value) is not int or not 0 <= value <= 10:
                raise ProjectError("scores", f"{score}: expected a whole number from 0 to 10.")

    @classmethod
    def of(cls, answers: Mapping[str, Any] | str | os.PathLike[str]) -> Recipient:
        """The recipient that these answers, or the answers of a file, describe."""
        given = read_answers(answers)
        reasons = tuple(_reasons(given))
        points = {score: sum(reason.points for reason in reasons if reason.score is score) for score in Score}
        return cls(
            points[Score.LINKAGE], points[Score.REIDENTIFIABILITY], points[Score.UNDERSTANDING], reasons, given,
            answered_in=None if isinstance(answers, Mapping) else os.fspath(answers),
        )  # fmt: skip

    @classmethod
    def of_scores(cls, linkage: int, reidentifiability: int, understanding: int) -> Recipient:
        """The recipient with these scores, whatever the answers were."""
        return cls(linkage, reidentifiability, understanding)

    @property
    def average(self) -> float:
        """The mean of the three scores, not rounded."""
        return (self.linkage + self.reidentifiability + self.understanding) / 3

    @property
    def grade(self) -> Grade:
        """High, Middle or Low."""
        if self.average >= 7:
            return Grade.HIGH
        return Grade.MIDDLE if self.average >= 4 else Grade.LOW

    @property
    def threshold(self) -> float:
        """The score from which on a column counts as a quasi-identifier for this recipient."""
        return self.grade.threshold

    def content(self) -> RecipientDocument:
        """The recipient as plain values; the average with four decimals."""
        return RecipientDocument(
            linkage=self.linkage,
            reidentifiability=self.reidentifiability,
            understanding=self.understanding,
            average=round(self.average, 4),
            grade=self.grade.value,
            threshold=self.threshold,
            reasons=[reason.content() for reason in self.reasons],
            answers=self.answers,
        )

    def sheet(self) -> Sheet:
        """The recipient for people: titled tables, for a terminal, a notebook or a page."""
        return recipient_sheet(self.content(), {score.value: score.about for score in Score})


def recipient(answers: Mapping[str, Any] | str | os.PathLike[str]) -> Recipient:
    """The recipient that these answers, or the answers of a file, describe.

    >>> safe = dict.fromkeys(["training", "handling_plan", "safe_transfer", "intrusion_protection", "access_records",
    ...                       "security_checks"], "yes")
    >>> tempted = dict.fromkeys(["shaming", "profit", "ban_missing", "open_data"], "no")
    >>> able = dict.fromkeys(["expertise", "resources", "other_databases"], True)
    >>> graded = recipient({"institution": "ministry", "working_years": 4, **safe, **tempted, **able})
    >>> graded.linkage, graded.reidentifiability, graded.understanding, str(graded.grade)
    (5, 0, 6, 'Low')
    >>> print(graded.reasons[0])
    A ministry has some clinical data to link with (5 points).
    """
    return Recipient.of(answers)


def selected(scores: Mapping[str, float], threshold: float) -> list[str]:
    r"""The columns that count as quasi-identifiers, highest score first.

    .. math:: \{ c : u_c + i_c \ge \theta \}

    A score is values seen once per record plus influence. A column at the threshold is selected, floating point
    notwithstanding.

    References
    ----------
    Jung et al., step 4 and table 7 ("0.25+").

    >>> selected({"sex": 0.2927, "date of birth": 0.9997, "age": 0.25, "code": 0.1}, 0.25)
    ['date of birth', 'sex', 'age']
    """
    chosen = [column for column, score in scores.items() if score >= threshold - TOLERANCE]
    return sorted(chosen, key=lambda column: scores[column], reverse=True)


def _reasons(answers: Answers) -> Iterator[Reason]:
    for question in QUESTIONS:
        answer = question.answer(answers[question.key])
        if answer.points:
            yield Reason(question.key, question.score, answer.points, answer.why)
