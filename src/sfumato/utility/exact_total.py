"""Exact totals: sums of real numbers in arrays that have the digits of `tables.engine.total`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole

UNITS = 1e18  # of the 18th place, as in `total`


def exact_total(numbers: Real) -> float:
    """The sum of some numbers, to the last bit that which an engine gives, whatever their order.

    Each becomes a whole number of units of the 18th place, halves away from zero, as a cast to a decimal does it; these
    add up exactly, and their sum is rounded once.

    >>> exact_total(np.array([0.1] * 10)), exact_total(np.array([1e16, 1.0, -1e16]))
    (1.0, 1.0)
    """
    return math.fsum(_units(numbers).tolist()) / UNITS


def exact_totals(numbers: Real, groups: Whole) -> Real:
    """The same for each group; groups are numbered from 0 on, and none is empty.

    >>> exact_totals(np.array([0.1, 0.5, 0.2]), np.array([0, 1, 0])).tolist()
    [0.3, 0.5]
    """
    order = np.argsort(groups, kind="stable")
    units, ends = _units(numbers)[order].tolist(), np.cumsum(np.bincount(groups)).tolist()
    sums = [math.fsum(units[start:end]) for start, end in zip([0, *ends[:-1]], ends, strict=True)]
    return np.array(sums, dtype=float) / UNITS


def _units(numbers: Real) -> Real:
    units = numbers * UNITS
    whole = np.trunc(units)
    rounded: Real = whole + np.sign(units) * (np.abs(units - whole) >= 0.5)
    return rounded
