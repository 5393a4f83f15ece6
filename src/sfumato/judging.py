"""Judging: all requirements of a policy, read off one grouping after the other."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato import class_rules as family
from sfumato.class_rule import CellRule, ClassRule, Judged
from sfumato.classes import Value
from sfumato.errors import PolicyError
from sfumato.grouped import Grouped
from sfumato.measure import SensitiveMeasure
from sfumato.policy import Policy, Requirement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Marks = NDArray[np.bool_]
    Real = NDArray[np.float64]


def class_rules() -> dict[str, type[ClassRule]]:
    """Every rule by the name of its measure."""
    found: dict[str, type[ClassRule]] = {}
    for info in pkgutil.iter_modules(family.__path__):
        module = importlib.import_module(f"{family.__name__}.{info.name}")
        for _, cls in inspect.getmembers(module, inspect.isclass):
            if issubclass(cls, ClassRule) and cls.__module__ == module.__name__:
                found[cls.measure] = cls
    return found


@dataclass(frozen=True, eq=False)
class Verdict:
    """Which classes are suppressed at a node, and which are so at every node below it as well."""

    gone: Marks
    doomed: Marks
    forced: int  # records of doomed classes
    more: int  # records of other classes that are suppressed at every node below, whichever they are
    fewest: Real | None  # by class

    @property
    def lost(self) -> int:
        """The fewest records that are suppressed at this node and at every node below."""
        return self.forced + self.more


@dataclass(frozen=True, eq=False)
class Judges:
    """The rules of a policy."""

    rules: tuple[ClassRule, ...]

    @classmethod
    def of(cls, policy: Policy) -> Judges:
        """The rules of all requirements that have a bound; a measure that no rule reads is refused."""
        known = class_rules()
        bound = [r for r in policy.requirements if r.bound is not None]
        rules = [_rule(requirement, known) for requirement in bound]
        return cls(tuple(sorted(rules, key=lambda rule: (rule.last, isinstance(rule, CellRule)))))

    @property
    def values(self) -> tuple[Value, ...]:
        """The sensitive values that the rules read."""
        measures = (rule.requirement.measure for rule in self.rules)
        return tuple(dict.fromkeys(m.value for m in measures if isinstance(m, SensitiveMeasure)))

    @cached_property
    def least(self) -> int:
        """The fewest members that a class needs to be kept."""
        return max((rule.least for rule in self.rules), default=1)

    def judged(self, grouped: Grouped, limit: float) -> Verdict | None:
        """What becomes of the classes; None as soon as more than `limit` records are lost here and below."""
        verdict = None
        for rule in self.rules:
            found = rule.among(grouped, verdict.gone) if rule.last and verdict else rule.judged(grouped)
            verdict = _joined(verdict, found, grouped)
            if verdict.lost > limit:
                return None
        return verdict or _joined(None, None, grouped)


def _joined(before: Verdict | None, found: Judged | None, grouped: Grouped) -> Verdict:
    import numpy as np

    nothing = np.zeros(grouped.space, dtype=np.bool_)
    if before is None:
        before = Verdict(nothing, nothing, 0, 0, None)
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
    return known[name](requirement)  # type: ignore[call-arg]
