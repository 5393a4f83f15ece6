"""Maximum prosecutor risk of groupings."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from sfumato.class_rule import SizeRule
from sfumato.errors import PolicyError
from sfumato.grouped import Grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class MaximumRiskRule(SizeRule):
    """A class needs as many members as the risk allows: 1 / |E| at most."""

    measure = "maximum_risk"

    @property
    def least(self) -> int:
        limit = self.requirement.limit
        if not limit or limit <= 0:
            raise PolicyError("maximum_risk: no class is large enough for a risk of 0. Allow some risk.")
        size = max(ceil(1 / limit) - 1, 1)
        return size if 1 / size <= limit else size + 1

    def readings(self, grouped: Grouped) -> NDArray[np.float64]:
        import numpy as np

        return 1 / np.maximum(grouped.members, 1)
