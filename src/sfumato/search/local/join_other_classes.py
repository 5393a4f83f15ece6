"""Housing: tuples that found no class of their own join others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.search.local.group_rules import GroupRules
from sfumato.search.local.label_tree import LabelTree
from sfumato.search.local.partition import Partition
from sfumato.search.local.recoding import Recoding

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


def place_everybody(rules: GroupRules, trees: tuple[LabelTree, ...] | None, group: Whole, housed: Flags) -> Whole:
    """The groups when everybody has one that keeps to the policy.

    Who has none joins the group where that costs least. Where a group does not keep to the policy then, they become one
    class, with as many groups as it takes, the most expensive first.
    """
    import numpy as np

    own = np.where(housed, group, -1)
    ids, own = np.unique(own, return_inverse=True)
    met = rules.met(np.arange(len(own)), own, len(ids)) & (ids >= 0)
    if met.all():
        return own
    if met.any() and trees is not None:
        joined = _joined(rules, trees, own, met)
        if joined is not None:
            return joined
    return _merged(rules, own, met)


def _joined(rules: GroupRules, trees: tuple[LabelTree, ...], own: Whole, met: Flags) -> Whole | None:
    """Each tuple of a group that does not keep to the policy in the cheapest of those that do; None if that fails."""
    import numpy as np

    state, kept, outside = Partition(rules, trees, own.copy()), np.flatnonzero(met), np.flatnonzero(~met[own])
    found, _ = state.nearest(
        state.leaf[:, outside], state.node[:, kept], size=rules.tuples.counts[outside], records=state.size[kept],
        paid=(state.size * state.cost)[kept], own=outside * 0 - 1, number=kept, needed=outside * 0,
    )  # fmt: skip
    own = own.copy()
    own[outside] = kept[found[:, 0]]
    _, own = np.unique(own, return_inverse=True)
    return own if rules.met(np.arange(len(own)), own, int(own.max()) + 1).all() else None


def _merged(rules: GroupRules, own: Whole, met: Flags) -> Whole:
    import numpy as np

    recoding, cost = Recoding.of(rules.tuples, own), np.zeros(len(met))
    cost[own] = recoding.weights.sum(axis=1)[recoding.group]
    order = np.concatenate([np.flatnonzero(~met), np.flatnonzero(met)[np.argsort(-cost[met], kind="stable")]])
    rank = np.empty(len(met), dtype=np.int64)
    rank[order] = np.arange(len(met))
    count, more = int((~met).sum()), 1
    while count < len(met):
        if rules.together(np.flatnonzero(rank[own] < count)):
            break
        count, more = min(count + more, len(met)), 2 * more
    return np.where(rank[own] < count, len(met), own)
