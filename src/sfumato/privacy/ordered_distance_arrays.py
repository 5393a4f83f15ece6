"""Areas: by how much each class lies above everybody, in arrays.

The sum of `sfumato.privacy.ordered_distance` over cells that are in memory: those of few records, and those of a
search.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.privacy.coded.arrays import Flags, Real, Whole


@dataclass(frozen=True, eq=False)
class Steps:
    """The cells of the classes, by class and then by place: where E rises."""

    place: Whole  # of each cell, from 0 on
    first: Whole  # where the cells of each class begin
    n: NDArray[Any]  # members of each cell
    mass: NDArray[Any]  # and of its class
    everybody: Real  # F, by place

    @cached_property
    def q(self) -> Real:
        """The share of each cell within its class."""
        shares: Real = self.n / self.mass
        return shares

    def moved(self, x: Real, g: Real) -> Real:
        """What each cell adds to the distance of its class; x is where a place lies, and g is G(x)."""
        import numpy as np

        here, area, mean = x[self.place], g[self.place], x[-1] - g[-1]
        starts = np.where(self._above, area - self._height * here, 0)
        ends = np.where(self._above_before, self._height_before * here - area, 0)
        met = np.zeros(len(here))
        cells, places = self._meeting
        met[cells] = self._height[cells] * x[places] - g[places]
        added: Real = self.q * (here - mean) + 2 * (starts + ends + met)
        return added

    @cached_property
    def _height(self) -> Real:
        """E from each cell on."""
        height: Real = _risen(self.n, self.first) / self.mass
        return height

    @cached_property
    def _height_before(self) -> Real:
        import numpy as np

        found = np.roll(self._height, 1)
        found[self.first] = 0
        return found

    @cached_property
    def _above(self) -> Flags:
        """Whether E is above F from the cell on."""
        return self.everybody[self.place] < self._height

    @cached_property
    def _above_before(self) -> Flags:
        """Whether E is above F just before the cell."""
        import numpy as np

        return np.append(0.0, self.everybody)[self.place] < self._height_before

    @cached_property
    def _meeting(self) -> tuple[Whole, Whole]:
        """The cells after which F comes up to E before E rises again, and the places where it does."""
        import numpy as np

        above_next = np.roll(self._above_before, -1)  # before the first cell of the next class E is not above
        cells = np.flatnonzero(self._above & ~above_next)
        places = np.searchsorted(self.everybody, self._height[cells])
        return cells, np.minimum(places, len(self.everybody) - 1)  # a sum of shares may be a bit below 1


def _risen(n: NDArray[Any], first: Whole) -> NDArray[Any]:
    """The members of each class up to and with each of its cells.

    >>> import numpy as np
    >>> _risen(np.array([2, 1, 5, 1]), first=np.array([0, 2])).tolist()
    [2, 3, 5, 6]
    """
    import numpy as np

    running = np.cumsum(n)
    before = running[first] - n[first]
    found: NDArray[Any] = running - np.repeat(before, np.diff(first, append=len(n)))
    return found
