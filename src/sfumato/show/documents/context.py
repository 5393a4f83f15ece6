"""Why and for whom data are released, and where that puts the release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.show.document import Document, where_said


@dataclass(frozen=True, kw_only=True)
class ControlDocument(Document):
    """One question of a checklist, and what was said to it."""

    key: str
    question: str
    answer: str
    why: str


@dataclass(frozen=True, kw_only=True)
class ChecklistDocument(Document):
    """A checklist, how often each answer was given, and every question."""

    name: str
    title: str
    about: str
    yes: int
    partly: int
    no: int
    unanswered: int
    controls: Sequence[ControlDocument]


@dataclass(frozen=True, kw_only=True)
class ImpactDocument(ChecklistDocument):
    """The criteria of an impact assessment, and what follows."""

    met: Sequence[str]
    likely_required: bool | None
    sentence: str


@dataclass(frozen=True, kw_only=True)
class BenefitDocument(Document):
    """What one column is good for."""

    column: str
    need: str
    likelihood: str
    level: str | None
    form: str | None
    recipients: str | None
    effect: str | None
    exempt: str | None
    unsearchable: str | None
    as_it_is: str | None
    instead: str | None
    released: bool


@dataclass(frozen=True, kw_only=True)
class BenefitsDocument(Document):
    """The benefit of the release and of each column."""

    level: str | None
    irrelevant: Sequence[str]
    exempted: Mapping[str, str]  # columns that stay although the purpose does not need them, and why
    unsearchable: Mapping[str, str]  # columns that stay with tokens in them that say nothing, and why
    as_they_are: Mapping[str, str]  # columns that are needed without being coarsened, and why
    instead: Mapping[str, str]  # what must hold more strictly in the place of columns that stay
    unanswered: Sequence[str]
    columns: Sequence[BenefitDocument]


@dataclass(frozen=True, kw_only=True)
class AxisDocument(Document):
    """A level on one side of the matrix, and why."""

    level: str | None
    by_the_rules: str | None
    decided: bool
    why: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class MatrixCellDocument(Document):
    """One cell of the matrix."""

    risk: str
    benefit: str
    area: str


@dataclass(frozen=True, kw_only=True)
class MatrixDocument(Document):
    """Where the release stands, and the whole matrix."""

    risk: AxisDocument
    benefit: AxisDocument
    area: str | None
    sentence: str
    areas: Sequence[MatrixCellDocument]


@dataclass(frozen=True, kw_only=True)
class ContextDocument(Document):
    """The whole context. It holds no cell value."""

    project: str
    preset: str | None
    purpose: str | None
    release: str | None
    grade: str | None
    handed_to: str | None = where_said()  # by name
    controller: str | None = where_said()
    officer: str | None = where_said()
    legal_basis: str | None = where_said()
    questions: int
    unanswered: int
    five_safes: Sequence[ChecklistDocument]
    impact_assessment: ImpactDocument
    benefits: BenefitsDocument
    matrix: MatrixDocument
    notes: Sequence[str]
    reminder: str = "Evidence for a qualified decision; not a legal determination."
