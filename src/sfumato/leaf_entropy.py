"""The entropy of columns at each level, of all records and of those that are suppressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.column_objective import ColumnObjective, ColumnScorer
from sfumato.objective import State, Task

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Real = NDArray[np.float64]


class EntropyScorer(ColumnScorer):
    """Bits lost by generalising every record, and those of the labels of suppressed records.

    The bits of a set of records, S log S - sum of s log s, only grow with more records. So those of records that are
    known to be suppressed are a bound for every node below.
    """

    def __init__(self, objective: ColumnObjective, task: Task, g: float, f: float, *, normalised: bool) -> None:
        import numpy as np

        super().__init__(objective, task)
        self.factor, table = f, task.table
        slots, starts, start = [], [], 0
        for column in table.columns:
            for level in range(max(self.heights) + 1):
                labels = column.labels[min(level, column.height)]
                slots.append(labels + start)
                starts.append(start)
                start += column.width
        self.levels, self.starts = max(self.heights) + 1, np.array(starts)
        self.slots, self.room = np.concatenate(slots), start
        spread = [np.arange(s, s + c.width) for s, c in zip(table.starts, table.columns, strict=True)]
        self.leaves = np.concatenate([np.tile(leaves, self.levels) for leaves in spread])
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
        found: Real = (self.base + self.factor * self._bits(leaves, records)) / self.unit
        return found

    def _bits(self, leaves: Real, records: int) -> Real:
        """The bits of some records, by column and level."""
        import numpy as np

        counts = np.bincount(self.slots, weights=leaves.take(self.leaves), minlength=self.room)
        each = counts * np.log2(np.maximum(counts, 1))
        sums = np.add.reduceat(each, self.starts).reshape(self.columns, self.levels)
        found: Real = np.maximum(records * np.log2(max(records, 1)) - sums, 0)
        return found
