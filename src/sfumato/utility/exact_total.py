"""Exact totals: sums of real numbers in arrays that have the digits of `tables.engine.total`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole

UNITS = 1e18  # of the 18th place, as in `total`
# Of the lower part of a sum of units: a hundred million parts add up in 64 bits, and so do as many upper ones.
BITS = 40
LOWER = (1 << BITS) - 1
LARGEST = 1 << 76  # units of one number: 75,000


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


def engine_total(numbers: Real) -> float:
    """The same of numbers that are not negative, with the rounding of DuckDB: of a sum of more than 64 bits, the
    upper and the lower 64 are rounded each by itself.

    >>> engine_total(np.array([0.1] * 10)), engine_total(np.array([]))
    (1.0, 0.0)
    """
    upper, lower = _parts(_units(numbers))
    return float(_rounded(upper.sum(keepdims=True), lower.sum(keepdims=True))[0]) / UNITS


def added_by_engine(places: Sequence[Whole], units: Sequence[Sequence[int]]) -> Real | None:
    """For each row the sum of a number from each list, by its place there, as DuckDB adds and rounds it (`total`).

    Numbers are whole units of the 18th place, and not negative. None where one is too large to be added up here.

    >>> added_by_engine([np.array([0, 1])], [[2 * 10**18, 5 * 10**17]]).tolist()
    [2.0, 0.5]
    """
    if any(unit >= LARGEST for listed in units for unit in listed):
        return None
    upper = sum(
        np.array([unit >> BITS for unit in own], dtype=np.int64)[at] for at, own in zip(places, units, strict=True)
    )
    lower = sum(
        np.array([unit & LOWER for unit in own], dtype=np.int64)[at] for at, own in zip(places, units, strict=True)
    )
    return _rounded(np.asarray(upper), np.asarray(lower)) / UNITS


def _parts(units: Real) -> tuple[Whole, Whole]:
    """Whole numbers as two, of which the lower has some bits."""
    upper = np.floor(units / (1 << BITS))
    return upper.astype(np.int64), (units - upper * (1 << BITS)).astype(np.int64)


def _rounded(upper: Whole, lower: Whole) -> Real:
    """The numbers of such parts as doubles: DuckDB makes one of the lower 64 bits, and adds that of the bits above."""
    upper, lower = upper + (lower >> BITS), lower & LOWER
    above, below = upper >> (64 - BITS), upper & ((1 << (64 - BITS)) - 1)
    lowest = (below.astype(np.uint64) << np.uint64(BITS)) | lower.astype(np.uint64)
    rounded: Real = lowest.astype(float) + above.astype(float) * 2.0**64
    return rounded


def _units(numbers: Real) -> Real:
    units = numbers * UNITS
    whole = np.trunc(units)
    rounded: Real = whole + np.sign(units) * (np.abs(units - whole) >= 0.5)
    return rounded
