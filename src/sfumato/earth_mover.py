"""The earth mover's distance of each class of a grouping from everybody, over ordered values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.condensed import CodedValue
from sfumato.errors import WrongScale
from sfumato.grouped import Cells

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Real = NDArray[np.float64]

AT_ONCE = 1 << 20  # numbers that are looked at together


def moved(cells: Cells, coded: CodedValue, steps: Real) -> Real:
    """The area between the cumulative distributions of each class and of everybody; `steps` lie between the values."""
    import numpy as np

    width, found = len(coded.shares), np.zeros(len(cells.classes))
    if width < 2:
        return found
    whole, together = np.cumsum(coded.shares), max(AT_ONCE // width, 1)
    place = np.repeat(np.arange(len(cells.classes)), cells.counts)
    for start in range(0, len(found), together):
        end = min(start + together, len(found))
        own = slice(cells.first[start], cells.first[end] if end < len(found) else len(cells.n))
        q = np.zeros((end - start, width))
        q[place[own] - start, cells.value[own]] = cells.q[own]
        found[start:end] = (np.abs(np.cumsum(q, axis=1) - whole)[:, :-1] * steps).sum(axis=1)
    return found


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
