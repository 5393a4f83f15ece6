"""Roots: where a function between two ends crosses zero."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import copysign, sqrt

STEPS = 200  # more than enough: the distance of the ends at least halves in each


def root(function: Callable[[float], float], low: float, high: float) -> float | None:
    r"""Where a function is zero between two ends; None where it has the same sign at both.

    Each step looks at the middle m and at the point that follows from an exponential through low, middle and high,

    .. math:: m + (m - l) \, \frac{\operatorname{sign}(f(l) - f(h)) \, f(m)}{\sqrt{f(m)^2 - f(l) f(h)}}

    and keeps the two nearest that still have zero between them: as sure as halving, nearly as fast as Newton, and
    without a derivative.

    References
    ----------
    Ridders (1979). A new algorithm for computing a single root of a real continuous function. IEEE Transactions on
    Circuits and Systems 26(11), 979-980.

    Examples
    --------
    >>> root(lambda x: x * x - 2, 0, 2)
    1.414213562373095
    >>> root(lambda x: x * x + 2, 0, 2) is None
    True
    """
    ends = [(low, function(low)), (high, function(high))]
    for _ in range(STEPS):
        (low, at_low), (high, at_high) = ends
        if at_low == 0 or at_high == 0:
            return low if at_low == 0 else high
        if (at_low > 0) == (at_high > 0):
            return None
        middle = low + (high - low) / 2
        if middle in (low, high):
            return middle
        ends = _nearer(function, ends, (middle, function(middle)))
    return ends[0][0] + (ends[1][0] - ends[0][0]) / 2


def _nearer(
    function: Callable[[float], float], ends: list[tuple[float, float]], middle: tuple[float, float]
) -> list[tuple[float, float]]:
    """The two neighbours between which the sign changes, among the ends, the middle and the point that follows."""
    (low, at_low), (_, at_high) = ends
    scale = max(abs(at_low), abs(at_high), abs(middle[1]))  # squares must not run over
    spread = sqrt((middle[1] / scale) ** 2 - (at_low / scale) * (at_high / scale))
    step = (middle[0] - low) * copysign(1, at_low - at_high) * (middle[1] / scale) / spread if spread else 0.0
    point = middle[0] + step
    points = sorted([*ends, middle, *([(point, function(point))] if step else [])])
    for left, right in pairwise(points):
        if left[1] == 0 or (left[1] > 0) != (right[1] > 0):
            return [left, right]
    return points[-2:]
