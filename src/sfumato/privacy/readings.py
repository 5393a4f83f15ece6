"""Readings: what every class reads on several measures, against their bounds, and so the flag of every record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses, Value
from sfumato.privacy.measure_interface import CellMeasure, Measure, SensitiveMeasure, SizeMeasure, cells
from sfumato.privacy.partition import ALONE
from sfumato.privacy.policy import Requirement
from sfumato.tables.engine import Engine, Row, Table, aliased, listed

if TYPE_CHECKING:
    import pyarrow as pa


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
        return self.classes.held(self.measures, lambda: self._select(self.classes.table))

    @cached_property
    def counted(self) -> Table:
        """The same for questions about them alone, which may be answered in another engine."""
        classes = self.classes
        if classes.counted is classes.table:
            return self.table
        if not all(isinstance(measure, SizeMeasure) for measure in self.measures):
            return classes.brought(self.measures, lambda: classes.engine.brought(self.table))
        # What is read off the size alone is read there, and only who joins it to the records has it read here too.
        return classes.brought(self.measures, lambda: classes.counted.engine.query(self._select(classes.counted)))

    def overall(self, others: Sequence[str] = ()) -> tuple[dict[Measure, float | None], Row]:
        """The reading of the table on each measure and, in the same pass, other aggregates over its classes."""
        aggregates = [measure.overall(self.column(measure), self.classes) for measure in self.measures]
        if not (aggregates or others):
            return {}, ()
        row = self.counted.engine.fetch(f"SELECT {listed([*aggregates, *others])} FROM {self.counted}")[0]
        values = [None if value is None else float(value) for value in row[: len(aggregates)]]
        return dict(zip(self.measures, values, strict=True)), row[len(aggregates) :]

    def column(self, measure: Measure) -> str:
        """The name of the column with the readings of a measure."""
        return f"r{self.measures.index(measure) + 1}"

    def _select(self, table: Table) -> str:
        classes = self.classes
        columns = [f"class.{name}" for name in ("class_id", "size", "records", *(["own"] if classes.overlap else []))]
        columns += [_column(i, measure, classes) for i, measure in enumerate(self.measures, 1)]
        joins = "".join(
            f" LEFT JOIN ({sql}) AS s{i} ON s{i}.class_id = class.class_id" for i, sql in enumerate(self._sources())
        )
        return f"SELECT {listed(columns)} FROM {table} AS class{joins}"

    def _by_value(self) -> dict[Value, dict[int, CellMeasure]]:
        groups: dict[Value, dict[int, CellMeasure]] = {}
        for i, measure in enumerate(self.measures, 1):
            if isinstance(measure, CellMeasure):
                groups.setdefault(measure.value, {})[i] = measure
        return groups

    def _sources(self) -> list[str]:
        """What to join to the classes: SELECTs of class_id and some of r1, r2, ..."""
        return [self._added_up(value, group) for value, group in self._by_value().items()] + [
            f"SELECT class_id, reading AS r{i} FROM ({measure.by_class(self.classes)}) AS measured"
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
    return f"{measure.disclosed(reading, classes)} AS r{i}"


@dataclass(frozen=True)
class Overlap:
    """How many records are flagged because of one family of measures only, of several, of any."""

    only: dict[str, int]
    several: int
    any: int

    def by_family(self) -> dict[str, int]:
        """The counts by what flagged them: {"k only": 3, ..., "several": 1, "any": 4}."""
        return {
            **{f"{family} only": n for family, n in self.only.items()},
            "several": self.several,
            "any": self.any,
        }


@dataclass(frozen=True)
class Verdicts:
    """What every class reads on each requirement, and whether that breaks it.

    A record has the readings of its class. It is flagged where they break a bound, except that a record
    without a sensitive value is not flagged for what it does not have (`flags_missing` of a measure).
    """

    readings: Readings
    requirements: tuple[Requirement, ...]
    labels: tuple[str, ...]

    @property
    def classes(self) -> EquivalenceClasses:
        """The classes that were read."""
        return self.readings.classes

    @cached_property
    def tally(self) -> list[tuple[tuple[bool, ...], int]]:
        """Which requirements are broken together, and for how many records."""
        flags = listed(self._flag(i) for i in self._numbers)
        by = listed(str(i) for i in self._numbers)
        engine, blocks = self._blocks()
        rows = engine.fetch(f"SELECT {flags}, sum(records) FROM {blocks} AS block GROUP BY {by}")
        return [(tuple(map(bool, broken)), int(records)) for *broken, records in rows]

    def counts(self) -> list[int]:
        """How many records each requirement flags."""
        return [sum(records for broken, records in self.tally if broken[i - 1]) for i in self._numbers]

    def subjects(self) -> list[int]:
        """How many persons each requirement flags."""
        sums = listed(
            f"count(DISTINCT CASE WHEN {self._flag(i)} THEN member.person END)"
            f" + count(CASE WHEN {self._flag(i)} AND member.person IS NULL THEN 1 END)"
            for i in self._numbers
        )
        return [int(n) for n in self.classes.engine.fetch(f"""
            SELECT {sums} FROM {self.classes.records} AS member
            JOIN {self.readings.table} AS class ON class.class_id = member.class_id""")[0]]  # fmt: skip

    def overlap(self) -> Overlap:
        """How the families of measures agree on who is at risk."""
        only = dict.fromkeys((requirement.measure.family for requirement in self.requirements), 0)
        several = 0
        for broken, records in self.tally:
            families = {r.measure.family for r, hit in zip(self.requirements, broken, strict=True) if hit}
            if len(families) == 1:
                only[families.pop()] += records
            elif families:
                several += records
        return Overlap(only, several, sum(only.values()) + several)

    def arrow(self, subject: str | None) -> pa.Table:
        """One row per record: its number, its subject, each reading, and whether it is flagged."""
        columns = [("record", "record"), *([("person", subject)] if subject else [])]
        for i, label in zip(self._numbers, self.labels, strict=True):
            columns += [(self.column(i), label), (self._flag(i), f"{label}_flagged")]
        any_flag = " OR ".join(self._flag(i) for i in self._numbers)
        return self.classes.engine.arrow(f"""
            SELECT {listed(aliased([*columns, (f"({any_flag})", "flagged")]))}
            FROM ({self._records("TRUE")}) AS record ORDER BY 1""")  # fmt: skip

    def flagged(self, number: int, columns: Sequence[str], order: str, *, whole: bool) -> str:
        """A SELECT of the records that one requirement flags, worst first; `whole` readings are not rounded."""
        reading = f"listed.{self.column(number)}"
        worst = f"{reading if whole else f'round({reading}, 9)'} {order}"
        keys = ["class_id"] if self.classes.in_order else [key for key in self.classes.keys if key != ALONE]
        return f"""
            SELECT {listed(columns)} FROM {self._flagged_records} AS listed
            WHERE {self._flag(number)}
            ORDER BY {listed([worst, *(f"listed.{key}" for key in (*keys, "record"))])}"""

    def column(self, number: int) -> str:
        """The name of the column with the readings of a requirement, by its number from 1 on."""
        return self.readings.column(self.requirements[number - 1].measure)

    @property
    def _numbers(self) -> range:
        return range(1, len(self.requirements) + 1)

    @cached_property
    def _flagged_records(self) -> str:
        """The records of the classes that break any bound, with their number, found in one pass over the source.

        Where the records are held already, they are found again in less time than it takes to hold them once more.
        """
        records = self._records(" OR ".join(self._broken(i) for i in self._numbers))
        return f"({records})" if self.classes.own else f"{self.classes.held('flagged', lambda: records)}"

    def _records(self, condition: str) -> str:
        """A SELECT of the records in the classes that satisfy a condition, numbered as in the source."""
        classes = self.classes
        numbered = classes.records
        if "record" not in numbered.columns:
            numbered = classes.engine.numbered(f"SELECT * FROM {classes.records}", "record", held=False)
        readings = listed(dict.fromkeys(f"verdict.{self.column(i)}" for i in self._numbers))
        return f"""
            SELECT record.*, {readings} FROM {numbered} AS record
            JOIN (SELECT * FROM {self.readings.table} WHERE {condition}) AS verdict
            ON verdict.class_id = record.class_id"""

    def _blocks(self) -> tuple[Engine, str]:
        """Records that share all flags: classes, or parts of classes where some lack a sensitive value; and where."""
        columns = sorted({v for i in self._numbers if (v := self._needed(i))})
        if not columns:
            return self.readings.counted.engine, f"{self.readings.counted}"
        lacking = listed(f"CASE WHEN {v} IS NULL THEN NULL ELSE 1 END AS {v}" for v in columns)
        readings = listed(dict.fromkeys(self.column(i) for i in self._numbers))
        by = listed(str(i) for i in range(1, len(columns) + 2))
        return (
            self.classes.engine,
            f"""(
            SELECT part.records, {listed(f"part.{v}" for v in columns)}, {readings}
            FROM (SELECT class_id, {lacking}, count(*) AS records
                  FROM {self.classes.records} AS member GROUP BY {by}) AS part
            JOIN {self.readings.table} AS class ON class.class_id = part.class_id)""",
        )

    def _broken(self, number: int) -> str:
        return self.requirements[number - 1].broken(self.column(number))

    def _flag(self, number: int) -> str:
        needed, broken = self._needed(number), self._broken(number)
        return f"({broken} AND {needed} IS NOT NULL)" if needed else broken

    def _needed(self, number: int) -> str | None:
        """The sensitive column that a record must have to be flagged; None where all records have it."""
        measure = self.requirements[number - 1].measure
        if not isinstance(measure, SensitiveMeasure) or measure.flags_missing or measure.count_missing:
            return None
        return self.classes.column(measure.sensitive) if self.classes.lacking(measure.sensitive) else None
