"""Comparing the tables of the dimension stage: each beside the original, and all of them by every rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sfumato.columns.evidence.risk_rate import risk_rate
from sfumato.columns.profile import Profile
from sfumato.errors import EmptyTable, SchemaError
from sfumato.progress import Tell, quiet
from sfumato.search.dimension.reading import Loss, Stage, loss, protection
from sfumato.search.dimension.result import Candidate, Dimensions
from sfumato.search.dimension.rules import choices_of
from sfumato.tables.engine import Table, listed, quoted


@dataclass(frozen=True)
class Named:
    """A table of the stage: what it is called, and which quasi-identifiers it de-identifies where a plan says so."""

    name: str
    table: Table
    columns: tuple[str, ...] | None = None
    source: str | None = None


@dataclass(frozen=True)
class _Beside:
    """A candidate, and what became of each of its columns."""

    candidate: Candidate
    loss: Loss


def compared(stage: Stage, tables: Sequence[Named], tell: Tell = quiet) -> Dimensions:
    """Every table beside the original, in the order of their dimensions where they are cumulative."""
    records = stage.table.count()
    if not records:
        raise EmptyTable("The original table")
    original = protection(stage, stage.table)
    found = []
    for number, named in enumerate(tables, 1):
        tell(f"Comparing table {number} of {len(tables)}", number - 1, len(tables))
        try:
            lost, after = loss(stage, named.table), protection(stage, named.table)
        except SchemaError as error:
            raise SchemaError(f"{named.name}: {error}") from None
        columns = lost.changed if named.columns is None else named.columns
        candidate = Candidate(named.name, columns, original, after, lost.nats, lost.maximum, named.source, lost.more)
        found.append(_Beside(candidate, lost))
    planned = all(named.columns is not None for named in tables)
    in_order = sorted(found, key=lambda beside: beside.candidate.dimension)
    cumulative = planned or _cumulative(stage.quasi, in_order)
    candidates = tuple(_called(b.candidate) for b in in_order) if cumulative else tuple(b.candidate for b in found)
    rates = risk_rates(stage.table, stage.quasi)
    return Dimensions(
        source="", records=records, quasi_identifiers=stage.quasi, sensitive=stage.sensitive,
        original=original, candidates=candidates, choices=choices_of(candidates), cumulative=cumulative,
        risk_rates=rates, notes=(*_order_notes(rates, cumulative=cumulative), *_loss_notes(found), *_missing(stage)),
    )  # fmt: skip


def risk_rates(table: Table, names: Sequence[str]) -> dict[str, float | None]:
    """The g-distinct risk rate of some columns, in per cent; None for a column that is mostly missing."""
    columns = table.engine.view(f"SELECT {quoted(*names)} FROM {table}")
    profile = Profile.of(columns)
    return {name: risk_rate(profile[name]) for name in names}


def by_descending_risk(rates: Mapping[str, float | None]) -> tuple[str, ...]:
    """Columns by their risk rates, the highest first; of equal ones the first one named."""
    return tuple(sorted(rates, key=lambda name: -(rates[name] or 0.0)))


def _called(candidate: Candidate) -> Candidate:
    return replace(candidate, name=f"dimension {candidate.dimension}")


def _cumulative(quasi: Sequence[str], tables: Sequence[_Beside]) -> bool:
    """Whether each table de-identifies the first quasi-identifiers, and one more or several than the table before.

    What the table before changed must have stayed as it is there.
    """
    for beside in tables:
        changed = set(beside.loss.changed)
        if changed != set(quasi[: len(changed)]):
            return False
    for one, next_one in pairwise(tables):
        if one.candidate.dimension == next_one.candidate.dimension:
            return False
        later = {column.name: column for column in next_one.loss.columns}
        if any(column != later[column.name] for column in one.loss.columns if column.differing):
            return False
    return True


def _order_notes(rates: Mapping[str, float | None], *, cumulative: bool) -> list[str]:
    if not cumulative:
        return [
            "The tables do not de-identify the quasi-identifiers one after the other, in the order in which they are "
            "named. They are compared as alternatives."
        ]
    order = by_descending_risk(rates)
    return [f"By descending risk rate the order would be: {', '.join(order)}."] if order != tuple(rates) else []


def _loss_notes(tables: Sequence[_Beside]) -> list[str]:
    """Where the conventional entropy says nothing, or too little."""
    notes = [
        f"{beside.candidate.name} leaves every quasi-identifier as it was."
        for beside in tables
        if not beside.loss.changed
    ]
    losses = [column for beside in tables for column in beside.loss.columns]
    exchanged = list(dict.fromkeys(column.name for column in losses if column.exchanged))
    notes += [
        f"In {name} values were exchanged for others, not generalised: the non-uniform entropy says nothing of that."
        for name in exchanged
    ]
    generic = all(beside.candidate.more or not beside.loss.changed for beside in tables)
    mixed = dict.fromkeys(column.name for column in losses if column.mixed and column.name not in exchanged)
    if mixed and not generic:
        notes.append(
            f"Records with the same value were treated differently in {', '.join(mixed)} (local recoding, or "
            f"suppression in part): there the conventional non-uniform entropy is too small. With --hierarchies the "
            f"generic one is read as well, and decides."
        )
    return notes


def _missing(stage: Stage) -> list[str]:
    """Which sensitive attributes have missing values, and how they count."""
    if not stage.sensitive:
        return []
    lacking = listed(f"count(*) - count({quoted(name)})" for name in stage.sensitive)
    counts = stage.table.engine.fetch(f"SELECT {lacking} FROM {stage.table}")[0]
    how = "counts as one more value of l, as in the thesis" if stage.count_missing else "is no value of l"
    return [
        f"{n} record{'s' * (n != 1)} without a value of {name}: a missing one {how}."
        for name, n in zip(stage.sensitive, counts, strict=True)
        if n
    ]
