"""Local recoding: every tuple its own levels, so that as little as possible is lost.

Why each step is as it is, and what else was tried: docs/explanation/local-recoding.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import HierarchyError, PlanError
from sfumato.privacy.policy import Policy
from sfumato.search.local.counted_tuples import CountedTuples, TreeColumn
from sfumato.search.local.full_domain import best_of_levels, full_domain_below
from sfumato.search.local.group_rules import GroupRules
from sfumato.search.local.join_until_met import joined_until_met
from sfumato.search.local.label_tree import LabelTree
from sfumato.search.local.minorities import exchange_minorities, suppress_minorities
from sfumato.search.local.partition import Partition
from sfumato.search.local.peel_classes import PeelLimit, peel_classes
from sfumato.search.local.recoding import Recoding, classes_at_levels

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


def recode_locally(
    tuples: CountedTuples,
    policy: Policy,
    *,
    suppression: float = 0.0,
    full_domain: Sequence[Mapping[str, int]] | None = None,
) -> Recoding:
    """A recoding to nodes of the hierarchies that keeps to the policy and loses little.

    Classes are peeled off from the cheapest on, tuples that found none join the group where they cost least, and
    outliers change places as long as that saves something. A share of the records may be suppressed where that loses
    less than the labels that the others would need for them; of a suppressed record everything is lost. No full-domain
    recoding that keeps to the policy within the same share loses less: those that could are looked at, or those that
    are given in their place, since somebody has searched them already.

    References
    ----------
    The search is our own; what it starts from, taking away what a full-domain recoding serves and going on with the
    rest, is how ARX recodes locally.

    Examples
    --------
    Three of one town and three of two others: only the latter are generalised.

    >>> from dataclasses import replace
    >>> from sfumato.privacy.coded.group_records import condense
    >>> from sfumato.studies.printed_tables import rows
    >>> from sfumato.hierarchies.hierarchy import Hierarchy
    >>> from sfumato.privacy.policy import Requirement
    >>> from sfumato.privacy.models.k_anonymity import KAnonymity
    >>> towns = Hierarchy((("Lyon", "France", "*"), ("Nice", "France", "*"), ("Bonn", "Germany", "*")))
    >>> people = rows([("Lyon",), ("Lyon",), ("Nice",), ("Bonn",), ("Bonn",), ("Bonn",)], ["town"], town="quasi")
    >>> table = condense(replace(people, hierarchies={"town": towns}))
    >>> recoding = recode_locally(CountedTuples.of_condensed(table, {"town": towns}),
    ...                           Policy((Requirement(KAnonymity(), 3),)))
    >>> [recoding.label(group, 0) for group in range(recoding.classes)], round(recoding.loss, 6)
    (['France', 'Bonn'], 0.25)
    """
    recoding = recode_within(tuples, policy, PeelLimit(), suppression=suppression, full_domain=full_domain)
    assert recoding is not None  # without a limit nothing is given up
    return recoding


def recode_within(
    tuples: CountedTuples,
    policy: Policy,
    limit: PeelLimit,
    *,
    suppression: float = 0.0,
    full_domain: Sequence[Mapping[str, int]] | None = None,
) -> Recoding | None:
    """The same within a limit; None where it was given up."""
    if not 0 <= suppression <= 1:
        raise PlanError("The share of records that may be suppressed lies between 0 and 1.")
    for column in tuples.columns:
        if not isinstance(column, TreeColumn):
            raise HierarchyError(f"Local recoding needs a hierarchy for the column {column.name!r}.")
    rules = GroupRules.of(tuples, policy)
    rules.check_feasible()
    levels, placed, given_up = peel_classes(rules, limit)
    if given_up:
        return None
    trees, lost = LabelTree.of_all(tuples), None
    group = place_everybody(rules, trees, classes_at_levels(tuples, levels), placed)
    if trees is not None:
        partition = Partition(rules, trees, group)
        exchange_minorities(partition)
        if suppression:
            lost = suppress_minorities(partition, floor(suppression * tuples.records + 1e-9))
        group = partition.group
    recoding = Recoding.of(tuples, group, lost)
    if full_domain is None:
        best = full_domain_below(rules, policy, recoding, suppression) or recoding
    else:
        best = best_of_levels(rules, full_domain, recoding, suppression)
    return best if best.suppressed else joined_until_met(rules, best)


def place_everybody(rules: GroupRules, trees: tuple[LabelTree, ...] | None, group: Whole, placed: Flags) -> Whole:
    """The groups when everybody has one that keeps to the policy.

    Who has none joins the group where that costs least. Where a group does not keep to the policy then (one more record
    may make a distribution of values worse, though never a group too small), they become one class, with as many groups
    as it takes, the most expensive first. That ends: the policy was met with everybody in one class.
    """
    own = np.where(placed, group, -1)
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
    partition, kept, outside = Partition(rules, trees, own.copy()), np.flatnonzero(met), np.flatnonzero(~met[own])
    nearest, _ = partition.nearest(
        partition.leaf[:, outside], partition.node[:, kept], size=rules.tuples.counts[outside],
        records=partition.size[kept], paid=(partition.size * partition.cost)[kept], own=outside * 0 - 1, number=kept,
        needed=outside * 0,
    )  # fmt: skip
    own = own.copy()
    own[outside] = kept[nearest[:, 0]]
    _, own = np.unique(own, return_inverse=True)
    return own if rules.met(np.arange(len(own)), own, int(own.max()) + 1).all() else None


def _merged(rules: GroupRules, own: Whole, met: Flags) -> Whole:
    """Those without a group that keeps to the policy as one class, with the most expensive others as it takes.

    One group more, then two, four, ... are added: so a table of many groups is judged a few times only.
    """
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
