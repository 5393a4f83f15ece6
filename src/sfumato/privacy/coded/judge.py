"""Judging: all requirements of a policy, read off one grouping after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from sfumato.errors import PolicyError
from sfumato.privacy.catalogue import class_rules
from sfumato.privacy.classes import Value
from sfumato.privacy.coded.attacker_view import AttackerView
from sfumato.privacy.coded.classes import Grouped
from sfumato.privacy.coded.rule_interface import CellRule, ClassRule, Judged
from sfumato.privacy.measure_interface import SensitiveMeasure
from sfumato.privacy.policy import Policy, Requirement, Scenario

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real


@dataclass(frozen=True, eq=False)
class Verdict:
    """Which classes are suppressed at a node, and which are so at every node below it as well."""

    gone: Flags
    doomed: Flags
    forced: int  # records of doomed classes
    more: int  # records of other classes that are suppressed at every node below, whichever they are
    fewest: Real | None  # by class

    @property
    def lost(self) -> int:
        """The fewest records that are suppressed at this node and at every node below."""
        return self.forced + self.more


@dataclass(frozen=True, eq=False)
class Judges:
    """The rules of a policy.

    With scenarios they must hold for the classes of each of these instead of the classes of all columns. A record goes
    that is in a class of any scenario which breaks a rule; this makes classes of other scenarios smaller, so it repeats
    until no class breaks a rule. First all those go that nothing else could keep (`Judged.doomed`): they are the same
    in whichever order one takes them, and are gone at every node below as well. Then all classes that break a rule go
    at once, again and again.
    """

    rules: tuple[ClassRule, ...]
    scenarios: tuple[Scenario, ...] = ()

    @classmethod
    def of(cls, policy: Policy, scenarios: Sequence[Scenario] = ()) -> Judges:
        """The rules of all requirements that have a bound; a measure that no rule reads is refused."""
        known = class_rules()
        bound = [r for r in policy.requirements if r.bound is not None]
        rules = [_rule(requirement, known) for requirement in bound]
        ordered = sorted(rules, key=lambda rule: (rule.last, isinstance(rule, CellRule)))
        return cls(tuple(ordered), tuple(scenarios))

    @property
    def values(self) -> tuple[Value, ...]:
        """The sensitive values that the rules read."""
        measures = (rule.requirement.measure for rule in self.rules)
        return tuple(dict.fromkeys(m.value for m in measures if isinstance(m, SensitiveMeasure)))

    @property
    def reads_population(self) -> bool:
        """Whether a rule asks how many members of the population a class has."""
        return any(rule.requirement.measure.reads_population for rule in self.rules)

    @cached_property
    def least(self) -> int:
        """The fewest members that a class of all columns needs to be kept."""
        least = max((rule.least for rule in self.rules), default=1)
        return 1 if self.scenarios else least

    def judged(self, grouped: Grouped, limit: float) -> Verdict | None:
        """What becomes of the classes; None as soon as more than `limit` records are lost here and below."""
        if self.scenarios:
            return self._in_scenarios(grouped, limit)
        verdict = self._alone(grouped, limit)
        return verdict if verdict.lost <= limit else None

    def broken_by(self, grouped: Grouped) -> list[tuple[Requirement, int]]:
        """How many records are in classes that break each requirement, of any scenario, when no other is asked."""
        import numpy as np

        if not self.scenarios:
            each = [rule.judged(grouped).broken for rule in self.rules]
        else:
            everybody, views = np.ones(grouped.space, dtype=np.bool_), self._views(grouped)
            seen = [(view, view.among(everybody)) for view in views]
            each = [_any([view.marked(rule.judged(own).broken) for view, own in seen]) for rule in self.rules]
        return [(rule.requirement, int(grouped.records[broken].sum()))
                for rule, broken in zip(self.rules, each, strict=True)]  # fmt: skip

    def _alone(self, grouped: Grouped, limit: float = inf) -> Verdict:
        """What becomes of the classes of one grouping; as far as it was looked at where the limit is exceeded."""
        verdict = None
        for rule in self.rules:
            if rule.last and verdict is not None:
                found = rule.among(grouped, verdict.gone, verdict.doomed)
            else:
                found = rule.judged(grouped)
            verdict = _joined(verdict, found, grouped)
            if verdict.lost > limit:
                break
        return verdict or _joined(None, None, grouped)

    def _in_scenarios(self, grouped: Grouped, limit: float) -> Verdict | None:
        views, kept = self._views(grouped), grouped.records > 0
        while True:  # until nobody is left who has to go at every node below as well
            verdicts = [self._alone(view.among(kept)) for view in views]
            left = kept & ~_any([view.marked(found.doomed) for view, found in zip(views, verdicts, strict=True)])
            if (left == kept).all():
                break
            kept = left
            if grouped.records[~kept].sum() > limit:
                return None
        doomed, more = ~kept, max(found.more for found in verdicts)
        forced = int(grouped.records @ doomed)
        if forced + more > limit:
            return None
        while True:
            left = kept & ~_any([view.marked(found.gone) for view, found in zip(views, verdicts, strict=True)])
            if (left == kept).all():
                break
            kept = left
            verdicts = [self._alone(view.among(kept)) for view in views]
        return Verdict(~kept, doomed, forced, more, None)

    def _views(self, grouped: Grouped) -> list[AttackerView]:
        return [AttackerView.of(grouped, scenario.quasi_identifiers) for scenario in self.scenarios]


def _any(marks: Sequence[Flags]) -> Flags:
    found = marks[0]
    for more in marks[1:]:
        found = found | more
    return found


def _joined(before: Verdict | None, found: Judged | None, grouped: Grouped) -> Verdict:
    import numpy as np

    nothing = np.zeros(grouped.space, dtype=np.bool_)
    if before is None:
        nobody = nothing if grouped.table.population is None else grouped.records == 0  # classes of the population only
        before = Verdict(nobody, nobody, 0, 0, None)
    if found is None:
        return before
    gone = found.broken if before.gone is nothing else before.gone | found.broken
    doomed, fewest = before.doomed, before.fewest
    if found.doomed is not None:
        doomed = found.doomed if doomed is nothing else doomed | found.doomed
    if found.fewest is not None:
        fewest = found.fewest if fewest is None else np.maximum(fewest, found.fewest)
    forced = int(grouped.records[doomed].sum())
    return Verdict(gone, doomed, forced, 0 if fewest is None else int(fewest[~doomed].sum()), fewest)


def _rule(requirement: Requirement, known: dict[str, type[ClassRule]]) -> ClassRule:
    name = requirement.measure.name()
    if name not in known:
        raise PolicyError(
            f"A search for levels cannot keep to a bound on {name} yet. Leave it out, and assess the release for it; "
            f"it can be searched for {', '.join(sorted(known))}."
        )
    return known[name](requirement)
