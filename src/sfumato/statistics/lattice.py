"""The cells of a table with all its totals: an array with one more place on each axis, which holds the totals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    Real = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Places = NDArray[np.int64]


def with_totals(inner: Any) -> Any:
    """An array with the sums along each axis, and the sums of these.

    >>> import numpy as np
    >>> with_totals(np.array([[1, 2], [3, 4]])).tolist()
    [[1, 2, 3], [3, 4, 7], [4, 6, 10]]
    """
    import numpy as np

    for axis in range(inner.ndim):
        inner = np.concatenate([inner, inner.sum(axis=axis, keepdims=True)], axis=axis)
    return inner


@dataclass(frozen=True)
class CellLattice:
    """All cells by their places: on each axis the values of a column, and at its end the total."""

    shape: tuple[int, ...]

    @property
    def cells(self) -> int:
        """How many there are."""
        count = 1
        for length in self.shape:
            count *= length
        return count

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """For each axis how far its places are from each other, the cells in one row."""
        strides = [1]
        for length in self.shape[:0:-1]:
            strides.insert(0, strides[0] * length)
        return tuple(strides)

    @cached_property
    def is_total(self) -> tuple[Flags, ...]:
        """For each axis, whether a cell is a total over it; the cells in one row."""
        import numpy as np

        places = np.indices(self.shape).reshape(len(self.shape), -1)
        return tuple(places[axis] == length - 1 for axis, length in enumerate(self.shape))

    @cached_property
    def lines(self) -> tuple[Places, ...]:
        """For each axis its lines, a row each: the cells that add up, and at the end their total."""
        import numpy as np

        places = np.arange(self.cells).reshape(self.shape)
        return tuple(np.moveaxis(places, axis, -1).reshape(-1, length) for axis, length in enumerate(self.shape))

    @cached_property
    def line_of(self) -> Places:
        """For each axis the line of every cell, counted over all axes."""
        import numpy as np

        lines, before = np.empty((len(self.shape), self.cells), dtype=np.int64), 0
        for axis, of_axis in enumerate(self.lines):
            lines[axis, of_axis] = before + np.arange(len(of_axis))[:, None]
            before += len(of_axis)
        return lines

    @cached_property
    def equations(self) -> csr_matrix:
        """What everybody knows: a row for each line, whose cells less their total are nothing."""
        import numpy as np
        from scipy.sparse import csr_matrix, vstack

        def of_axis(lines: Places) -> csr_matrix:
            number, length = lines.shape
            signs = np.tile(np.append(np.ones(length - 1), -1.0), number)
            return csr_matrix((signs, (np.repeat(np.arange(number), length), lines.ravel())), (number, self.cells))

        return vstack([of_axis(lines) for lines in self.lines], format="csr")
