"""Entropy: information that was lost, in bits, nats and per cent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from sfumato.utility.comparison_interface import CellComparison, Figure, summed


class EntropyComparison(CellComparison):
    """A comparison in bits, which add up over the columns."""

    def figure(self, value: float, untouched: float, removed: float) -> Figure:
        return in_units(Figure(value, untouched, removed))

    def together(self, figures: Sequence[Figure]) -> Figure:
        return in_units(summed(figures))


def in_units(figure: Figure) -> Figure:
    """Bits, with the same in nats and in per cent of all that could be lost.

    >>> in_units(Figure(1.0, removed=4.0)).more
    {'nats': 0.6931471805599453, 'percent': 25.0}
    """
    bits, span = figure.value or 0.0, figure.removed - figure.untouched
    return replace(figure, more={"nats": bits * math.log(2), "percent": bits / span * 100 if span else 0.0})
