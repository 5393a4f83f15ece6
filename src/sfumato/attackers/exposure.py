"""Exposure: what attackers could find out, scenario by scenario, before and after a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sfumato.attackers.column_sets import ColumnSets
from sfumato.attackers.matching.attack_interface import AttackResult
from sfumato.attackers.matching.linkage_interface import LinkageResult
from sfumato.attackers.population.estimate import Estimate
from sfumato.attackers.risk_drivers import Drivers
from sfumato.attackers.scenario import ScenarioRisk
from sfumato.attackers.several_records import Patterns
from sfumato.attackers.special_uniques import SpecialUniques
from sfumato.attackers.three_attackers import Attackers
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.exposure import exposure_sheet


@dataclass(frozen=True)
class Met:
    """A scenario on the table as it is and, where there is one, on its release, by the metric that fits there.

    Where a column was perturbed, people who look alike are not those who were alike, and being alone in the release
    says nothing: then the share of records that an attacker links rightly is the risk.
    """

    before: ScenarioRisk
    after: ScenarioRisk | None = None
    linkage: LinkageResult | None = None
    dropped: tuple[str, ...] = ()  # columns that the release lacks
    perturbed: tuple[str, ...] = ()

    @property
    def metric(self) -> str:
        """By which metric the release is read."""
        return "linkage" if self.linkage else "classes"

    def document(self) -> dict[str, Any]:
        """Before, and after beside it."""
        found = self.before.document()
        if self.after is None and self.linkage is None:
            return found
        after: dict[str, Any] = {
            "metric": self.metric,
            "dropped": list(self.dropped),
            "perturbed": list(self.perturbed),
        }
        after |= {key: value for key, value in (self.after.document() if self.after else {}).items() if key in SHOWN}
        if self.linkage:
            after |= {"linkage": self.linkage.document(), "percent": 100 * self.linkage.true_match_rate}
        return found | {"after": after}


SHOWN = ("records", "persons", "singled_out", "percent", "k", "average_risk", "highest_risk", "below")


@dataclass(frozen=True)
class Tried:
    """What attacks on the pairs of original and released records came to."""

    linkages: tuple[LinkageResult, ...] = ()
    questions: tuple[AttackResult, ...] = ()  # singling out, linkability, inference

    def linkage(self) -> dict[str, Any] | None:
        """The exact linkage, and every method beside it."""
        if not self.linkages:
            return None
        return {**self.linkages[0].document(), "methods": [found.document() for found in self.linkages]}


@dataclass(frozen=True, repr=False)
class Exposure(Presented):
    """Scenarios, subsets, attackers, population, special uniques, what drives the risk, and attacks that were tried."""

    source: str
    records: int
    persons: int | None
    quasi_identifiers: tuple[str, ...]
    scenarios: tuple[Met, ...]
    subsets: tuple[Met, ...] = ()
    attackers: Attackers | None = None
    after: Attackers | None = None
    population: Mapping[str, Estimate] = field(default_factory=dict)
    population_size: int | None = None
    chosen: str | None = None  # the population model that the rule takes
    uniques: SpecialUniques | None = field(default=None, repr=False)
    drivers: Drivers | None = None
    sets: ColumnSets | None = field(default=None, repr=False)
    patterns: Patterns | None = None
    tried: Tried = field(default_factory=Tried, repr=False)
    released: str | None = None
    notes: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """Everything as plain values, for machines. It holds no cell value."""
        return {
            "source": self.source,
            "released": self.released,
            "records": self.records,
            "persons": self.persons,
            "quasi_identifiers": list(self.quasi_identifiers),
            "scenarios": [met.document() for met in self.scenarios],
            "subsets": [met.document() for met in self.subsets],
            "attackers": self.attackers.document() if self.attackers else None,
            "attackers_after": self.after.document() if self.after else None,
            "population": self._population(),
            "uniques": self.uniques.document() if self.uniques else None,
            "drivers": self.drivers.document() if self.drivers else None,
            "sets": self.sets.document() if self.sets else None,
            "patterns": self.patterns.document() if self.patterns else None,
            "linkage": self.tried.linkage(),
            "questions": [found.document() for found in self.tried.questions],
            "notes": list(self.notes),
            "reminder": "Evidence for a qualified decision; not a legal determination.",
        }

    def sheet(self) -> Sheet:
        """The exposure for people."""
        return exposure_sheet(self.document())

    def _population(self) -> dict[str, Any] | None:
        if self.population_size is None:
            return None
        models = {name: found.document() for name, found in self.population.items()}
        return {"size": self.population_size, "uniques": models, "chosen": self.chosen}
