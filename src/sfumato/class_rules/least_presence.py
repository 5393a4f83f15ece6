"""Least presence of groupings, which nothing may be suppressed for."""

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
class LeastPresenceRule(ClassRule):
    """The share of each class of the population that is in the release, also of those of which nobody is.

    Suppressing a class leaves nobody of it, which is worse: as soon as a class has too small a share, or goes for
    another requirement, all have to. The share of a class lies between those of its parts, so that one of them has too
    small a share as well, unless persons of several records count in several parts.
    """

    measure = "least_presence"
    last = 2
    reads_population = True
    requirement: Requirement

    def readings(self, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        return grouped.members / np.maximum(grouped.population, 1)

    def judged(self, grouped: Grouped) -> Judged:
        import numpy as np

        nothing = np.zeros(grouped.space, dtype=np.bool_)
        return self.among(grouped, nothing, nothing)

    def among(self, grouped: Grouped, gone: NDArray[np.bool_], doomed: NDArray[np.bool_]) -> Judged:
        import numpy as np

        if grouped.table.population is None:
            return Judged.hereditary(self._everywhere(grouped, marked=bool(self.breaks(np.ones(1))[0])))
        some = grouped.members > 0
        too_few = bool(self.breaks(self.readings(grouped)[some]).any())
        matters = bool(self.breaks(np.zeros(1))[0])  # whether of every class somebody must be there
        lost = matters and (grouped.absent or bool((doomed & some).any()))
        broken = too_few or lost or (matters and bool((gone & some).any()))
        lost = lost or (too_few and grouped.table.persons is None)
        return Judged(self._everywhere(grouped, marked=broken), self._everywhere(grouped, marked=lost))

    def _everywhere(self, grouped: Grouped, *, marked: bool) -> NDArray[np.bool_]:
        import numpy as np

        return np.full(grouped.space, marked)
