"""delta-disclosure of groupings."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import TYPE_CHECKING

from sfumato.class_rule import CellRule, maxima
from sfumato.condensed import CodedValue
from sfumato.grouped import Cells, Grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class DeltaDisclosureRule(CellRule):
    """The largest change of a logarithm; infinite in a class that lacks a value, and in every part of it."""

    measure = "delta_disclosure"

    def of_cells(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        changes = np.abs(np.log(cells.q / coded.shares[cells.value])) / log(self._base)
        return np.where(cells.counts < len(coded.shares), inf, maxima(changes, cells))

    def doomed(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.bool_] | None:
        # A part in which nobody has a value has no reading, and so breaks nothing.
        return cells.counts < len(coded.shares) if not coded.lacking else None

    @property
    def _base(self) -> float:
        return float(self.requirement.measure.base)  # type: ignore[attr-defined]
