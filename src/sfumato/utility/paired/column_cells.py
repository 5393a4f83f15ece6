"""Cells of columns: what became of each value of one column, and how many records it concerns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sfumato.errors import HierarchyError
from sfumato.tables.engine import Table, total
from sfumato.utility.paired.hierarchy_table import hierarchy_table
from sfumato.utility.paired.label_levels import ValueChange, cells_with_levels, cells_with_numbers, own_number
from sfumato.utility.paired.pairing import PairedColumn, Pairing
from sfumato.utility.paired.value_shares import value_shares

if TYPE_CHECKING:
    from sfumato.hierarchies.hierarchy import Hierarchy


KNOWN = "sum(CASE WHEN x IS NULL THEN 0 ELSE n END)"  # records whose value is a number, over the cells of a column


class ChangeFacts(NamedTuple):
    """The cells of one column that changed alike and stand at the same level: records, ends and faults."""

    change: str
    level: int | None
    records: int
    lowest: float | None  # of the numbers of the original
    highest: float | None
    lowest_label: float | None  # of these and of the numbers that the labels stand for
    highest_label: float | None
    unknown_values: int  # that the hierarchy of the column lacks
    unknown_labels: int
    highest_level: int | None  # the lowest of the highest levels at which values have their labels


@dataclass(frozen=True)
class CellTable:
    """The cells of several columns in one table: a few statements for all of them, and not a dozen for each."""

    table: Table
    columns: tuple[PairedColumn, ...]
    tree: Table | None  # the hierarchies
    records: int

    @cached_property
    def shares(self) -> Table:
        """The values of all columns with their shares."""
        return self.table.engine.query(value_shares(self.table, self.columns, self.tree, self.records))

    def of(self, table: Table, column: PairedColumn) -> Table:
        """The rows of one column."""
        return table.engine.view(f"SELECT * FROM {table} WHERE col = {column.number}")

    def facts(self) -> dict[int, list[ChangeFacts]]:
        """By column: what is known of the cells of each change and level."""
        rows = self.table.engine.fetch(f"""
            SELECT col, change, level, CAST(sum(n) AS BIGINT), min(x), max(x), min(least(x, lo)), max(greatest(x, hi)),
                count(DISTINCT CASE WHEN NOT known THEN value END), count(DISTINCT CASE WHEN strange THEN label END),
                min(highest)
            FROM {self.table} GROUP BY 1, 2, 3""")
        facts: dict[int, list[ChangeFacts]] = {}
        for col, *row in rows:
            facts.setdefault(int(col), []).append(ChangeFacts(*row))
        return facts


@dataclass(frozen=True)
class ColumnCells:
    """The values of one column of a pairing beside their labels: one row per value and label.

    `table` has the columns

    - value, label (null where it is gone), change (see `ValueChange`) and n, the records;
    - f and g: the records that have the value in the original, and the label in the release;
    - leaves: how many values of the domain the label stands for. The domain is what the hierarchy lists or, without
      one, the values that occur; then a label stands for the values that became it;
    - lost: the bits that a record lost, level by level among those that were generalised as far;
    - level: of the hierarchy, the lowest at which the value has this label; null where there is no such level;
    - x: the value as a number (days for dates, the place in the hierarchy for anything else; null without either), and
      lo and hi: the smallest and the largest number that the label stands for.
    """

    column: PairedColumn
    table: Table
    records: int  # all of them, suppressed ones too
    domain: int  # values that there are
    changes: dict[ValueChange, int]  # records by what became of their value
    levels: tuple[int, ...]  # of the hierarchy, that occur: one for all values, where there is one
    levelled: bool  # whether it is known at which level a label stands; if not, the hierarchy is needed
    cell_table: CellTable  # with the other columns
    lowest: float | None = None  # of the numbers of the original
    highest: float | None = None
    lowest_label: float | None = None  # of these and of the numbers that the labels stand for
    highest_label: float | None = None

    @classmethod
    def all_of(cls, pairing: Pairing, columns: Sequence[PairedColumn]) -> dict[str, ColumnCells]:
        """Count the pairs of value and label of several columns, and place them; by the names of the columns."""
        engine = pairing.engine
        counted = engine.query(" UNION ALL ".join(_pairs(pairing, column.number) for column in columns))
        tree = hierarchy_table(engine, columns)
        placed, several = cells_with_levels(counted, columns, tree)
        cell_table = CellTable(engine.query(cells_with_numbers(placed, columns)), tuple(columns), tree, pairing.records)
        facts = cell_table.facts()
        for column in columns:
            _check(pairing, column, facts.get(column.number, []), cell_table.table)
        domains: dict[int, int] = dict(engine.fetch(f"SELECT col, count(DISTINCT value) FROM {counted} GROUP BY col"))
        engine.drop(counted)
        return {
            column.name: cls._of(
                cell_table,
                column,
                facts.get(column.number, []),
                values=int(domains[column.number]),
                levelled=column.number not in several,
            )
            for column in columns
        }

    @classmethod
    def of(cls, pairing: Pairing, column: PairedColumn) -> ColumnCells:
        """The cells of one column."""
        return cls.all_of(pairing, [column])[column.name]

    @classmethod
    def _of(
        cls, cell_table: CellTable, column: PairedColumn, facts: Sequence[ChangeFacts], *, values: int, levelled: bool
    ) -> ColumnCells:
        lowest, highest = _ends((f.lowest, f.highest) for f in facts)
        lowest_label, highest_label = _ends((f.lowest_label, f.highest_label) for f in facts)
        return cls(
            column=column,
            table=cell_table.of(cell_table.table, column),
            records=cell_table.records,
            domain=len(column.hierarchy.values) if column.hierarchy else values,
            changes={change: sum(int(f.records) for f in facts if f.change == change) for change in ValueChange},
            levels=_levels([f for f in facts if f.level is not None]),
            levelled=levelled,
            cell_table=cell_table,
            lowest=lowest,
            highest=highest,
            lowest_label=lowest_label,
            highest_label=highest_label,
        )

    @property
    def hierarchy(self) -> Hierarchy | None:
        """Of the column, where one was given."""
        return self.column.hierarchy

    @property
    def numeric(self) -> bool:
        """Whether the values are numbers or dates."""
        return self.column.kind.numeric or self.column.moment

    @property
    def placed(self) -> bool:
        """Whether every value has a number: its own, or its place in the hierarchy."""
        return self.lowest is not None

    @cached_property
    def words(self) -> str:
        """What became of the column, in words."""
        if self.column.dropped:
            return "dropped"
        parts = []
        if self.changes[ValueChange.MOVED]:
            parts.append("perturbed")
        if self.changes[ValueChange.BROADER]:
            below = tuple(level for level in self.levels if self.hierarchy and level < self.hierarchy.height)
            whole = len(below) == 1 or not self.hierarchy
            level = f" to level {below[0]}" if len(below) == 1 else ""
            parts.append(f"generalised{level}" if whole else f"recoded locally, levels {below[0]} to {below[-1]}")
        if self.changes[ValueChange.GONE]:
            parts.append("suppressed in part" if self.changes[ValueChange.GONE] < self.records else "suppressed")
        return ", ".join(parts) or "unchanged"

    @cached_property
    def shares(self) -> Table:
        """The values and their shares: in the original (p), in what labels stand for (q), if nothing were left (u).

        x is the value as a number. A label is spread evenly over the values that it stands for.
        """
        return self.cell_table.of(self.cell_table.shares, self.column)

    def values(self) -> str:
        """The values of the domain and their numbers, as a SELECT of value and x."""
        source = f"(SELECT DISTINCT value FROM {self.table})"
        if self.hierarchy:
            source = f"(SELECT value FROM {self.cell_table.tree} WHERE tree_of = {self.column.number})"
        return f"SELECT value, {own_number(self.column, 'value')} AS x FROM {source} AS listed WHERE value IS NOT NULL"

    @property
    def span(self) -> float:
        """From the smallest to the largest number."""
        return 0.0 if self.lowest is None or self.highest is None else self.highest - self.lowest

    @property
    def middle(self) -> float:
        """Between the smallest and the largest number: where a suppressed one is put."""
        return ((self.lowest or 0.0) + (self.highest or 0.0)) / 2

    @property
    def scale(self) -> float:
        """From the smallest to the largest number, of the values and of what their labels stand for."""
        return (
            0.0 if self.lowest_label is None or self.highest_label is None else self.highest_label - self.lowest_label
        )

    @cached_property
    def moments(self) -> tuple[float, float]:
        """The mean and the standard deviation of the numbers of the original."""
        if not self.span:
            return self.lowest or 0.0, 0.0
        z = f"((x - {self.lowest!r}) / {self.span!r})"
        n, first, second = self.table.engine.fetch(f"""
            SELECT {KNOWN}, {total(f"n * {z}")}, {total(f"n * {z} * {z}")} FROM {self.table}""")[0]
        mean = float(first) / int(n)
        variance = max(0.0, float(second) / int(n) - mean * mean)
        return float(self.lowest or 0.0) + mean * self.span, variance**0.5 * self.span


def _check(pairing: Pairing, column: PairedColumn, facts: Sequence[ChangeFacts], cells: Table) -> None:
    """`HierarchyError` where values or labels have no place in the hierarchy; they are counted, never named."""
    of = f"FROM {cells} WHERE col = {column.number}"
    sides = (
        (sum(f.unknown_values for f in facts), "the original", f"SELECT value {of} AND NOT known"),
        (sum(f.unknown_labels for f in facts), "the release", f"SELECT label {of} AND strange"),
    )
    for side, (lacking, where, texts) in enumerate(sides):
        if lacking:
            record = pairing.first_record(side, column.name, texts)
            place = f" (first in record {record}, line {record + 1} of a file of one line a record)" if record else ""
            raise HierarchyError(
                f"Column {column.name!r}: {lacking} different value{'s' * (lacking != 1)} of {where}{place} "
                f"{'are' if lacking != 1 else 'is'} not in its hierarchy. Add {'them' if lacking != 1 else 'it'} "
                f"there, or leave the hierarchy of the column out."
            )


def _levels(facts: Sequence[ChangeFacts]) -> tuple[int, ...]:
    """The levels at which labels stand: one, where there is one at which every value has its label.

    Some values have the same label at several levels, as 90+ does among ages: of each alone, only the lowest can be
    said. A column at one level for all (full-domain recoding) is not recoded locally.
    """
    kept = [f for f in facts if f.change != ValueChange.GONE]
    levels = {int(f.level) for f in facts if f.level is not None}
    if kept and (one := max(int(f.level or 0) for f in kept)) <= min(int(f.highest_level or 0) for f in kept):
        levels = {one} | {int(f.level or 0) for f in facts if f.change == ValueChange.GONE}
    return tuple(sorted(levels))


def _ends(extents: Iterable[tuple[float | None, float | None]]) -> tuple[float | None, float | None]:
    """The smallest and the largest number of several extents; None where none is known."""
    known = [(float(low), float(high)) for low, high in extents if low is not None and high is not None]
    return (min(low for low, _ in known), max(high for _, high in known)) if known else (None, None)


def _pairs(pairing: Pairing, i: int) -> str:
    keys = f"o{i}, l{i}, g{i}"
    counted = f"SELECT {keys}, CAST(sum(n) AS BIGINT) AS n FROM {pairing.counted} GROUP BY {keys}"
    return f"""SELECT {i} AS col, CAST(o{i} AS VARCHAR) AS value, CAST(l{i} AS VARCHAR) AS label, g{i} AS gone, n
        FROM ({counted}) AS cell"""
