"""A table as it was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, kw_only=True)
class ExtractDocument(Document):
    """What was read from a source, and what a person should know of it. It holds no cell value."""

    source: str
    records: int
    columns: Sequence[ColumnDocument]
    notes: Sequence[str]

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> ExtractDocument:
        """What `Extract.document` says, which knows nothing of documents: tables are read without anything to show."""
        return cls(**{**plain, "columns": [ColumnDocument(**column) for column in plain["columns"]]})
