"""Places: how many records are concerned and which, by number; never what is in them."""

from __future__ import annotations

from sfumato.plans.draft import Draft

SHOWN = 5


def places(draft: Draft, condition: str) -> tuple[int, str]:
    """How many records satisfy a condition (SQL over `record`), and that in words with the first of their numbers."""
    records = draft.count(condition)
    if not records:
        return 0, "no record"
    plural = "s" * (records != 1)
    rows = ", ".join(map(str, draft.rows(condition, SHOWN)))
    return records, f"{records} record{plural} (row{plural} {rows}{', ...' if records > SHOWN else ''})"


def in_rows(rows: list[int], records: int) -> str:
    """Rows by their numbers.

    >>> in_rows([2, 5], 2), in_rows([1, 2, 3, 4, 5], 9)
    ('row 2, 5', 'row 1, 2, 3, 4, 5, ...')
    """
    return f"row {', '.join(map(str, rows))}{', ...' if records > len(rows) else ''}"
