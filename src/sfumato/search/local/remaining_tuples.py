"""What is left when classes are peeled off: the tuples, and the classes that they could form at levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from math import ceil, inf, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.search.local.counted_tuples import CountedTuples, TreeColumn
from sfumato.search.local.group_rules import GroupRules
from sfumato.search.local.local_kernels import LocalKernels, kernels_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.privacy.coded.arrays import Codes, Flags, Real, Whole

    Keys = NDArray[np.uint64]

# Combinations of levels of one half of the columns. The nine columns of the census have 60 and 216, so that none is
# left out; with 64 it loses 2 % more at k = 5, and at k = 50 6 % more in half the time. Keys, slots and costs take 20
# bytes for each tuple and combination that was asked for.
HALF = 256
# A label costs its weight to this power, so that one wide label is avoided rather than several narrow ones of the same
# share. From 1.0 to 2.0 the census loses least at 1.2 (k = 5) and 1.3 (k = 50, and k = 5 with l = 3): 1.3 is within
# 0.1 % of the least of each. The hospital table, with five columns, would lose 1.9 % less at 1.5.
EMPHASIS = 1.3
# Places for each tuple in which classes are counted, so that few share one. A shared place makes a class look larger
# than it is, and its combination wait in the wrong place of the queue. 4 and 12 lose 0.2 % more at most, 2 0.4 %.
ROOM = 6
SHRUNK = 0.75  # when no more than this share is left, the arrays are made anew; 0.5 and 0.9 take no less
SEED = 20020101  # any number: keys only have to differ, and to be the same in every run


@dataclass(frozen=True, eq=False)
class LevelCombinations:
    """Combinations of levels, as pairs of a combination of the first half of the columns and one of the second.

    Keys and costs of a tuple are sums over its columns: so they are computed once for each combination of a half, and
    any of the pairs (65,536 at the most) takes one addition. The key of a class is the sum of random numbers of 64
    bits, one for each label; that any two of a million classes have the same is as likely as 3 in 10^8, and does no
    harm: what was peeled off is judged anew by its labels (`place_everybody`).
    """

    halves: tuple[tuple[int, ...], tuple[int, ...]]  # columns
    rows: tuple[Whole, Whole]  # levels of each combination of a half
    weights: tuple[Real, ...]  # by column: what a label costs, by level and leaf; infinity where it says nothing new
    keys: tuple[Keys, ...]  # by column: a random number for each label, by level and leaf

    @classmethod
    def of(cls, tuples: CountedTuples) -> LevelCombinations:
        chance = np.random.Generator(np.random.PCG64(SEED))
        trees = [column for column in tuples.columns if isinstance(column, TreeColumn)]
        keys = []
        for tree in trees:
            numbers = chance.integers(0, 2**64, size=tree.nodes.shape, dtype=np.uint64)
            keys.append(np.take_along_axis(numbers, tree.nodes.astype(np.int64), axis=1))
        halves = tuple(range(len(trees) // 2)), tuple(range(len(trees) // 2, len(trees)))
        weights = tuple(
            np.where(_grown(tree, codes), tree.weights**EMPHASIS, np.inf)
            for tree, codes in zip(trees, tuples.codes.T, strict=True)
        )
        rows = tuple(_combinations([mean_weights(tuples, j) for j in half]) for half in halves)
        return cls(halves, (rows[0], rows[1]), weights, tuple(keys))

    def levels(self, left: int, right: int) -> Whole:
        """The level of each column."""
        return np.concatenate([self.rows[0][left], self.rows[1][right]])


def _grown(tree: TreeColumn, codes: Codes) -> Flags:
    """By level and leaf: whether its label stands for more of the leaves that occur than that of the level below.

    A class with a label that does not is a class of the level below too, with the same tuples, and costs no less: so
    it is looked at there only. Hierarchies that merge rare values first have many such labels: without this the census
    with hierarchies that were inferred takes ten times as long.
    """
    occurs = np.bincount(codes, minlength=tree.leaves) > 0
    counted = [np.bincount(nodes, weights=occurs)[nodes] for nodes in tree.nodes]
    grown: Flags = np.diff(np.stack([np.full(tree.leaves, -1.0), *counted]), axis=0) > 0
    return grown


def mean_weights(tuples: CountedTuples, j: int) -> Real:
    """What the labels of a column with a tree leave open on average, by level."""
    column = tuples.columns[j]
    assert isinstance(column, TreeColumn)
    held = np.bincount(tuples.codes[:, j], weights=tuples.counts, minlength=column.leaves)
    means: Real = (column.weights * held).sum(axis=1) / tuples.records
    return means


def _combinations(costs: Sequence[Real]) -> Whole:
    """Combinations of levels; of too many, the cheapest, and the top."""
    rows: list[tuple[int, ...]] = [()]
    for j in range(len(costs)):
        rows = [(*row, level) for row, level in product(rows, range(len(costs[j])))]
        if len(rows) > HALF:
            top = rows[-1]
            rows.sort(key=lambda row: (sum(float(costs[i][level]) for i, level in enumerate(row)), row))
            rows = [*[row for row in rows if row != top][: HALF - 1], top]
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(costs))


@dataclass(frozen=True, eq=False)
class PossibleClasses:
    """Classes that could be formed: their tuples, one class after the other, and what each costs."""

    places: Whole
    owner: Whole
    costs: Real

    def where(self, some: Flags) -> PossibleClasses:
        return PossibleClasses(self.places[some], self.owner[some], self.costs[some])

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
    numbers = np.zeros(len(keys), dtype=np.int64)
    np.cumsum(keys[1:] != keys[:-1], out=numbers[1:])
    return numbers


@dataclass
class _Half:
    """What the combinations of one half of the columns make of the tuples that are left, as far as it was asked for."""

    keys: Keys  # by combination and tuple: a number for its labels
    slots: Codes  # a smaller one that others may share
    costs: Real
    known: Flags

    @classmethod
    def empty(cls, rows: int, tuples: int) -> _Half:
        shape = rows, tuples
        return cls(np.empty(shape, np.uint64), np.empty(shape, np.int32), np.empty(shape), np.zeros(rows, np.bool_))

    def shrunk(self, kept: Whole, bits: int) -> _Half:
        half = _Half.empty(len(self.known), len(kept))
        some = np.flatnonzero(self.known)
        half.known[some] = True
        half.keys[some] = self.keys[some].take(kept, axis=1)
        half.costs[some] = self.costs[some].take(kept, axis=1)
        half.slots[some] = half.keys[some] >> np.uint64(64 - bits)
        return half


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
        n = len(tuples.counts)
        rest = cls(
            tuples=tuples,
            space=space,
            places=np.arange(n),
            kernels=kernels_for(n),
            free=np.ones(n, dtype=np.bool_),
            _at=np.arange(n),
            _halves=[_Half.empty(len(rows), n) for rows in space.rows],
        )
        rest._start()
        return rest

    def _start(self) -> None:
        self.left = len(self.places)
        self._at[self.places] = np.arange(self.left)
        self.counts = self.tuples.counts[self.places].astype("float64")
        self._codes = [np.ascontiguousarray(codes) for codes in self.tuples.codes[self.places].T]
        self._bits = min(max(ceil(log2(ROOM * max(self.left, 1))), 8), 24)

    def cheapest(self, lefts: list[int], rights: list[int], least: int) -> list[float]:
        """What the cheapest class of each combination costs at the least; infinity where there is none."""
        for half, rows in enumerate((lefts, rights)):
            for row in set(rows):
                self._known(half, row)
        first, second = self._halves
        costs: list[float] = self.kernels.cheapest(
            first.slots, np.array(lefts), second.slots, np.array(rights), first.costs, second.costs,
            self.counts, self._bits, least,
        ).tolist()  # fmt: skip
        return costs

    def classes(self, left: int, right: int, rules: GroupRules) -> PossibleClasses:
        """The classes of a combination that keep to the policy."""
        first, second = self._known(0, left), self._known(1, right)
        slots, keys, others = first.slots[left] + second.slots[right], first.keys[left], second.keys[right]
        where = self.kernels.large(slots, keys, others, self.counts, self._bits, rules.least)
        costs = first.costs[left][where] + second.costs[right][where]
        where, costs = where[costs < inf], costs[costs < inf]
        owner = numbered_runs(keys[where] + others[where])
        if len(where) and not rules.by_size:
            met = rules.met(self.places[where], owner, int(owner[-1]) + 1)[owner]
            where, owner, costs = where[met], owner[met], costs[met]
        return PossibleClasses(self.places[where], owner, costs)

    def take(self, places: Whole) -> None:
        """Take tuples away."""
        self.free[places] = False
        self.left -= len(places)
        self.counts[self._at[places]] = 0
        if self.left <= SHRUNK * len(self.places):
            kept = np.flatnonzero(self.counts)
            self.places = self.places[kept]
            self._start()
            self._halves = [half.shrunk(kept, self._bits) for half in self._halves]

    def _known(self, half: int, row: int) -> _Half:
        known = self._halves[half]
        if not known.known[row]:
            keys, costs = np.zeros(len(self.places), dtype=np.uint64), np.zeros(len(self.places))
            for j, level in zip(self.space.halves[half], self.space.rows[half][row].tolist(), strict=True):
                keys += self.space.keys[j][level].take(self._codes[j])
                costs += self.space.weights[j][level].take(self._codes[j])
            known.keys[row], known.costs[row], known.known[row] = keys, costs, True
            known.slots[row] = keys >> np.uint64(64 - self._bits)
        return known
