"""(alpha, k)-anonymity of groupings."""

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
class AlphaKAnonymityRule(CellRule):
    """The largest share of a value in a class of k members or more."""

    measure = "alpha_k_anonymity"
    compares = False

    def of_cells(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        return np.where(grouped.members[cells.classes] < self._k, inf, maxima(cells.n, cells) / cells.size)

    def doomed(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.bool_] | None:
        # A part in which nobody has a value has no reading, and so breaks nothing.
        return grouped.members[cells.classes] < self._k if not coded.lacking else None

    def fewest(self, readings: NDArray[np.float64], cells: Cells, coded: CodedValue) -> NDArray[np.float64]:
        import numpy as np

        return above_share(np.full(len(coded.shares), self.requirement.limit or 0.0), cells)

    @property
    def _k(self) -> int:
        return int(self.requirement.measure.k)  # type: ignore[attr-defined]
