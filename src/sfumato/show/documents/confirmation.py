"""What was decided about roles in a project file, and what is still open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class ConfirmedColumnDocument(Document):
    """A column on which somebody decided now."""

    name: str
    role: str
    proposed: str  # or undecided
    sure: str  # of the proposal: high, middle, low or -
    reason: str | None
    against_evidence: bool


@dataclass(frozen=True, kw_only=True)
class OpenRoleDocument(Document):
    """A column on which nobody has decided."""

    name: str
    proposed: str  # or undecided
    sure: str
    evidence: str
    would_decide: str | None


@dataclass(frozen=True, kw_only=True)
class ConfirmationDocument(Document):
    """The roles of a project file: decided now, decided in all by whom, and open."""

    project: str
    by: str
    on: str
    decided: Sequence[ConfirmedColumnDocument]
    deciders: Mapping[str, int]  # how many roles of the file each person decided, now and before
    open: Sequence[OpenRoleDocument]
    next: str  # command
