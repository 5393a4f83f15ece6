"""What a package says of its release to those who get it. Nothing here depends on a record that was not released."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.show.document import Document, where_said
from sfumato.show.documents.plan import ReleasedFileDocument

REMINDER = "Evidence for a qualified decision; not a legal determination."


@dataclass(frozen=True, kw_only=True)
class UnderstoodColumnsDocument(Document):
    """How released columns are read: kinds where the file does not tell them, and orders of ordinal values."""

    kinds: Mapping[str, str]
    orders: Mapping[str, Sequence[int]]  # as places among the sorted released values


@dataclass(frozen=True, kw_only=True)
class PackagedExceptionDocument(Document):
    """A column that somebody decided to release although its name and values say that it identifies."""

    column: str
    role: str
    proposed: str


@dataclass(frozen=True, kw_only=True)
class PackageDocument(Document):
    """What was required of a release, what was done, and how its columns are understood."""

    released: ReleasedFileDocument
    requirements: Sequence[Any]  # as project files write them
    required: Sequence[str]  # as people say them
    met: bool
    verdict: str | None  # met; or met, but: then what is open is said
    open: Sequence[str]
    released_against_evidence: Sequence[PackagedExceptionDocument]
    counted: str  # what the requirements count: records or persons
    subject: str | None  # the released column that tells persons apart
    unread: Sequence[str]  # requirements that nobody can read off the released data alone
    scenarios: Mapping[str, Sequence[str]] | None = where_said()  # what attackers know, by name, where there are some
    quasi_identifiers: Sequence[str]
    sensitive: Sequence[str]
    missing_values: str
    columns: UnderstoodColumnsDocument
    method: str
    objective: str
    left_out: str  # how much was, rounded and masked
    levels: Mapping[str, int] | None  # null where each class has its own
    steps: Sequence[str]  # in words
    engine: str
    versions: Mapping[str, str]
    reminder: str = REMINDER


@dataclass(frozen=True, kw_only=True)
class KeyNamesDocument(Document):
    """The names of the keys and secrets behind a release; never what they are."""

    project_key: str
    secrets: Sequence[str]
    signed_by: str | None  # the fingerprint of the public key
