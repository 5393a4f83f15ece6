"""Exposing: read the risk of every scenario, population model and attack off a table and its release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sfumato.attackers.attacks.distance_linkage import DistanceLinkage
from sfumato.attackers.attacks.exact_linkage import ExactLinkage
from sfumato.attackers.attacks.inference import Inference
from sfumato.attackers.attacks.linkability import Linkability
from sfumato.attackers.attacks.probabilistic_linkage import ProbabilisticLinkage
from sfumato.attackers.attacks.singling_out import SinglingOut
from sfumato.attackers.column_sets import subsets_up_to
from sfumato.attackers.exposure import Exposure, Met, Tried
from sfumato.attackers.matching.attack_interface import AttackResult
from sfumato.attackers.matching.linked_records import Linked
from sfumato.attackers.population.choice import Dankar, estimates
from sfumato.attackers.population.matches import Matches
from sfumato.attackers.population.model_interface import Population
from sfumato.attackers.risk_drivers import drivers
from sfumato.attackers.scenario import ScenarioRisk, Subset
from sfumato.attackers.scenario_risks import scenario_risks
from sfumato.attackers.several_records import Patterns
from sfumato.attackers.special_uniques import special_uniques
from sfumato.attackers.three_attackers import Attackers
from sfumato.errors import PolicyError
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.policy import Scenario
from sfumato.privacy.sizes import Sizes
from sfumato.progress import Tell, quiet
from sfumato.schema import Missing, Role
from sfumato.tables.engine import Table, quoted
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.label_levels import ValueChange
from sfumato.utility.paired.pairing import MARKS, Pairing
from sfumato.utility.paired.record_join import joined_values


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
class Release:
    """A release, and how its records are paired with those of the original."""

    dataset: Dataset
    key: str | None = None
    marks: Sequence[str] = MARKS
    _pairs: dict[tuple[str, ...], Linked] = field(default_factory=dict, repr=False)

    def linked(self, original: Table, names: Sequence[str]) -> Linked:
        """The records of some columns side by side, paired once."""
        if tuple(names) not in self._pairs:
            pairs = joined_values(original, self.dataset.table, names, key=self.key, marks=self.marks)
            self._pairs[tuple(names)] = Linked.of(pairs, names)
        return self._pairs[tuple(names)]

    def perturbed(self, original: Table, names: Sequence[str]) -> tuple[str, ...]:
        """The columns in which other values stand in the place of values."""
        here = [name for name in names if name in self.dataset.table.columns]
        if not here:
            return ()
        pairing = Pairing.of(original, self.dataset.table, here, key=self.key, marks=self.marks)
        cells = ColumnCells.all_of(pairing, pairing.columns)
        return tuple(name for name, found in cells.items() if found.changes[ValueChange.MOVED])


def exposed(
    dataset: Dataset, assumed: Assumptions, release: Release | None = None, *, source: str = "table", tell: Tell = quiet
) -> Exposure:
    """The exposure of a table, and of its release where there is one."""
    known = assumed.scenarios or (Scenario("all quasi-identifiers", dataset.quasi_identifiers),)
    tell("Scenarios")
    risks = scenario_risks(dataset, [*known, *assumed.subsets], tell=tell)
    met = _released(dataset, risks, [*known, *assumed.subsets], release, tell) if release else [Met(r) for r in risks]
    classes = dataset.classes()
    sizes = Sizes.of(classes)
    found = Exposure(
        source,
        sizes.records,
        _persons(dataset),
        dataset.quasi_identifiers,
        scenarios=tuple(met[: len(known)]),
        subsets=tuple(met[len(known) :]),
        attackers=Attackers.matched(sizes, Matches.of(classes)) if dataset.population else (
            Attackers.of(sizes, assumed.population)),
        after=Attackers.of(_sizes(release.dataset), assumed.population) if release and _kept(release.dataset) else None,
        **_population(sizes, assumed.population),
        **_looked_at(dataset, assumed, tell),
    )  # fmt: skip
    if release and assumed.attacks:
        found = replace(found, tried=_tried(dataset, release, assumed, tell))
    return found


def _released(
    dataset: Dataset,
    risks: Sequence[ScenarioRisk],
    scenarios: Sequence[Scenario | Subset],
    release: Release,
    tell: Tell,
) -> list[Met]:
    """Every scenario before and after, by the metric that fits its columns."""
    columns = list(dict.fromkeys(name for s in scenarios for name in s.quasi_identifiers))
    moved, there = release.perturbed(dataset.table, columns), release.dataset.table.columns
    known = [_Known.of(scenario, there, moved) for scenario in scenarios]
    tell("Scenarios after the release")
    plain = [k.asked for k in known if isinstance(k.asked, Scenario) and not k.perturbed]
    after = {risk.name: risk for risk in scenario_risks(release.dataset, plain, tell=tell)}
    return [k.met(risk, after, dataset, release) for risk, k in zip(risks, known, strict=True)]


@dataclass(frozen=True)
class _Known:
    """What is left of a scenario in a release: the columns that are still there, and those that were perturbed."""

    asked: Scenario | Subset | None  # None where no column is left
    dropped: tuple[str, ...]
    perturbed: tuple[str, ...]

    @classmethod
    def of(cls, scenario: Scenario | Subset, there: Sequence[str], moved: Sequence[str]) -> _Known:
        present = tuple(name for name in scenario.quasi_identifiers if name in there)
        gone = tuple(name for name in scenario.quasi_identifiers if name not in there)
        asked = replace(scenario, quasi_identifiers=present) if present else None
        return cls(asked, gone, tuple(name for name in present if name in moved))

    def met(self, before: ScenarioRisk, after: Mapping[str, ScenarioRisk], dataset: Dataset, release: Release) -> Met:
        """The scenario before and after, by the metric that fits."""
        if isinstance(self.asked, Scenario) and self.perturbed:
            linkage = ExactLinkage().of(release.linked(dataset.table, self.asked.quasi_identifiers))
            return Met(before, linkage=linkage, dropped=self.dropped, perturbed=self.perturbed)
        found = _subset_after(release.dataset, self.asked) if isinstance(self.asked, Subset) else after.get(before.name)
        return Met(before, found, dropped=self.dropped, perturbed=self.perturbed)


def _subset_after(dataset: Dataset, subset: Subset) -> ScenarioRisk | None:
    """A subset on the release; None where its condition is on values that the release does not have any more."""
    try:
        return scenario_risks(dataset, [subset])[0]
    except PolicyError:
        return None


def _population(sizes: Sizes, population: Population | None) -> dict[str, Any]:
    """Population uniques by every model, where the size of the population is known."""
    if population is None:
        return {}
    members = population.members(sum(size * number for size, number, _ in sizes.histogram))
    chosen, estimate = Dankar().choice(sizes, members)
    found = estimates(sizes, members) | {"dankar": estimate}
    return {"population": found, "population_size": members, "chosen": chosen}


def _looked_at(dataset: Dataset, assumed: Assumptions, tell: Tell) -> dict[str, Any]:
    """What singles records out: minimal sets, single columns, all sets up to a size, several records of a person."""
    found: dict[str, Any] = {}
    plain = dataset.missing is not Missing.WILDCARD
    if assumed.uniques and plain:
        found["uniques"] = special_uniques(dataset, assumed.uniques, tell=tell)
        found["drivers"] = drivers(dataset, seed=assumed.seed, tell=tell)
    if assumed.sets and plain:
        found["sets"] = subsets_up_to(dataset, assumed.sets, tell=tell)
    if assumed.patterns:
        tell("Patterns of several records")
        found["patterns"] = Patterns.of(dataset)
    if not plain:
        found["notes"] = ("Special uniques and what drives the risk are not read where missing values are wildcards.",)
    return found


def _tried(dataset: Dataset, release: Release, assumed: Assumptions, tell: Tell) -> Tried:
    """Linkage on the quasi-identifiers that the release still has, and the three questions of WP216."""
    there = release.dataset.table.columns
    names = [name for name in dataset.quasi_identifiers if name in there]
    if not names:
        return Tried()
    tell("Linking records")
    linked = release.linked(dataset.table, names)
    linkages = tuple(method.of(linked) for method in (ExactLinkage(), DistanceLinkage(), ProbabilisticLinkage()))
    tell("Singling out, linkability, inference")
    n, seed = assumed.attempts, assumed.seed
    questions: list[AttackResult] = [SinglingOut(attempts=n, seed=seed).of(linked)]
    if len(names) > 1:
        questions.append(Linkability(attempts=n, seed=seed).of(linked))
    for sensitive in dataset.sensitive:
        if sensitive in there:
            both = release.linked(dataset.table, [*names, sensitive])
            questions.append(Inference(sensitive=sensitive, attempts=n, seed=seed).of(both))
    return Tried(linkages, tuple(questions))


def _kept(dataset: Dataset) -> bool:
    return bool(dataset.schema.columns_with(Role.QUASI))


def _sizes(dataset: Dataset) -> Sizes:
    return Sizes.of(dataset.classes())


def _persons(dataset: Dataset) -> int | None:
    if dataset.subject is None:
        return None
    person = quoted(dataset.subject)
    count = f"count(DISTINCT {person}) + count(*) - count({person})"
    return int(dataset.table.engine.fetch(f"SELECT {count} FROM {dataset.table}")[0][0])
