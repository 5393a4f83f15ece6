"""A table as it was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class ColumnDocument(Document):
    """One column as it was read: its kind, why, and how many values are missing."""

    name: str
    type: str
    missing: int
    why: str
    label: str | None
    value_labels: Mapping[str, str] | None
