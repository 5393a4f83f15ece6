"""Withdrawing: records that cost their group more than they are worth are suppressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.search.local.narrowing_minorities import Minorities
from sfumato.search.local.partition import Partition

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags


ROUNDS = 6
GAIN = 1e-9


def suppress_minorities(state: Partition, limit: int) -> Flags:
    """Which tuples are suppressed, of at most so many records; the groups of the state are those of the others.

    A minority goes where the narrower labels of those who stay save more than the records that go are worth, and
    those who stay keep to the policy; the ones first that save most for each record.
    """
    import numpy as np

    lost = np.zeros(len(state.group), dtype=np.bool_)
    nothing = sum(tree.tree.open for tree in state.trees)
    aside = len(state.size)
    state.size, state.cost = np.append(state.size, 0), np.append(state.cost, 0.0)
    state.node = np.column_stack([state.node, state.node[:, :1]])
    for _ in range(ROUNDS):
        rows = Minorities.of(state, np.arange(aside))
        records = state.size[rows.group] - rows.rest
        saved = rows.promise - records * nothing
        order = np.argsort(-saved / records, kind="stable")
        touched: set[int] = set()
        for i in order[saved[order] > GAIN].tolist():
            group, who = int(rows.group[i]), rows.leaving[i][rows.leaving[i] >= 0]
            if records[i] > limit or group in touched or not state.left_by(who, group):
                continue
            limit -= int(records[i])
            lost[who], state.group[who] = True, aside
            state.node[:, group], state.cost[group], state.size[group] = rows.node[:, i], rows.cost[i], rows.rest[i]
            touched.add(group)
        if not touched:
            break
    return lost
