"""A hierarchy: its levels and its lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class LevelDocument(Document):
    """One level: how many labels it has, and how few records one of them holds."""

    level: int
    labels: int
    smallest: int | None


@dataclass(frozen=True, kw_only=True)
class LineDocument(Document):
    """A value and its label at each level, null where it is missing; and how many records hold it."""

    labels: Sequence[str | None]
    records: int | None


@dataclass(frozen=True, kw_only=True)
class HierarchyDocument(Document):
    """The whole hierarchy. It holds the values of the column: that is what a hierarchy is."""

    column: str | None
    kind: str | None
    parameters: Mapping[str, Any]  # that build the same hierarchy again, without a look at the data
    why: str | None
    notes: Sequence[str]
    height: int
    values: int
    records: int | None  # null where no column is known
    missing: int | None
    levels: Sequence[LevelDocument]
    lines: Sequence[LineDocument]
