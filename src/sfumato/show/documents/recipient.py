"""Who receives the data, graded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class ReasonDocument(Document):
    """One answer that scored."""

    question: str  # its key
    score: str
    points: int
    why: str
    sentence: str


@dataclass(frozen=True, kw_only=True)
class RecipientDocument(Document):
    """The three scores, each from 0 to 10, and what follows from them."""

    linkage: int
    reidentifiability: int
    understanding: int
    average: float
    grade: str
    threshold: float
    reasons: Sequence[ReasonDocument]
    answers: Mapping[str, str | float]  # by the key of the question
