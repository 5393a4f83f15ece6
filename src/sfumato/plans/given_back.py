"""Given back: direct identifiers that can be computed again from what a release has."""

from __future__ import annotations

from sfumato.errors import PlanError
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.schema import Role
from sfumato.tables.engine import quoted


def refuse_given_back(draft: Draft, before: Draft, plan: Plan) -> None:
    """Refuse a release from which a direct identifier can be computed again: a birth, from the days since it.

    What a step made must have been left as it was made, and the other column that it takes must have days as they were.
    """
    direct = {*before.with_role(Role.DIRECT), before.subject}
    changed = {
        name for step in plan.steps if not step.transformation.leaves_values for name in step.transformation.treated()
    }
    for step in plan.steps:
        made = step.transformation.makes()
        for origin, other in step.transformation.gives_back().items():
            released = {*made, other} <= {*draft.names}
            if origin not in direct or not released or changed.intersection(made) or other not in before.names:
                continue
            if _has_days_as_they_were(other, draft, before):
                line = f", line {step.line}" if step.line else ""
                raise PlanError(
                    f"{plan.path}{line}: {made[0]!r} and {other!r}, which would both be released, give back "
                    f"{origin!r}, a direct identifier. Use a coarser unit (years), generalise one of the two, or leave "
                    f"it out."
                )


def _has_days_as_they_were(name: str, draft: Draft, before: Draft) -> bool:
    """Whether any record has the day that it had; with or without a time of day, that is the first ten characters."""
    old, new = (f"substr(CAST({side}.{quoted(name)} AS VARCHAR), 1, 10)" for side in ("original", "record"))
    same = draft.engine.fetch(f"""
        SELECT count(*) FROM {draft.table} AS record
        JOIN {before.table} AS original ON original.{quoted(before.row)} = {draft.number}
        WHERE {old} = {new}""")
    return bool(same[0][0])
