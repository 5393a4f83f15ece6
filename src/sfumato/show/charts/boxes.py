"""Boxes: how many records lie between two numbers, drawn so that their area is the count."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import fsum
from typing import NamedTuple


class DensityBox(NamedTuple):
    """Records between two numbers.

    >>> DensityBox(20, 40, 10).density
    0.5
    """

    low: float
    high: float
    records: int

    @property
    def density(self) -> float:
        """Records per unit: the count over the width."""
        return self.records / (self.high - self.low)


class Segment(NamedTuple):
    """A stretch of numbers on which the density is the same."""

    low: float
    high: float
    density: float


def joined(boxes: Iterable[DensityBox], smallest: int) -> list[DensityBox]:
    """The boxes from left to right, those of a few records as one with the next; none if all are few together.

    >>> joined([DensityBox(0, 10, 4), DensityBox(10, 20, 9), DensityBox(20, 30, 30), DensityBox(40, 50, 2)], 11)
    [DensityBox(low=0, high=20, records=13), DensityBox(low=20, high=50, records=32)]
    """
    kept: list[DensityBox] = []
    for box in sorted(box for box in boxes if box.records):
        if kept and kept[-1].records < smallest:
            kept[-1] = _hull(kept[-1], box)
        else:
            kept.append(box)
    if len(kept) > 1 and kept[-1].records < smallest:
        last = kept.pop()
        kept[-1] = _hull(kept[-1], last)
    return kept if all(box.records >= smallest for box in kept) else []


def profile(boxes: Iterable[DensityBox]) -> list[Segment]:
    r"""The density at every number: that of its box, or the sum of those that overlap there.

    .. math:: d(x) = \sum_{b \ni x} \frac{n_b}{w_b}

    >>> for low, high, density in profile([DensityBox(20, 80, 30), DensityBox(40, 60, 10)]):
    ...     print(low, high, density)
    20 40 0.5
    40 60 1.0
    60 80 0.5
    """
    held = list(boxes)
    edges = sorted({edge for box in held for edge in (box.low, box.high)})
    segments = [
        Segment(low, high, fsum(box.density for box in held if box.low <= low and high <= box.high))
        for low, high in pairwise(edges)
    ]
    return [segment for segment in segments if segment.density]


def _hull(left: DensityBox, right: DensityBox) -> DensityBox:
    return DensityBox(min(left.low, right.low), max(left.high, right.high), left.records + right.records)
