"""The utility models there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class ModelDocument(Document):
    """One utility model: what it says, between which numbers, of which changes."""

    name: str
    summary: str
    means: str
    better: str
    bounds: str
    applies_to: str
    thorough: bool
    explanation: str


@dataclass(frozen=True, kw_only=True)
class ModelsDocument(Document):
    """All of them, or one in full."""

    models: Sequence[ModelDocument]
    in_full: bool
