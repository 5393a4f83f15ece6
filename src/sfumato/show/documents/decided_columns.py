"""Decisions about columns: what left although the evidence says that it identifies."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class AgainstEvidenceDocument(Document):
    """A column that leaves unprotected, and what its name and its values say of it."""

    column: str
    role: str  # under which it leaves
    proposed: str  # the role that the evidence speaks for
    confidence: float  # from 0 to 1
