"""Enhanced beta-likeness of groupings."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from sfumato.class_rule import CellRule, above_share, maxima
from sfumato.condensed import CodedValue
from sfumato.grouped import Cells, Grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class EnhancedBetaLikenessRule(CellRule):
    """The largest relative gain, where none may exceed -ln p."""

    measure = "enhanced_beta_likeness"

    def of_cells(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        p = coded.shares[cells.value]
        gain = (cells.q - p) / p
        return maxima(np.where(gain > -np.log(p) + 1e-12, inf, np.maximum(gain, 0)), cells)

    def fewest(self, readings: NDArray[np.float64], cells: Cells, coded: CodedValue) -> NDArray[np.float64]:
        import numpy as np

        p = np.where(coded.shares > 0, coded.shares, 1)
        return above_share((1 + np.minimum(self.requirement.limit or 0, -np.log(p) + 1e-12)) * coded.shares, cells)
