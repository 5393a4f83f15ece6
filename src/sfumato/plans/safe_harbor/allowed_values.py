"""Whether a column of a release holds nothing but what Safe Harbor lets be released of a date, an age or a ZIP code."""

from __future__ import annotations

from sfumato.plans.safe_harbor.plan import ZIP3, Treatment
from sfumato.plans.steps.year_of import YearOf
from sfumato.plans.steps.zip3 import RESTRICTED
from sfumato.tables.engine import Table, listed, literal, quoted


def holds_only_allowed(release: Table, treatment: Treatment) -> bool:
    """Whether all values of the column have the form that may be released."""
    if treatment.allowed is None:
        return False
    text = f"CAST({quoted(treatment.column)} AS VARCHAR)"
    return not _any(release, f"{text} IS NOT NULL AND NOT regexp_full_match({text}, {literal(treatment.allowed)})")


def holds_only_harmless(release: Table, treatment: Treatment) -> bool:
    """The same of a release that Safe Harbor's own steps did not make, where the form alone does not say enough.

    A year by itself may tell an age over 89, and three digits may be those of an area of few people.
    """
    if not holds_only_allowed(release, treatment):
        return False
    text = f"CAST({quoted(treatment.column)} AS VARCHAR)"
    if isinstance(treatment.step, YearOf) and treatment.step.earliest is not None:
        earliest = treatment.step.earliest
        return not _any(release, f"length({text}) = 4 AND TRY_CAST({text} AS INTEGER) <= {earliest}")
    if treatment.allowed == ZIP3:
        return not _any(release, f"{text} IN ({listed(map(literal, sorted(RESTRICTED)))})")
    return True


def _any(release: Table, condition: str) -> bool:
    return bool(release.engine.fetch(f"SELECT count(*) FROM {release} WHERE {condition}")[0][0])
