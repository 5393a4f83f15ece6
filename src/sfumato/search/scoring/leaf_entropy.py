"""The entropy of columns at each level, of all records and of those that are suppressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.search.scoring.by_column import ColumnObjective, ColumnScorer
from sfumato.search.scoring.objective_interface import State, Task

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real


KNOWN = 2_000_000  # records up to which n log n is looked up


class EntropyScorer(ColumnScorer):
    """Bits lost by generalising every record, and those of the labels of suppressed records.

    The bits of a set of records, S log S - sum of s log s, only grow with more records. So those of records that are
    known to be suppressed are a bound for every node below.
    """

    def __init__(self, objective: ColumnObjective, task: Task, g: float, f: float, *, normalised: bool) -> None:
        import numpy as np

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
        self.known = _bits_of(np.arange(min(table.total, KNOWN) + 1, dtype=float))
        self._last: tuple[Real, Real] | None = None  # leaves, and what they cost
        bits = self._bits(table.leaf_counts, table.total)
        self.base = g * np.maximum(bits[:, :1] - bits, 0)
        self.unit = np.where(bits[:, :1] > 0, bits[:, :1], 1) if normalised else np.ones((self.columns, 1))

    def of_columns(self, state: State) -> Real:
        return self._lost(state.gone_leaves, state.suppressed) if self.factor and state.suppressed else self._kept()

    def at_least(self, state: State) -> Real:
        return self._lost(state.doomed_leaves, state.forced) if self.factor and state.forced else self._kept()

    def _kept(self) -> Real:
        found: Real = self.base / self.unit
        return found

    def _lost(self, leaves: Real, records: int) -> Real:
        """What is lost where these are suppressed; a bound asks for the same ones again after a score."""
        if self._last is None or self._last[0] is not leaves:
            self._last = leaves, (self.base + self.factor * self._bits(leaves, records)) / self.unit
        return self._last[1]

    def _bits(self, leaves: Real, records: int) -> Real:
        """The bits of some records, by column and level."""
        import numpy as np

        counts: Real = np.bincount(self.slots, weights=leaves.take(self.leaves), minlength=self.room).astype(float)
        each = self.known.take(counts.astype(np.int64)) if records < len(self.known) else _bits_of(counts)
        found = np.zeros(self.columns * self.levels)
        whole = records * np.log2(max(records, 1))
        found[self.places] = np.maximum(whole - np.add.reduceat(each, self.starts), 0)
        return found.reshape(self.columns, self.levels)


def _bits_of(counts: Real) -> Real:
    """The bits n log n of each count."""
    import numpy as np

    found: Real = counts * np.log2(np.maximum(counts, 1))
    return found
