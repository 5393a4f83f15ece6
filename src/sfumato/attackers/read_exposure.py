"""Read the exposure: the risk of every scenario, population model and attack, off a table and its release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sfumato.attackers.attack_interface import Linkage, LinkageResult
from sfumato.attackers.attacks.exact_linkage import ExactLinkage
from sfumato.attackers.catalogue import controlled_attacks, linkages
from sfumato.attackers.coded_records import CodedRecords
from sfumato.attackers.column_sets import subsets_up_to
from sfumato.attackers.dis_suda import DisSuda
from sfumato.attackers.exposure import Exposure, ScenarioBeforeAfter, TriedAttacks
from sfumato.attackers.matching.linked_records import LinkedRecords
from sfumato.attackers.population.choice import chosen, estimates
from sfumato.attackers.population.model_interface import Population, SampleSize, sample_size
from sfumato.attackers.population.paired_sizes import PairedSizes
from sfumato.attackers.risk_drivers import drivers
from sfumato.attackers.scenario import Mode, ScenarioRisk, Subset
from sfumato.attackers.scenario_risks import condition_sql, satisfying, scenario_risks, whole_risk
from sfumato.attackers.several_records import Patterns
from sfumato.attackers.special_uniques import SpecialUniques, special_uniques
from sfumato.attackers.three_attackers import Attackers
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.policy import Scenario
from sfumato.privacy.sizes import Sizes
from sfumato.progress import Tell, quiet
from sfumato.schema import Missing, Role
from sfumato.tables.engine import Table, quoted
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.label_levels import ValueChange
from sfumato.utility.paired.pairing import MARKS, Pairing
from sfumato.utility.paired.record_join import joined_values, released_as


@dataclass(frozen=True)
class Assumptions:
    """What is assumed of attackers, and how far to look."""

    scenarios: tuple[Scenario, ...] = ()
    subsets: tuple[Subset, ...] = ()
    population: Population | None = None  # of which the table is a random sample
    uniques: int = 3  # columns of a special unique; 0: not looked for
    sets: int = 0  # columns of the sets that are all looked at; 0: none
    patterns: bool = False  # of several records of a person
    attacks: bool = True  # try them, where there is a release
    attempts: int = 2000
    seed: int = 0


@dataclass(frozen=True)
class PairedRelease:
    """A release, and how its records are paired with those of the original."""

    dataset: Dataset
    key: str | None = None
    marks: Sequence[str] = MARKS
    numbered: bool = False  # whether the key is the number of the record in the original, from 1 on
    pairing: Pairing | None = None  # of some columns, where it is known from a comparison
    _pairs: dict[tuple[str, ...], LinkedRecords] = field(default_factory=dict, repr=False)

    def linked(self, original: Dataset, names: Sequence[str]) -> LinkedRecords:
        """The records of some columns side by side, paired once; with a subject, also whose they are."""
        if tuple(names) not in self._pairs:
            pairs = joined_values(
                original.table, self.dataset.table, names, key=self.key, marks=self.marks, subject=original.subject,
                numbered=self.numbered,
            )  # fmt: skip
            self._pairs[tuple(names)] = LinkedRecords.of(pairs, names)
        return self._pairs[tuple(names)]

    def of_subset(self, original: Dataset, subset: Subset) -> Table:
        """The released records that look as those do whose originals satisfy the condition of a subset."""
        condition, columns = condition_sql(original, subset), subset.condition.columns
        return released_as(original.table, self.dataset.table, condition, columns, key=self.key)

    def perturbed(self, original: Table, names: Sequence[str]) -> tuple[str, ...]:
        """The columns in which other values stand in the place of values."""
        here = [name for name in names if name in self.dataset.table.columns]
        if not here:
            return ()
        known = self.pairing if tuple(self.marks) == MARKS else None
        same = known is not None and {column.name for column in known.columns} == set(here)
        pairing = (known.without_hierarchies() if known and same else None) or Pairing.of(
            original, self.dataset.table, here, key=self.key, marks=self.marks, numbered=self.numbered
        )
        cells = ColumnCells.all_of(pairing, pairing.columns)
        return tuple(name for name, column in cells.items() if column.changes[ValueChange.MOVED])

    def attackers(self, population: Population | None) -> Attackers | None:
        """The risks of the release by its classes; None where no quasi-identifier is left."""
        if not self.dataset.schema.columns_with(Role.QUASI):
            return None
        return Attackers.of(Sizes.of(self.dataset.classes()), population)


def read_exposure(
    dataset: Dataset,
    assumed: Assumptions,
    release: PairedRelease | None = None,
    *,
    source: str = "table",
    tell: Tell = quiet,
) -> Exposure:
    """The exposure of a table, and of its release where there is one."""
    tell("Scenarios")
    classes = dataset.classes()
    sizes = Sizes.of(classes)
    known = assumed.scenarios or (Scenario("all quasi-identifiers", dataset.quasi_identifiers),)
    scenarios: list[Scenario | Subset] = [*known, *assumed.subsets]
    asked: list[Scenario | Subset] = [*assumed.scenarios, *assumed.subsets]
    whole = [] if assumed.scenarios else [whole_risk(dataset, known[0].name, sizes)]
    before = [*whole, *scenario_risks(dataset, asked, tell=tell)]
    if release:
        compared = _before_and_after(dataset, before, scenarios, release, tell, linked=assumed.attacks)
    else:
        compared = [ScenarioBeforeAfter(risk) for risk in before]
    in_population = Attackers.matched(sizes, PairedSizes.of(classes)) if dataset.population else None
    exposure = Exposure(
        source=source,
        records=sizes.records,
        persons=_persons(dataset),
        quasi_identifiers=dataset.quasi_identifiers,
        scenarios=tuple(compared[: len(known)]),
        subsets=tuple(compared[len(known) :]),
        attackers=in_population or Attackers.of(sizes, assumed.population),
        after=release.attackers(assumed.population) if release else None,
        **_population_uniques(sizes, assumed.population),
        **_causes(dataset, sizes, assumed, tell),
    )
    if release and assumed.attacks:
        return replace(exposure, tried=_tried_attacks(dataset, release, assumed, tell))
    return exposure


def _before_and_after(
    dataset: Dataset,
    risks: Sequence[ScenarioRisk],
    scenarios: Sequence[Scenario | Subset],
    release: PairedRelease,
    tell: Tell,
    *,
    linked: bool,
) -> list[ScenarioBeforeAfter]:
    """Every scenario before and after, by classes; by linkage too where it is asked for, or classes say nothing."""
    columns = list(dict.fromkeys(name for s in scenarios for name in s.quasi_identifiers))
    moved, there = release.perturbed(dataset.table, columns), release.dataset.table.columns
    left = [_ScenarioLeft.of(scenario, there, moved) for scenario in scenarios]
    tell("Scenarios after the release")
    plain = [each.scenario for each in left if isinstance(each.scenario, Scenario)]
    after = {risk.name: risk for risk in scenario_risks(release.dataset, plain, tell=tell)}
    return [
        each.before_and_after(risk, after, dataset, release, linked=linked)
        for risk, each in zip(risks, left, strict=True)
    ]


@dataclass(frozen=True)
class _ScenarioLeft:
    """What is left of a scenario in a release: the columns that are still there, and those that were perturbed."""

    scenario: Scenario | Subset | None  # None where no column is left
    dropped: tuple[str, ...]
    perturbed: tuple[str, ...]

    @classmethod
    def of(cls, scenario: Scenario | Subset, there: Sequence[str], moved: Sequence[str]) -> _ScenarioLeft:
        present = tuple(name for name in scenario.quasi_identifiers if name in there)
        gone = tuple(name for name in scenario.quasi_identifiers if name not in there)
        left = replace(scenario, quasi_identifiers=present) if present else None
        return cls(left, gone, tuple(name for name in present if name in moved))

    def before_and_after(
        self,
        before: ScenarioRisk,
        after: Mapping[str, ScenarioRisk],
        dataset: Dataset,
        release: PairedRelease,
        *,
        linked: bool,
    ) -> ScenarioBeforeAfter:
        """The scenario before and after, by its classes, and by linkage."""
        risk, linkage = after.get(before.name), None
        if isinstance(self.scenario, Subset):
            risk = self._subset_after(self.scenario, dataset, release)
        elif self.scenario and (self.perturbed or linked):
            linkage = _tried(ExactLinkage(), release.linked(dataset, self.scenario.quasi_identifiers))
        return ScenarioBeforeAfter(before, risk, linkage=linkage, dropped=self.dropped, perturbed=self.perturbed)

    @staticmethod
    def _subset_after(subset: Subset, dataset: Dataset, release: PairedRelease) -> ScenarioRisk | None:
        """The risk of a subset on the release.

        Where the release holds other values, or lacks the column, nobody there satisfies the condition: then an
        attacker who is certain of it looks among those who look as people do of whom it is true.
        """
        if satisfying(release.dataset, subset):
            return scenario_risks(release.dataset, [subset])[0]
        table = release.of_subset(dataset, subset)
        if subset.mode is not Mode.SUBSET or not table.count():
            return None
        known = Scenario(subset.name, subset.quasi_identifiers)
        return scenario_risks(replace(release.dataset, table=table), [known])[0]


def _population_uniques(sizes: Sizes, population: Population | None) -> dict[str, Any]:
    """Population uniques by every model, where the size of the population is known."""
    if population is None:
        return {}
    members = population.members(sample_size(sizes))
    by_model = estimates(sizes, members)
    name, estimate = chosen(by_model, SampleSize.of(sizes, members))
    return {
        "population": by_model | {"dankar": estimate}, "population_size": members,
        "population_source": population.source, "chosen": name,
    }  # fmt: skip


def _causes(dataset: Dataset, sizes: Sizes, assumed: Assumptions, tell: Tell) -> dict[str, Any]:
    """What singles records out: minimal sets, single columns, all sets up to a size, several records of a person."""
    causes: dict[str, Any] = {}
    records: CodedRecords | None = None
    plain = dataset.missing is not Missing.WILDCARD
    if assumed.uniques and plain:
        special = special_uniques(dataset, assumed.uniques, tell=tell)
        records = special.coded  # once for all
        causes["uniques"], causes["dis_suda"] = special, _dis_suda(special, sizes, assumed.population)
        causes["drivers"] = drivers(dataset, seed=assumed.seed, records=records, alone=special.alone, tell=tell)
    if assumed.sets and plain:
        causes["sets"] = subsets_up_to(dataset, assumed.sets, records=records, tell=tell)
    if assumed.patterns:
        tell("Patterns of several records")
        causes["patterns"] = Patterns.of(dataset)
    if not plain:
        causes["notes"] = ("Special uniques and what drives the risk are not read where missing values are wildcards.",)
    return causes


def _dis_suda(uniques: SpecialUniques, sizes: Sizes, population: Population | None) -> DisSuda:
    """What the scores say as probabilities, for a random sample of a population; of one per cent where nobody says."""
    if population is None:
        return DisSuda(uniques, sizes)
    sample = sample_size(sizes)
    return DisSuda(uniques, sizes, min(1.0, sample / population.members(sample)), assumed=False)


def _tried_attacks(dataset: Dataset, release: PairedRelease, assumed: Assumptions, tell: Tell) -> TriedAttacks:
    """Every attack of the catalogue, on the quasi-identifiers that the release still has."""
    there = release.dataset.table.columns
    names = [name for name in dataset.quasi_identifiers if name in there]
    if not names:
        return TriedAttacks()
    tell("Linking records")
    linked = release.linked(dataset, names)
    linked_by = [_tried(cls(), linked) for cls in linkages().values() if cls.least_columns <= len(names)]
    tell("Singling out, linkability, inference")
    questions = []
    for cls in controlled_attacks().values():
        if len(names) < cls.least_columns:
            continue
        settings: dict[str, Any] = {"attempts": assumed.attempts, "seed": assumed.seed}
        if not cls.about_sensitive:
            questions.append(cls(**settings).of(linked))
            continue
        for sensitive in (name for name in dataset.sensitive if name in there):
            settings["sensitive"] = sensitive
            questions.append(cls(**settings).of(release.linked(dataset, [*names, sensitive])))
    return TriedAttacks(tuple(linked_by), tuple(questions))


def _tried(attack: Linkage, linked: LinkedRecords) -> LinkageResult:
    """What a linkage comes to, tried once on the same records: scenarios and attacks both tell of it."""
    if attack not in linked.held:
        linked.held[attack] = attack.of(linked)
    result: LinkageResult = linked.held[attack]
    return result


def _persons(dataset: Dataset) -> int | None:
    if dataset.subject is None:
        return None
    person = quoted(dataset.subject)
    count = f"count(DISTINCT {person}) + count(*) - count({person})"
    return int(dataset.table.engine.fetch(f"SELECT {count} FROM {dataset.table}")[0][0])
