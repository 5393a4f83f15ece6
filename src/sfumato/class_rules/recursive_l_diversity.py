"""Recursive (c, l)-diversity of groupings."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from sfumato.class_rule import DiversityRule, maxima, sums
from sfumato.condensed import CodedValue
from sfumato.grouped import Cells, Grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class RecursiveLDiversityRule(DiversityRule):
    """The commonest value against those from the l-th on; with fewer than l values there are none."""

    measure = "recursive_l_diversity"
    otherwise = inf

    @property
    def least(self) -> int:
        return self._l

    @property
    def _l(self) -> int:
        return int(self.requirement.measure.l)  # type: ignore[attr-defined]

    def of_cells(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        order = np.lexsort((-cells.n, cells.owner))
        rank = np.arange(len(order)) - np.repeat(cells.first, cells.counts)
        rest = sums(np.where(rank >= self._l - 1, cells.n[order], 0.0), cells)
        found = maxima(cells.n, cells) / np.where(rest > 0, rest, 1)
        return np.where((rest > 0) & (cells.size >= self._l), found, inf)

    def doomed(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.bool_]:
        return self.different(cells) < self._l
