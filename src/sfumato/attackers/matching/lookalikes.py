"""Lookalikes: the released tuples that lie nearest to one person on some columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.matching.coded_tuples import Tuples
from sfumato.attackers.matching.tuple_distance import TupleDistance, mixed_distance
from sfumato.privacy.coded.distinct_rows import first_places, row_numbers

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole

SPANS = 1000  # parts that are gathered one by one; with more, looking at all tuples takes less. Chosen, not measured.


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
        return self.nearest_parts(original, without)[self.part]

    def nearest_parts(self, original: int, without: Whole | None = None) -> Flags:
        """Which of the different values on these columns are nearest to an original tuple."""
        costs = self.distance.cost(np.array([original]), self.first)
        if without is not None:
            costs[without] = np.inf
        near: Flags = (costs == costs.min(initial=np.inf)) & np.isfinite(costs)
        return near

    def size(self, parts: Flags) -> int:
        """How many released tuples have some of the different values."""
        return int(self._sizes[parts].sum())

    def tuples_of(self, parts: Flags) -> Whole:
        """The released tuples that have some of the different values."""
        places = np.flatnonzero(parts)
        if not 0 < len(places) <= SPANS:
            return np.flatnonzero(parts[self.part])
        return np.concatenate([self._along[self._ends[p] - self._sizes[p] : self._ends[p]] for p in places])

    @cached_property
    def _along(self) -> Whole:
        """The released tuples, those of one part together."""
        return np.argsort(self.part, kind="stable")

    @cached_property
    def _sizes(self) -> Whole:
        """How many tuples each part has."""
        return np.bincount(self.part, minlength=len(self.first))

    @cached_property
    def _ends(self) -> Whole:
        """By part, where its tuples end."""
        return np.cumsum(self._sizes)
