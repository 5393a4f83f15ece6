"""Areas: by how much each class lies above everybody, in arrays.

The sum of `sfumato.transport` over cells that are in memory: those of few records, and those of a search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Real = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Steps:
    """The cells of the classes, by class and then by place: where E rises, and where F comes to the same height."""

    place: Whole  # of each cell, from 0 on
    first: Whole  # where the cells of each class begin
    q: Real  # share within the class
    height: Real  # of E from the cell on
    reached: Whole  # the first place where F has that height

    def moved(self, x: Real, g: Real) -> Real:
        """What each cell adds to the distance of its class; x is where each place lies, g the integral of F up to it.

        W = sum of q_i (x_i - mean of F) + 2 (H(E(x_i), x_i) - H(E before x_i, x_i))
        """
        import numpy as np

        here, area, mean = x[self.place], g[self.place], x[-1] - g[-1]

        def above(height: Real, until: Whole) -> Real:
            return np.where(until > self.place, height * (x[until] - here) - g[until] + area, 0)

        rise = above(self.height, self.reached) - above(self._before(self.height), self._before(self.reached))
        added: Real = self.q * (here - mean) + 2 * rise
        return added

    def _before(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Of each cell the number of the one before it in its class; 0 for the first."""
        import numpy as np

        found = np.roll(numbers, 1)
        found[self.first] = 0
        return found


def risen(n: NDArray[Any], first: Whole) -> NDArray[Any]:
    """The members of each class up to and with each of its cells.

    >>> import numpy as np
    >>> risen(np.array([2, 1, 5, 1]), first=np.array([0, 2])).tolist()
    [2, 3, 5, 6]
    """
    import numpy as np

    running = np.cumsum(n)
    before = running[first] - n[first]
    found: NDArray[Any] = running - np.repeat(before, np.diff(first, append=len(n)))
    return found
