"""Distinct l-diversity of groupings."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from sfumato.class_rule import CellRule
from sfumato.condensed import CodedValue
from sfumato.grouped import Cells, Grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class DistinctLDiversityRule(CellRule):
    """A class needs l different values, and as many members who have one; a part of a class has no others."""

    measure = "distinct_l_diversity"
    otherwise = 0.0
    compares = False

    @property
    def least(self) -> int:
        return max(ceil(self.requirement.limit or 0), 1)

    def of_cells(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        return np.minimum(cells.counts, cells.size)

    def doomed(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.bool_]:
        return self.breaks(self.of_cells(cells, coded, grouped))
