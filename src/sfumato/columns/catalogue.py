"""Every kind of evidence on what a column is."""

from __future__ import annotations

from sfumato.columns import evidence as family
from sfumato.columns.evidence_interface import Evidence
from sfumato.families import members_in


def evidences(*given: Evidence) -> tuple[Evidence, ...]:
    """Every kind of evidence, those given instead of their like with the usual parameters."""
    known = members_in(family, Evidence)  # type: ignore[type-abstract]
    chosen = {type(member): member for member in given}
    return tuple(chosen.get(cls) or cls() for cls in sorted(known, key=lambda cls: cls.__name__))
