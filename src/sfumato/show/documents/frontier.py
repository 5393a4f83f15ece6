"""The curve of risk against loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.show.document import Document, where_said


@dataclass(frozen=True, kw_only=True)
class PointDocument(Document):
    """One possible release; its score and risk are null where they are infinite."""

    method: str
    requirements: Sequence[str]
    suppression: float
    levels: Mapping[str, int] | None
    score: float | None
    risk: float | None
    suppressed: int
    classes: int
    on_front: bool
    knee: bool


@dataclass(frozen=True, kw_only=True)
class FrontierDocument(Document):
    """All points in the order given, and which of them count; of a curve that was explored, its source and notes."""

    source: str | None = where_said()
    risk: str
    loss: str
    points: Sequence[PointDocument]
    front: Sequence[int]  # places of points, the lowest risk first
    knee: int | None
    knee_distance: float | None
    notes: Sequence[str] | None = where_said()
