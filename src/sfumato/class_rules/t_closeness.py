"""t-closeness of groupings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.class_rule import CellRule, sums
from sfumato.condensed import CodedValue
from sfumato.grouped import Cells, Grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TClosenessRule(CellRule):
    """The variational distance. Taking away the share x of a class moves it by x at most, so t - bound must go."""

    measure = "t_closeness"

    def of_cells(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        return sums(np.maximum(cells.q - coded.shares[cells.value], 0), cells)

    def fewest(self, readings: NDArray[np.float64], cells: Cells, coded: CodedValue) -> NDArray[np.float64]:
        return (readings - (self.requirement.limit or 0)) * cells.mass
