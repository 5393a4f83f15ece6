"""k-map of groupings."""

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
class KMapRule(ClassRule):
    """A class needs k members in the population; a part of a class has fewer still."""

    measure = "k_map"
    reads_population = True
    requirement: Requirement

    def readings(self, grouped: Grouped) -> NDArray[np.float64]:
        return grouped.population

    def judged(self, grouped: Grouped) -> Judged:
        return Judged.hereditary(self.breaks(grouped.population))
