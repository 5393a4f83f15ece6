"""Places: how many records are concerned and which, by number; never what is in them."""

from __future__ import annotations

from sfumato.plans.draft import Draft

SHOWN = 5


def places(draft: Draft, condition: str) -> tuple[int, str]:
    """How many records satisfy a condition (SQL over `record`), and that in words with the first of their numbers."""
    found = draft.count(condition)
    rows = ", ".join(str(row) for row in draft.rows(condition, SHOWN)) if found else ""
    more = ", ..." if found > SHOWN else ""
    words = f"{found} record{'s' * (found != 1)} (row{'s' * (found != 1)} {rows}{more})"
    return found, words if found else "no record"
