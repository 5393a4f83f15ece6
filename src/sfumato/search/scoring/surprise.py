"""How surprising records are to somebody who knows their classes only."""

from __future__ import annotations

from collections.abc import Callable
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.lattice import Node
from sfumato.privacy.coded.table import CodedTable
from sfumato.search.scoring.label_volume import volumes
from sfumato.search.scoring.objective_interface import NodeState, Scorer, Task

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real


class SurpriseScorer(Scorer):
    """The weighted sum of log2 p / q over rows, where p is how frequent a row is, and q how the release has it.

    A kept row adds log2 of the volume of its label over the size of its class. Going down from b to a, volumes fall, at
    the most to those of a, and classes only get smaller: so no row adds less than with the volume at a and the size at
    b. A suppressed row adds log2 of the whole domain over the records that are suppressed, which is least when all are
    suppressed that may be (`cheapest`). A row that is forced adds no less than that, any other no less than the smaller
    of the two.
    """

    def __init__(self, task: Task, weights: Callable[[CodedTable], Real]) -> None:
        table = task.table
        self.n, self.weights = table.total, weights
        self.domain_bits = sum(log2(column.domain) for column in table.columns)
        self.whole = float(weights(table).sum())
        self.own = float((weights(table) * np.log2(table.multiplicity / self.n)).sum())
        self.cheapest = self._of_suppressed(max(min(task.limit, self.n), 1))
        self.most = (self.own + self.whole * self.domain_bits) / self.n

    def _of_suppressed(self, suppressed: int) -> float:
        """What a suppressed row adds for its weight, when so many records are suppressed."""
        return self.domain_bits - log2(suppressed / self.n)

    def score(self, state: NodeState) -> float:
        classes, kept = state.classes, state.kept
        weights = classes.added(self.weights(classes.table))
        bits = np.log2(volumes(classes.table, classes.levels, classes.examples[kept]) * self.n / classes.records[kept])
        total = float((weights[kept] * bits).sum())
        if state.suppressed:
            total += (self.whole - float(weights[kept].sum())) * self._of_suppressed(state.suppressed)
        return max((self.own + total) / self.n, 0.0)

    def bound(self, state: NodeState, lows: Node) -> float:
        classes = state.classes
        open_rows = np.flatnonzero(~state.forced_rows)
        rows = classes.table_rows(open_rows)
        sizes = classes.records.take(classes.ids.take(open_rows))
        bits = np.log2(volumes(classes.table, lows, rows) * self.n / sizes)
        weights = self.weights(classes.table).take(rows)
        lost = self.whole - float(weights.sum())
        total = float((weights * np.minimum(bits, self.cheapest)).sum()) + lost * self.cheapest
        return (self.own + total) / self.n
