"""Entropy l-diversity of groupings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.class_rule import DiversityRule, sums
from sfumato.condensed import CodedValue
from sfumato.grouped import Cells, Grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class EntropyLDiversityRule(DiversityRule):
    """The exponential of the entropy, which is never more than how many values there are."""

    measure = "entropy_l_diversity"

    def of_cells(self, cells: Cells, coded: CodedValue, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        entropy = sums(-cells.q * np.log(cells.q), cells)
        return np.minimum(np.round(np.exp(entropy), 12), cells.size)
