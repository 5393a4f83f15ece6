"""Spaces: what it costs to take a released tuple for an original one, column by column.

Costs are whole numbers of a small unit, held as real numbers, so that they add exactly: two tuples that are equally
far are so to the last digit, and ties are counted as ties.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.attackers.matching.coded_tuples import Coded

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Codes, Real, Whole


FINEST = 32  # binary places of a unit
EXACT = 52  # binary digits that a real number adds without loss
BLUR = 2.0**-48  # of a real number, by which calculating with it may miss


class Feature(ABC):
    """One column of a space."""

    sought: Codes | Real  # by original tuple
    held: Codes | Real  # by released tuple

    @abstractmethod
    def apart(self, left: Codes | Real, right: Codes | Real) -> Real:
        """What values cost that stand against each other; the arrays broadcast."""

    def cost(self, originals: Whole, released: Whole) -> Real:
        """What original tuples cost against released ones, by their numbers; the arrays broadcast."""
        return self.apart(self.sought[originals], self.held[released])


@dataclass(frozen=True)
class Category(Feature):
    """Values that are equal, or differ and cost the same whatever they are."""

    sought: Codes
    held: Codes
    weight: float
    codes: int

    def apart(self, left: Codes | Real, right: Codes | Real) -> Real:
        found: Real = (left != right) * self.weight
        return found


@dataclass(frozen=True)
class Recoded(Feature):
    """Values and labels, which fit where the release gives the label to the value anywhere, or they are equal."""

    sought: Codes
    held: Codes
    given: Whole
    weight: float
    codes: int

    def apart(self, left: Codes | Real, right: Codes | Real) -> Real:
        import numpy as np

        found: Real = (~np.isin(left.astype(np.int64) * self.codes + right, self.given) & (left != right)) * self.weight
        return found


@dataclass(frozen=True)
class Number(Feature):
    """Values that cost as much as they are apart; those that are missing cost nothing here."""

    sought: Real
    held: Real
    scale: float
    gaps: bool  # whether any value is missing

    def apart(self, left: Codes | Real, right: Codes | Real) -> Real:
        import numpy as np

        gap: Real = np.abs(left - right)
        return self.price(np.nan_to_num(gap, copy=False, nan=0.0) if self.gaps else gap)

    def price(self, gap: Real) -> Real:
        """What values cost that are so far apart; never less for a wider gap."""
        import numpy as np

        found: Real = np.rint(gap * self.scale)
        return found


@dataclass(frozen=True)
class Within(Number):
    """Values that cost nothing up to a tolerance, and 1 beyond it."""

    tolerance: float

    def price(self, gap: Real) -> Real:
        import numpy as np

        found: Real = (gap > self.tolerance).astype(np.float64)
        return found


@dataclass(frozen=True)
class Space:
    """Columns in which original and released tuples are compared; costs add over them."""

    features: tuple[Feature, ...]
    unit: float  # what 1 is, in the unit of the costs

    def cost(self, originals: Whole, released: Whole) -> Real:
        """What original tuples cost against released ones, by their numbers; the arrays broadcast."""
        import numpy as np

        found: Real = np.zeros(np.broadcast_shapes(originals.shape, released.shape))
        for feature in self.features:
            found += feature.cost(originals, released)
        return found


def mixed(columns: Sequence[Coded], originals: Whole) -> Space:
    r"""The space of mixed types, in which a standard deviation costs as much as another category.

    .. math:: d(x, y) = \sum_{k \text{ numeric}} \frac{|x_k - y_k|}{\sigma_k} + \sum_{k \text{ other}} [x_k \ne y_k]

    A value that lacks on one side only costs 1. The deviation is that of the original records. Where tuples are told
    apart by raw values, a label of a recoded column costs nothing against a value that the release gives it to.
    """
    reaches = [_reach(column, originals) for column in columns]
    unit = _unit(sum(reach.steps for reach in reaches))
    features: list[Feature] = []
    for column, reach in zip(columns, reaches, strict=True):
        sought, held = _numbers(column)
        if sought is None or held is None:
            features.append(_category(column, unit))
        else:
            features += [
                Number(sought, held, unit / reach.deviation, _gaps(sought, held)),
                *_absences(sought, held, unit),
            ]
    return Space(tuple(features), unit)


def weighted(columns: Sequence[Coded], weights: Sequence[int]) -> Space:
    """The space in which a column that differs costs its weight."""
    return Space(tuple(_category(column, weight) for column, weight in zip(columns, weights, strict=True)), 1.0)


def tolerant(columns: Sequence[Coded], tolerances: Sequence[float | None]) -> Space:
    """The space in which tuples that fit cost nothing: equal, or within a tolerance where a column has one."""
    features: list[Feature] = []
    for column, tolerance in zip(columns, tolerances, strict=True):
        sought, held = _numbers(column)
        if sought is None or held is None or tolerance is None:
            features.append(_category(column, 1.0))
        else:
            reach = tolerance + _blur(sought, held)
            features += [Within(sought, held, 1.0, _gaps(sought, held), reach), *_absences(sought, held, 1.0)]
    return Space(tuple(features), 1.0)


def _category(column: Coded, weight: float) -> Feature:
    import numpy as np

    held = column.released.astype(np.int32)
    if column.given is not None:
        return Recoded(column.value.astype(np.int32), held, column.given, weight, column.codes)
    return Category(column.original.astype(np.int32), held, weight, column.codes)


def _numbers(column: Coded) -> tuple[Real, Real] | tuple[None, None]:
    numbers = column.numbers
    return (None, None) if numbers is None else (numbers[column.original], numbers[column.released])


def _blur(sought: Real, held: Real) -> float:
    """How far real numbers may seem apart that are not: 0.4 - 0.1 is more than 0.3."""
    import numpy as np

    return float(np.nanmax(np.abs(np.concatenate([sought, held, [0.0]])))) * BLUR


def _gaps(sought: Real, held: Real) -> bool:
    import numpy as np

    return bool(np.isnan(sought).any() or np.isnan(held).any())


def _absences(sought: Real, held: Real, weight: float) -> list[Feature]:
    """Where numbers lack, whether they do, as a category."""
    import numpy as np

    absent = [np.isnan(side).astype(np.int32) for side in (sought, held)]
    return [Category(absent[0], absent[1], weight, 2)] if _gaps(sought, held) else []


@dataclass(frozen=True)
class _Reach:
    deviation: float
    steps: float  # the most that the column can cost, in units


def _reach(column: Coded, originals: Whole) -> _Reach:
    """The deviation of a column among the originals; if they are all the same, the range of what was released."""
    import numpy as np

    sought, held = _numbers(column)
    if sought is None or held is None:
        return _Reach(1.0, 1.0)
    known = np.concatenate([sought, held])
    known = known[~np.isnan(known)]
    largest = float(np.abs(known).max(initial=0.0)) or 1.0  # the squares of very large numbers would be infinite
    width = float(np.ptp(known / largest)) if len(known) else 0.0
    deviation = _deviation(sought / largest, originals) or width or 1.0
    return _Reach(deviation * largest, 1 + width / deviation)


def _deviation(values: Real, n: Whole) -> float:
    """The standard deviation; values are added in their order, so that it does not depend on that of the rows."""
    import numpy as np

    present = ~np.isnan(values)
    different, place = np.unique(values[present], return_inverse=True)
    if len(different) < 2:
        return 0.0
    counts = np.bincount(place, weights=n[present])
    mean = (different * counts).sum() / counts.sum()
    return float(np.sqrt((counts * (different - mean) ** 2).sum() / counts.sum()))


def _unit(most: float) -> float:
    """The unit of the costs: the finest in which the highest cost is still exact."""
    import math

    return 2.0 ** min(FINEST, EXACT - math.ceil(math.log2(most + 1)))
