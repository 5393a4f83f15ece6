"""Cell suppression: few cells taken out, so that nobody stands out by what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import PolicyError, UnknownColumn
from sfumato.group_rules import at_least
from sfumato.hierarchy import TOP
from sfumato.partitioning import CountedTuples, Tree
from sfumato.search.local_recoding import recoded_locally
from sfumato.tuples import combined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Codes = NDArray[np.int32]
    Flags = NDArray[np.bool_]

ROUNDS = 8


@dataclass(frozen=True, eq=False)
class CellSuppression:
    """Which cells of each tuple are suppressed."""

    tuples: CountedTuples
    gone: Flags  # by tuple and column
    bound: int  # no choice of cells takes out fewer

    @property
    def cells(self) -> int:
        """How many cells are taken out, counted in records."""
        return int(self.tuples.counts @ self.gone.sum(axis=1))

    def smallest(self, columns: Sequence[str]) -> int:
        """The size of the smallest class on some columns, where a suppressed cell is a value of its own."""
        return int(_sizes(self.tuples, self.gone, _places(self.tuples, columns)).min())


def suppressed_cells(tuples: CountedTuples, k: int, column_sets: Sequence[Sequence[str]] = ()) -> CellSuppression:
    """Few cells to suppress so that every class has k records on each of these sets of columns, or on all columns.

    For one set it is local recoding with two levels, the value and nothing. For several, each set is served in turn on
    what the others left, until all hold; the columns of all sets together, which serves each of them, is the other
    choice, and the one with fewer cells is taken. A record in a class below k has to lose one cell at least, which
    bounds from below how few cells there can be.

    Examples
    --------
    Of four records two are alike and two are not: they lose a cell each.

    >>> import numpy as np
    >>> from sfumato.hierarchy import Hierarchy
    >>> letters = Hierarchy((("a", "*"), ("b", "*"), ("c", "*")))
    >>> table = CountedTuples.of([Tree.of("x", letters), Tree.of("y", letters)],
    ...                          np.array([[0, 0], [0, 0], [0, 1], [0, 2]], dtype=np.int32))
    >>> found = suppressed_cells(table, 2)
    >>> found.cells, found.bound, found.smallest(["x", "y"])
    (2, 2, 2)
    """
    import numpy as np

    if tuples.records < k:
        raise PolicyError(f"There are fewer than {k} records, which no suppression changes.")
    names = [column.name for column in tuples.columns]
    sets = [_places(tuples, columns) for columns in column_sets or [names]]
    none = np.zeros(tuples.codes.shape, dtype=np.bool_)
    unsafe = np.any([_sizes(tuples, none, places) < k for places in sets], axis=0)
    together = sorted({place for places in sets for place in places})
    found = [_served(tuples, k, none, together)]
    in_turn = _in_turn(tuples, k, sets) if len(sets) > 1 else None
    found += [in_turn] if in_turn is not None else []
    choices = [CellSuppression(tuples, gone, int(tuples.counts[unsafe].sum())) for gone in found]
    return min(choices, key=lambda choice: choice.cells)


def _in_turn(tuples: CountedTuples, k: int, sets: Sequence[list[int]]) -> Flags | None:
    """Serve one set after the other; None where that does not come to an end."""
    import numpy as np

    gone = np.zeros(tuples.codes.shape, dtype=np.bool_)
    for _ in range(ROUNDS):
        broken = [places for places in sets if (_sizes(tuples, gone, places) < k).any()]
        if not broken:
            return gone
        for places in broken:
            gone = _served(tuples, k, gone, places)
    return None


def _served(tuples: CountedTuples, k: int, gone: Flags, places: list[int]) -> Flags:
    """The suppressed cells when one set of columns is served as well."""
    import numpy as np

    codes = np.where(gone, -1, tuples.codes)[:, places]
    different = combined([column + 1 for column in codes.T.astype(np.int64)])
    first = np.unique(different, return_index=True)[1]
    counts = np.bincount(different, weights=tuples.counts).astype(np.int64)
    columns = tuple(_flat(f"{place}", tuples.columns[place].leaves) for place in places)
    leaves = np.array([tuples.columns[place].leaves for place in places])
    rows = np.where(codes[first] < 0, leaves, codes[first]).astype(np.int32)
    found = recoded_locally(CountedTuples(columns, rows, counts), at_least(k))
    served = gone.copy()
    served[:, places] |= found.levels[found.group][different] > 0
    return served


def _flat(name: str, leaves: int) -> Tree:
    """A tree of the value and nothing, where the last leaf is what was suppressed before and costs nothing."""
    import numpy as np

    nodes = np.stack([np.arange(leaves + 1), np.zeros(leaves + 1, dtype=np.int64)]).astype(np.int32)
    weights = np.zeros((2, leaves + 1))
    weights[1, :-1] = 1.0
    values = (*map(str, range(leaves)), TOP)
    return Tree(name, nodes, (values, (TOP,)), weights)


def _sizes(tuples: CountedTuples, gone: Flags, places: list[int]) -> Whole:
    """The size of the class of each tuple on some columns."""
    import numpy as np

    codes = np.where(gone, 0, tuples.codes.astype(np.int64) + 1)
    group = combined([codes[:, place] for place in places])
    found: Whole = np.bincount(group, weights=tuples.counts).astype(np.int64)[group]
    return found


def _places(tuples: CountedTuples, columns: Sequence[str]) -> list[int]:
    names = [column.name for column in tuples.columns]
    for column in columns:
        if column not in names:
            raise UnknownColumn(column, names)
    return [names.index(column) for column in columns]
