"""The earth mover's distance of each class from everybody, over ordered values.

NumPy is imported when a distance is computed, and not with this module: measures import it, which `assess` lists
without computing anything here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import WrongScale
from sfumato.privacy.ordered_distance import CumulativeDistributions

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real
    from sfumato.privacy.coded.classes import SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


def earth_movers_distance(cells: SensitiveCells, coded: CodedValue, steps: Real) -> Real:
    """The area between the cumulative distributions of each class and of everybody; `steps` lie between the values."""
    import numpy as np

    if len(coded.shares) < 2 or not len(cells.n):
        return np.zeros(len(cells.classes))
    whole = np.cumsum(coded.shares)
    x, g = np.append(0.0, np.cumsum(steps)), np.append(0.0, np.cumsum(whole[:-1] * steps))
    added = CumulativeDistributions(
        cells.value, cells.first, cells.n, np.repeat(cells.mass, cells.counts), whole
    ).moved(x, g)
    return np.maximum(np.add.reduceat(added, cells.first), 0)


def gaps(coded: CodedValue, column: str) -> tuple[Real, float]:
    """How far each number lies from the next, and the range of them all."""
    import numpy as np

    if coded.numbers is None:
        raise WrongScale(
            f"The Wasserstein distance needs numbers without an order of their own, and {column!r} does not hold "
            f"numbers, or has an order. Use t_closeness or t_ordered for it."
        )
    steps = np.diff(coded.numbers)
    if not np.isfinite(coded.numbers).all():
        raise WrongScale(f"Column {column!r} has infinite values: there is no distance to them.")
    return steps, float(steps.sum())
