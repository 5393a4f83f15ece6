"""Dates that leave as they are beside dates that were shifted: together they tell by how much."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.plans.blocks.dates_and_times import DAY_OR_MONTH_FIRST, MONTH_BY_NAME
from sfumato.plans.blocks.values_in_sql import text_of, value_of
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.plans.steps.shift_dates import ShiftDates
from sfumato.tables.engine import Kind, listed

DATED = (Kind.DATE, Kind.TIMESTAMP)
# How people write dates in text and numbers: 2024-03-01 and 2024-03, 1.3.2024 and 03/01/24, 20240301, 01MAR2024.
WRITTEN = (
    r"\d{4}[-/.]\d{1,2}([-/.]\d{1,2})?([ T].*)?",
    DAY_OR_MONTH_FIRST,
    r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])",
    MONTH_BY_NAME,
)
YEARS = (1900, 2100)  # whole numbers that all lie between are taken for years
HIDES = ("pseudonymise", "tokenise")  # steps after which a date is no date any more


def shifted_columns(plan: Plan) -> frozenset[str]:
    """The columns that steps of a plan shift."""
    return frozenset(name for step in _shifts(plan) for name in step.columns)


def left_unshifted(plan: Plan, before: Draft, after: Draft) -> tuple[str, ...]:
    """Columns of a release that hold dates which no step shifted, though one shifts others, and nobody decided so.

    The offset of a person is then the difference to a date that stayed, or is known as well as that date is: to the
    month or the year where a step made it coarser, within the noise where it got some. So a date stays one here
    whatever was done to it, unless it was replaced by a pseudonym or is the same for everybody.
    """
    shifted = shifted_columns(plan)
    if not shifted.intersection(after.names):
        return ()
    decided = {name for step in _shifts(plan) for name in step.beside}
    hidden = {name for s in plan.steps if s.name in HIDES for name in s.transformation.treated()}
    asked = [name for name in after.names if name not in shifted | decided | hidden]
    dates = {name for draft in (before, after) for name in _dates(draft, [n for n in asked if n in draft.names])}
    return tuple(name for name in asked if name in dates and _differ(after, name))


def named_unshifted(plan: Plan) -> tuple[str, ...]:
    """The same without looking at the data: columns that other steps treat as dates, and none shifts or drops."""
    if not _shifts(plan):
        return ()
    settled = shifted_columns(plan).union(*(step.beside for step in _shifts(plan)))
    gone = {name for s in plan.steps if s.name in ("drop", *HIDES) for name in s.transformation.treated()}
    dated = (s for s in plan.steps if s.name in ("truncate_dates", "date_periods", "year_of"))
    named = dict.fromkeys(name for s in dated for name in sorted(s.transformation.treated()))
    return tuple(name for name in named if name not in settled | gone)


def exceptions(plan: Plan, after: Draft) -> tuple[str, ...]:
    """What to say of dates that leave unshifted by decision: somebody answers for them, and the release says so."""
    named = dict.fromkeys(name for step in _shifts(plan) for name in step.beside if name in after.names)
    if not named or not shifted_columns(plan).intersection(after.names):
        return ()
    return (
        f"An exception was decided: {', '.join(named)} beside shifted dates, from which the shift can be read off.",
    )


def said_of_unshifted(columns: Sequence[str]) -> str:
    """What dates that stay tell, in words, and what to do."""
    hold, them = ("hold", "them") if len(columns) > 1 else ("holds", "it")
    return (
        f"{', '.join(columns)} {hold} dates that are not shifted, beside dates of the same people that are: the "
        f"difference tells by how much, as exactly as the dates that stay. Shift {them} in the same step, drop {them}, "
        f"or decide to leave {them} so: `beside: [{', '.join(columns)}]` in the step."
    )


def _shifts(plan: Plan) -> list[ShiftDates]:
    return [step.transformation for step in plan.steps if isinstance(step.transformation, ShiftDates)]


def _dates(draft: Draft, names: Sequence[str]) -> set[str]:
    """The columns that hold dates, or what reads like dates: most values of a text, or years."""
    kinds = {name: draft.kind(name) for name in names}
    dates = {name for name, kind in kinds.items() if kind in DATED}
    read = [name for name, kind in kinds.items() if kind in (Kind.TEXT, Kind.INTEGER)]
    if not read:
        return dates
    items = (f"count({value_of(n)}), {_like(draft, n)}, {_years(n) if kinds[n] is Kind.INTEGER else '0'}" for n in read)
    counts = draft.engine.fetch(f"SELECT {listed(items)} FROM {draft.table} AS record")[0]
    for place, name in enumerate(read):
        known, like, years = (int(number or 0) for number in counts[3 * place : 3 * place + 3])
        if known and (2 * like > known or years == known):
            dates.add(name)
    return dates


def _like(draft: Draft, name: str) -> str:
    text = text_of(draft, name)
    like = " OR ".join(f"regexp_full_match(trim({text}), '{pattern}')" for pattern in WRITTEN)
    return f"sum(CASE WHEN {like} THEN 1 ELSE 0 END)"


def _years(name: str) -> str:
    return f"sum(CASE WHEN {value_of(name)} BETWEEN {YEARS[0]} AND {YEARS[1]} THEN 1 ELSE 0 END)"


def _differ(draft: Draft, name: str) -> bool:
    """Whether a column holds two values or more: what is the same for everybody tells nothing of anybody."""
    value = text_of(draft, name)
    return bool(draft.engine.fetch(f"SELECT count(DISTINCT {value}) > 1 FROM {draft.table} AS record")[0][0])
