"""Counts, sums and means by columns, as they are published: nothing of a hidden cell is in here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class RulesDocument(Document):
    """Which cells are hidden for what they say, and how counts are rounded."""

    threshold: int
    round: int
    zeros: str
    p: float
    largest: int
    share: float
    source: str


@dataclass(frozen=True, kw_only=True)
class CellDocument(Document):
    """One cell: its value in each column, and its numbers; null where they are hidden, or where there is none."""

    values: Mapping[str, str]
    hidden: bool
    count: int | None
    statistics: Mapping[str, float | None]


@dataclass(frozen=True, kw_only=True)
class LeftOpenDocument(Document):
    """How closely any hidden number can be worked out; null where nothing bounds one."""

    number: str
    narrowest: float | None
    exact: bool  # or that interval at least


@dataclass(frozen=True, kw_only=True)
class TabulationDocument(Document):
    """The tables that are published together."""

    source: str
    counted: str  # persons, or records
    tables: Sequence[Sequence[str]]
    columns: Sequence[str]
    rules: RulesDocument
    total_label: str
    cells: Sequence[CellDocument]
    shown: int
    hidden: int
    fewest: bool
    left_open: Sequence[LeftOpenDocument]
    open: Sequence[str]
    notes: Sequence[str]
