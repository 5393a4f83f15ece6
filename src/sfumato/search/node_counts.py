"""Counts at a node: what the values of a column become, how often, and how many look alike before and after."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.table import CodedTable, added_up
from sfumato.privacy.sizes import LADDER

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real


@dataclass(frozen=True)
class LeafCount:
    """A value, how many records of the table have it, and how many of those stay."""

    value: str | None  # None is the missing value
    before: int
    after: int


@dataclass(frozen=True)
class LabelCount:
    """A label, the leaves that it may stand for, and how many records would have it: of all, and of those who stay."""

    label: str | None
    first: int  # the place of its first leaf
    leaves: int  # which stand together
    before: int
    after: int


@dataclass(frozen=True)
class ColumnCounts:
    """A column before and after on one line of leaves: values are spikes, labels plateaus over what they may stand for.

    Leaves stand in the order of the hierarchy, in which those of a label, at any level, stand together. It holds
    values and counts of few people: it is for the steward, as the table is.
    """

    column: str
    level: int
    leaves: tuple[LeafCount, ...]
    labels: tuple[LabelCount, ...]


@dataclass(frozen=True)
class SizeBand:
    """Records whose class has a size from `least` to `most`: as the table is, and of those who stay at the node."""

    least: int
    most: int | None  # None: no end
    before: int
    after: int


def column_counts(table: CodedTable, place: int, level: int, gone: Flags, hierarchy: Hierarchy) -> ColumnCounts:
    """The values and labels of a column at a level, when some rows are left out."""
    column, kept = table.columns[place], table.weights * ~gone
    before, after = (added_up(table.codes[place], weights, column.width) for weights in (table.weights, kept))
    # By the label at the top first, and then down: so the leaves of a label stand together at every level.
    order = np.lexsort(column.labels)
    order = order[(order < column.width - 1) | (before[order] > 0)]  # nobody lacks a value: then it has no place
    lines = (*hierarchy.lines, hierarchy.missing)
    starts = np.flatnonzero(np.diff(column.labels[level][order], prepend=-1))
    ends = np.append(starts[1:], len(order))
    return ColumnCounts(
        column=column.name,
        level=level,
        leaves=tuple(LeafCount(lines[leaf][0], int(before[leaf]), int(after[leaf])) for leaf in order.tolist()),
        labels=tuple(
            LabelCount(
                label=lines[order[start]][level],
                first=int(start),
                leaves=int(end - start),
                before=int(before[order[start:end]].sum()),
                after=int(after[order[start:end]].sum()),
            )
            for start, end in zip(starts, ends, strict=True)
        ),
    )


def size_bands(table: CodedTable, classes: CodedClasses, kept: Flags) -> tuple[SizeBand, ...]:
    """Records by how many look alike: alone, in pairs, and between the sizes that guidelines ask for."""
    now = CodedClasses.at(table, tuple(0 for _ in table.columns))
    edges = (1, 2, *LADDER, inf)
    before = _records_between(now.members, now.records, edges)
    after = _records_between(classes.members, classes.records * kept, edges)
    return tuple(
        SizeBand(int(least), None if end == inf else int(end) - 1, had, has)
        for (least, end), had, has in zip(pairwise(edges), before, after, strict=True)
    )


def _records_between(members: Real, records: Real, edges: tuple[float, ...]) -> list[int]:
    return [int(records[(members >= least) & (members < end)].sum())
            for least, end in pairwise(edges)]  # fmt: skip


def commonest_line(table: CodedTable, place: int, hierarchy: Hierarchy) -> tuple[str | None, ...]:
    """What the commonest value of a column becomes at each level; the missing value where nobody has another."""
    counts = added_up(table.codes[place], table.weights, table.columns[place].width)
    lines = (*hierarchy.lines, hierarchy.missing)
    return lines[int(counts[:-1].argmax()) if counts[:-1].any() else -1]
