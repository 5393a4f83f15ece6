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

    Among classes of one size those go first whose labels come first. No class can be said to be lost before it is known
    which others there are.
    """

    measure = "average_risk"
    last = 1
    requirement: Requirement

    def readings(self, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        return 1 / np.maximum(grouped.members, 1)

    def judged(self, grouped: Grouped) -> Judged:
        import numpy as np

        nothing = np.zeros(grouped.space, dtype=np.bool_)
        return self.among(grouped, nothing, nothing)

    def among(self, grouped: Grouped, gone: NDArray[np.bool_], doomed: NDArray[np.bool_]) -> Judged:
        import numpy as np

        kept = np.flatnonzero(~gone & (grouped.members > 0))
        kept = kept[np.argsort(grouped.members[kept], kind="stable")]
        sizes = grouped.members[kept]
        left = np.cumsum(sizes[::-1])[::-1]
        enough = np.append(~self.breaks(np.arange(len(kept), 0, -1) / np.maximum(left, 1)), True)
        count = int(np.argmax(enough))
        if count:
            tied = np.flatnonzero(sizes == sizes[count - 1])
            kept[tied] = _by_labels(grouped, kept[tied])
        broken = np.zeros(grouped.space, dtype=np.bool_)
        broken[kept[:count]] = True
        return Judged(broken)


def _by_labels(grouped: Grouped, classes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Classes in the order of their labels, the first column first: their numbers depend on how they came about."""
    import numpy as np

    rows = grouped.examples.take(classes)
    labels = [grouped.table.labels(j, level).take(rows) for j, level in enumerate(grouped.levels) if level >= 0]
    return classes.take(np.lexsort(labels[::-1]))
