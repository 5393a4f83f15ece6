"""Lookalikes: the released tuples that lie nearest to one person on some columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.matching.coded_tuples import Tuples
from sfumato.attackers.matching.tuple_distance import TupleDistance, mixed_distance
from sfumato.privacy.coded.distinct_rows import first_places, row_numbers

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


@dataclass(frozen=True)
class Lookalikes:
    """What is nearest on some columns; each different row of released values on them is compared once."""

    distance: TupleDistance
    part: Whole  # by released tuple, the number of its values on these columns
    first: Whole  # by that number, a released tuple that has them

    @classmethod
    def of(cls, tuples: Tuples, places: Sequence[int]) -> Lookalikes:
        """Those on the columns at some places; without any column, all are equally near."""
        columns = [tuples.columns[place] for place in places]
        part = row_numbers([column.released for column in columns]) if columns else np.zeros_like(tuples.releases)
        return cls(mixed_distance(columns, tuples.originals), part, first_places(part))

    def nearest(self, original: int, without: Whole | None = None) -> Flags:
        """Which released tuples are nearest to an original tuple; parts `without` records are passed over."""
        costs = self.distance.cost(np.array([original]), self.first)
        if without is not None:
            costs[without] = np.inf
        near: Flags = (costs == costs.min(initial=np.inf)) & np.isfinite(costs)
        return near[self.part]
