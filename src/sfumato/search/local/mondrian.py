"""Mondrian: groups of tuples cut in two, again and again, as long as both sides keep to the policy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.classes import packed
from sfumato.privacy.policy import Policy
from sfumato.search.deadline import in_time
from sfumato.search.local.counted_tuples import CountedTuples, OrderedColumn, TreeColumn
from sfumato.search.local.group_rules import GroupRules
from sfumato.search.local.join_until_met import joined_until_met
from sfumato.search.local.recoding import Recoding

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole


class Cut(StrEnum):
    """Which of the cuts that keep to the policy is made."""

    WIDEST = "widest"  # the column whose label leaves most open, cut into sides as equal as can be
    LEAST_LOSS = "least_loss"  # the column and the place with most left open, plus half of what the cut saves


def mondrian(tuples: CountedTuples, policy: Policy, *, cuts: tuple[Cut, ...] = (Cut.LEAST_LOSS,)) -> Recoding:
    """Partition the tuples from the top down; with several kinds of cuts, the partition that loses least.

    An ordered column is cut between two values that occur, where it has cells between two of them, and missing values
    lie beyond the last; a column with a
    hierarchy is cut between children of the node over the group, so that a label is always a node: of one child where
    it is alone on its side, else still the parent.

    References
    ----------
    LeFevre, DeWitt, Ramakrishnan (2006). Mondrian multidimensional k-anonymity. ICDE 2006, 25 (section 4).

    Examples
    --------
    Six people of four ages, in classes of two or more:

    >>> from dataclasses import replace
    >>> from sfumato.privacy.coded.group_records import condense
    >>> from sfumato.studies.printed_tables import rows
    >>> from sfumato.hierarchies.hierarchy import Hierarchy
    >>> from sfumato.privacy.policy import Requirement
    >>> from sfumato.privacy.models.k_anonymity import KAnonymity
    >>> ages = {"age": Hierarchy(tuple((text, "*") for text in ("25", "26", "27", "28")))}
    >>> people = rows([(25,), (25,), (26,), (27,), (27,), (28,)], ["age"], age="quasi")
    >>> tuples = CountedTuples.of_condensed(condense(replace(people, hierarchies=ages)), ages, ordered=["age"])
    >>> recoding = mondrian(tuples, Policy((Requirement(KAnonymity(), 2),)))
    >>> [recoding.label(group, 0) for group in range(recoding.classes)], recoding.sizes.tolist()
    (['[25, 26]', '[27, 28]'], [3, 3])
    """
    rules = GroupRules.of(tuples, policy)
    rules.check_feasible()
    every = np.arange(len(tuples.codes))
    if rules.met_by_everybody(every).all():
        return Recoding.of(tuples.with_values(), every)
    recodings = [joined_until_met(rules, Recoding.of(tuples, _partitioned(rules, cut))) for cut in cuts]
    return min(recodings, key=lambda recoding: recoding.loss)


def _partitioned(rules: GroupRules, cut: Cut) -> Whole:
    """The group of each tuple. All groups that can still be cut are cut at the same time."""
    tuples = rules.tuples
    columns = [_Column.of_tuples(tuples, j) for j in range(len(tuples.columns))]
    group = np.zeros(len(tuples.counts), dtype=np.int64)
    count, places = 1, np.arange(len(group))
    failed = np.zeros((1, len(columns)), dtype=np.bool_)
    while len(places):
        in_time()
        places = _divisible(tuples, places, group, 2 * rules.least)
        own, used = packed(group[places], count)
        ids = np.zeros(used, dtype=np.int64)
        ids[own] = group[places]
        now = _Round(tuples=tuples, places=places, own=own, groups=len(ids), least=rules.least, cut=cut)
        chosen = _chosen(now, columns, failed[ids])
        right = _right(columns, places, own, chosen)
        halves = own * 2 + right
        kept = rules.met(places, halves, 2 * len(ids)).reshape(-1, 2).all(axis=1)
        made = kept & (chosen.column >= 0)
        refused = ~kept & (chosen.column >= 0)
        failed[ids[refused], chosen.column[refused]] = True
        numbers = np.cumsum(made) - 1 + count
        moved = made[own] & (right == 1)
        group[places[moved]] = numbers[own[moved]]
        count += int(made.sum())
        failed = np.concatenate([failed, failed[ids[made]]])
        places = places[(chosen.column >= 0)[own]]
    return group


def _divisible(tuples: CountedTuples, places: Whole, group: Whole, least: int) -> Whole:
    """The tuples of those groups that have several, and records enough for two."""
    own = group[places]
    enough = np.bincount(own, weights=tuples.counts[places]) >= least
    divisible: Whole = places[(enough & (np.bincount(own) > 1))[own]]
    return divisible


@dataclass(frozen=True, eq=False)
class _Column:
    """A column whose codes are places in an order in which the leaves of every label stand together."""

    of: TreeColumn | OrderedColumn
    places: Whole  # of each tuple
    leaf: Whole  # at each place

    @classmethod
    def of_tuples(cls, tuples: CountedTuples, j: int) -> _Column:
        column, codes = tuples.columns[j], tuples.codes[:, j].astype(np.int64)
        if isinstance(column, TreeColumn):
            order = column.places.astype(np.int64)
            return cls(column, order[codes], np.argsort(order))
        return cls(column, codes, np.arange(column.leaves))

    def weight(self, low: Whole, high: Whole) -> Real:
        """What the label over two places leaves open."""
        return self.of.weight(self.leaf[low], self.leaf[high])

    def separable(self, low: Whole, high: Whole, before: Whole, after: Whole) -> Flags:
        """Whether a cut between two places, in a group from low to high, leaves whole children on both sides."""
        if isinstance(self.of, OrderedColumn):
            own: Flags = self.of.widened(before, before)[0] != self.of.widened(after, after)[0]
            return own
        level = self.of.level_over(self.leaf[low], self.leaf[high]) - 1
        apart: Flags = self.of.nodes[level, self.leaf[before]] != self.of.nodes[level, self.leaf[after]]
        return apart


@dataclass(frozen=True, eq=False)
class _Cuts:
    """The cut of each group: its column, -1 for none, and the last place on its left side."""

    column: Whole
    place: Whole


@dataclass(frozen=True, eq=False)
class _Round:
    """The groups that are cut at the same time."""

    tuples: CountedTuples
    places: Whole  # tuples
    own: Whole  # the group of each, from 0 on
    groups: int
    least: int  # records on either side
    cut: Cut


def _chosen(now: _Round, columns: list[_Column], failed: Flags) -> _Cuts:
    best, column, at = np.zeros(now.groups), np.full(now.groups, -1), np.zeros(now.groups, dtype=np.int64)
    for j, of in enumerate(columns):
        in_time()
        score, place = _scored(now, of)
        better = (score > best) & ~failed[:, j]
        best[better], column[better], at[better] = score[better], j, place[better]
    return _Cuts(column, at)


def _scored(now: _Round, of: _Column) -> tuple[Real, Whole]:
    """The best cut of each group in one column: its score, 0 where there is none, and its place."""
    groups, least = now.groups, now.least
    base = len(of.leaf)
    cells, records = _counted(now.own * base + of.places[now.places], now.tuples.counts[now.places], groups * base)
    owner, place = cells // base, cells % base
    starts = np.searchsorted(owner, np.arange(groups + 1))
    before = np.concatenate([[0], np.cumsum(records)])
    size = before[starts[1:]] - before[starts[:-1]]
    i = np.flatnonzero(owner[1:] == owner[:-1])
    g = owner[i]
    left = before[i + 1] - before[starts[g]]
    kept = (left >= least) & (size[g] - left >= least)
    i, g, left = i[kept], g[kept], left[kept]
    low, high = place[starts[g]], place[starts[g + 1] - 1]
    kept = of.separable(low, high, place[i], place[i + 1])
    i, g, left, low, high = i[kept], g[kept], left[kept], low[kept], high[kept]
    right = size[g] - left
    whole = of.weight(low, high)
    if now.cut is Cut.WIDEST:
        score = whole + np.minimum(left, right) / (4.0 * size[g] * base)  # less than any two widths differ
    else:
        # What is left open alone loses 21 % more on the census at k = 50, what is saved alone 19 % more at k = 5, where
        # it cuts off slivers. A quarter, half or all of what is saved are within 1.4 % of each other there.
        saved = left * (whole - of.weight(low, place[i])) + right * (whole - of.weight(place[i + 1], high))
        score = whole + saved / (2.0 * size[g])
    return _first_best(score, g, place[i], groups)


def _first_best(score: Real, group: Whole, place: Whole, groups: int) -> tuple[Real, Whole]:
    order = np.lexsort((-score, group))
    ids, first = np.unique(group[order], return_index=True)
    best, at = np.zeros(groups), np.zeros(groups, dtype=np.int64)
    best[ids], at[ids] = score[order[first]], place[order[first]]
    return best, at


def _counted(keys: Whole, n: Whole, space: int) -> tuple[Whole, Whole]:
    """The different keys, ascending, and the records of each."""
    if space <= max(4 * len(keys), 1 << 16):
        records = np.bincount(keys, weights=n, minlength=space)
        cells = np.flatnonzero(records)
        return cells, records[cells].astype(np.int64)
    cells, back = np.unique(keys, return_inverse=True)
    return cells, np.bincount(back, weights=n).astype(np.int64)


def _right(columns: list[_Column], places: Whole, own: Whole, chosen: _Cuts) -> Whole:
    """1 for tuples on the right side of the cut of their group, 0 for all others."""
    right = np.zeros(len(places), dtype=np.int64)
    for j, of in enumerate(columns):
        mine = np.flatnonzero(chosen.column[own] == j)
        right[mine] = of.places[places[mine]] > chosen.place[own[mine]]
    return right
