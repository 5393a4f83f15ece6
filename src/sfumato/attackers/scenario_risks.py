"""Scenarios, computed: the records are grouped once by all that any attacker knows, and then for each scenario.

The grouped records are fewer than the records and hold numbers in place of values, so that each further scenario
costs a fraction of the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sfumato.attackers.coded_records import GroupedRecords, grouped_records, knowing
from sfumato.attackers.scenario import ConditionCounts, Mode, ScenarioRisk, Subset
from sfumato.errors import EmptyTable, PlanError, PolicyError
from sfumato.plans.draft import Draft, DraftColumn
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.partition import members
from sfumato.privacy.policy import Scenario
from sfumato.privacy.sizes import Sizes
from sfumato.progress import Tell, quiet
from sfumato.schema import Missing
from sfumato.tables.engine import listed, quoted

# Persons of several rows of grouped records: those who are in several rows once, and all the others.
GROUPED_PERSONS = "count(DISTINCT {0}) + coalesce(sum(CASE WHEN {1} AND person IS NULL THEN members END), 0)"


def scenario_risks(
    dataset: Dataset, scenarios: Sequence[Scenario | Subset], *, tell: Tell = quiet
) -> tuple[ScenarioRisk, ...]:
    """The risk of every scenario, in their order; columns are read as the dataset reads them, raw, in bins or levels.

    A scenario may name any column of the table, whatever its role. Conditions of subsets are about raw values.

    >>> from sfumato.studies.printed_tables import inpatients
    >>> known = [Scenario("address", ["zip"]), Scenario("address and age", ["zip", "age"])]
    >>> [(risk.name, risk.singled_out, risk.k) for risk in scenario_risks(inpatients(), known)]
    [('address', 0, 2), ('address and age', 12, 1)]
    """
    names = [scenario.name for scenario in scenarios]
    if len(set(names)) < len(names):
        raise PolicyError("Several scenarios have the same name. Give each a name of its own.")
    if not scenarios:
        return ()
    conditions = _conditions(dataset, scenarios)
    if dataset.missing is not Missing.OWN_VALUE:
        return tuple(_regrouped(dataset, scenario, conditions) for scenario in scenarios)
    different = list(dict.fromkeys(conditions.values()))
    columns = list(dict.fromkeys(column for scenario in scenarios for column in scenario.quasi_identifiers))
    grouped = grouped_records(dataset, columns, different)
    places = {name: f"s{different.index(sql) + 1}" for name, sql in conditions.items()}
    risks = _ScenarioCounting(grouped, places).risks(scenarios, tell)
    grouped.table.engine.drop(grouped.table)
    return risks


def whole_risk(dataset: Dataset, name: str, sizes: Sizes) -> ScenarioRisk:
    """The risk of the scenario in which all quasi-identifiers are known, whose classes are counted already."""
    if not sizes.records:
        raise EmptyTable
    return ScenarioRisk(name=name, quasi_identifiers=dataset.quasi_identifiers, sizes=sizes, persons=_persons(dataset))


def satisfying(dataset: Dataset, subset: Subset) -> int:
    """How many records satisfy the condition of a subset.

    A release cannot answer some conditions that its original could: it lacks the column, or holds labels that are
    neither below nor above anything. Then nobody is known to satisfy it.
    """
    if not set(subset.condition.columns) <= set(dataset.table.columns):
        return 0
    try:
        condition = condition_sql(dataset, subset)
    except PlanError:  # only the condition knows which kinds of values it can compare
        return 0
    table = dataset.table
    return int(table.engine.fetch(f"SELECT count(*) FROM {table} AS record WHERE {condition}")[0][0])


def _conditions(dataset: Dataset, scenarios: Sequence[Scenario | Subset]) -> dict[str, str]:
    """The condition of each subset, by the name of its scenario, as SQL over `record`."""
    return {s.name: condition_sql(dataset, s) for s in scenarios if isinstance(s, Subset)}


def condition_sql(dataset: Dataset, subset: Subset) -> str:
    """The condition of a subset, as SQL over `record`."""
    return subset.condition.sql(_draft(dataset))


def _draft(dataset: Dataset) -> Draft:
    """The dataset as conditions read it: raw values, with the order of ordered categories."""
    columns = tuple(DraftColumn(attribute.name, order=attribute.order) for attribute in dataset.schema)
    return Draft(dataset.table, columns, row="")


@dataclass(frozen=True)
class _ScenarioCounting:
    """The grouped records, and under which name each scenario finds its condition there."""

    grouped: GroupedRecords
    conditions: Mapping[str, str]

    def risks(self, scenarios: Sequence[Scenario | Subset], tell: Tell) -> tuple[ScenarioRisk, ...]:
        engine = self.grouped.table.engine
        engine.expect(self.grouped.table)
        totals = self._totals()
        risks = []
        for number, scenario in enumerate(scenarios):
            tell(f"Scenario {scenario.name}", number, len(scenarios))
            risks.append(self._risk(scenario, totals))
        engine.expect(None)
        return tuple(risks)

    def _totals(self) -> dict[str, tuple[int, int]]:
        """Records and persons for which each condition holds; under TRUE, all of them."""
        conditions = ["TRUE", *dict.fromkeys(self.conditions.values())]
        counts = [f"coalesce(sum(CASE WHEN {held} THEN n END), 0)" for held in conditions]
        if self.grouped.persons:
            counts += [GROUPED_PERSONS.format(f"CASE WHEN {held} THEN person END", held) for held in conditions]
        numbers = [int(number) for number in self.grouped.table.engine.fetch(
            f"SELECT {listed(counts)} FROM {self.grouped.table}")[0]]  # fmt: skip
        records = numbers[: len(conditions)]
        persons = numbers[len(conditions) :] or records
        return dict(zip(conditions, zip(records, persons, strict=True), strict=True))

    def _risk(self, scenario: Scenario | Subset, totals: Mapping[str, tuple[int, int]]) -> ScenarioRisk:
        condition = self.conditions.get(scenario.name, "TRUE")
        _require(scenario, totals[condition][0])
        as_key = isinstance(scenario, Subset) and scenario.mode is Mode.AS_QI
        keys = [*map(self.grouped.code, scenario.quasi_identifiers), *([condition] if as_key else [])]
        size = GROUPED_PERSONS.format("person", "TRUE") if self.grouped.persons else "sum(n)"
        rows = self.grouped.table.engine.fetch(f"""
            SELECT size, count(*), sum(records), sum(CASE WHEN held THEN records ELSE 0 END)
            FROM (SELECT {size} AS size, sum(n) AS records, {condition if as_key else "TRUE"} AS held
                  FROM {self.grouped.table} WHERE {"TRUE" if as_key else condition} GROUP BY {listed(keys)}) AS class
            GROUP BY size ORDER BY size""")
        sizes = Sizes(tuple((int(size), int(number), int(records)) for size, number, records, _ in rows))
        singled_out = sum(int(records) for size, _, _, records in rows if int(size) == 1)
        return ScenarioRisk(
            name=scenario.name,
            quasi_identifiers=tuple(scenario.quasi_identifiers),
            sizes=sizes,
            persons=totals["TRUE" if as_key else condition][1],
            condition=_condition_counts(scenario, totals[condition][0], singled_out),
        )


def _require(scenario: Scenario | Subset, records: int) -> None:
    """Refuse a condition that nobody satisfies, or nobody would seem to be at risk for a misspelt value."""
    if records:
        return
    if isinstance(scenario, Scenario):
        raise EmptyTable
    raise PolicyError(
        f"No record satisfies the condition of the scenario {scenario.name!r}. "
        f"Check how the values it compares with are spelt in {', '.join(map(repr, scenario.condition.columns))}."
    )


def _condition_counts(scenario: Scenario | Subset, records: int, singled_out: int) -> ConditionCounts | None:
    if isinstance(scenario, Scenario):
        return None
    return ConditionCounts(scenario.condition.words(values=False), scenario.mode, records, singled_out)


def _regrouped(dataset: Dataset, scenario: Scenario | Subset, conditions: Mapping[str, str]) -> ScenarioRisk:
    """The risk of one scenario from the table itself: where missing values are no values, classes do not add up."""
    condition, engine = conditions.get(scenario.name, "TRUE"), dataset.table.engine
    subset = engine.view(f"SELECT record.* FROM {dataset.table} AS record WHERE {condition}")
    records = subset.count()
    _require(scenario, records)
    if as_key := isinstance(scenario, Subset) and scenario.mode is Mode.AS_QI:
        known = knowing(dataset, scenario.quasi_identifiers, [condition])
    else:
        known = knowing(replace(dataset, table=subset), scenario.quasi_identifiers)
    classes = known.classes()
    sizes = Sizes.of(classes)
    singled_out = sizes.records_below(2)
    if as_key:
        held = f"size = 1 AND k{len(known.quasi_identifiers)}"
        singled_out = int(classes.number(f"SELECT sum(records) FROM {classes.with_keys()} WHERE {held}") or 0)
    classes.forget()
    return ScenarioRisk(
        name=scenario.name,
        quasi_identifiers=tuple(scenario.quasi_identifiers),
        sizes=sizes,
        persons=_persons(known),
        condition=_condition_counts(scenario, records, singled_out),
    )


def _persons(known: Dataset) -> int:
    if known.subject is None:
        return known.table.count()
    people = f"SELECT {quoted(known.subject)} AS person FROM {known.table}"
    return int(known.table.engine.fetch(f"SELECT {members(persons=True)} FROM ({people}) AS record")[0][0])
