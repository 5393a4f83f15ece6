"""The document of `sfumato verify`: every claim of a release, what was found, and whether they agree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sfumato.show.document import Document


@dataclass(frozen=True)
class Claim(Document):
    """One claim: what it is about, what was said, what was found, and whether they agree; None: not checked."""

    about: str
    what: str
    said: Any  # plain values of any kind, here and below
    found: Any
    agrees: bool | None
    note: str = ""


class SignedBy(StrEnum):
    """Whose signature a package has, as far as whoever verifies it can tell."""

    NOBODY = "nobody"
    KEY_GIVEN = "the key that was given"
    UNKNOWN_KEY = "an unknown key"  # that came with the package, or is not there
    NOT_VALID = "not valid"


@dataclass(frozen=True, kw_only=True)
class SignatureDocument(Document):
    """Whose signature it is, and the fingerprint of the key that it was checked with."""

    by: SignedBy = SignedBy.NOBODY
    key: str | None = None


@dataclass(frozen=True, kw_only=True)
class ClaimCounts(Document):
    """How many claims there are, and how many are not true or were not checked."""

    claims: int
    contradicted: int
    unchecked: int


@dataclass(frozen=True, kw_only=True)
class VerifiedDocument(Document):
    """The claims of a package, and what became of them."""

    package: str
    signature: SignatureDocument
    original: str | None
    evidence: str | None
    agrees: bool
    counts: ClaimCounts
    claims: tuple[Claim, ...]
    notes: tuple[str, ...]
