"""What is left when classes are peeled off: the tuples, and the classes that they could form at levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from math import ceil, log2
from typing import TYPE_CHECKING, Any

from sfumato.search.local.counted_tuples import CountedTuples, TreeColumn
from sfumato.search.local.group_rules import GroupRules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sfumato.privacy.coded.arrays import Codes, Flags, Real, Whole
    from sfumato.search.local.local_kernels import LocalKernels

    Keys = NDArray[np.uint64]

HALF = 256  # combinations of levels of one half of the columns
EMPHASIS = 1.2  # one wide label is avoided rather than several narrow ones of the same share
ROOM = 6  # places for each tuple, so that few share one
SHRUNK = 0.75  # when no more than this share is left, the arrays are made anew


@dataclass(frozen=True, eq=False)
class LevelCombinations:
    """Combinations of levels, as pairs of a combination of the first half of the columns and one of the second."""

    halves: tuple[tuple[int, ...], tuple[int, ...]]  # columns
    rows: tuple[Whole, Whole]  # levels of each combination of a half
    weights: tuple[Real, ...]  # by column: what a label costs, by level and leaf
    keys: tuple[Keys, ...]  # by column: a random number for each label, by level and leaf

    @classmethod
    def of(cls, tuples: CountedTuples) -> LevelCombinations:
        import numpy as np

        chance = np.random.Generator(np.random.PCG64(20020101))
        trees = [column for column in tuples.columns if isinstance(column, TreeColumn)]
        keys = []
        for tree in trees:
            numbers = chance.integers(0, 2**64, size=tree.nodes.shape, dtype=np.uint64)
            keys.append(np.take_along_axis(numbers, tree.nodes.astype(np.int64), axis=1))
        halves = tuple(range(len(trees) // 2)), tuple(range(len(trees) // 2, len(trees)))
        weights = tuple(tree.weights**EMPHASIS for tree in trees)
        rows = tuple(_combinations([mean_weights(tuples, j) for j in half]) for half in halves)
        return cls(halves, (rows[0], rows[1]), weights, tuple(keys))

    def levels(self, left: int, right: int) -> Whole:
        import numpy as np

        return np.concatenate([self.rows[0][left], self.rows[1][right]])


def mean_weights(tuples: CountedTuples, j: int) -> Real:
    """What the labels of a column with a tree leave open on average, by level."""
    import numpy as np

    column = tuples.columns[j]
    assert isinstance(column, TreeColumn)
    held = np.bincount(tuples.codes[:, j], weights=tuples.counts, minlength=column.leaves)
    found: Real = (column.weights * held).sum(axis=1) / tuples.records
    return found


def _combinations(costs: Sequence[Real]) -> Whole:
    """Combinations of levels; of too many, the cheapest, and the top."""
    import numpy as np

    found: list[tuple[int, ...]] = [()]
    for j in range(len(costs)):
        found = [(*row, level) for row, level in product(found, range(len(costs[j])))]
        if len(found) > HALF:
            top = found[-1]
            found.sort(key=lambda row: (sum(float(costs[i][level]) for i, level in enumerate(row)), row))
            found = [*[row for row in found if row != top][: HALF - 1], top]
    return np.array(found, dtype=np.int64).reshape(len(found), len(costs))


@dataclass(frozen=True, eq=False)
class Classes:
    """Classes that could be formed: their tuples, one class after the other, and what each costs."""

    places: Whole
    owner: Whole
    costs: Real

    def where(self, some: Flags) -> Classes:
        return Classes(self.places[some], self.owner[some], self.costs[some])

    def kept(self, free: Flags, rules: GroupRules) -> Whole:
        """The tuples of those classes that still keep to the policy without tuples that others took."""
        here = free[self.places]
        if here.all():
            return self.places
        places = self.places[here]
        if len(places):
            owner = numbered_runs(self.owner[here])
            places = places[rules.met(places, owner, int(owner[-1]) + 1)[owner]]
        return places


def numbered_runs(keys: NDArray[Any]) -> Whole:
    """The numbers 0, 1, ... of runs of equal keys."""
    import numpy as np

    found = np.zeros(len(keys), dtype=np.int64)
    np.cumsum(keys[1:] != keys[:-1], out=found[1:])
    return found


@dataclass
class _Half:
    """What the combinations of one half of the columns make of the tuples that are left, as far as it was asked for."""

    keys: Keys  # by combination and tuple: a number for its labels
    slots: Codes  # a smaller one that others may share
    costs: Real
    known: Flags

    @classmethod
    def empty(cls, rows: int, tuples: int) -> _Half:
        import numpy as np

        shape = rows, tuples
        return cls(np.empty(shape, np.uint64), np.empty(shape, np.int32), np.empty(shape), np.zeros(rows, np.bool_))

    def shrunk(self, kept: Whole, bits: int) -> _Half:
        import numpy as np

        found = _Half.empty(len(self.known), len(kept))
        some = np.flatnonzero(self.known)
        found.known[some] = True
        found.keys[some] = self.keys[some].take(kept, axis=1)
        found.costs[some] = self.costs[some].take(kept, axis=1)
        found.slots[some] = found.keys[some] >> np.uint64(64 - bits)
        return found


@dataclass
class RemainingTuples:
    """The tuples that are left, and their keys and costs on the combinations of each half that were asked for."""

    tuples: CountedTuples
    space: LevelCombinations
    places: Whole
    kernels: LocalKernels
    free: Flags  # of all tuples
    _at: Whole  # where each tuple is among the places
    _halves: list[_Half] = field(default_factory=list)
    left: int = field(init=False)

    @classmethod
    def of(cls, tuples: CountedTuples, space: LevelCombinations) -> RemainingTuples:
        """All of them."""
        import numpy as np

        from sfumato.search.local.local_kernels import kernels_for

        n = len(tuples.counts)
        found = cls(tuples, space, np.arange(n), kernels_for(n), np.ones(n, dtype=np.bool_), np.arange(n))
        found._start()
        found._halves += [_Half.empty(len(rows), n) for rows in space.rows]
        return found

    def _start(self) -> None:
        import numpy as np

        self.left = len(self.places)
        self._at[self.places] = np.arange(self.left)
        self.counts = self.tuples.counts[self.places].astype("float64")
        self._codes = [np.ascontiguousarray(codes) for codes in self.tuples.codes[self.places].T]
        self._bits = min(max(ceil(log2(ROOM * max(self.left, 1))), 8), 24)

    def cheapest(self, lefts: list[int], rights: list[int], least: int) -> list[float]:
        """What the cheapest class of each combination costs at the least; infinity where there is none."""
        import numpy as np

        for half, rows in enumerate((lefts, rights)):
            for row in set(rows):
                self._known(half, row)
        first, second = self._halves
        found: list[float] = self.kernels.cheapest(
            first.slots, np.array(lefts), second.slots, np.array(rights), first.costs, second.costs,
            self.counts, self._bits, least,
        ).tolist()  # fmt: skip
        return found

    def classes(self, left: int, right: int, rules: GroupRules) -> Classes:
        """The classes of a combination that keep to the policy."""
        first, second = self._known(0, left), self._known(1, right)
        slots, keys, others = first.slots[left] + second.slots[right], first.keys[left], second.keys[right]
        where = self.kernels.large(slots, keys, others, self.counts, self._bits, rules.least)
        own = keys[where] + others[where]
        owner = numbered_runs(own)
        if len(where) and not rules.by_size:
            met = rules.met(self.places[where], owner, int(owner[-1]) + 1)[owner]
            where, owner = where[met], owner[met]
        return Classes(self.places[where], owner, first.costs[left][where] + second.costs[right][where])

    def take(self, places: Whole) -> None:
        """Take tuples away."""
        import numpy as np

        self.free[places] = False
        self.left -= len(places)
        self.counts[self._at[places]] = 0
        if self.left <= SHRUNK * len(self.places):
            kept = np.flatnonzero(self.counts)
            self.places = self.places[kept]
            self._start()
            self._halves = [half.shrunk(kept, self._bits) for half in self._halves]

    def _known(self, half: int, row: int) -> _Half:
        import numpy as np

        found = self._halves[half]
        if not found.known[row]:
            keys, costs = np.zeros(len(self.places), dtype=np.uint64), np.zeros(len(self.places))
            for j, level in zip(self.space.halves[half], self.space.rows[half][row].tolist(), strict=True):
                keys += self.space.keys[j][level].take(self._codes[j])
                costs += self.space.weights[j][level].take(self._codes[j])
            found.keys[row], found.costs[row], found.known[row] = keys, costs, True
            found.slots[row] = keys >> np.uint64(64 - self._bits)
        return found
