"""Minorities: the few tuples of a group without which its labels would be narrower, and where they go.

They join another group, in exchange for others where their own would be too small without them; or they are suppressed,
where that loses less than the labels that the others need for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.deadline import in_time
from sfumato.search.local.counted_tuples import spread
from sfumato.search.local.partition import Partition

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole

# What these give on two tables is listed in docs/explanation/local-recoding.md.
EXCHANGES = 10  # rounds; three save all but 0.1 %, so this is room to spare
ENOUGH = 1e-3  # a round that saves a smaller share is the last: later ones save less than 0.03 % together
CREDIT = 0.75  # a substitute may save so much of what a move costs; 0 loses 0.3 % more at the most, 2 as little
MOST_MINORITIES = 3000  # of a round; the census loses 0.3 to 0.8 % more with 1,000, and takes longer with 10,000
SUPPRESSIONS = 6  # rounds; chosen, not measured: on both tables one does
GAIN = 1e-9  # what counts as saved; below it are roundings


def exchange_minorities(partition: Partition) -> None:
    """Change a partition into one that loses no more: minorities leave their groups as long as that saves something.

    A minority are one or two tuples without which the label of their group would be narrower. Each joins the group
    where it costs least, which may have to widen its label for it; where the group that they leave is too small then,
    tuples of groups that can spare them take the place. What a move saves is estimated first and then counted exactly,
    and it is made only if it saves something and all groups that it touches keep to the policy: so the loss never
    rises, and there is an end.
    """
    suspects = partition.all_groups()
    for _ in range(EXCHANGES):
        in_time()
        before = partition.total
        suspects = _Moves.of(partition, suspects).make(partition)
        if before - partition.total <= ENOUGH * before:
            break


def suppress_minorities(partition: Partition, limit: int) -> Flags:
    """Which tuples are suppressed, of at most so many records; the groups of the partition are those of the others.

    A minority goes where the narrower labels of those who stay save more than the records that go are worth, and
    those who stay keep to the policy; the ones first that save most for each record. A suppressed record costs what it
    would at the top of every column.
    """
    lost = np.zeros(len(partition.group), dtype=np.bool_)
    worth = sum(tree.column.open for tree in partition.trees)
    aside = partition.set_aside()
    for _ in range(SUPPRESSIONS):
        in_time()
        rows = Minorities.of(partition, np.arange(aside))
        records = partition.size[rows.group] - rows.rest
        saved = rows.promise - records * worth
        order = np.argsort(-saved / records, kind="stable")
        touched: set[int] = set()
        for i in order[saved[order] > GAIN].tolist():
            in_time()
            group, who = int(rows.group[i]), rows.leaving[i][rows.leaving[i] >= 0]
            if records[i] > limit or group in touched or not partition.left_by(who, group):
                continue
            limit -= int(records[i])
            lost[who], partition.group[who] = True, aside
            partition.node[:, group], partition.cost[group] = rows.node[:, i], rows.cost[i]
            partition.size[group] = rows.rest[i]
            touched.add(group)
        if not touched:
            break
    return lost


@dataclass(frozen=True, eq=False)
class Minorities:
    """One or two tuples without which the label of their group is narrower, and what the others are then."""

    group: Whole
    leaving: Whole  # two tuples; the second is -1 where there is one
    node: Whole  # of the others, by column
    cost: Real
    rest: Whole  # records of the others
    promise: Real  # what is saved when they are gone

    @classmethod
    def of(cls, partition: Partition, groups: Whole) -> Minorities:
        """The minorities of some groups, those first that would save most."""
        marked = np.zeros(len(partition.size), dtype=np.bool_)
        marked[groups[partition.cost[groups] > 0]] = True
        places = np.flatnonzero(marked[partition.group])
        by_column = [_in_column(partition, places, j) for j in range(len(partition.trees))]
        group, leaving = (np.concatenate(parts) for parts in zip(*by_column, strict=True))
        pairs = leaving[:, 0] * (len(partition.group) + 1) + leaving[:, 1] + 1
        first = np.unique(pairs, return_index=True)[1]
        group, leaving = group[first], leaving[first]
        order = np.argsort(partition.group, kind="stable")
        starts = np.searchsorted(partition.group[order], group)
        lengths = np.searchsorted(partition.group[order], group, side="right") - starts
        members, row = order[spread(starts, lengths)], np.repeat(np.arange(len(group)), lengths)
        staying = (members != leaving[row, 0]) & (members != leaving[row, 1])
        members, row = members[staying], row[staying]
        node, cost = partition.widths(row, members, len(group))
        rest = np.bincount(row, weights=partition.tuples.counts[members], minlength=len(group)).astype(np.int64)
        promise = partition.size[group] * partition.cost[group] - rest * cost
        best = np.argsort(-promise, kind="stable")[:MOST_MINORITIES]
        return cls(
            group=group[best],
            leaving=leaving[best],
            node=node[:, best],
            cost=cost[best],
            rest=rest[best],
            promise=promise[best],
        )


def _in_column(partition: Partition, places: Whole, j: int) -> tuple[Whole, Whole]:
    """Of the groups in one column, the one or two tuples that are not below the child with most records.

    The label of a group is a node, and narrower only if all who stay are below one of its children; that with most
    records loses fewest. More than two tuples would have to find three places at once, which hardly ever pays.
    """
    tree, group = partition.trees[j], partition.group[places]
    child = tree.child(partition.node[j][group], partition.tuples.codes[places, j])
    keys, back = np.unique(group * len(tree.weights) + child, return_inverse=True)
    records = np.bincount(back, weights=partition.tuples.counts[places])
    order = np.lexsort((-records, keys // len(tree.weights)))
    first = order[np.unique(keys[order] // len(tree.weights), return_index=True)[1]]
    major = np.zeros(len(keys), dtype=np.bool_)
    major[first] = True
    minor = np.flatnonzero(~major[back])
    minor = minor[np.argsort(group[minor], kind="stable")]
    ids, starts, count = np.unique(group[minor], return_index=True, return_counts=True)
    few = count <= 2
    ids, starts, count = ids[few], starts[few], count[few]
    ends = np.minimum(starts + 1, max(len(minor) - 1, 0))
    second = np.where(count == 2, places[minor[ends]], -1) if len(minor) else starts
    return ids, np.column_stack([places[minor[starts]], second])


@dataclass(frozen=True, eq=False)
class _Moves:
    """Minorities, where they would go, and who would take their place (-1: nobody); the best first."""

    leaving: Whole
    target: Whole
    substitute: Whole

    @classmethod
    def of(cls, partition: Partition, groups: Whole) -> _Moves:
        rows = Minorities.of(partition, groups)
        different, back = np.unique(rows.leaving, return_inverse=True)
        target, joining = _joining(partition, different)
        back = back.reshape(-1, 2)
        saved = rows.promise - joining[back].sum(axis=1)
        substitute, lending = _lending(partition, rows, np.flatnonzero(saved > -CREDIT))
        saved -= lending
        kept = np.flatnonzero(np.isfinite(saved) & (saved > GAIN))
        kept = kept[np.argsort(-saved[kept], kind="stable")]
        return cls(rows.leaving[kept], target[back][kept], substitute[kept])

    def make(self, partition: Partition) -> Whole:
        """Make the moves that do not touch the same groups; the groups to look at again.

        What a move saves was estimated for groups as they were, so a group that changed waits for the next round.
        """
        touched: set[int] = set()
        again: set[int] = set()
        for leaving, target, substitute in zip(
            *(x.tolist() for x in (self.leaving, self.target, self.substitute)), strict=True
        ):
            own = int(partition.group[leaving[0]])
            to = {place: group for place, group in zip(leaving, target, strict=True) if place >= 0}
            to |= {place: own for place in substitute if place >= 0}
            groups = sorted({own, *to.values(), *(int(partition.group[place]) for place in to)})
            if touched.intersection(groups):
                again.add(own)
            elif partition.move(to, groups, GAIN):
                touched.update(groups)
        return np.array(sorted(touched | again), dtype=np.int64)


def _joining(partition: Partition, places: Whole) -> tuple[Whole, Real]:
    """For each tuple the other group that it costs least to join, and what that costs; nothing for -1."""
    target, costs = np.full(len(places), -1, dtype=np.int64), np.zeros(len(places))
    some = np.flatnonzero(places >= 0)
    who = places[some]
    nearest, costs[some] = partition.nearest(
        partition.leaf[:, who], partition.node, size=partition.tuples.counts[who], records=partition.size,
        paid=partition.size * partition.cost, own=partition.group[who], number=partition.all_groups(), needed=who * 0,
    )  # fmt: skip
    target[some] = nearest[:, 0]
    return target, costs


def _lending(partition: Partition, rows: Minorities, some: Whole) -> tuple[Whole, Real]:
    """For some groups without their minority one or two tuples of other groups that fit best, and what they cost."""
    least, counts = partition.rules.least, partition.tuples.counts
    lenders = np.flatnonzero(partition.size[partition.group] - counts >= least)
    lender, n = partition.group[lenders], counts[lenders]
    substitute, costs = np.full((len(rows.rest), 2), -1, dtype=np.int64), np.full(len(rows.rest), np.inf)
    costs[rows.rest >= least] = 0
    short = some[rows.rest[some] < least]
    nearest, cost = partition.nearest(
        rows.node[:, short], partition.leaf[:, lenders], size=rows.rest[short], records=n,
        paid=n * partition.cost[lender], own=rows.group[short], number=lender, needed=least - rows.rest[short],
    )  # fmt: skip
    costs[short] = cost - rows.rest[short] * rows.cost[short]
    if len(lenders):
        substitute[short] = np.where(nearest >= 0, lenders[nearest], -1)
    return substitute, costs
