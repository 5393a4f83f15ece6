"""Minorities: the few tuples of a group without which its labels would be narrower."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.search.local.counted_tuples import spread
from sfumato.search.local.partition import Partition

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole


MOST_ROWS = 3000  # that are looked at, the most promising


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
    def of(cls, state: Partition, groups: Whole) -> Minorities:
        """The minorities of some groups, those first that would save most."""
        import numpy as np

        places = np.flatnonzero(_among(state.group, groups[state.cost[groups] > 0], len(state.size)))
        found = [_minorities(state, places, j) for j in range(len(state.trees))]
        group, leaving = np.concatenate([g for g, _ in found]), np.concatenate([o for _, o in found])
        pairs = leaving[:, 0] * (len(state.group) + 1) + leaving[:, 1] + 1
        first = np.unique(pairs, return_index=True)[1]
        group, leaving = group[first], leaving[first]
        order = np.argsort(state.group, kind="stable")
        starts = np.searchsorted(state.group[order], group)
        lengths = np.searchsorted(state.group[order], group, side="right") - starts
        members, row = order[spread(starts, lengths)], np.repeat(np.arange(len(group)), lengths)
        staying = (members != leaving[row, 0]) & (members != leaving[row, 1])
        members, row = members[staying], row[staying]
        node, cost = state.widths(row, members, len(group))
        rest = np.bincount(row, weights=state.tuples.counts[members], minlength=len(group)).astype(np.int64)
        promise = state.size[group] * state.cost[group] - rest * cost
        best = np.argsort(-promise, kind="stable")[:MOST_ROWS]
        return cls(group[best], leaving[best], node[:, best], cost[best], rest[best], promise[best])


def _among(group: Whole, groups: Whole, count: int) -> Flags:
    import numpy as np

    marked = np.zeros(count, dtype=np.bool_)
    marked[groups] = True
    found: Flags = marked[group]
    return found


def _minorities(state: Partition, places: Whole, j: int) -> tuple[Whole, Whole]:
    """Of the groups in one column, the one or two tuples that are not below the child with most records."""
    import numpy as np

    tree, group = state.trees[j], state.group[places]
    child = tree.child(state.node[j][group], state.tuples.codes[places, j])
    keys, back = np.unique(group * len(tree.weights) + child, return_inverse=True)
    records = np.bincount(back, weights=state.tuples.counts[places])
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
