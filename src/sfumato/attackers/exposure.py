"""Exposure: what attackers could find out, scenario by scenario, before and after a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sfumato.attackers.attack_interface import AttackResult, LinkageResult
from sfumato.attackers.column_sets import ColumnSets
from sfumato.attackers.dis_suda import DisSuda
from sfumato.attackers.population.model_interface import Estimate
from sfumato.attackers.risk_drivers import Drivers
from sfumato.attackers.scenario import ScenarioRisk
from sfumato.attackers.several_records import Patterns
from sfumato.attackers.special_uniques import SpecialUniques
from sfumato.attackers.three_attackers import Attackers
from sfumato.show.documents.exposure import (
    ExposureDocument,
    LinkagesDocument,
    PopulationDocument,
    ScenarioAfterDocument,
    ScenarioDocument,
)
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.exposure import exposure_sheet


@dataclass(frozen=True)
class ScenarioBeforeAfter:
    """A scenario on the table as it is and, where there is one, on its release: who is singled out, and who is linked.

    Where a column was perturbed, people who look alike are not those who were alike, and being alone in the release
    says nothing: then the share of records that an attacker links rightly is the risk.
    """

    before: ScenarioRisk
    after: ScenarioRisk | None = None
    linkage: LinkageResult | None = None
    dropped: tuple[str, ...] = ()  # columns that the release lacks
    perturbed: tuple[str, ...] = ()

    def content(self) -> ScenarioDocument:
        """Before, and after beside it."""
        return replace(self.before.content(), after=self._after())

    def _after(self) -> ScenarioAfterDocument | None:
        if self.after is None:
            return None
        risk, linkage = self.after.content(), self.linkage
        by_linkage = linkage is not None and bool(self.perturbed)
        return ScenarioAfterDocument(
            metric="linkage" if by_linkage else "classes",
            dropped=self.dropped,
            perturbed=self.perturbed,
            records=risk.records,
            persons=risk.persons,
            singled_out=risk.singled_out,
            linkage=linkage.content() if linkage else None,
            percent=100 * linkage.true_match_rate if linkage and by_linkage else risk.percent,
            k=risk.k,
            average_risk=risk.average_risk,
            highest_risk=risk.highest_risk,
            below=risk.below,
        )


@dataclass(frozen=True)
class TriedAttacks:
    """What attacks on the pairs of original and released records came to, in the order in which they were tried."""

    linkages: tuple[LinkageResult, ...] = ()
    questions: tuple[AttackResult, ...] = ()  # singling out, linkability, inference, and what else has a control

    @property
    def unit(self) -> str:
        """What they count: persons where a subject is known, records otherwise."""
        units = [linkage.unit for linkage in self.linkages] + [question.unit for question in self.questions]
        return units[0] if units else "records"

    def linkage(self) -> LinkagesDocument | None:
        """The first linkage, which is the exact one, and every method beside it."""
        if not self.linkages:
            return None
        methods = [linkage.content() for linkage in self.linkages]
        return LinkagesDocument(**vars(methods[0]), methods=methods)


@dataclass(frozen=True, repr=False)
class Exposure(Presented):
    """Scenarios, subsets, attackers, population, special uniques, what drives the risk, and attacks that were tried."""

    source: str
    records: int
    persons: int | None
    quasi_identifiers: tuple[str, ...]
    scenarios: tuple[ScenarioBeforeAfter, ...]
    subsets: tuple[ScenarioBeforeAfter, ...] = ()
    attackers: Attackers | None = None
    after: Attackers | None = None
    population: Mapping[str, Estimate] = field(default_factory=dict)
    population_size: int | None = None
    population_source: str | None = None  # who counted them, where a country was named
    chosen: str | None = None  # the population model that the rule takes
    uniques: SpecialUniques | None = field(default=None, repr=False)
    dis_suda: DisSuda | None = field(default=None, repr=False)
    drivers: Drivers | None = None
    sets: ColumnSets | None = field(default=None, repr=False)
    patterns: Patterns | None = None
    tried: TriedAttacks = field(default_factory=TriedAttacks, repr=False)
    released: str | None = None
    notes: tuple[str, ...] = ()

    def content(self) -> ExposureDocument:
        """Everything as plain values, for machines. It holds no cell value."""
        return ExposureDocument(
            source=self.source,
            released=self.released,
            records=self.records,
            persons=self.persons,
            quasi_identifiers=self.quasi_identifiers,
            scenarios=[scenario.content() for scenario in self.scenarios],
            subsets=[subset.content() for subset in self.subsets],
            attackers=self.attackers.content() if self.attackers else None,
            attackers_after=self.after.content() if self.after else None,
            population=self._population(),
            uniques=self.uniques.content() if self.uniques else None,
            dis_suda=self.dis_suda.content() if self.dis_suda else None,
            drivers=self.drivers.content() if self.drivers else None,
            sets=self.sets.content() if self.sets else None,
            patterns=self.patterns.content() if self.patterns else None,
            linkage=self.tried.linkage(),
            questions=[question.content() for question in self.tried.questions],
            notes=self.notes,
        )

    def sheet(self) -> Sheet:
        """The exposure for people."""
        return exposure_sheet(self.content())

    def _population(self) -> PopulationDocument | None:
        if self.population_size is None:
            return None
        uniques = {name: estimate.content() for name, estimate in self.population.items()}
        return PopulationDocument(
            size=self.population_size, source=self.population_source, uniques=uniques, chosen=self.chosen
        )
