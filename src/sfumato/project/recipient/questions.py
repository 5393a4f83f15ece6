"""The questionnaire: what is asked about who will receive the data, and what each answer scores.

Reference: Jung, Park, Lee, Lee, Lee, Cha. A determination scheme for quasi-identifiers using uniqueness and influence
for de-identification of clinical data, step 3 (the scores of its tables 1 to 4; the words are ours).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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


def _risk(key: str, score: Score, asks: str, why: str) -> RecipientQuestion:
    """A question whose yes is a risk."""
    return RecipientQuestion(key, asks, score, (Answer("yes", 1, why), Answer("no", 0)))


def _protection(key: str, asks: str, why: str) -> RecipientQuestion:
    """A question whose no is a risk."""
    return RecipientQuestion(key, asks, Score.REIDENTIFIABILITY, (Answer("yes", 0), Answer("no", 1, why)))


_INSTITUTION = RecipientQuestion(
    "institution",
    "What kind of institution will receive the data?",
    Score.LINKAGE,
    (
        Answer("insurer", 10, "A health insurer has records of the same people to link with."),
        Answer("insurance reviewer", 10, "Who reviews insurance claims has records of the same people to link with."),
        Answer("public hospital", 10, "A public hospital has clinical records of its own to link with."),
        Answer("hospital", 10, "A hospital has clinical records of its own to link with."),
        Answer("ministry", 5, "A ministry has some clinical data to link with."),
        Answer("pharmaceutical company", 5, "A pharmaceutical company has some clinical data to link with."),
        Answer("other", 1, "Any other agency or company has little clinical data to link with."),
        Answer("high", 10, "The institution is said to be very likely to link the data with other data."),
        Answer("middle", 5, "The institution is said to be fairly likely to link the data with other data."),
        Answer("low", 1, "The institution is said to be unlikely to link the data with other data."),
    ),
    "Choose the nearest kind, or say how likely it is to have data to link with: high, middle or low.",
)

_INTENTION = tuple(
    _risk(key, Score.REIDENTIFIABILITY, asks, why)
    for key, asks, why in (
        (
            "shaming",
            "Could the recipient, or whoever uses its results, want to shame people found in the data?",
            "Finding people in the data could serve to shame them.",
        ),
        (
            "profit",
            "Could the recipient, or whoever uses its results, earn money by finding people in the data?",
            "There is money in finding people in the data.",
        ),
        (
            "ban_missing",
            "Does the contract fail to forbid re-identification and passing the data on to others?",
            "The contract does not forbid re-identification and passing the data on.",
        ),
        (
            "open_data",
            "Could the data be combined with public data: on the web, in social networks, in open-data portals?",
            "Public data could be combined with the data.",
        ),
    )
)

_PROTECTION = tuple(
    _protection(key, asks, why)
    for key, asks, why in (
        (
            "training",
            "Is there security training for everybody with access, or a service agreement on security?",
            "There is neither security training nor a service agreement on security.",
        ),
        (
            "handling_plan",
            "Is there a plan for how the data are kept and handled, and is it followed?",
            "There is no plan for how the data are kept and handled.",
        ),
        (
            "safe_transfer",
            "Are the data protected on their way to the recipient, both physically and technically?",
            "The data are not protected on their way to the recipient.",
        ),
        (
            "intrusion_protection",
            "Are the computers in use guarded by both intrusion blocking (a firewall) and intrusion prevention?",
            "The computers in use lack intrusion blocking, intrusion prevention, or both.",
        ),
        (
            "access_records",
            "Is it settled who may have access, and is every access recorded?",
            "It is not settled who may have access, or access is not recorded.",
        ),
        (
            "security_checks",
            "Does a security department check the recipient regularly?",
            "No security department checks the recipient regularly.",
        ),
    )
)

_KNOWLEDGE = tuple(
    _risk(key, Score.UNDERSTANDING, asks, why)
    for key, asks, why in (
        (
            "expertise",
            "Do the users have the knowledge, or a degree in a field, that re-identification takes?",
            "The users know how people could be re-identified.",
        ),
        (
            "resources",
            "Do the users have, or could they get, the money that re-identification takes?",
            "The users could pay for re-identification.",
        ),
        (
            "other_databases",
            "Do the users have access to other databases that could be linked with the data?",
            "The users have access to databases that could be linked with the data.",
        ),
    )
)

_WORKING_YEARS = YearsQuestion(
    "working_years",
    "How many years have the users worked in their field?",
    Score.UNDERSTANDING,
    (
        Answer("less than 3 years", 0),
        Answer("3 years or more, less than 7", 3, "The users have worked in their field for 3 years or more.", 3),
        Answer("7 years or more, less than 10", 5, "The users have worked in their field for 7 years or more.", 7),
        Answer("10 years or more", 7, "The users have worked in their field for 10 years or more.", 10),
    ),
    "Of several users, the one who has worked longest counts.",
)

QUESTIONS: tuple[RecipientQuestion, ...] = (_INSTITUTION, *_INTENTION, *_PROTECTION, *_KNOWLEDGE, _WORKING_YEARS)
