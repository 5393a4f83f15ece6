"""delta-presence of groupings."""

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
class DeltaPresenceRule(ClassRule):
    """The share of a class of the population that is in the release.

    Of s members out of P no more than delta P may stay in all parts together, as long as these add up to P: s - delta P
    must go. They do not add up where persons of the population are in several of its records.
    """

    measure = "delta_presence"
    reads_population = True
    requirement: Requirement

    def readings(self, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        return grouped.members / np.maximum(grouped.population, 1)

    def judged(self, grouped: Grouped) -> Judged:
        import numpy as np

        broken = self.breaks(self.readings(grouped))
        if grouped.table.population is None:
            return Judged.hereditary(broken)  # everybody is in the release, whatever the classes are
        if grouped.table.residents is not None or not broken.any():
            return Judged(broken)
        excess = grouped.members - (self.requirement.limit or 0) * grouped.population
        return Judged(broken, fewest=np.where(broken, np.maximum(np.ceil(excess - 1e-6), 1), 0))
