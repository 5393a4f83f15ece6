"""Tuple distance: what it costs to take a released tuple for an original one, column by column.

Costs are whole numbers of a small unit, held as real numbers, so that they add exactly: two tuples that are equally
far are so to the last digit, and ties are counted as ties.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log2
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.matching.coded_tuples import MatchedColumn

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Codes, Flags, Real, Whole

FINEST = 32  # binary places of a unit: 2^-32 of a standard deviation is far below what anybody measures
EXACT = 52  # binary digits of a real number that all count, so that whole numbers up to 2^52 add without loss


PAIRS = 4_000_000  # of value and label that are written down, a byte each: 2,000 codes. Chosen, not measured


class ColumnDistance(ABC):
    """What the values of one column cost against each other."""

    original: Codes | Real  # by original tuple
    released: Codes | Real  # by released tuple

    @abstractmethod
    def apart(self, left: Codes | Real, right: Codes | Real) -> Real:
        """What values cost that stand against each other; the arrays broadcast."""

    def cost(self, originals: Whole, released: Whole) -> Real:
        """What original tuples cost against released ones, by their numbers; the arrays broadcast."""
        return self.apart(self.original[originals], self.released[released])


@dataclass(frozen=True)
class CategoryDistance(ColumnDistance):
    """Values that are equal, or differ and cost the same whatever they are."""

    original: Codes
    released: Codes
    weight: float
    codes: int

    def apart(self, left: Codes | Real, right: Codes | Real) -> Real:
        cost: Real = (left != right) * self.weight
        return cost


@dataclass(frozen=True)
class LabelDistance(ColumnDistance):
    """Values and labels, which fit where the release gives the label to the value anywhere, or they are equal."""

    original: Codes
    released: Codes
    labelled: Whole  # value * codes + label of what occurs together, sorted
    weight: float
    codes: int

    def apart(self, left: Codes | Real, right: Codes | Real) -> Real:
        pairs = left.astype(np.int64) * self.codes + right
        fit = np.isin(pairs, self.labelled) if self._fitting is None else self._fitting[pairs]
        cost: Real = (~fit & (left != right)) * self.weight
        return cost

    @cached_property
    def _fitting(self) -> Flags | None:
        """Which of all pairs of value and label occur together; None where these would be too many to write down."""
        if self.codes**2 > PAIRS:
            return None
        fitting = np.zeros(self.codes**2, dtype=np.bool_)
        fitting[self.labelled] = True
        return fitting


@dataclass(frozen=True)
class NumberDistance(ColumnDistance):
    """Values that cost as much as they are apart; those that are missing cost nothing here."""

    original: Real
    released: Real
    scale: float
    gaps: bool  # whether any value is missing

    def apart(self, left: Codes | Real, right: Codes | Real) -> Real:
        gap: Real = np.abs(left - right)
        return self.price(np.nan_to_num(gap, copy=False, nan=0.0) if self.gaps else gap)

    def price(self, gap: Real) -> Real:
        """What values cost that are so far apart; never less for a wider gap."""
        cost: Real = np.rint(gap * self.scale)
        return cost


@dataclass(frozen=True)
class TupleDistance:
    """Columns in which original and released tuples are compared; costs add over them."""

    columns: tuple[ColumnDistance, ...]
    unit: float  # what 1 is, in the unit of the costs

    def cost(self, originals: Whole, released: Whole) -> Real:
        """What original tuples cost against released ones, by their numbers; the arrays broadcast."""
        cost: Real = np.zeros(np.broadcast_shapes(originals.shape, released.shape))
        for column in self.columns:
            cost += column.cost(originals, released)
        return cost


def mixed_distance(columns: Sequence[MatchedColumn], originals: Whole) -> TupleDistance:
    r"""The distance over mixed types, in which a standard deviation costs as much as another category.

    .. math:: d(x, y) = \sum_{k \text{ numeric}} \frac{|x_k - y_k|}{\sigma_k} + \sum_{k \text{ other}} [x_k \ne y_k]

    A value that lacks on one side only costs 1. The deviation is that of the original records. Where tuples are told
    apart by raw values, a label of a recoded column costs nothing against a value that the release gives it to.
    """
    scales = [_scale(column, originals) for column in columns]
    unit = _unit(sum(scale.most for scale in scales))
    distances: list[ColumnDistance] = []
    for column, scale in zip(columns, scales, strict=True):
        if column.numbers is None:
            distances.append(_category(column, unit))
            continue
        original, released = column.numbers[column.original], column.numbers[column.released]
        absent = [np.isnan(side) for side in (original, released)]
        gaps = bool(absent[0].any() or absent[1].any())
        distances.append(NumberDistance(original, released, unit / scale.deviation, gaps))
        if gaps:  # whether a number lacks is a category of its own
            distances.append(CategoryDistance(absent[0].astype(np.int32), absent[1].astype(np.int32), unit, 2))
    return TupleDistance(tuple(distances), unit)


def weighted_distance(columns: Sequence[MatchedColumn], weights: Sequence[int]) -> TupleDistance:
    """The distance in which a column that differs costs its weight."""
    distances = (_category(column, weight) for column, weight in zip(columns, weights, strict=True))
    return TupleDistance(tuple(distances), 1.0)


def _category(column: MatchedColumn, weight: float) -> ColumnDistance:
    released = column.released.astype(np.int32)
    if column.labelled is None:
        return CategoryDistance(column.original.astype(np.int32), released, weight, column.codes)
    original = column.value.astype(np.int32)
    return LabelDistance(original, released, labelled=column.labelled, weight=weight, codes=column.codes)


@dataclass(frozen=True)
class _ColumnScale:
    deviation: float
    most: float  # that the column can cost: in deviations, and 1 for a value that lacks


def _scale(column: MatchedColumn, originals: Whole) -> _ColumnScale:
    """The deviation of a column among the originals; if they are all the same, the range of what was released."""
    if column.numbers is None:
        return _ColumnScale(1.0, 1.0)
    values = column.numbers[column.original]
    known = np.concatenate([values, column.numbers[column.released]])
    known = known[~np.isnan(known)]
    largest = float(np.abs(known).max(initial=0.0)) or 1.0  # the squares of very large numbers would be infinite
    width = float(np.ptp(known / largest)) if len(known) else 0.0
    deviation = _deviation(values / largest, originals) or width or 1.0
    return _ColumnScale(deviation * largest, 1 + width / deviation)


def _deviation(values: Real, n: Whole) -> float:
    """The standard deviation; values are added in their order, so that it does not depend on that of the rows."""
    present = ~np.isnan(values)
    different, place = np.unique(values[present], return_inverse=True)
    if len(different) < 2:
        return 0.0
    counts = np.bincount(place, weights=n[present])
    mean = (different * counts).sum() / counts.sum()
    return float(np.sqrt((counts * (different - mean) ** 2).sum() / counts.sum()))


def _unit(most: float) -> float:
    """The unit of the costs: the finest in which the highest cost is still exact."""
    return 2.0 ** min(FINEST, EXACT - ceil(log2(most + 1)))
