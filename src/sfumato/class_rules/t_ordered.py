"""Ordered t-closeness of groupings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.class_rule import CellRule
from sfumato.condensed import CodedValue
from sfumato.earth_mover import moved
from sfumato.grouped import Cells, Grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TOrderedRule(CellRule):
    """The earth mover's distance in steps between values, as a share of the longest: at most t_closeness."""

    measure = "t_ordered"

    def of_cells(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        steps = len(coded.shares) - 1
        return moved(cells, coded, np.full(max(steps, 0), 1 / max(steps, 1)))

    def fewest(self, readings: NDArray[np.float64], cells: Cells, coded: CodedValue) -> NDArray[np.float64]:
        return (readings - (self.requirement.limit or 0)) * cells.mass
