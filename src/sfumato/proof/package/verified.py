"""Verified: every claim of a release, what was found, and whether they agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.proof.package.claim import Claim
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.verified import verified_sheet


@dataclass(frozen=True, repr=False)
class Verified(Presented):
    """What became of the claims of a package."""

    name: str
    claims: tuple[Claim, ...]
    original: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether no claim is contradicted. Some may not have been checked: see `unchecked`."""
        return not self.contradicted

    @property
    def contradicted(self) -> tuple[Claim, ...]:
        """The claims that are not true."""
        return tuple(claim for claim in self.claims if claim.agrees is False)

    @property
    def unchecked(self) -> tuple[Claim, ...]:
        """The claims that could not be checked."""
        return tuple(claim for claim in self.claims if claim.agrees is None)

    def document(self) -> dict[str, Any]:
        """Everything as plain values, for machines. Of the data it holds no cell."""
        return {
            "package": self.name,
            "original": self.original,
            "agrees": self.agrees,
            "counts": {
                "claims": len(self.claims),
                "contradicted": len(self.contradicted),
                "unchecked": len(self.unchecked),
            },
            "claims": [claim.document() for claim in self.claims],
            "notes": list(self.notes),
        }

    def sheet(self) -> Sheet:
        """The same for people."""
        return verified_sheet(self.document())
