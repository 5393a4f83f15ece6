"""The measures there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class MeasureDocument(Document):
    """One measure: what it says, which way is safer, and its parameters with their usual values."""

    name: str
    summary: str
    means: str
    safer: str
    monotone: bool
    parameters: Mapping[str, Any]
    explanation: str


@dataclass(frozen=True, kw_only=True)
class MeasuresDocument(Document):
    """All of them, or one in full."""

    measures: Sequence[MeasureDocument]
    in_full: bool
