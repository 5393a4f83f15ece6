"""The arrays in which rooms count: whole numbers, real ones, flags and codes, each named once.

These are names for annotations, so they are imported where types are checked (`if TYPE_CHECKING`), and NumPy is not
loaded for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]  # counts, and places in other arrays
    Real = NDArray[np.float64]  # readings, shares, losses
    Flags = NDArray[np.bool_]  # whether something holds for each
    Codes = NDArray[np.int32]  # values and labels as numbers, in which nothing can be read
