"""The 18 identifiers of HIPAA's Safe Harbor, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class TreatedColumnDocument(Document):
    """A column that held an identifier, and what was done to it."""

    name: str
    done: str


@dataclass(frozen=True, kw_only=True)
class OpenColumnDocument(Document):
    """A column that nobody decided about and that was left out, and why it may identify."""

    name: str
    why: str


@dataclass(frozen=True, kw_only=True)
class ChecklistItemDocument(Document):
    """One of the 18 identifiers: whether it is gone, what was done, and in which columns something is left."""

    item: str  # its letter in the law
    identifier: str
    passed: bool
    columns: Sequence[TreatedColumnDocument]
    left: Sequence[str]
    open: Sequence[OpenColumnDocument]


@dataclass(frozen=True, kw_only=True)
class SafeHarborDocument(Document):
    """The whole checklist. It holds no cell value."""

    source: str
    release: str
    records: int
    met: bool
    year: int | None  # in which ages are counted
    kept: Sequence[str]  # columns that somebody decided to release as they are
    items: Sequence[ChecklistItemDocument]
