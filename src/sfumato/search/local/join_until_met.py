"""Joining until a policy is met: classes of persons who are in several, which may not keep to it once all are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.local.group_rules import GroupRules
from sfumato.search.local.recoding import Recoding

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


def joined_until_met(rules: GroupRules, recoding: Recoding) -> Recoding:
    """The recoding itself where its classes keep to the policy; otherwise some of them joined, so that all do.

    Where nobody is in several rows, groups that keep to a policy do so whatever the others are, and so does a union of
    them. Persons of several rows count once in every class: then neither is sure, the classes of the release are looked
    at as they will be read, and those that break the policy become one, with one more, two, four, ... of the most
    expensive others until all keep to it. That ends: the policy is met with everybody in one class.
    """
    if rules.tuples.table.persons is None:
        return recoding
    number = 1
    while True:
        classes = recoding.released
        met = rules.met_by_everybody(classes)
        if met.all():
            return recoding
        recoding = Recoding.of(rules.tuples, _joined(recoding, classes, int((~met).sum()) + number, ~met))
        number *= 2


def _joined(recoding: Recoding, classes: Whole, count: int, broken: Flags) -> Whole:
    """The classes when so many are one: those that are broken first, then the most expensive."""
    cost = np.zeros(len(broken))
    cost[classes] = recoding.weights.sum(axis=1)[recoding.group]
    rank = np.empty(len(broken), dtype=np.int64)
    rank[np.lexsort((-cost, ~broken))] = np.arange(len(broken))
    return np.where(rank[classes] < count, len(broken), classes)
