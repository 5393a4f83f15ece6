"""Moving: dates moved by whole days, as SQL."""

from __future__ import annotations

from sfumato.plans.blocks.draws import value_of
from sfumato.plans.draft import Draft
from sfumato.tables.engine import Kind

ISO_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?"


def moved(draft: Draft, column: str, days: str) -> str:
    """A date later by some days (SQL, an INTEGER); the time of day stays.

    A text in the form of ISO 8601 stays a text, and what follows the date stays: `2024-02-28T10:30` becomes
    `2024-03-01T10:30`. A text that does not begin with a whole date is null.
    """
    value = value_of(column)
    if draft.kind(column) is Kind.DATE:
        return f"{value} + {days}"
    if draft.kind(column) is Kind.TIMESTAMP:
        return f"{value} + {days} * INTERVAL 1 DAY"
    day = f"CAST(TRY_CAST(substr({value}, 1, 10) AS DATE) + {days} AS VARCHAR)"
    return f"CASE WHEN {whole_date(column)} THEN concat({day}, substr({value}, 11)) END"


def whole_date(column: str) -> str:
    """Whether a text begins with a whole date of ISO 8601, as SQL."""
    value = value_of(column)
    return f"(regexp_full_match({value}, '{ISO_DATE}') AND TRY_CAST(substr({value}, 1, 10) AS DATE) IS NOT NULL)"
