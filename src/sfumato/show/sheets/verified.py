"""What became of the claims of a release, as a sheet: what does not agree first, then what was checked."""

from __future__ import annotations

import json
from typing import Any

from sfumato.show.sheet import Section, Sheet, counted, number

Document = dict[str, Any]
LONGEST = 60  # letters of a value that are shown


def verified_sheet(document: Document) -> Sheet:
    """The claims of a package, counted by what they are about."""
    claims = document["claims"]
    sections = (
        _wrong([claim for claim in claims if claim["agrees"] is False]),
        _open([claim for claim in claims if claim["agrees"] is None]),
        _checked(claims),
        Section("Notes", remarks=tuple(document["notes"])),
    )
    return Sheet(
        title=f"Verified: {document['package']}",
        verdict=_verdict(document),
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def _verdict(document: Document) -> str:
    counts = document["counts"]
    rest = f" {counted(counts['unchecked'], 'claim')} could not be checked." if counts["unchecked"] else ""
    against = "with the original" if document["original"] else "from the released data alone"
    if document["agrees"]:
        checked = counts["claims"] - counts["unchecked"]
        return f"All {counted(checked, 'claim')} that were checked {against} agree.{rest}"
    return (
        f"{counted(counts['contradicted'], 'claim')} of {number(counts['claims'])} NOT true, checked {against}.{rest}"
    )


def _wrong(claims: list[Document]) -> Section:
    rows = tuple((c["about"], c["what"], _shown(c["said"]), _shown(c["found"])) for c in claims)
    notes = tuple(dict.fromkeys(c["note"] for c in claims if c["note"]))
    return Section("What does not agree", ("about", "claim", "said", "found"), rows, notes)


def _open(claims: list[Document]) -> Section:
    rows = tuple((c["about"], c["what"], c["note"]) for c in claims)
    return Section("What could not be checked", ("about", "claim", "why"), rows)


def _checked(claims: list[Document]) -> Section:
    rows = []
    for about in dict.fromkeys(claim["about"] for claim in claims):
        found = [claim["agrees"] for claim in claims if claim["about"] == about]
        rows.append((about, *(number(found.count(state)) for state in (True, False, None))))
    return Section("Claims", ("about", "agree", "do not", "not checked"), tuple(rows), numbers=(1, 2, 3))


def _shown(value: Any) -> str:
    """A value as people read it, not too long."""
    if value is None:
        return "nothing"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value) if float(value).is_integer() else repr(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
