"""The document of `sfumato identify --triage`: which of many tables hold personal data, and what it cost to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class TriagedTableDocument(Document):
    """One table: what it holds, at which stage that was decided, and on what. It holds no cell value."""

    name: str
    holds: str  # personal, free or open
    stage: str  # names, sample or all: what was read when it was decided
    columns: Sequence[str]  # by which it holds personal data, or that are open
    because: str
    records: int  # that were read in all


@dataclass(frozen=True, kw_only=True)
class StageDocument(Document):
    """What a stage cost: tables looked at, those decided by it, records read, seconds."""

    stage: str
    tables: int
    decided: int
    records: int
    seconds: float


@dataclass(frozen=True, kw_only=True)
class TriageDocument(Document):
    """The tables of a source, sorted by what they hold."""

    source: str
    counts: Mapping[str, int]  # tables that are personal, free and open
    stages: Sequence[StageDocument]
    tables: Sequence[TriagedTableDocument]
