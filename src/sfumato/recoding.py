"""Recodings: which tuples are released alike, what their labels are, and what is lost by it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.group_rules import ClassPolicy
from sfumato.partitioning import CountedTuples, Tree
from sfumato.tuples import combined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Codes = NDArray[np.int32]
    Real = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Recoding:
    """Groups of tuples, and the narrowest label of each group and column.

    In a column with a hierarchy the label is the lowest node over all values of the group, at a level of it; in an
    ordered column it is the interval from the lowest to the highest value. Groups with the same labels are one.
    """

    tuples: CountedTuples
    group: Whole  # of each tuple
    low: Codes  # by group and column: the first code; of a hierarchy, in the order of its tree
    high: Codes
    levels: Whole  # by group and column; -1 in ordered columns

    @classmethod
    def of(cls, tuples: CountedTuples, group: Whole) -> Recoding:
        """The recoding of a partition, given as any number for each tuple."""
        import numpy as np

        _, group = np.unique(group, return_inverse=True)
        low, high, levels = _ends(tuples, group)
        merged = combined([*_named(tuples, low, high, levels).T, *(levels.T + 1)])
        if int(merged[-1]) == len(low) - 1:
            return cls(tuples, group, low, high, levels)
        group = merged[group]
        return cls(tuples, group, *_ends(tuples, group))

    @classmethod
    def at_levels(cls, tuples: CountedTuples, levels: Whole) -> Recoding:
        """The recoding that gives every tuple the label of a level in each column, all of them trees."""
        keys = []
        for j, column in enumerate(tuples.columns):
            assert isinstance(column, Tree)
            keys.append(levels[:, j] * column.leaves + column.nodes[levels[:, j], tuples.codes[:, j]])
        return cls.of(tuples, combined(keys))

    @property
    def classes(self) -> int:
        """How many groups there are."""
        return len(self.low)

    @cached_property
    def sizes(self) -> Whole:
        """Records of each group."""
        import numpy as np

        found: Whole = np.bincount(self.group, weights=self.tuples.counts, minlength=self.classes).astype(np.int64)
        return found

    @cached_property
    def weights(self) -> Real:
        """What each label leaves open, by group and column."""
        import numpy as np

        found = np.empty(self.low.shape)
        for j, column in enumerate(self.tuples.columns):
            found[:, j] = column.weight(self.low[:, j], self.high[:, j])
        return found

    @property
    def losses(self) -> dict[str, float]:
        r"""The average share that the labels of each column leave open.

        .. math:: LM = \frac1N \sum_x \frac{|leaves(x)| - 1}{|domain| - 1}
        """
        found = self.sizes @ self.weights / self.tuples.records
        return {column.name: float(loss) for column, loss in zip(self.tuples.columns, found, strict=True)}

    @property
    def loss(self) -> float:
        """The average over the columns: 0 is everything as it was, 1 is nothing left."""
        return sum(self.losses.values()) / len(self.tuples.columns)

    def label(self, group: int, column: int) -> str | None:
        """What a group is called in a column; None is a missing value that stays so."""
        low, high, of = int(self.low[group, column]), int(self.high[group, column]), self.tuples.columns[column]
        if not isinstance(of, Tree):
            return of.label(low, high)
        level = int(self.levels[group, column])
        return of.labels[level][int(of.nodes[level, low])]

    def keeps(self, policy: ClassPolicy) -> bool:
        """Whether every class of the release, told apart by its labels alone, meets the policy.

        Nothing of the search is trusted: the labels are written, each must cover the values of its tuples, and the
        classes are counted anew.
        """
        import numpy as np

        covered = all(self._covers(j) for j in range(len(self.tuples.columns)))
        classes: dict[tuple[str | None, ...], int] = defaultdict(lambda: len(classes))
        names = [
            classes[tuple(self.label(group, column) for column in range(len(self.tuples.columns)))]
            for group in range(self.classes)
        ]
        groups = np.array(names, dtype=np.int64)[self.group]
        every = np.arange(len(self.group))
        return covered and bool(policy.met(self.tuples, every, groups, len(classes)).all())

    def _covers(self, j: int) -> bool:
        column, codes = self.tuples.columns[j], self.tuples.codes[:, j]
        low, high = self.low[self.group, j], self.high[self.group, j]
        if isinstance(column, Tree):
            level = self.levels[self.group, j]
            return bool((column.nodes[level, codes] == column.nodes[level, low]).all())
        return bool(((low <= codes) & (codes <= high)).all())


def _ends(tuples: CountedTuples, group: Whole) -> tuple[Codes, Codes, Whole]:
    """The first and the last code of every group and column, and the level of the node over them."""
    import numpy as np

    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(int(group.max()) + 1))
    shape = (len(starts), len(tuples.columns))
    low, high = np.empty(shape, dtype=np.int32), np.empty(shape, dtype=np.int32)
    levels = np.full(shape, -1, dtype=np.int64)
    for j, column in enumerate(tuples.columns):
        codes = tuples.codes[order, j]
        at = column.places[codes] if isinstance(column, Tree) else codes
        low[:, j], high[:, j] = np.minimum.reduceat(at, starts), np.maximum.reduceat(at, starts)
        if isinstance(column, Tree):
            leaf = np.argsort(column.places)
            low[:, j], high[:, j] = leaf[low[:, j]], leaf[high[:, j]]
            levels[:, j] = column.level_over(low[:, j], high[:, j])
    return low, high, levels


def _named(tuples: CountedTuples, low: Codes, high: Codes, levels: Whole) -> Whole:
    """Numbers that are equal where labels of one level are."""
    import numpy as np

    found = np.empty(low.shape, dtype=np.int64)
    for j, column in enumerate(tuples.columns):
        if isinstance(column, Tree):
            found[:, j] = column.nodes[levels[:, j], low[:, j]]
        else:
            wide = (high[:, j] == column.missing) & (low[:, j] < high[:, j])
            found[:, j] = np.where(wide, 0, 1 + low[:, j].astype(np.int64) * column.leaves + high[:, j])
    return found
