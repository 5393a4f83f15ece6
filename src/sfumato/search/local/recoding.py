"""Recodings: which tuples are released alike, what their labels are, and what is lost by it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.hierarchies.hierarchy import TOP
from sfumato.privacy.coded.distinct_rows import row_numbers
from sfumato.privacy.policy import Policy
from sfumato.search.local.counted_tuples import CountedTuples, OrderedColumn, TreeColumn
from sfumato.search.local.group_rules import GroupRules

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.privacy.coded.arrays import Codes, Flags, Real, Whole


@dataclass(frozen=True, eq=False)
class Recoding:
    """Groups of tuples, and the narrowest label of each group and column.

    In a column with a hierarchy the label is the lowest node over all values of the group, at a level of it; in an
    ordered column it is the interval from the lowest to the highest value. Groups with the same labels are one. Of
    suppressed tuples, which are a group of their own, nothing is said: each of their labels is `*`.
    """

    tuples: CountedTuples
    group: Whole  # of each tuple
    low: Codes  # by group and column: the first code; of a hierarchy, in the order of its tree
    high: Codes
    levels: Whole  # by group and column; -1 in ordered columns
    gone: Flags  # by group: whether it is suppressed

    @classmethod
    def of(cls, tuples: CountedTuples, group: Whole, lost: Flags | None = None) -> Recoding:
        """The recoding of a partition, given as any number for each tuple, and of suppressed tuples."""
        lost = np.zeros(len(group), dtype=np.bool_) if lost is None else lost
        _, group = np.unique(np.where(lost, -1, group), return_inverse=True)
        low, high, levels = _ends(tuples, group)
        gone = np.zeros(len(low), dtype=np.bool_)
        gone[group[lost]] = True
        merged = row_numbers([gone.astype(np.int64), *_label_numbers(tuples, low, high, levels).T, *(levels.T + 1)])
        group = merged[group]
        if int(merged.max()) < len(low) - 1:
            low, high, levels = _ends(tuples, group)
            gone = np.zeros(len(low), dtype=np.bool_)
            gone[group[lost]] = True
        return cls(tuples=tuples, group=group, low=low, high=high, levels=levels, gone=gone)

    @classmethod
    def at_levels(cls, tuples: CountedTuples, levels: Whole, lost: Flags | None = None) -> Recoding:
        """The recoding that gives every tuple the label of a level in each column, all of them trees."""
        return cls.of(tuples, classes_at_levels(tuples, levels), lost)

    @property
    def classes(self) -> int:
        """How many groups there are that are not suppressed."""
        return int((~self.gone).sum())

    @property
    def suppressed(self) -> int:
        """How many records are suppressed."""
        return int(self.sizes[self.gone].sum())

    @cached_property
    def sizes(self) -> Whole:
        """Records of each group."""
        sizes: Whole = np.bincount(self.group, weights=self.tuples.counts, minlength=len(self.low)).astype(np.int64)
        return sizes

    @cached_property
    def weights(self) -> Real:
        """What each label leaves open, by group and column."""
        weights = np.empty(self.low.shape)
        for j, column in enumerate(self.tuples.columns):
            weights[:, j] = np.where(self.gone, column.open, column.weight(self.low[:, j], self.high[:, j]))
        return weights

    @cached_property
    def bare(self) -> Whole:
        """By group: in how many columns nothing is left of its values, though the column could say something."""
        bare = np.zeros(len(self.low), dtype=np.int64)
        for j, column in enumerate(self.tuples.columns):
            if column.open > 0:
                bare += self.weights[:, j] >= column.open
        return bare

    @property
    def losses(self) -> dict[str, float]:
        r"""The average share that the labels of each column leave open; of a suppressed record, all of it.

        .. math:: LM = \frac1N \sum_x \frac{|leaves(x)| - 1}{|domain| - 1}
        """
        losses = self.sizes @ self.weights / self.tuples.records
        return {column.name: float(loss) for column, loss in zip(self.tuples.columns, losses, strict=True)}

    @property
    def loss(self) -> float:
        """The average over the columns: 0 is everything as it was, 1 is nothing left."""
        return sum(self.losses.values()) / len(self.tuples.columns)

    def label(self, group: int, column: int) -> str | None:
        """What a group is called in a column; None is a missing value that stays so."""
        if self.gone[group]:
            return TOP
        low, high, of = int(self.low[group, column]), int(self.high[group, column]), self.tuples.columns[column]
        if isinstance(of, OrderedColumn):
            return of.label(low, high)
        level = int(self.levels[group, column])
        return of.labels[level][int(of.nodes[level, low])]

    def lines(self) -> pa.Table:
        """What becomes of every different record: k1, k2, ... as the engine writes them, and their labels l1, l2, ...

        Missing values are null, and a label is null where the value stays missing. `suppressed` says whether nothing
        is kept of the record.
        """
        import pyarrow as pa

        names = [[self.label(group, j) for group in range(len(self.low))] for j in range(len(self.tuples.columns))]
        lines = keys_and_labels(self.tuples, lambda j: pa.array(names[j], pa.string()).take(pa.array(self.group)))
        return lines.append_column("suppressed", pa.array(self.gone[self.group]))

    def keeps(self, policy: Policy) -> bool:
        """Whether every class of the release, told apart by its labels alone, meets the policy.

        Nothing of the search is trusted: the labels are written, each must cover the values of its tuples, and the
        classes are counted anew. Who is suppressed is in no class.
        """
        covered = all(self._covers(j) for j in range(len(self.tuples.columns)))
        classes = self.released
        kept = np.flatnonzero(classes >= 0)
        rules = GroupRules.of(self.tuples, policy)
        return covered and bool(rules.met(kept, classes[kept], int(classes.max(initial=-1)) + 1).all())

    @cached_property
    def released(self) -> Whole:
        """The class of each tuple in the release, told apart by its labels alone: -1 where it is suppressed.

        Labels of two levels may be written alike, and then groups are one class.
        """
        classes: dict[tuple[str | None, ...], int] = defaultdict(lambda: len(classes))
        names = [
            -1 if self.gone[group] else classes[tuple(self.label(group, j) for j in range(self.low.shape[1]))]
            for group in range(len(self.low))
        ]
        of_tuples: Whole = np.array(names, dtype=np.int64)[self.group]
        return of_tuples

    def _covers(self, j: int) -> bool:
        column, codes = self.tuples.columns[j], self.tuples.codes[:, j]
        low, high = self.low[self.group, j], self.high[self.group, j]
        if isinstance(column, TreeColumn):
            level = self.levels[self.group, j]
            return bool((column.nodes[level, codes] == column.nodes[level, low]).all())
        return bool(((low <= codes) & (codes <= high)).all())


def classes_at_levels(tuples: CountedTuples, levels: Whole) -> Whole:
    """A number for each tuple, the same where the levels and labels of tuples are; all columns are trees."""
    keys = []
    for j, column in enumerate(tuples.columns):
        assert isinstance(column, TreeColumn)
        keys.append(levels[:, j] * column.leaves + column.nodes[levels[:, j], tuples.codes[:, j]])
    return row_numbers(keys)


def keys_and_labels(tuples: CountedTuples, labels: Callable[[int], pa.Array]) -> pa.Table:
    """The tuples as k1, k2, ..., beside their labels l1, l2, ..., which are given by column."""
    import pyarrow as pa

    keys = {}
    for j, column in enumerate(tuples.columns):
        texts = pa.array([column.text(code) for code in range(column.leaves)], pa.string())
        keys[f"k{j + 1}"] = texts.take(pa.array(tuples.codes[:, j]))
    return pa.table(keys | {f"l{j + 1}": labels(j) for j in range(len(tuples.columns))})


def _ends(tuples: CountedTuples, group: Whole) -> tuple[Codes, Codes, Whole]:
    """The first and the last code of every group and column, and the level of the node over them."""
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(int(group.max()) + 1))
    shape = (len(starts), len(tuples.columns))
    low, high = np.empty(shape, dtype=np.int32), np.empty(shape, dtype=np.int32)
    levels = np.full(shape, -1, dtype=np.int64)
    for j, column in enumerate(tuples.columns):
        codes = tuples.codes[order, j]
        at = column.places[codes] if isinstance(column, TreeColumn) else codes
        low[:, j], high[:, j] = np.minimum.reduceat(at, starts), np.maximum.reduceat(at, starts)
        if isinstance(column, TreeColumn):
            leaf = np.argsort(column.places)
            low[:, j], high[:, j] = leaf[low[:, j]], leaf[high[:, j]]
            levels[:, j] = column.level_over(low[:, j], high[:, j])
    return low, high, levels


def _label_numbers(tuples: CountedTuples, low: Codes, high: Codes, levels: Whole) -> Whole:
    """Numbers that are equal where labels of one level are."""
    numbers = np.empty(low.shape, dtype=np.int64)
    for j, column in enumerate(tuples.columns):
        if isinstance(column, TreeColumn):
            numbers[:, j] = column.nodes[levels[:, j], low[:, j]]
        else:
            first, last = column.widened(low[:, j], high[:, j])
            wide = (last == column.missing) & (first < last)
            if column.cells is not None:  # all cells together are called as what holds a missing value is
                wide |= (first == 0) & (last == column.missing - 1) & (first < last)
            numbers[:, j] = np.where(wide, 0, 1 + first.astype(np.int64) * column.leaves + last)
    return numbers
