"""Basic beta-likeness of groupings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.class_rule import CellRule, above_share, maxima
from sfumato.condensed import CodedValue
from sfumato.grouped import Cells, Grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class BasicBetaLikenessRule(CellRule):
    """The largest relative gain; a value may have (1 + beta) times its share of everybody."""

    measure = "basic_beta_likeness"

    def of_cells(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        p = coded.shares[cells.value]
        return maxima(np.maximum((cells.q - p) / p, 0), cells)

    def fewest(self, readings: NDArray[np.float64], cells: Cells, coded: CodedValue) -> NDArray[np.float64]:
        return above_share((1 + (self.requirement.limit or 0)) * coded.shares, cells)
