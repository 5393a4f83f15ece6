"""What became of the claims of a release, as a sheet: what does not agree first, then what was checked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sfumato.show.documents.verified import Claim, VerifiedDocument
from sfumato.show.sheet import Section, Sheet, counted, number

LONGEST = 60  # letters of a value that are shown


def verified_sheet(verified: VerifiedDocument) -> Sheet:
    """The claims of a package, counted by what they are about."""
    claims = verified.claims
    sections = (
        _wrong([claim for claim in claims if claim.agrees is False]),
        _open([claim for claim in claims if claim.agrees is None]),
        _checked(claims),
        Section("Notes", remarks=verified.notes),
    )
    return Sheet(
        title=f"Verified: {verified.package}",
        verdict=_verdict(verified),
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def _verdict(verified: VerifiedDocument) -> str:
    counts = verified.counts
    rest = f" {counted(counts.unchecked, 'claim')} could not be checked." if counts.unchecked else ""
    known = "with the evidence" if verified.evidence else "from the package alone"
    against = "with the evidence and the original" if verified.original else known
    if verified.agrees:
        return f"All {counted(counts.claims - counts.unchecked, 'claim')} that were checked {against} agree.{rest}"
    return f"{counted(counts.contradicted, 'claim')} of {number(counts.claims)} NOT true, checked {against}.{rest}"


def _wrong(claims: Sequence[Claim]) -> Section:
    rows = tuple((claim.about, claim.what, _shown(claim.said), _shown(claim.found)) for claim in claims)
    notes = tuple(dict.fromkeys(claim.note for claim in claims if claim.note))
    return Section("What does not agree", ("about", "claim", "said", "found"), rows, notes)


def _open(claims: Sequence[Claim]) -> Section:
    rows = tuple((claim.about, claim.what, claim.note) for claim in claims)
    return Section("What could not be checked", ("about", "claim", "why"), rows)


def _checked(claims: Sequence[Claim]) -> Section:
    rows = []
    for about in dict.fromkeys(claim.about for claim in claims):
        states = [claim.agrees for claim in claims if claim.about == about]
        rows.append((about, *(number(states.count(state)) for state in (True, False, None))))
    return Section("Claims", ("about", "agree", "do not", "not checked"), tuple(rows), numbers=(1, 2, 3))


def _shown(value: Any) -> str:
    """A value as people read it, not too long."""
    if value is None:
        return "nothing"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value) if float(value).is_integer() else repr(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
