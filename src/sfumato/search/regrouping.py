"""Regrouping: tuples that make their group expensive change places with others that do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.group_rules import ClassPolicy, spread
from sfumato.label_tree import LabelTree
from sfumato.partitioning import CountedTuples
from sfumato.search.groups import Groups

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Real = NDArray[np.float64]
    Flags = NDArray[np.bool_]

ROUNDS = 10
MOST_ROWS = 4000  # minorities that are looked at in a round, the most promising
ROWS = 128  # compared with all groups at once
GAIN = 1e-9


def regrouped(tuples: CountedTuples, group: Whole, policy: ClassPolicy) -> Whole:
    """A partition that loses no more: minorities leave their groups as long as that saves something.

    A minority are one or two tuples without which the label of their group would be narrower. Each joins the group
    where it costs least, which may have to widen its label for it; where the group that they leave is too small then,
    tuples of groups that can spare them take the place.
    """
    trees = LabelTree.of_all(tuples)
    if trees is None:
        return group
    state = Groups(tuples, trees, policy, group.copy())
    suspects = state.all_groups()
    for _ in range(ROUNDS):
        moves = _Moves.of(state, suspects)
        suspects = moves.make(state)
        if not len(suspects):
            break
    return state.group


@dataclass(frozen=True, eq=False)
class _Rows:
    """Minorities: one or two tuples without which the label of their group is narrower."""

    group: Whole
    leaving: Whole  # two tuples; the second is -1 where there is one
    node: Whole  # of the others, by column
    cost: Real
    rest: Whole  # records of the others

    @classmethod
    def of(cls, state: Groups, groups: Whole) -> _Rows:
        import numpy as np

        places = np.flatnonzero(np.isin(state.group, groups[state.cost[groups] > 0]))
        found = [_minorities(state, places, j) for j in range(len(state.trees))]
        group, leaving = np.concatenate([g for g, _ in found]), np.concatenate([o for _, o in found])
        keys = np.unique(np.column_stack([group, leaving]), axis=0)
        group, leaving = keys[:, 0], keys[:, 1:]
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
        return cls(group[best], leaving[best], node[:, best], cost[best], rest[best])


def _minorities(state: Groups, places: Whole, j: int) -> tuple[Whole, Whole]:
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


@dataclass(frozen=True, eq=False)
class _Moves:
    """Minorities, where they would go, and who would take their place (-1: nobody); the best first."""

    leaving: Whole
    target: Whole
    substitute: Whole

    @classmethod
    def of(cls, state: Groups, groups: Whole) -> _Moves:
        import numpy as np

        rows = _Rows.of(state, groups)
        different, back = np.unique(rows.leaving, return_inverse=True)
        target, joining = _joining(state, different)
        back = back.reshape(-1, 2)
        substitute, lending = _lending(state, rows)
        before = state.size[rows.group] * state.cost[rows.group] - rows.rest * rows.cost
        saved = before - joining[back].sum(axis=1) - lending
        kept = np.flatnonzero(np.isfinite(saved) & (saved > GAIN))
        kept = kept[np.argsort(-saved[kept], kind="stable")]
        return cls(rows.leaving[kept], target[back][kept], substitute[kept])

    def make(self, state: Groups) -> Whole:
        """Make the moves that do not touch the same groups; the groups to look at again."""
        import numpy as np

        touched: set[int] = set()
        again: set[int] = set()
        for leaving, target, substitute in zip(
            *(x.tolist() for x in (self.leaving, self.target, self.substitute)), strict=True
        ):
            own = int(state.group[leaving[0]])
            to = {place: group for place, group in zip(leaving, target, strict=True) if place >= 0}
            to |= {place: own for place in substitute if place >= 0}
            groups = sorted({own, *to.values(), *(int(state.group[place]) for place in to)})
            if touched.intersection(groups):
                again.add(own)
            elif _made(state, to, groups):
                touched.update(groups)
        return np.array(sorted(touched | again) if touched else [], dtype=np.int64)


def _made(state: Groups, to: dict[int, int], groups: list[int]) -> bool:
    """Move tuples to other groups if that saves something, counted exactly, and keeps to the policy."""
    import numpy as np

    before, size = float((state.size[groups] * state.cost[groups]).sum()), state.size[groups].copy()
    moved = list(to)
    kept = state.group[moved].copy()
    state.group[moved] = list(to.values())
    places = np.flatnonzero(np.isin(state.group, groups))
    ids, own = np.unique(state.group[places], return_inverse=True)
    if len(ids) == len(groups):
        state.size[ids] = np.bincount(own, weights=state.tuples.counts[places])
        node, cost = state.widths(own, places, len(ids))
        if state.keeps(groups) and float((state.size[ids] * cost).sum()) < before - GAIN:
            state.node[:, ids], state.cost[ids] = node, cost
            return True
    state.group[moved], state.size[groups] = kept, size
    return False


def _joining(state: Groups, places: Whole) -> tuple[Whole, Real]:
    """For each tuple the other group that it costs least to join, and what that costs; nothing for -1."""
    import numpy as np

    target, costs = np.full(len(places), -1, dtype=np.int64), np.zeros(len(places))
    size, paid = state.size.astype(np.float32), (state.size * state.cost).astype(np.float32)
    for start in range(int((places < 0).sum()), len(places), ROWS):
        some = places[start : start + ROWS]
        n = state.tuples.counts[some].astype(np.float32)[:, None]
        extra = state.together(state.leaf[:, some], state.node) * (size + n) - paid
        extra[np.arange(len(some)), state.group[some]] = np.inf
        best = extra.argmin(axis=1)
        target[start : start + ROWS], costs[start : start + ROWS] = best, extra[np.arange(len(some)), best]
    return target, costs


def _lending(state: Groups, rows: _Rows) -> tuple[Whole, Real]:
    """For each group without its minority one or two tuples of other groups that fit best, and what they cost."""
    import numpy as np

    least, counts = state.policy.least, state.tuples.counts
    lenders = np.flatnonzero(state.size[state.group] - counts >= least)
    substitute, costs = np.full((len(rows.rest), 2), -1, dtype=np.int64), np.zeros(len(rows.rest))
    n = counts[lenders].astype(np.float32)
    paid, lender = n * state.cost[state.group[lenders]].astype(np.float32), state.group[lenders]
    short = np.flatnonzero(rows.rest < least)
    costs[short] = np.inf
    for start in range(0, len(short) if len(lenders) else 0, ROWS):
        some = short[start : start + ROWS]
        left = rows.rest[some].astype(np.float32)[:, None]
        extra = state.together(rows.node[:, some], state.leaf[:, lenders]) * (left + n)
        extra -= left * rows.cost[some].astype(np.float32)[:, None] + paid
        extra[lender == rows.group[some, None]] = np.inf
        substitute[some], costs[some] = _two_best(extra, lenders, lender, counts[lenders], least - rows.rest[some])
    return substitute, costs


def _two_best(extra: Real, lenders: Whole, lender: Whole, n: Whole, needed: Whole) -> tuple[Whole, Real]:
    """The cheapest column of each row, and one of another group more where that has too few records."""
    import numpy as np

    every = np.arange(len(extra))
    first = extra.argmin(axis=1)
    cost, found = extra[every, first].astype(np.float64), np.full((len(extra), 2), -1, dtype=np.int64)
    found[:, 0] = lenders[first]
    short = np.flatnonzero(n[first] < needed)
    if len(short):
        others = np.where(lender == lender[first[short]][:, None], np.inf, extra[short])
        second = others.argmin(axis=1)
        found[short, 1] = lenders[second]
        cost[short] += others[np.arange(len(short)), second]
        cost[short[n[first[short]] + n[second] < needed[short]]] = np.inf
    return found, cost
