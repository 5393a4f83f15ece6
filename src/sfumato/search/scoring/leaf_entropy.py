"""The entropy of columns at each level, of all records and of those that are suppressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.scoring.by_column import ColumnObjective, ColumnScorer
from sfumato.search.scoring.objective_interface import LeafCounts, NodeState, Task

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real


class EntropyScorer(ColumnScorer):
    """Bits lost by generalising every record, and those of the labels of suppressed records.

    The first depend on the level alone. The second, S log S - sum of s log s over the labels, of which S records have s
    each, only grow with more records: by one more of a label with s they grow by f(S + 1) - f(S) - f(s + 1) + f(s) with
    f(x) = x log x, which is not below 0, as f is convex and s is at most S. So the bits of the records that are known
    to be suppressed bound those of every node below, where these are suppressed and others perhaps.
    """

    def __init__(self, objective: ColumnObjective, task: Task, g: float, f: float, *, normalised: bool) -> None:
        super().__init__(objective, task)
        self.factor, table = f, task.table
        self.levels, self.places = max(self.heights) + 1, []
        slots, leaves, starts, start = [], [], [], 0
        for j, (column, first) in enumerate(zip(table.columns, table.starts, strict=True)):
            for level, labels in enumerate(column.labels):
                slots.append(labels + start)
                leaves.append(np.arange(first, first + column.width))
                starts.append(start)
                self.places.append(j * self.levels + level)
                start += column.count(level)
        self.slots, self.leaves, self.starts, self.room = np.concatenate(slots), np.concatenate(leaves), starts, start
        bits = self._bits(table.leaf_counts, table.total)
        self.base = g * np.maximum(bits[:, :1] - bits, 0)
        self.unit = np.where(bits[:, :1] > 0, bits[:, :1], 1) if normalised else np.ones((self.columns, 1))

    def of_columns(self, state: NodeState) -> Real:
        leaves = state.suppressed_leaves if self.factor and state.suppressed else None
        return self._lost(leaves, state.suppressed)

    def at_least(self, state: NodeState) -> Real:
        leaves = state.forced_leaves if self.factor and state.forced else None
        return self._lost(leaves, state.forced)

    def _lost(self, leaves: LeafCounts | None, records: int) -> Real:
        """What is lost where records with these leaves are suppressed; none: where nothing is, or it does not count."""
        if leaves is None:
            kept: Real = self.base / self.unit
            return kept
        if self not in leaves.costs:
            leaves.costs[self] = (self.base + self.factor * self._bits(leaves.counts, records)) / self.unit
        return leaves.costs[self]

    def _bits(self, leaves: Real, records: int) -> Real:
        """The bits of some records, by column and level."""
        counts: Real = np.bincount(self.slots, weights=leaves.take(self.leaves), minlength=self.room).astype(float)
        each = counts * np.log2(np.maximum(counts, 1))
        bits = np.zeros(self.columns * self.levels)
        whole = records * np.log2(max(records, 1))
        bits[self.places] = np.maximum(whole - np.add.reduceat(each, self.starts), 0)
        return bits.reshape(self.columns, self.levels)
