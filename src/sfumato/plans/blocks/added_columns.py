"""Columns that a step adds: those that it computes for itself and sets aside, and those that are released."""

from __future__ import annotations

from collections.abc import Iterable

from sfumato.plans.blocks.people_per_value import noted
from sfumato.plans.blocks.record_numbers import in_rows
from sfumato.plans.draft import Draft, DraftColumn
from sfumato.plans.step_interface import Transformation
from sfumato.schema import Role
from sfumato.tables.engine import quoted, unused


def set_aside(draft: Draft, sql: str, *, join: str = "") -> tuple[Draft, str]:
    """The draft with one more column, and that column as SQL over `record`; it may come from what is joined to it.

    What is used several times is computed once, and SQL does not grow by what it is made of: an engine that has to
    write a cast as a case of several would otherwise double it with each.
    """
    name = unused("aside", {*draft.names, draft.row}.__contains__)
    return draft.added(DraftColumn(name), sql, join=join), f"record.{quoted(name)}"


def released(draft: Draft, before: Draft) -> Draft:
    """The draft without what was set aside since."""
    return draft.without(*(name for name in draft.names if name not in before.names))


def derived(step: Transformation, draft: Draft, name: str, sql: str, origins: Iterable[str]) -> Draft:
    """The draft with a new column, which is what the columns it comes from are: quasi-identifying, sensitive or not."""
    if name in draft.names:
        raise step.wrong(f"there is a column {name!r} already. Choose another name for the new one (into).")
    roles = {draft[origin].role for origin in origins}
    if roles & {Role.DIRECT, Role.QUASI}:
        role = Role.QUASI
    else:
        role = Role.SENSITIVE if Role.SENSITIVE in roles else Role.NON_SENSITIVE
    return draft.added(DraftColumn(name, role=role), sql)


def require_forward(step: Transformation, draft: Draft, backward: str, words: str, negative: str) -> Draft:
    """The draft with a note on the records in which time runs backward; an error where that was asked for."""
    records = draft.count(backward)
    if not records:
        return draft
    problem = f"{records} record{'s' * (records > 1)} in which {words}"
    if negative == "error":
        raise step.wrong(
            f"{problem} ({in_rows(draft.rows(backward), records)}). Correct {'them' if records > 1 else 'it'}, "
            f"or have them missing: negative: missing."
        )
    return noted(draft, f"{step.name()}: {problem}{', now missing' * (negative == 'missing')}.")
