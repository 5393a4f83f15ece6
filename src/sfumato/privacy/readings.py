"""Readings: what every class reads on several measures, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sfumato.privacy.classes import EquivalenceClasses, Value
from sfumato.privacy.measure_interface import CellMeasure, Measure, SizeMeasure, cells
from sfumato.tables.engine import Row, Table, listed


@dataclass(frozen=True)
class Readings:
    """What every class reads on each measure: r1, r2, ... in order.

    Measures that add up the cells of the same sensitive value do so in one pass.
    """

    classes: EquivalenceClasses
    measures: tuple[Measure, ...]

    @cached_property
    def table(self) -> Table:
        """One row per class: class_id, size, records, r1, r2, ..."""
        classes = self.classes
        columns = [f"class.{name}" for name in ("class_id", "size", "records", *(["own"] if classes.overlap else []))]
        columns += [_column(i, measure, classes) for i, measure in enumerate(self.measures, 1)]
        joins = "".join(
            f" LEFT JOIN ({sql}) AS s{i} ON s{i}.class_id = class.class_id" for i, sql in enumerate(self._sources())
        )
        return classes.held(self.measures, lambda: f"SELECT {listed(columns)} FROM {classes.table} AS class{joins}")

    def overall(self, others: Sequence[str] = ()) -> tuple[dict[Measure, float | None], Row]:
        """The reading of the table on each measure and, in the same pass, other aggregates over its classes."""
        aggregates = [measure.overall(self.column(measure), self.classes) for measure in self.measures]
        if not (aggregates or others):
            return {}, ()
        row = self.classes.engine.fetch(f"SELECT {listed([*aggregates, *others])} FROM {self.table}")[0]
        values = [None if value is None else float(value) for value in row[: len(aggregates)]]
        return dict(zip(self.measures, values, strict=True)), row[len(aggregates) :]

    def column(self, measure: Measure) -> str:
        """The name of the column with the readings of a measure."""
        return f"r{self.measures.index(measure) + 1}"

    def _by_value(self) -> dict[Value, dict[int, CellMeasure]]:
        found: dict[Value, dict[int, CellMeasure]] = {}
        for i, measure in enumerate(self.measures, 1):
            if isinstance(measure, CellMeasure):
                found.setdefault(measure.value, {})[i] = measure
        return found

    def _sources(self) -> list[str]:
        """What to join to the classes: SELECTs of class_id and some of r1, r2, ..."""
        return [self._added_up(value, group) for value, group in self._by_value().items()] + [
            f"SELECT class_id, reading AS r{i} FROM ({measure.by_class(self.classes)}) AS found"
            for i, measure in enumerate(self.measures, 1)
            if not isinstance(measure, CellMeasure | SizeMeasure)
        ]

    def _added_up(self, value: Value, group: dict[int, CellMeasure]) -> str:
        sums = [f"{measure.of_cells(self.classes)} AS r{i}" for i, measure in group.items()]
        source = cells(self.classes, value, transports=any(measure.transports for measure in group.values()))
        return f"SELECT class_id, {listed(sums)} FROM {source} AS cell GROUP BY class_id"


def _column(i: int, measure: Measure, classes: EquivalenceClasses) -> str:
    if isinstance(measure, SizeMeasure):
        return f"{measure.of_size()} AS r{i}"
    otherwise = measure.otherwise if isinstance(measure, CellMeasure) else None
    reading = f"coalesce(r{i}, {otherwise})" if otherwise else f"r{i}"
    return f"{measure.told(reading, classes)} AS r{i}"
