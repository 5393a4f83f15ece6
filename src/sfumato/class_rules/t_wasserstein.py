"""Wasserstein t-closeness of groupings, in the unit of the variable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.class_rule import CellRule
from sfumato.condensed import CodedValue
from sfumato.earth_mover import gaps, moved
from sfumato.grouped import Cells, Grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TWassersteinRule(CellRule):
    """The earth mover's distance between numbers; taking away the share x of a class moves it by x of the range."""

    measure = "t_wasserstein"

    def of_cells(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.float64]:
        steps, _ = gaps(coded, self.value.sensitive)
        return moved(cells, coded, steps)

    def fewest(self, readings: NDArray[np.float64], cells: Cells, coded: CodedValue) -> NDArray[np.float64]:
        _, reach = gaps(coded, self.value.sensitive)
        return (readings - (self.requirement.limit or 0)) / (reach or 1) * cells.mass
