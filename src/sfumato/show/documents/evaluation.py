"""What one combination of levels would come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.show.document import Document, where_said


@dataclass(frozen=True, kw_only=True)
class NodeReadingDocument(Document):
    """One requirement and what would be read; null where it is infinite, or where nobody has a value."""

    requirement: str
    scenario: str | None = where_said()
    value: float | None
    bound: float | None
    met: bool | None


@dataclass(frozen=True, kw_only=True)
class NodeSizesDocument(Document):
    """How many look alike."""

    classes: int
    smallest: int
    largest: int
    alone: int


@dataclass(frozen=True, kw_only=True)
class EvaluationDocument(Document):
    """Levels and bounds, whom they leave out, what they lose and what is read then. It holds no cell value."""

    levels: Mapping[str, int]
    bounds: Mapping[str, float]
    suppression_limit: float
    met: bool
    records: int
    left_out: int
    limit: int
    persons: int | None
    persons_left_out: int | None
    before: NodeSizesDocument
    after: NodeSizesDocument
    score: float | None
    loss: float
    losses: Mapping[str, float] | None  # null: the objective is not read column by column
    readings: Sequence[NodeReadingDocument]
