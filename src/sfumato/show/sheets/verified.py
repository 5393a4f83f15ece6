"""What became of the claims of a release, as a sheet: what does not agree first, then what was checked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sfumato.show.documents.verified import Claim, SignatureDocument, SignedBy, VerifiedDocument
from sfumato.show.sheet import Section, Sheet, counted, number

LONGEST = 60  # letters of a value that are shown
NAME = 200  # letters of what a claim is about: what ours have is shorter, and others may write what they like
MOST = 200  # claims of a section: more than anybody reads on a terminal


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
    signed = _signed(verified.signature)
    if verified.agrees:
        checked = counted(counts.claims - counts.unchecked, "claim")
        return f"{signed} All {checked} that were checked {against} agree.{rest}"
    wrong = f"{counted(counts.contradicted, 'claim')} of {number(counts.claims)} NOT true"
    return f"{wrong}, checked {against}.{rest} {signed}"


def _signed(signature: SignatureDocument) -> str:
    """Whose package it is. Only a key that came another way than the package says that."""
    key = f" {signature.key}" if signature.key else ""
    match signature.by:
        case SignedBy.KEY_GIVEN:
            return f"Signed by the key{key} that was given."
        case SignedBy.UNKNOWN_KEY:
            return f"Signed by an UNKNOWN key{key}: anybody can have made this package."
        case SignedBy.NOT_VALID:
            return f"NOT signed by the key{key}."
    return "UNSIGNED: anybody can have made this package."


def _wrong(claims: Sequence[Claim]) -> Section:
    rows = tuple((claim.about, _cut(claim.what), _shown(claim.said), _shown(claim.found)) for claim in claims[:MOST])
    notes = tuple(dict.fromkeys(claim.note for claim in claims[:MOST] if claim.note))
    columns = ("about", "claim", "said", "found")
    return Section("What does not agree", columns, rows, (*notes, *_beyond(claims)))


def _open(claims: Sequence[Claim]) -> Section:
    rows = tuple((claim.about, _cut(claim.what), claim.note) for claim in claims[:MOST])
    return Section("What could not be checked", ("about", "claim", "why"), rows, _beyond(claims))


def _beyond(claims: Sequence[Claim]) -> tuple[str, ...]:
    more = len(claims) - MOST
    return (f"And {counted(more, 'claim')} more: --json has all of them.",) if more > 0 else ()


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
    return _cut(text, LONGEST)


def _cut(text: str, most: int = NAME) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."
