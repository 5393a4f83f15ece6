"""Feasibility: what keeps a policy from being met, and the smallest changes that would let it."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, floor, inf, log10

from sfumato.errors import InfeasiblePolicy
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.lattice import Lattice
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.rule_interface import ClassRule
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.measure_interface import Safer, SensitiveMeasure
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.show.sheet import counted, number

# Nodes that are looked at for each lattice, and rows in all of them: what was sought in vain is explained in seconds,
# also for a large table. Chosen, not measured; where it was too few, the advice says so.
LOOKS = 300
ROWS = 6_000_000  # see above


@dataclass(frozen=True)
class PolicyChange:
    """One change that makes a policy feasible by itself."""

    what: str  # the requirement, the suppression or the column
    asked: str
    possible: str
    write: str  # what to write instead
    proven: bool = True  # whether less of a change would not do

    @property
    def sentence(self) -> str:
        """What to do, for an error message."""
        return f"{self.write} would do: {self.possible} instead of {self.asked}."


@dataclass(frozen=True)
class Advice:
    """What is impossible about a policy, and the smallest changes that would make it feasible, each by itself."""

    impossible: tuple[str, ...]
    changes: tuple[PolicyChange, ...]
    notes: tuple[str, ...] = ()

    @property
    def error(self) -> InfeasiblePolicy:
        """The error that says so."""
        why = " ".join(
            ("No release keeps to the policy without leaving out more records than allowed.", *self.impossible)
        )
        helps = tuple(change.sentence for change in self.changes)
        return InfeasiblePolicy(f"{why} What would help, each by itself:" if helps else why, (*helps, *self.notes))


def sensitive_quasi_identifiers(policy: Policy, quasi_identifiers: Sequence[str]) -> tuple[str, ...]:
    """A sentence for each sensitive attribute of a policy that is a quasi-identifier as well."""
    about = dict.fromkeys(r.measure.sensitive for r in policy.requirements if isinstance(r.measure, SensitiveMeasure))
    said = (
        "is sensitive and a quasi-identifier: who looks alike has the same value then. Leave it out of one of the two."
    )
    return tuple(f"Column {name!r} {said}" for name in about if name in quasi_identifiers)


def impossible(policy: Policy, table: CodedTable) -> tuple[str, ...]:
    """What no release of a table can keep to, told without any search; suppressing everything aside."""
    sentences = [_too_much(requirement, table) for requirement in policy.requirements if requirement.bound is not None]
    return (
        *sensitive_quasi_identifiers(policy, [column.name for column in table.columns]),
        *(said for said in sentences if said),
    )


def _too_much(requirement: Requirement, table: CodedTable) -> str | None:
    measure, bound = requirement.measure, requirement.bound or 0
    if isinstance(measure, SensitiveMeasure) and measure.value in table.values:
        values, asked = len(table.values[measure.value].shares), float(measure.values_needed(bound))
        if asked > values * (1 + 1e-9):
            has = f"{measure.sensitive!r} has {counted(values, 'value')}"
            return f"{measure.name()} {number(asked)} is asked for, and {has}."
    people, noun = int(table.members.sum()), "record" if table.one_record_each else "person"
    if measure.counts_members and bound > people:
        are = f"{'is' if people == 1 else 'are'} {counted(people, noun)}"
        return f"{measure.shorthand or measure.name()} = {number(bound)} is asked for, and there {are}."
    return None


def advice(optimal: OptimalSearch, table: CodedTable) -> Advice:
    """The smallest changes that would make the policy of a search feasible, each with all else the same."""
    search = _InfeasibleSearch(optimal, table)
    scales = [_LooserBounds(r) for r in optimal.policy.requirements if r.bound is not None]
    steps: list[int | None] = [None] * len(scales)
    fewest, lattice = table.total, Lattice.of(table, optimal.limits)
    for classes, gone in search.nodes(lattice):
        if gone <= search.limit:
            return Advice((), (), ("The policy can be met as it is.",))
        fewest = min(fewest, gone)
        steps = [search.nearest(scale, classes, best) for scale, best in zip(scales, steps, strict=True)]
    whole = search.sees(lattice)
    loosened = [search.loosened(scale, best, whole=whole) for scale, best in zip(scales, steps, strict=True)]
    changes = tuple(c for c in (*loosened, search.suppression(fewest, whole=whole), *search.lifted()) if c)
    return Advice(impossible(optimal.policy, table), changes, tuple(search.notes(changes)))


@dataclass(frozen=True)
class _LooserBounds:
    """The bounds of a requirement that are looser than what is asked, as people would write them."""

    requirement: Requirement

    @property
    def higher(self) -> bool:
        return self.requirement.measure.safer is Safer.HIGHER

    @property
    def digits(self) -> int:
        """Decimals such that the bound has three significant digits."""
        if self.requirement.measure.counts:
            return 0
        return 2 - floor(log10(self.requirement.bound)) if self.requirement.bound else 3

    @property
    def start(self) -> int:
        """The step at or just beyond what is asked."""
        exact = (self.requirement.bound or 0) * 10.0**self.digits
        return ceil(exact - 1e-6) if self.higher else floor(exact + 1e-6)

    def bound(self, step: int) -> float:
        """The bound so many steps from what is asked."""
        if self.requirement.measure.stands_for_size:
            return float(f"{1 / max(self._size - step, 1):.6g}")
        return round((self.start - step if self.higher else self.start + step) / 10.0**self.digits, self.digits)

    def steps(self, loosest: float) -> int:
        """How many steps it takes until nothing is looser: to 1 (of a share 0), or to the highest reading there is."""
        if self.requirement.measure.stands_for_size:
            return self._size - 1
        if self.higher:
            return self.start - (ceil(10.0**self.digits) if (self.requirement.bound or 0) >= 1 else 0)
        return floor(loosest * 10.0**self.digits) + 1 - self.start

    @property
    def _size(self) -> int:
        """The class size that a risk asks for."""
        return round(1 / (self.requirement.limit or 1))


@dataclass(frozen=True, eq=False)
class _InfeasibleSearch:
    """A search that cannot succeed, and what it would take at each of its nodes."""

    optimal: OptimalSearch
    table: CodedTable

    @cached_property
    def limit(self) -> int:
        return floor(self.optimal.suppression * self.table.total + 1e-9)

    @cached_property
    def rules(self) -> PolicyRules:
        return PolicyRules.of(self.optimal.policy, self.optimal.scenarios)

    @cached_property
    def inherited(self) -> bool:
        """Whether a record that is suppressed at a node is so at every node below: the highest node then decides."""
        return all(rule.hereditary for rule in self.rules.rules)

    @property
    def looks(self) -> int:
        """How many nodes are looked at: fewer of a large table."""
        return 1 if self.inherited else max(20, min(LOOKS, ROWS // self.table.rows))

    def sees(self, lattice: Lattice) -> bool:
        """Whether all nodes of a lattice that matter are looked at."""
        return self.inherited or lattice.size <= self.looks

    def nodes(self, lattice: Lattice) -> Iterator[tuple[CodedClasses, int]]:
        """Nodes and what is suppressed there, from the top down, below those first that suppress fewest."""
        waiting, order = [(0, 0, 0, lattice.highest)], 0
        for _ in range(self.looks):
            if not waiting:
                return
            *_, first, node = heapq.heappop(waiting)
            classes = CodedClasses.at(self.table, node).packed
            gone = _suppressed(self.rules, classes)
            yield classes, gone
            for j in range(first, len(node)):  # each node is reached in one way: the first column comes down first
                if node[j] > lattice.lowest[j]:
                    order += 1
                    heapq.heappush(waiting, (gone, order, j, (*node[:j], node[j] - 1, *node[j + 1 :])))

    def feasible(self, limits: Mapping[str, tuple[int, int]]) -> bool:
        """Whether a node within other limits was found that will do."""
        return any(gone <= self.limit for _, gone in self.nodes(Lattice.of(self.table, limits)))

    def nearest(self, scale: _LooserBounds, classes: CodedClasses, best: int | None) -> int | None:
        """The fewest steps to a bound that would do at a node, or at those before."""
        place = next(i for i, rule in enumerate(self.rules.rules) if rule.requirement == scale.requirement)
        low, high = 1, scale.steps(_loosest(self.rules.rules[place], classes))
        high = high if best is None else min(high, best - 1)
        if high < 1 or not self.does(place, scale.bound(high), classes):
            return best
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.does(place, scale.bound(middle), classes) else (middle + 1, high)
        return low

    def does(self, place: int, bound: float, classes: CodedClasses) -> bool:
        """Whether another bound of the rule at a place would do at a node."""
        rules = list(self.rules.rules)
        rules[place] = replace(rules[place], requirement=replace(rules[place].requirement, bound=bound))
        return _suppressed(replace(self.rules, rules=tuple(rules)), classes) <= self.limit

    def loosened(self, scale: _LooserBounds, steps: int | None, *, whole: bool) -> PolicyChange | None:
        """The nearest bound of one requirement that would do."""
        if steps is None:
            return None
        requirement, proven = scale.requirement, whole or (not self.limit and self.optimal.policy.monotone)
        asked, possible = f"{requirement.bound:.12g}", f"{scale.bound(steps):.12g}"
        return PolicyChange(requirement.name, asked, possible, self.written(requirement, possible), proven)

    def written(self, requirement: Requirement, bound: str) -> str:
        """A bound as one writes it on the command line; the short form where it is about nothing else."""
        short = requirement.measure.shorthand
        same = [r for r in self.optimal.policy.requirements if r.measure.shorthand == short]
        if short and len(same) == 1:
            return f"--{short} {bound}"
        sign = ">=" if requirement.measure.safer is Safer.HIGHER else "<="
        return f'--require "{requirement.name} {sign} {bound}"'

    def suppression(self, fewest: int, *, whole: bool) -> PolicyChange | None:
        """The smallest share of suppressed records that would do, unless that is everybody."""
        total = self.table.total
        if fewest >= total:
            return None
        digits = max(3, len(str(total)))
        share = f"{ceil(fewest * 10**digits / total) / 10**digits:.{digits}f}".rstrip("0")
        asked = f"{number(self.limit)} of {counted(total, 'record')}"
        return PolicyChange("suppression", asked, number(fewest), f"--suppress {share}", whole)

    def lifted(self) -> Iterator[PolicyChange]:
        """For each column with a limit, the lowest level up to which it would have to be allowed."""
        for column in self.table.columns:
            low, high = self.optimal.limits.get(column.name, (0, column.height))
            for level in range(high + 1, column.height + 1):
                limits = {**self.optimal.limits, column.name: (low, level)}
                if self.feasible(limits):
                    proven = level == high + 1 or self.sees(Lattice.of(self.table, limits))
                    write = f"Levels {low} to {level} of {column.name!r}"
                    leaves = " (which leaves it out)" if level == column.height else ""
                    yield PolicyChange(column.name, f"level {high}", f"level {level}{leaves}", write, proven)
                    break

    def notes(self, changes: Sequence[PolicyChange]) -> Iterator[str]:
        """What else there is to say."""
        if not all(change.proven for change in changes):
            yield f"Smaller changes may do: {counted(self.looks, 'combination')} of levels were looked at for each."
        lifted = any(change.what in self.optimal.limits for change in changes)
        if self.optimal.limits and not lifted and self.feasible({}):
            yield "Without any limits on levels the policy can be met."


def _suppressed(rules: PolicyRules, classes: CodedClasses) -> int:
    """Records that break rules at a node."""
    suppression = rules.suppression(classes, inf)
    assert suppression is not None  # there is no limit
    return int(classes.records[suppression.here].sum())


def _loosest(rule: ClassRule, classes: CodedClasses) -> float:
    """The highest finite reading of a class; 0 where there is none."""
    import numpy as np

    readings = rule.readings(classes)[classes.records > 0]
    return float(readings[np.isfinite(readings)].max(initial=0.0))
