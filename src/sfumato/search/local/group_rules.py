"""Group rules: whether groups of tuples keep to a policy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, inf
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import InfeasiblePolicy, PolicyError
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.policy_rules import PolicyRules, Suppression
from sfumato.privacy.coded.rule_interface import ClassRule, SizeRule
from sfumato.privacy.coded.suppress_until_met import broken_among_themselves
from sfumato.privacy.policy import Policy
from sfumato.search.local.counted_tuples import CountedTuples

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


@dataclass(frozen=True, eq=False)
class GroupRules:
    """A policy that a union of two groups keeps to where both do, and the tuples that are grouped.

    Groups are no node of a lattice, but classes of records as any: they are judged by the rules that levels are
    searched with.
    """

    tuples: CountedTuples
    policy_rules: PolicyRules

    @classmethod
    def of(cls, tuples: CountedTuples, policy: Policy) -> GroupRules:
        """The rules of a policy. What is true of a whole table or a population only cannot be told of a group."""
        policy_rules = PolicyRules.of(policy)
        for rule in policy_rules.rules:
            _refuse(rule)
        for value in policy_rules.values:
            if value not in tuples.table.values:
                raise PolicyError(f"The sensitive values of the column {value.sensitive!r} were not counted.")
        return cls(tuples, policy_rules)

    @property
    def least(self) -> int:
        """No group with fewer records keeps to the policy."""
        return self.policy_rules.least

    @cached_property
    def by_size(self) -> bool:
        """Whether the number of records decides alone."""
        table = self.tuples.table
        return table.one_record_each and all(isinstance(rule, SizeRule) for rule in self.policy_rules.rules)

    def met(self, places: Whole, groups: Whole, count: int) -> Flags:
        """Which of the groups 0, 1, ... keep to the policy, where the tuples at these places are in these groups."""
        if self.by_size:
            large: Flags = np.bincount(groups, weights=self.tuples.counts[places], minlength=count) >= self.least
            return large
        return ~self.suppression(places, groups, count).here

    def together(self, places: Whole) -> bool:
        """Whether tuples keep to the policy as one group."""
        return bool(self.met(places, np.zeros(len(places), dtype=np.int64), 1).all())

    def met_by_everybody(self, groups: Whole) -> Flags:
        """Which of the groups 0, 1, ... keep to the policy, where everybody is in one of these.

        Persons who are in several groups count in each of them, so that the shares of everybody, with whom measures
        such as t compare, depend on all groups together. While groups are formed, everybody is one group; what comes
        of it is looked at here.
        """
        places, count = np.arange(len(groups)), int(groups.max()) + 1
        if self.tuples.table.persons is None:
            return self.met(places, groups, count)
        return ~broken_among_themselves(self.policy_rules, self._classes(places, groups, count))

    def suppression(self, places: Whole, groups: Whole, count: int) -> Suppression:
        """What the policy says of groups of tuples."""
        suppression = self.policy_rules.suppression(self._classes(places, groups, count), inf)
        assert suppression is not None  # there is no limit
        return suppression

    def _classes(self, places: Whole, groups: Whole, count: int) -> CodedClasses:
        rows, lengths = self.tuples.rows(places)
        levels = tuple(-1 for _ in self.tuples.table.columns)
        return CodedClasses(
            table=self.tuples.table, levels=levels, ids=np.repeat(groups, lengths), space=count, rows=rows
        )

    def check_feasible(self) -> None:
        """Refuse a policy that is not met with everybody in one class."""
        if not self.together(np.arange(len(self.tuples.codes))):
            raise InfeasiblePolicy("The policy is not met even with everybody in one class. Loosen a requirement.")


def _refuse(rule: ClassRule) -> None:
    name, bound = rule.requirement.measure.name(), rule.requirement.bound
    if rule.last and bound and not rule.requirement.measure.reads_population:
        raise PolicyError(
            f"{name} is about a table as a whole, and groups are formed one by one. Ask for k_anonymity >= "
            f"{max(ceil(1 / bound - 1e-9), 1)} instead, which implies it, or search for levels (optimal)."
        )
    if rule.last or rule.requirement.measure.reads_population or not rule.requirement.measure.monotone:
        raise PolicyError(
            f"Groups of tuples cannot keep to a bound on {name}. Leave it out, and assess the release for it, or "
            f"search for levels (optimal)."
        )
