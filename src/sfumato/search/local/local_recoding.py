"""Local recoding: every tuple its own levels, so that as little as possible is lost."""

from __future__ import annotations

from math import floor

from sfumato.errors import HierarchyError, PlanError
from sfumato.privacy.policy import Policy
from sfumato.search.local.counted_tuples import CountedTuples, TreeColumn
from sfumato.search.local.exchange_tuples import exchange_minorities
from sfumato.search.local.full_domain import full_domain_below
from sfumato.search.local.group_rules import GroupRules
from sfumato.search.local.join_other_classes import place_everybody
from sfumato.search.local.label_tree import LabelTree
from sfumato.search.local.partition import Partition
from sfumato.search.local.peel_classes import peel_classes
from sfumato.search.local.recoding import Recoding, classes_at_levels
from sfumato.search.local.suppress_expensive import suppress_minorities


def recode_locally(tuples: CountedTuples, policy: Policy, *, suppression: float = 0.0) -> Recoding:
    """A recoding to nodes of the hierarchies that keeps to the policy and loses little.

    Classes are peeled off from the cheapest on, tuples that found none join the group where they cost least, and
    outliers change places as long as that saves something. A share of the records may be suppressed where that loses
    less than the labels that the others would need for them; of a suppressed record everything is lost. No full-domain
    recoding that keeps to the policy within the same share loses less: those that could are looked at.

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
    >>> found = recode_locally(CountedTuples.of_condensed(table, {"town": towns}),
    ...                         Policy((Requirement(KAnonymity(), 3),)))
    >>> [found.label(group, 0) for group in range(found.classes)], round(found.loss, 6)
    (['France', 'Bonn'], 0.25)
    """
    if not 0 <= suppression <= 1:
        raise PlanError("The share of records that may be suppressed lies between 0 and 1.")
    for column in tuples.columns:
        if not isinstance(column, TreeColumn):
            raise HierarchyError(f"Local recoding needs a hierarchy for the column {column.name!r}.")
    rules = GroupRules.of(tuples, policy)
    rules.check_feasible()
    levels, housed = peel_classes(rules)
    trees, lost = LabelTree.of_all(tuples), None
    group = place_everybody(rules, trees, classes_at_levels(tuples, levels), housed)
    if trees is not None:
        state = Partition(rules, trees, group)
        exchange_minorities(state)
        lost = suppress_minorities(state, floor(suppression * tuples.records + 1e-9)) if suppression else None
        group = state.group
    found = Recoding.of(tuples, group, lost)
    return full_domain_below(rules, policy, found, suppression) or found
