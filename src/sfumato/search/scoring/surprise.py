"""How surprising records are to somebody who knows their classes only."""

from __future__ import annotations

from collections.abc import Callable
from math import log2
from typing import TYPE_CHECKING

from sfumato.privacy.coded.lattice import Node
from sfumato.privacy.coded.table import Condensed
from sfumato.search.scoring.label_volume import volumes
from sfumato.search.scoring.objective_interface import Scorer, State, Task

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real


class SurpriseScorer(Scorer):
    """The weighted sum of log2 p / q over rows, where p is how frequent a row is, and q how the release has it."""

    def __init__(self, task: Task, weights: Callable[[Condensed], Real]) -> None:
        import numpy as np

        table = task.table
        self.n, self.weights = table.total, weights
        self.domain_bits = sum(log2(column.domain) for column in table.columns)
        self.whole = float(weights(table).sum())
        self.own = float((weights(table) * np.log2(table.multiplicity / self.n)).sum())
        self.cheapest = self._gone(max(min(task.limit, self.n), 1))
        self.most = (self.own + self.whole * self.domain_bits) / self.n

    def _gone(self, suppressed: int) -> float:
        """What a suppressed row adds for its weight, when so many records are suppressed."""
        return self.domain_bits - log2(suppressed / self.n)

    def score(self, state: State) -> float:
        import numpy as np

        grouped, kept = state.grouped, state.kept
        weights = grouped.added(self.weights(grouped.table))
        bits = np.log2(volumes(grouped.table, grouped.levels, grouped.examples[kept]) * self.n / grouped.records[kept])
        found = float((weights[kept] * bits).sum())
        if state.suppressed:
            found += (self.whole - float(weights[kept].sum())) * self._gone(state.suppressed)
        return max((self.own + found) / self.n, 0.0)

    def bound(self, state: State, lows: Node) -> float:
        import numpy as np

        grouped = state.grouped
        open_rows = np.flatnonzero(~state.verdict.doomed.take(grouped.ids))
        rows = open_rows if grouped.rows is None else grouped.rows.take(open_rows)
        sizes = grouped.records.take(grouped.ids.take(open_rows))
        bits = np.log2(volumes(grouped.table, lows, rows) * self.n / sizes)
        weights = self.weights(grouped.table).take(rows)
        lost = self.whole - float(weights.sum())
        found = float((weights * np.minimum(bits, self.cheapest)).sum()) + lost * self.cheapest
        return (self.own + found) / self.n
