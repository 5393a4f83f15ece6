"""Candidates: each table of the dimension stage beside the original, what it protects and what it lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from sfumato.columns.evidence.risk_rate import risk_rate
from sfumato.columns.profile import Profile
from sfumato.errors import EmptyTable, SchemaError
from sfumato.hierarchies.hierarchy import TOP, Hierarchy
from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.question import Question
from sfumato.privacy.readings import Readings
from sfumato.progress import Tell, quiet
from sfumato.search.dimension.result import Candidate, Dimensions, Protection, percent
from sfumato.search.dimension.rules import choices_of
from sfumato.tables.engine import Table, listed, literal, quoted, total
from sfumato.utility.model_interface import Figure
from sfumato.utility.models.generic_non_uniform_entropy import GenericNonUniformEntropy
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.label_levels import ValueChange
from sfumato.utility.paired.pairing import Pairing
from sfumato.utility.paired.record_join import joined_texts


@dataclass(frozen=True)
class Stage:
    """The original of the stage, what its columns are, and by what its records are found in another table."""

    table: Table
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    key: str | None = None  # None: by position
    subject: str | None = None
    count_missing: bool = True  # a missing sensitive value counts as a value, as in the thesis
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)


@dataclass(frozen=True)
class ColumnLoss:
    """What became of one quasi-identifier: records that differ, and information lost, in nats."""

    name: str
    differing: int
    nats: float
    maximum: float
    mixed: int = 0  # values that have more than one label
    exchanged: bool = False  # values stand where other values stood


@dataclass(frozen=True)
class TableLoss:
    """What became of the quasi-identifiers of a table."""

    columns: tuple[ColumnLoss, ...]
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def changed(self) -> tuple[str, ...]:
        """The quasi-identifiers that differ from the original."""
        return tuple(column.name for column in self.columns if column.differing)

    @property
    def nats(self) -> float | None:
        """The conventional non-uniform entropy; None where values were exchanged, of which it says nothing."""
        exchanged = any(column.exchanged for column in self.columns)
        return None if exchanged else sum(column.nats for column in self.columns)

    @property
    def maximum(self) -> float:
        """What it would be if all information were removed."""
        return sum(column.maximum for column in self.columns)


def protection(stage: Stage, table: Table) -> Protection:
    """What a table protects: k over all quasi-identifiers, and l and t of each sensitive attribute."""
    classes, required = _classes(stage, table)
    readings, _ = Readings(classes, tuple(requirement.measure for requirement in required)).overall()
    classes.forget()
    k, *others = readings.values()  # l and t of each sensitive attribute in turn
    diversity = {name: int(value or 0) for name, value in zip(stage.sensitive, others[::2], strict=True)}
    return Protection(int(k or 0), diversity, dict(zip(stage.sensitive, others[1::2], strict=True)))


def _classes(stage: Stage, table: Table) -> tuple[EquivalenceClasses, tuple[Any, ...]]:
    """The classes of a table on all quasi-identifiers; one that was left out says the same of everybody."""
    gone = [f"{literal(TOP)} AS {quoted(name)}" for name in stage.quasi if name not in table.kinds]
    whole = table.engine.view(f"SELECT {listed(['*', *gone])} FROM {table}") if gone else table
    question = Question.written(quasi=stage.quasi, sensitive=stage.sensitive, count_missing=stage.count_missing)
    dataset = Dataset.of(whole)
    dataset = replace(dataset, schema=question.schema(dataset.schema), subject=stage.subject)
    return dataset.classes(), question.shorthand.usual(dataset.schema, stage.sensitive)


def table_loss(stage: Stage, released: Table) -> TableLoss:
    """What became of each quasi-identifier between the original and another table of the same records."""
    records = stage.table.count()
    if stage.key is not None and released.count() != records:
        raise SchemaError(
            f"There are {released.count()} records where the original has {records}. The dimensions are compared on "
            f"the same records: leave the others out of the original too."
        )
    paired = joined_texts(stage.table, released, stage.quasi, target=None, key=stage.key)
    columns = [_column_loss(paired, name, i, records) for i, name in enumerate(stage.quasi, 1)]
    if not any(column.differing for column in columns):
        return TableLoss(tuple(columns))
    pairing = Pairing.of(stage.table, released, stage.quasi, hierarchies=stage.hierarchies, key=stage.key)
    columns = [replace(column, exchanged=_exchanged(pairing, column)) for column in columns]
    more = _generic(pairing) if stage.hierarchies else {}
    pairing.engine.drop(pairing.table)
    return TableLoss(tuple(columns), more)


def _column_loss(paired: Table, name: str, i: int, records: int) -> ColumnLoss:
    """The differing records and the entropy of one column, by how often its values and labels occur."""
    engine = paired.engine
    counted = engine.view(f"SELECT o{i} AS value, r{i} AS label, count(*) AS n FROM {paired} GROUP BY o{i}, r{i}")
    cells = engine.query(f"""
        SELECT value, label, n, sum(n) OVER (PARTITION BY value) AS f, sum(n) OVER (PARTITION BY label) AS g,
            count(*) OVER (PARTITION BY value) AS labels, row_number() OVER (PARTITION BY value ORDER BY label) AS place
        FROM {counted}""")
    lost, most = (total(f"n * ln(CAST({after} AS DOUBLE) / f)") for after in ("g", records))
    differing, nats, maximum, mixed = engine.fetch(f"""
        SELECT sum(CASE WHEN value IS DISTINCT FROM label THEN n ELSE 0 END), {lost}, {most},
            sum(CASE WHEN labels > 1 AND place = 1 THEN 1 ELSE 0 END)
        FROM {cells}""")[0]
    engine.drop(cells)
    return ColumnLoss(name, differing=int(differing), nats=float(nats), maximum=float(maximum), mixed=int(mixed))


def _exchanged(pairing: Pairing, column: ColumnLoss) -> bool:
    if not column.differing:
        return False
    return bool(ColumnCells.of(pairing, pairing.column(column.name)).changes[ValueChange.MOVED])


def _generic(pairing: Pairing) -> dict[str, float]:
    """The generic non-uniform entropy in nats and per cent; nothing where a changed column has no hierarchy."""
    read = GenericNonUniformEntropy().of(Comparison.of(pairing))
    if not isinstance(read.total, Figure) or not all(isinstance(figure, Figure) for figure in read.columns.values()):
        return {}
    nats = float(read.total.more["nats"])
    share = read.total.normalised or 0.0
    return {"generic_nue": nats, "generic_nue_percent": percent(share, 1.0)}


@dataclass(frozen=True)
class StageTable:
    """A table of the stage: what it is called, and which quasi-identifiers it de-identifies where a plan says so."""

    name: str
    table: Table
    columns: tuple[str, ...] | None = None
    source: str | None = None


@dataclass(frozen=True)
class _CandidateLoss:
    """A candidate, and what became of each of its columns."""

    candidate: Candidate
    loss: TableLoss


def compare_tables(stage: Stage, tables: Sequence[StageTable], tell: Tell = quiet) -> Dimensions:
    """Every table beside the original, in the order of their dimensions where they are cumulative."""
    records = stage.table.count()
    if not records:
        raise EmptyTable("The original table")
    original = protection(stage, stage.table)
    losses = []
    for number, named in enumerate(tables, 1):
        tell(f"Comparing table {number} of {len(tables)}", number - 1, len(tables))
        try:
            lost, after = table_loss(stage, named.table), protection(stage, named.table)
        except SchemaError as error:
            raise SchemaError(f"{named.name}: {error}") from None
        columns = lost.changed if named.columns is None else named.columns
        candidate = Candidate(
            name=named.name,
            quasi_identifiers=columns,
            original=original,
            after=after,
            nue=lost.nats,
            maximum_nue=lost.maximum,
            source=named.source,
            more=lost.more,
        )
        losses.append(_CandidateLoss(candidate, lost))
    planned = all(named.columns is not None for named in tables)
    in_order = sorted(losses, key=lambda each: each.candidate.dimension)
    cumulative = planned or _cumulative(stage.quasi, in_order)
    candidates = (
        tuple(_called(each.candidate) for each in in_order) if cumulative else tuple(each.candidate for each in losses)
    )
    rates = risk_rates(stage.table, stage.quasi)
    return Dimensions(
        source="", records=records, quasi_identifiers=stage.quasi, sensitive=stage.sensitive,
        original=original, candidates=candidates, choices=choices_of(candidates), cumulative=cumulative,
        risk_rates=rates, notes=(*_order_notes(rates, cumulative=cumulative), *_loss_notes(losses), *_missing(stage)),
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


def _cumulative(quasi: Sequence[str], tables: Sequence[_CandidateLoss]) -> bool:
    """Whether each table de-identifies the first quasi-identifiers, and one more or several than the table before.

    What the table before changed must have stayed as it is there.
    """
    for each in tables:
        changed = set(each.loss.changed)
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


def _loss_notes(tables: Sequence[_CandidateLoss]) -> list[str]:
    """Where the conventional entropy says nothing, or too little."""
    notes = [
        f"{each.candidate.name} leaves every quasi-identifier as it was." for each in tables if not each.loss.changed
    ]
    losses = [column for each in tables for column in each.loss.columns]
    exchanged = list(dict.fromkeys(column.name for column in losses if column.exchanged))
    notes += [
        f"In {name} values were exchanged for others, not generalised: the non-uniform entropy says nothing of that."
        for name in exchanged
    ]
    generic = all(each.candidate.more or not each.loss.changed for each in tables)
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
