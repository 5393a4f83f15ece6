"""Set aside: columns that a step computes for itself and that are not released."""

from __future__ import annotations

from sfumato.plans.draft import Draft, DraftColumn
from sfumato.tables.engine import quoted, unused


def set_aside(draft: Draft, sql: str) -> tuple[Draft, str]:
    """The draft with one more column, and that column as SQL over `record`.

    What is used several times is computed once, and SQL does not grow by what it is made of: an engine that has to
    write a cast as a case of several would otherwise double it with each.
    """
    name = unused("aside", {*draft.names, draft.row}.__contains__)
    return draft.added(DraftColumn(name), sql), f"record.{quoted(name)}"


def released(draft: Draft, before: Draft) -> Draft:
    """The draft without what was set aside since."""
    return draft.without(*(name for name in draft.names if name not in before.names))
