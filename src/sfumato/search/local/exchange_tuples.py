"""Regrouping: tuples that make their group expensive change places with others that do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.search.local.narrowing_minorities import Minorities
from sfumato.search.local.partition import Partition

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole


ROUNDS = 10
ENOUGH = 1e-3  # a round that saves a smaller share is the last
CREDIT = 0.75  # what lenders may pay for getting rid of a tuple, as far as it is looked for
GAIN = 1e-9


def exchange_minorities(state: Partition) -> None:
    """Change a partition into one that loses no more: minorities leave their groups as long as that saves something.

    A minority are one or two tuples without which the label of their group would be narrower. Each joins the group
    where it costs least, which may have to widen its label for it; where the group that they leave is too small then,
    tuples of groups that can spare them take the place.
    """
    suspects = state.all_groups()
    for _ in range(ROUNDS):
        before = state.total
        suspects = _Moves.of(state, suspects).make(state)
        if before - state.total <= ENOUGH * before:
            break


@dataclass(frozen=True, eq=False)
class _Moves:
    """Minorities, where they would go, and who would take their place (-1: nobody); the best first."""

    leaving: Whole
    target: Whole
    substitute: Whole

    @classmethod
    def of(cls, state: Partition, groups: Whole) -> _Moves:
        import numpy as np

        rows = Minorities.of(state, groups)
        different, back = np.unique(rows.leaving, return_inverse=True)
        target, joining = _joining(state, different)
        back = back.reshape(-1, 2)
        saved = rows.promise - joining[back].sum(axis=1)
        substitute, lending = _lending(state, rows, np.flatnonzero(saved > -CREDIT))
        saved -= lending
        kept = np.flatnonzero(np.isfinite(saved) & (saved > GAIN))
        kept = kept[np.argsort(-saved[kept], kind="stable")]
        return cls(rows.leaving[kept], target[back][kept], substitute[kept])

    def make(self, state: Partition) -> Whole:
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
        return np.array(sorted(touched | again), dtype=np.int64)


def _made(state: Partition, to: dict[int, int], groups: list[int]) -> bool:
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


def _joining(state: Partition, places: Whole) -> tuple[Whole, Real]:
    """For each tuple the other group that it costs least to join, and what that costs; nothing for -1."""
    import numpy as np

    target, costs = np.full(len(places), -1, dtype=np.int64), np.zeros(len(places))
    some = np.flatnonzero(places >= 0)
    who = places[some]
    found, costs[some] = state.nearest(
        state.leaf[:, who], state.node, size=state.tuples.counts[who], records=state.size,
        paid=state.size * state.cost, own=state.group[who], number=state.all_groups(), needed=who * 0,
    )  # fmt: skip
    target[some] = found[:, 0]
    return target, costs


def _lending(state: Partition, rows: Minorities, some: Whole) -> tuple[Whole, Real]:
    """For some groups without their minority one or two tuples of other groups that fit best, and what they cost."""
    import numpy as np

    least, counts = state.rules.least, state.tuples.counts
    lenders = np.flatnonzero(state.size[state.group] - counts >= least)
    lender, n = state.group[lenders], counts[lenders]
    substitute, costs = np.full((len(rows.rest), 2), -1, dtype=np.int64), np.full(len(rows.rest), np.inf)
    costs[rows.rest >= least] = 0
    short = some[rows.rest[some] < least]
    found, cost = state.nearest(
        rows.node[:, short], state.leaf[:, lenders], size=rows.rest[short], records=n, paid=n * state.cost[lender],
        own=rows.group[short], number=lender, needed=least - rows.rest[short],
    )  # fmt: skip
    costs[short] = cost - rows.rest[short] * rows.cost[short]
    if len(lenders):
        substitute[short] = np.where(found >= 0, lenders[found], -1)
    return substitute, costs
