"""k-anonymity of groupings."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from sfumato.class_rule import SizeRule
from sfumato.grouped import Grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class KAnonymityRule(SizeRule):
    """A class needs k members; a part of a class has fewer still."""

    measure = "k_anonymity"

    @property
    def least(self) -> int:
        limit = self.requirement.limit
        return max(ceil(limit), 1) if limit is not None else 1

    def readings(self, grouped: Grouped) -> NDArray[np.float64]:
        return grouped.members
