"""Policy rules: all requirements of a policy, read off the classes at one node after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import PolicyError
from sfumato.privacy.catalogue import class_rule, class_rules
from sfumato.privacy.classes import Value
from sfumato.privacy.coded.attacker_view import AttackerView
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.rule_interface import CellRule, ClassRule, Judgement, SizeRule
from sfumato.privacy.measure_interface import SensitiveMeasure
from sfumato.privacy.policy import Policy, Requirement, Scenario

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real


@dataclass(frozen=True, eq=False)
class Suppression:
    """Which classes are suppressed at a node, and what that says of every node below it.

    Going down, a class is split, and never joined with another. *Hereditary* is a class that breaks the policy and of
    which every part does (as every part of a class of fewer than k is smaller still): all its records are suppressed
    at every node below as well. Of a class that is not, some part may keep to the policy; but where the policy says
    that at least so many of its members have to go whichever way it is split, these are lost at every node below too.
    """

    here: Flags  # classes that are suppressed at the node
    hereditary: Flags  # those of them that are so in every part
    all_hereditary: bool  # whether these are the same classes
    forced: int  # records of hereditary classes
    further: int  # records of other classes that are suppressed at every node below, whichever they are
    fewest_members: Real | None = None  # by class: how many have to go, whichever way it is split

    @property
    def fewest_records(self) -> int:
        """The fewest records that are suppressed at this node and at every node below."""
        return self.forced + self.further


@dataclass(frozen=True, eq=False)
class PolicyRules:
    """The rules of a policy.

    With scenarios they must hold for the classes of each of these instead of the classes of all columns. A record goes
    that is in a class of any scenario which breaks a rule; this makes classes of other scenarios smaller, so it repeats
    until no class breaks a rule. First all those go whose class is hereditary: they are the same in whichever order one
    takes them (a smaller class of the same records is hereditary too), and are gone at every node below as well. Then
    all classes that break a rule go at once, again and again.
    """

    rules: tuple[ClassRule, ...]
    scenarios: tuple[Scenario, ...] = ()

    @classmethod
    def of(cls, policy: Policy, scenarios: Sequence[Scenario] = ()) -> PolicyRules:
        """The rules of all requirements that have a bound; a measure that no rule reads is refused."""
        rules = [_rule(requirement) for requirement in policy.requirements if requirement.bound is not None]
        # The quickest first, since a node is given up as soon as too many records are lost: sizes before the counts of
        # sensitive values; and last those that are about what the others keep.
        ordered = sorted(rules, key=lambda rule: (rule.last, isinstance(rule, CellRule)))
        return cls(tuple(ordered), tuple(scenarios))

    @property
    def values(self) -> tuple[Value, ...]:
        """The sensitive values that the rules read."""
        measures = (rule.requirement.measure for rule in self.rules)
        return tuple(dict.fromkeys(m.value for m in measures if isinstance(m, SensitiveMeasure)))

    @property
    def compares(self) -> bool:
        """Whether a rule compares the sensitive values of a class with those of everybody."""
        return any(isinstance(rule, CellRule) and rule.compares for rule in self.rules)

    @property
    def reads_population(self) -> bool:
        """Whether a rule asks how many members of the population a class has."""
        return any(rule.requirement.measure.reads_population for rule in self.rules)

    @cached_property
    def least(self) -> int:
        """The fewest members that a class of all columns needs to be kept."""
        least = max((rule.least for rule in self.rules), default=1)
        return 1 if self.scenarios else least

    @cached_property
    def fewest_records(self) -> int:
        """The fewest records that a class needs, where that is all that is asked of each record's class; 0 else.

        Most searches are for k alone: then a class is judged by one comparison, and not rule by rule.
        """
        plain = bool(self.rules) and all(type(rule).judge is SizeRule.judge for rule in self.rules)
        return self.least if plain and not self.scenarios else 0

    def views(self, classes: CodedClasses) -> dict[str, CodedClasses]:
        """The classes that have records, as each scenario sees them; without scenarios as they are, under no name."""
        kept = classes.records > 0
        return {
            scenario.name: AttackerView.of(classes, scenario.quasi_identifiers).among(kept)
            for scenario in self.scenarios
        } or {"": classes}

    def suppression(self, classes: CodedClasses, limit: float) -> Suppression | None:
        """What becomes of the classes; None as soon as more than `limit` records are lost here and below."""
        if self.fewest_records and classes.table.one_record_each and classes.table.population is None:
            few = classes.smaller_than(self.fewest_records)
            if few.records > limit:
                return None
            return Suppression(here=few.small, hereditary=few.small, all_hereditary=True, forced=few.records, further=0)
        if self.scenarios:
            return self._in_scenarios(classes, limit)
        suppression = self._alone(classes, limit)
        return suppression if suppression.fewest_records <= limit else None

    def _alone(self, classes: CodedClasses, limit: float = inf) -> Suppression:
        """What becomes of the classes of all columns; as far as it was looked at where the limit is exceeded."""
        nobody = np.zeros(classes.space, dtype=np.bool_)
        if classes.table.population is not None:
            nobody = classes.records == 0  # classes of the population only
        suppression = Suppression(here=nobody, hereditary=nobody, all_hereditary=True, forced=0, further=0)
        for place, rule in enumerate(self.rules):
            if rule.last and place:
                judgement = rule.judge_rest(classes, suppression.here, suppression.hereditary)
            else:
                judgement = rule.judge(classes)
            suppression = _joined(suppression, judgement, classes)
            if suppression.fewest_records > limit:
                break
        return suppression

    def _in_scenarios(self, classes: CodedClasses, limit: float) -> Suppression | None:
        views = [AttackerView.of(classes, scenario.quasi_identifiers) for scenario in self.scenarios]
        kept = classes.records > 0
        while True:  # until nobody is left who has to go at every node below as well
            each = [self._alone(view.among(kept)) for view in views]
            left = kept & ~_any([view.marked(own.hereditary) for view, own in zip(views, each, strict=True)])
            if (left == kept).all():
                break
            kept = left
            if classes.records[~kept].sum() > limit:
                return None
        # In every view these many records go; which, nobody can say, and they may be the same ones: so the largest
        # number counts, and not their sum.
        hereditary, further = ~kept, max(own.further for own in each)
        forced = int(classes.records @ hereditary)
        if forced + further > limit:
            return None
        while True:
            left = kept & ~_any([view.marked(own.here) for view, own in zip(views, each, strict=True)])
            if (left == kept).all():
                break
            kept = left
            each = [self._alone(view.among(kept)) for view in views]
        return Suppression(here=~kept, hereditary=hereditary, all_hereditary=False, forced=forced, further=further)


def _any(flags: Sequence[Flags]) -> Flags:
    return reduce(np.logical_or, flags)


def _joined(before: Suppression, judgement: Judgement, classes: CodedClasses) -> Suppression:
    """What is suppressed when one more rule is asked.

    A class is suppressed if any rule is broken, and hereditary if it is so by any rule. Of a class that is not, at
    least as many members go as the rule says that asks for most: two rules may mean the same members, so numbers of
    rules do not add up. Those of classes do: rules say nothing (None) where a member could be in several classes.
    """
    here, hereditary, fewest = before.here | judgement.broken, before.hereditary, before.fewest_members
    if judgement.hereditary is not None:
        hereditary = hereditary | judgement.hereditary
    if judgement.fewest_members is not None:
        fewest = judgement.fewest_members if fewest is None else np.maximum(fewest, judgement.fewest_members)
    return Suppression(
        here=here,
        hereditary=hereditary,
        all_hereditary=before.all_hereditary and judgement.all_hereditary,
        forced=int(classes.records[hereditary].sum()),
        further=0 if fewest is None else int(fewest[~hereditary].sum()),
        fewest_members=fewest,
    )


def reading_rules(policy: Policy) -> tuple[ClassRule, ...]:
    """What reads each requirement of a policy, in its order: also those without a bound, which are only read."""
    rules = ((class_rule(type(requirement.measure)), requirement) for requirement in policy.requirements)
    return tuple(rule(requirement) for rule, requirement in rules if rule is not None)


def _rule(requirement: Requirement) -> ClassRule:
    rule = class_rule(type(requirement.measure))
    if rule is None:
        raise PolicyError(
            f"A search for levels cannot keep to a bound on {requirement.measure.name()} yet. Leave it out, and assess "
            f"the release for it; it can be searched for {', '.join(sorted(class_rules()))}."
        )
    return rule(requirement)
