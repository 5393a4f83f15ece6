"""Peeling: form the cheapest class that is large enough, take its tuples away, and go on with the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import product
from math import ceil, log2
from typing import TYPE_CHECKING

from sfumato.group_rules import ClassPolicy
from sfumato.partitioning import CountedTuples, Tree

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Keys = NDArray[np.uint64]
    Real = NDArray[np.float64]
    Flags = NDArray[np.bool_]

HALF = 256  # combinations of levels of one half of the columns
EMPHASIS = 1.2  # one wide label is avoided rather than several narrow ones of the same share
STEP = 0.05  # classes whose costs differ by less are formed in one go
FEW = 512  # when so few tuples are left, combinations are looked at many at once
AT_ONCE = 32
SHRUNK = 0.9  # when no more than this share is left, the arrays are made anew


def peeled(tuples: CountedTuples, policy: ClassPolicy) -> tuple[Whole, Flags]:
    """The level of every tuple in each column, and which tuples found a class.

    A class is a combination of levels and a label in each column. Of all classes that the tuples which are left could
    form, the one whose labels cost least is formed first; the tuples that it takes are gone for the others. Which is
    the cheapest is known without listing all: a combination waits in a queue with the least that it can cost, and with
    what its cheapest class does cost once that is known, which only rises as tuples go.
    """
    import numpy as np

    space = _Space.of(tuples)
    waiting = _Waiting.of(tuples, space)
    levels, housed = np.zeros(tuples.codes.shape, dtype=np.int64), np.zeros(len(tuples.counts), dtype=np.bool_)
    rest = _Rest(tuples, space, np.arange(len(tuples.counts)))
    while waiting.queue and rest.left:
        cost, left, right = waiting.next()
        found = rest.classes(left, right, policy)
        if found is None:
            continue
        now = found.costs <= cost + STEP
        if not now.all():
            waiting.again(float(found.costs[~now].min()), left, right)
        if now.any():
            taken = rest.take(found.where[now])
            levels[taken], housed[taken] = space.levels(left, right), True
            rest = rest.shrunk()
            waiting.keep_possible(rest, policy)
    return levels, housed


@dataclass(frozen=True, eq=False)
class _Space:
    """Combinations of levels, as pairs of a combination of the first half of the columns and one of the second."""

    halves: tuple[tuple[int, ...], tuple[int, ...]]  # columns
    rows: tuple[Whole, Whole]  # levels of each combination of a half
    weights: tuple[Real, ...]  # by column: what a label costs, by level and leaf
    keys: tuple[Keys, ...]  # by column: a random number for each label, by level and leaf

    @classmethod
    def of(cls, tuples: CountedTuples) -> _Space:
        import numpy as np

        chance = np.random.Generator(np.random.PCG64(20020101))
        trees = [column for column in tuples.columns if isinstance(column, Tree)]
        keys = []
        for tree in trees:
            numbers = chance.integers(0, 2**64, size=tree.nodes.shape, dtype=np.uint64)
            keys.append(np.take_along_axis(numbers, tree.nodes.astype(np.int64), axis=1))
        halves = tuple(range(len(trees) // 2)), tuple(range(len(trees) // 2, len(trees)))
        weights = tuple(tree.weights**EMPHASIS for tree in trees)
        rows = tuple(_combinations([tuples.mean_weights(j) for j in half]) for half in halves)
        return cls(halves, (rows[0], rows[1]), weights, tuple(keys))

    def levels(self, left: int, right: int) -> Whole:
        import numpy as np

        return np.concatenate([self.rows[0][left], self.rows[1][right]])


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


@dataclass
class _Waiting:
    """The queue of combinations, by the least that a class of them costs."""

    queue: list[tuple[float, int, int]]
    _few: int = FEW

    @classmethod
    def of(cls, tuples: CountedTuples, space: _Space) -> _Waiting:
        least = [weights[:, tuples.codes[:, j]].min(axis=1) for j, weights in enumerate(space.weights)]
        costs = [
            [sum(float(least[j][level]) for j, level in zip(half, row, strict=True)) for row in rows.tolist()]
            for half, rows in zip(space.halves, space.rows, strict=True)
        ]
        queue = [(a + b, i, j) for i, a in enumerate(costs[0]) for j, b in enumerate(costs[1])]
        heapify(queue)
        return cls(queue)

    def next(self) -> tuple[float, int, int]:
        return heappop(self.queue)

    def again(self, cost: float, left: int, right: int) -> None:
        heappush(self.queue, (cost, left, right))

    def keep_possible(self, rest: _Rest, policy: ClassPolicy) -> None:
        """Drop the combinations that have no class any more, whenever half of few tuples are gone."""
        if rest.left > self._few:
            return
        self._few = rest.left // 2
        possible = rest.possible([left for _, left, _ in self.queue], [right for *_, right in self.queue], policy.least)
        self.queue = [entry for entry, kept in zip(self.queue, possible, strict=True) if kept]
        heapify(self.queue)


@dataclass(frozen=True, eq=False)
class _Found:
    """Tuples that could be in classes of one combination, and what the class of each costs."""

    where: Whole
    costs: Real


@dataclass
class _Rest:
    """The tuples that are left, and their keys and costs on the combinations of each half that were asked for."""

    tuples: CountedTuples
    space: _Space
    places: Whole
    left: int = field(init=False)
    counts: Real = field(init=False)
    _keys: dict[tuple[int, int], tuple[Keys, Whole]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        import numpy as np

        self.left = len(self.places)
        self.counts = self.tuples.counts[self.places].astype("float64")
        self._codes = [np.ascontiguousarray(codes) for codes in self.tuples.codes[self.places].T]
        self._bits = min(max(ceil(log2(2 * max(self.left, 1))), 8), 20)

    def classes(self, left: int, right: int, policy: ClassPolicy) -> _Found | None:
        """The classes of a combination that keep to the policy; None where there are none."""
        import numpy as np

        (first, slots), (second, others) = self._key(0, left), self._key(1, right)
        slots = slots + others
        enough = np.bincount(slots, weights=self.counts, minlength=2 << self._bits) >= policy.least
        if not enough.any():
            return None
        where = np.flatnonzero(enough[slots])
        where = where[self.counts[where] > 0]
        keys = first[where] + second[where]
        order = keys.argsort(kind="stable")
        where, keys = where[order], keys[order]
        owner = np.cumsum(np.concatenate([[False], keys[1:] != keys[:-1]])[: len(keys)])
        met = policy.met(self.tuples, self.places[where], owner, int(owner[-1]) + 1)[owner] if len(owner) else owner > 0
        where = where[met]
        return _Found(where, self._cost(0, left, where) + self._cost(1, right, where)) if len(where) else None

    def possible(self, lefts: Sequence[int], rights: Sequence[int], least: int) -> list[bool]:
        """Which combinations may have a class that is large enough."""
        import numpy as np

        halves = [[self._key(half, row)[1] for row in range(len(self.space.rows[half]))] for half in (0, 1)]
        first, second = (np.stack(rows) for rows in halves)
        found: list[bool] = []
        for start in range(0, len(lefts), AT_ONCE):
            slots = first[lefts[start : start + AT_ONCE]] + second[rights[start : start + AT_ONCE]]
            slots += (np.arange(len(slots)) * (2 << self._bits))[:, None]
            counts = np.tile(self.counts, len(slots))
            loads = np.bincount(slots.ravel(), weights=counts, minlength=len(slots) * (2 << self._bits))
            found += (loads.reshape(len(slots), -1).max(axis=1) >= least).tolist()
        return found

    def take(self, where: Whole) -> Whole:
        """Take tuples away; where they were in the table."""
        self.counts[where] = 0
        self.left -= len(where)
        return self.places[where]

    def shrunk(self) -> _Rest:
        if self.left > SHRUNK * len(self.places):
            return self
        return _Rest(self.tuples, self.space, self.places[self.counts > 0])

    def _key(self, half: int, row: int) -> tuple[Keys, Whole]:
        """A number for the labels of a half, and a smaller one that others may share."""
        import numpy as np

        if (half, row) not in self._keys:
            levels = zip(self.space.halves[half], self.space.rows[half][row].tolist(), strict=True)
            columns = [self.space.keys[j][level].take(self._codes[j]) for j, level in levels]
            keys = sum(columns, start=np.zeros(len(self.places), dtype=np.uint64))
            self._keys[half, row] = keys, (keys >> np.uint64(64 - self._bits)).astype(np.int64)
        return self._keys[half, row]

    def _cost(self, half: int, row: int, where: Whole) -> Real:
        import numpy as np

        found = np.zeros(len(where))
        for j, level in zip(self.space.halves[half], self.space.rows[half][row].tolist(), strict=True):
            if level:
                found += self.space.weights[j][level].take(self._codes[j][where])
        return found
