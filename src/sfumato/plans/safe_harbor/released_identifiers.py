"""The 18 identifiers of HIPAA's Safe Harbor in a release that was made by other means: what became of each.

This is a reading, and no determination: another release may be lawful, and one in which nothing was recognised need not
be. It fails closed. A column that was changed counts as gone only where every value has the form that Safe Harbor lets
be released, and none of the identifiers counts as absent while a column leaves of which nobody knows what it holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from sfumato.columns.gather_evidence import column_proposals
from sfumato.columns.identification import Identification
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.proposal import propose
from sfumato.plans.safe_harbor.ages import aged_columns, latest_year
from sfumato.plans.safe_harbor.allowed_values import holds_only_harmless
from sfumato.plans.safe_harbor.checklist import ITEMS, LETTERS, item_of
from sfumato.plans.safe_harbor.plan import SafeHarbor, Treatment
from sfumato.tables.engine import Table, listed, quoted
from sfumato.tables.source import Column, Extract


class IdentifierState(StrEnum):
    """What became of an identifier, the worst first."""

    PRESENT = "PRESENT"
    UNKNOWN = "not known"
    CHANGED = "changed, not judged"
    ALLOWED = "as Safe Harbor allows"
    REMOVED = "removed"
    ABSENT = "absent"


@dataclass(frozen=True)
class ColumnState:
    """One column that holds, held or may hold an identifier."""

    column: str
    item: Hipaa
    state: IdentifierState
    why: str = ""  # where it is not known


@dataclass(frozen=True)
class ReleasedIdentifier:
    """One of the 18 identifiers, with the columns that it was looked for in."""

    letter: str
    identifier: str
    state: IdentifierState
    columns: tuple[ColumnState, ...] = ()


@dataclass(frozen=True)
class LookedAt:
    """A release as it is looked at: its rows, its columns, and those of them that steps changed or made."""

    table: Table
    columns: tuple[str, ...]
    changed: frozenset[str] = frozenset()


def released_identifiers(
    extract: Extract, identification: Identification, release: LookedAt, decided: Collection[str]
) -> tuple[ReleasedIdentifier, ...]:
    """The items A to R. `decided` are the columns that a person gave a role: they are accounted for."""
    # A role that nobody decided says nothing of what a column holds.
    columns = (c if c.name in decided else replace(c, role=propose(c.findings)[0]) for c in identification)
    harbor = SafeHarbor(
        replace(identification, columns=tuple(columns)),
        year=latest_year(extract, identification),
        aged=tuple(aged_columns(extract, identification)),
        decided=decided,
    )
    treated = [_state(treatment, release) for treatment in harbor.treatments]
    unknown = [
        ColumnState(column.name, Hipaa.OTHER, IdentifierState.UNKNOWN, column.why)
        for column in harbor.open
        if column.name in release.columns
    ]
    known = {state.column for state in treated}
    states = (*treated, *unknown, *_made(extract, release, known))
    silent = IdentifierState.UNKNOWN if unknown else IdentifierState.ABSENT
    return tuple(
        _item(letter, items, [state for state in states if state.item in items], silent)
        for letter, items in zip(LETTERS, ITEMS, strict=True)
    )


def _item(
    letter: str, items: tuple[Hipaa, ...], columns: list[ColumnState], silent: IdentifierState
) -> ReleasedIdentifier:
    order = list(IdentifierState)
    worst = min((column.state for column in columns), key=order.index, default=silent)
    # While a column may hold anything, what was removed elsewhere may be in it.
    state = silent if silent is IdentifierState.UNKNOWN and order.index(worst) > order.index(silent) else worst
    return ReleasedIdentifier(letter, ", ".join(items), state, tuple(columns))


def _state(treatment: Treatment, release: LookedAt) -> ColumnState:
    name = treatment.column
    if name not in release.columns:
        state = IdentifierState.REMOVED
    elif holds_only_harmless(release.table, treatment):
        state = IdentifierState.ALLOWED
    else:
        state = IdentifierState.CHANGED if name in release.changed else IdentifierState.PRESENT
    return ColumnState(name, treatment.item, state)


def _made(extract: Extract, release: LookedAt, known: Collection[str]) -> Iterator[ColumnState]:
    """What is recognised in columns that the source does not have, or that steps changed."""
    new = [name for name in release.columns if name not in extract.table.columns or name in release.changed]
    names = [name for name in new if name not in known]
    if not names:
        return
    table = release.table.engine.view(f"SELECT {listed(map(quoted, names))} FROM {release.table}")
    columns = tuple(Column(name, table.kinds[name], "") for name in names)
    for column in column_proposals(Extract("", table, columns)):
        item = item_of(column)
        if item is not None:
            yield ColumnState(column.name, item, IdentifierState.PRESENT)
