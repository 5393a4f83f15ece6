"""The entropy of columns at each level, of all records and of those that are suppressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.scoring.by_column import ColumnObjective, ColumnScorer
from sfumato.search.scoring.objective_interface import LeafCounts, NodeState, Task

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole

# Labels of all columns and levels from which on only those are added up that suppressed records have. With fewer, all
# are: the numbers are the same, but for the last digits of sums in another order. Chosen, not measured.
WIDE = 8192
# Records up to which s log s is looked up in a list, of 8 bytes for each number of records; above, it is computed.
LISTED = 2**22


class EntropyScorer(ColumnScorer):
    """Bits lost by generalising every record, and those of the labels of suppressed records.

    The first depend on the level alone. The second, S log S - sum of s log s over the labels, of which S records have s
    each, only grow with more records: by one more of a label with s they grow by f(S + 1) - f(S) - f(s + 1) + f(s) with
    f(x) = x log x, which is not below 0, as f is convex and s is at most S. So the bits of the records that are known
    to be suppressed bound those of every node below, where these are suppressed and others perhaps.
    """

    halved = True

    def __init__(self, objective: ColumnObjective, task: Task, g: float, f: float, *, normalised: bool) -> None:
        super().__init__(objective, task)
        self.factor, table = f, task.table
        self.levels = max(self.heights) + 1
        slots, leaves, starts, places, start = [], [], [], [], 0
        for j, (column, first) in enumerate(zip(table.columns, table.starts, strict=True)):
            for level, labels in enumerate(column.labels):
                slots.append(labels + start)
                leaves.append(np.arange(first, first + column.width))
                starts.append(start)
                places.append(j * self.levels + level)
                start += column.count(level)
        self.slots, self.leaves, self.room = np.concatenate(slots), np.concatenate(leaves), start
        self.starts, self.places = np.array(starts), np.array(places)
        if self.room > WIDE:
            # By level and leaf: the label there; where a column is not so high, a number that is no label.
            self.labels = np.full((self.levels, table.width), self.room)
            self.labels[np.repeat(self.places % self.levels, list(map(len, leaves))), self.leaves] = self.slots
        # Bits are rounded to so small a part that the largest sum has 52 binary digits: sums are then exact in any
        # order, and off by less than 1e-15 of the bits of all records for each label.
        self.grain = 2.0 ** (int(np.ceil(np.log2(max(table.total * np.log2(max(table.total, 2)), 1)))) - 52)
        self.listed = self._of_counts(np.arange(table.total + 1.0)) if table.total <= LISTED else None
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
        whole = self._each(np.array([records], dtype=np.int64))[0] if self.listed is None else self.listed[records]
        if self.room > WIDE:
            bits = np.zeros(self.columns * self.levels)
            if records:
                bits[self.places] = np.maximum(whole - self._sums_of_few(leaves), 0)
            return bits.reshape(self.columns, self.levels)
        counts = np.bincount(self.slots, weights=leaves.take(self.leaves), minlength=self.room)
        each = self._each(counts.astype(np.int64))
        bits = np.zeros(self.columns * self.levels)
        bits[self.places] = np.maximum(whole - np.add.reduceat(each, self.starts), 0)
        return bits.reshape(self.columns, self.levels)

    def _each(self, counts: Whole) -> Real:
        """Of each number s of records, s log s."""
        return self._of_counts(counts.astype(float)) if self.listed is None else self.listed.take(counts)

    def _of_counts(self, counts: Real) -> Real:
        bits: Real = counts * np.log2(np.maximum(counts, 1))
        return np.rint(bits / self.grain) * self.grain

    def _sums_of_few(self, leaves: Real) -> Real:
        """The sum of s log s over the labels that occur, by column and level.

        What it takes grows with the leaves that the records hold, and not with those that there are.
        """
        held = np.flatnonzero(leaves)
        slots = self.labels.take(held, axis=1)
        counts = np.bincount(slots.ravel(), weights=np.tile(leaves.take(held), self.levels), minlength=self.room)
        used = np.flatnonzero(counts[: self.room])
        own = self._each(counts.take(used).astype(np.int64))
        # Every record has a label in each column and at each level: no stretch between two starts is empty.
        sums: Real = np.add.reduceat(own, np.searchsorted(used, self.starts))
        return sums
