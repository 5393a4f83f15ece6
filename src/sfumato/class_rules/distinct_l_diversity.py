"""Distinct l-diversity of groupings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.class_rule import DiversityRule
from sfumato.condensed import CodedValue
from sfumato.grouped import Cells, Grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class DistinctLDiversityRule(DiversityRule):
    """A class needs l different values, and as many members who have one."""

    measure = "distinct_l_diversity"

    def of_cells(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.float64]:
        return self.different(cells)
