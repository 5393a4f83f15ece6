"""Column codes: the values of a column, and its labels with the values that each stands for, as whole numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.label_levels import LARGEST, ValueChange

if TYPE_CHECKING:
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.privacy.coded.arrays import Flags, Real, Whole


MISSING = -1  # the code of what is no value: whatever is listed by code has it in its last place

Label = tuple[str | None, int | None]  # with the level of the hierarchy at which it stands for its values
Broader = dict[Label, dict[int, int]]  # the values that labels stand for, and how many records have both


class Members(NamedTuple):
    """What broader labels stand for, label by label: the label's place among them, the value, the records of both."""

    label: Whole
    value: Whole
    records: Whole


@dataclass(frozen=True)
class ColumnCodes:
    """The values of a column and the labels that the release has for them, as codes.

    The codes 0, 1, ... are points: first the values of the domain, then numbers beyond it to which values were moved.
    The code after them is that of a suppressed value, which may be any of the domain; then come broader labels.
    """

    numeric: bool
    domain: int  # values that there are
    x: Real  # the number of each point; not a number where it has none
    records: Whole  # of the original that have each point
    missing: int  # records of the original without a value
    middles: Real  # of each broader label: between the smallest and the largest number that became it
    members: Members
    codes: Mapping[tuple[str | None, str | None, bool], tuple[int, int]] = field(repr=False)  # by value, label, gone

    @classmethod
    def of(cls, cells: ColumnCells) -> ColumnCodes:
        """Number the values and the labels of a column."""
        rows, points = _rows(cells), _domain(cells)
        domain = len(points)
        points |= {label: number for label, number in _foreign(rows) if label not in points}
        places, numbers = {value: place for place, value in enumerate(points)}, list(points.values())
        labels = _broader(cells.hierarchy, rows, places)
        records = np.zeros(len(points), dtype=np.int64)
        for row in rows:
            if row.value is not None:
                records[places[row.value]] += row.n
        return cls(
            numeric=cells.numeric,
            domain=domain,
            x=np.array(numbers, dtype=float),
            records=records,
            missing=sum(row.n for row in rows if row.value is None),
            middles=np.array([_middle(members, numbers) for members in labels.values()], dtype=float),
            members=_members(labels),
            codes=_codes(rows, places, {label: len(points) + 1 + place for place, label in enumerate(labels)}),
        )

    @property
    def gone(self) -> int:
        """The code of a suppressed value."""
        return len(self.x)

    @property
    def varies(self) -> bool:
        """Whether the original has more than one value, or more than one number."""
        return int(((self.records > 0) & ~(np.isnan(self.x) & self.numeric)).sum()) > 1

    def shares(self, chosen: Flags) -> Real:
        """Of the values that each label stands for, the share of those that are chosen, by code.

        Each point is chosen or not. A label stands for its values evenly: that is all that a reader of it knows.
        """
        picked, several = chosen.astype(float), len(self.middles)
        size = np.bincount(self.members.label, minlength=several)
        hits = np.bincount(self.members.label, weights=picked[self.members.value], minlength=several)
        anything = picked[: self.domain].mean() if self.domain else 0.0
        return np.concatenate([picked, [anything], hits / size, [0.0]])

    def drawn(self, codes: Whole, generator: np.random.Generator) -> Whole:
        """A point for each code: one of the values that the label stands for, each as likely."""
        points, chance = codes.copy(), generator.random(len(codes))
        gone, wide = codes == self.gone, codes > self.gone
        points[gone] = np.floor(chance[gone] * self.domain) if self.domain else MISSING
        size = np.bincount(self.members.label, minlength=len(self.middles))
        first, label = np.cumsum(size) - size, codes[wide] - self.gone - 1
        points[wide] = self.members.value[first[label] + np.floor(chance[wide] * size[label]).astype(np.int64)]
        return points


class _Row(NamedTuple):
    """What became of a value, and the number that stands in its place if it was exchanged for one."""

    value: str | None
    label: str | None
    gone: bool
    change: str
    level: int | None
    n: int
    moved: float | None

    @property
    def named(self) -> Label:
        return self.label, self.level

    def wide(self, places: Mapping[str, int]) -> bool:
        """Whether the label is none of the points."""
        if self.gone or self.label is None or self.change == ValueChange.SAME:
            return False
        return self.label not in places or (self.change == ValueChange.BROADER and self.value is not None)


def _rows(cells: ColumnCells) -> list[_Row]:
    """The cells, in the same order on every engine."""
    moved = f"CASE WHEN change = '{ValueChange.MOVED}' THEN lo END" if cells.numeric else "CAST(NULL AS DOUBLE)"
    table = cells.table.engine.arrow(
        f"SELECT value, label, gone, change, level, CAST(n AS BIGINT) AS n, {moved} AS moved FROM {cells.table}"
    )
    rows = [_Row(*row) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)]
    return sorted(rows, key=lambda row: (row.value is None, row.value or "", row.label or "", row.gone))


def _domain(cells: ColumnCells) -> dict[str, float]:
    """The values that there are and their numbers, in their order."""
    table = cells.table.engine.arrow(cells.values())
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    known = [(value, math.nan if x is None or abs(x) > LARGEST else float(x)) for value, x in rows]
    return dict(sorted(known, key=lambda pair: (math.isnan(pair[1]), 0 if math.isnan(pair[1]) else pair[1], pair[0])))


def _foreign(rows: Sequence[_Row]) -> list[tuple[str, float]]:
    """Numbers that values were exchanged for."""
    return sorted({(r.label, r.moved) for r in rows if r.label and r.moved is not None and abs(r.moved) < LARGEST})


def _broader(hierarchy: Hierarchy | None, rows: Sequence[_Row], places: Mapping[str, int]) -> Broader:
    """The labels that are no points, and the values that each stands for."""
    asked: Broader = {row.named: {} for row in rows if row.wide(places)}
    for line in hierarchy.lines if hierarchy else ():
        for level, label in enumerate(line):
            for named in ((label, level), (label, None)):  # no level: a label that is not of the value's own line
                if named in asked:
                    asked[named][places[line[0]]] = 0
    for row in rows:
        if row.value is not None and not row.gone and row.change != ValueChange.MOVED and row.named in asked:
            asked[row.named][places[row.value]] = row.n
    return {named: dict(sorted(members.items())) for named, members in asked.items() if members}


def _middle(members: Mapping[int, int], numbers: Sequence[float]) -> float:
    """Between the smallest and the largest number that became a label; if none did, that it stands for."""
    became = [place for place, n in members.items() if n] or list(members)
    known = [numbers[place] for place in became if not math.isnan(numbers[place])]
    return min(known) / 2 + max(known) / 2 if known else math.nan


def _members(labels: Broader) -> Members:
    rows = [(place, value, n) for place, members in enumerate(labels.values()) for value, n in members.items()]
    return Members(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)


def _codes(
    rows: Sequence[_Row], places: Mapping[str, int], labels: Mapping[Label, int]
) -> dict[tuple[str | None, str | None, bool], tuple[int, int]]:
    """The codes of values and labels; a label that stands for no value is as good as missing."""

    def of_label(row: _Row) -> int:
        if row.gone or row.label is None:
            return len(places) if row.gone else MISSING
        return labels.get(row.named, MISSING) if row.wide(places) else places[row.label]

    def of_value(row: _Row) -> int:
        return MISSING if row.value is None else places[row.value]

    return {(row.value, row.label, row.gone): (of_value(row), of_label(row)) for row in rows}
