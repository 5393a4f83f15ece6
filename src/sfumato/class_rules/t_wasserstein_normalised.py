"""Wasserstein t-closeness of groupings, as a share of the range."""

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
class TWassersteinNormalisedRule(CellRule):
    """The earth mover's distance between numbers, as a share of their range."""

    measure = "t_wasserstein_normalised"

    def of_cells(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.float64]:
        steps, reach = gaps(coded, self.value.sensitive)
        return moved(cells, coded, steps / (reach or 1))

    def fewest(self, readings: NDArray[np.float64], cells: Cells, coded: CodedValue) -> NDArray[np.float64]:
        return (readings - (self.requirement.limit or 0)) * cells.mass
