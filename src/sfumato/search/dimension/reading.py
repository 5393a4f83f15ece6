"""Reading one table of the dimension stage: what it protects, and what it lost beside the original."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sfumato.errors import SchemaError
from sfumato.hierarchies.hierarchy import TOP, Hierarchy
from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.question import Question
from sfumato.privacy.readings import Readings
from sfumato.search.dimension.result import Protection, percent
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
class Loss:
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
    found, _ = Readings(classes, tuple(requirement.measure for requirement in required)).overall()
    classes.forget()
    k, *others = found.values()  # l and t of each sensitive attribute in turn
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


def loss(stage: Stage, released: Table) -> Loss:
    """What became of each quasi-identifier between the original and another table of the same records."""
    engine, records = stage.table.engine, stage.table.count()
    if stage.key is not None and released.count() != records:
        raise SchemaError(
            f"There are {released.count()} records where the original has {records}. The dimensions are compared on "
            f"the same records: leave the others out of the original too."
        )
    paired = joined_texts(stage.table, released, stage.quasi, target=None, key=stage.key)
    found = [_column_loss(paired, name, i, records) for i, name in enumerate(stage.quasi, 1)]
    if not any(column.differing for column in found):
        return Loss(tuple(found))
    pairing = Pairing.of(stage.table, released, stage.quasi, hierarchies=stage.hierarchies, key=stage.key)
    columns = tuple(replace(column, exchanged=_exchanged(pairing, column)) for column in found)
    more = _generic(pairing) if stage.hierarchies else {}
    engine.drop(pairing.table)
    return Loss(columns, more)


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
    return ColumnLoss(name, int(differing), float(nats), float(maximum), int(mixed))


def _exchanged(pairing: Pairing, column: ColumnLoss) -> bool:
    if not column.differing:
        return False
    return bool(ColumnCells.of(pairing, pairing.column(column.name)).changes[ValueChange.MOVED])


def _generic(pairing: Pairing) -> dict[str, float]:
    """The generic non-uniform entropy in nats and per cent; nothing where a changed column has no hierarchy."""
    read = GenericNonUniformEntropy().of(Comparison.of(pairing))
    if not isinstance(read.total, Figure) or not all(isinstance(found, Figure) for found in read.columns.values()):
        return {}
    nats = float(read.total.more["nats"])
    share = read.total.normalised or 0.0
    return {"generic_nue": nats, "generic_nue_percent": percent(share, 1.0)}
