"""Average prosecutor risk of groupings, which the smallest classes are suppressed for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.class_rule import ClassRule, Judged
from sfumato.grouped import Grouped
from sfumato.policy import Requirement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class AverageRiskRule(ClassRule):
    """Classes over members of all that is kept: the smallest classes go until it is low enough.

    Among classes of one size those go first whose codes come first. No class can be said to be lost before it is known
    which others there are.
    """

    measure = "average_risk"
    last = True
    requirement: Requirement

    def readings(self, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        return 1 / np.maximum(grouped.members, 1)

    def judged(self, grouped: Grouped) -> Judged:
        import numpy as np

        return self.among(grouped, np.zeros(grouped.space, dtype=np.bool_))

    def among(self, grouped: Grouped, gone: NDArray[np.bool_]) -> Judged:
        import numpy as np

        kept = np.flatnonzero(~gone & (grouped.members > 0))
        kept = kept[np.argsort(grouped.members[kept], kind="stable")]
        sizes = grouped.members[kept]
        left = np.cumsum(sizes[::-1])[::-1]
        enough = np.append(~self.breaks(np.arange(len(kept), 0, -1) / np.maximum(left, 1)), True)
        broken = np.zeros(grouped.space, dtype=np.bool_)
        broken[kept[: int(np.argmax(enough))]] = True
        return Judged(broken)
