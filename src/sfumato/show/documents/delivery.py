"""The document of `sfumato deliver` and `sfumato report-use`: what was handed to whom, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.show.document import Document, where_said


@dataclass(frozen=True, kw_only=True)
class DeliveryDocument(Document):
    """A package that was handed on, as the log of use keeps it."""

    package: str
    manifest: str  # SHA-256 of the manifest of the package
    to: str
    purpose: str
    on: str
    problems: Sequence[str]  # checks that failed, where it was handed on all the same
    anyway: str | None = where_said()  # why, then


@dataclass(frozen=True, kw_only=True)
class ReportedUseDocument(Document):
    """A use that the recipient of a package reported."""

    package: str
    manifest: str
    by: str
    use: str
    on: str
