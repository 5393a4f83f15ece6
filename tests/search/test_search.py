"""The search as a whole: proofs on the census table, early ends, limits on levels, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sfumato.errors import HierarchyError, PlanError, PolicyError, SchemaError, UnplacedValues
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.lattice import Lattice
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.schema import Missing
from sfumato.search.levels.examined_nodes import Budget, ExaminedNodes
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.average_class_size import ClassSize
from sfumato.search.objectives.discernibility import Discernibility
from sfumato.search.objectives.loss import Loss
from sfumato.search.scoring.objective_interface import Objective
from sfumato.tables.engines.duckdb import DuckDB

FIVE = Policy((Requirement(KAnonymity(), 5),))
AGES = Hierarchy((("20", "20-", "*"), ("25", "20-", "*"), ("30", "30-", "*"), ("35", "30-", "*")))
TOWNS = Hierarchy((("a", "*"), ("b", "*")))


def people(ages: list[str | None], towns: list[str | None], **more: list[Any]) -> Dataset:
    columns = {"age": pa.array(ages, pa.string()), "town": pa.array(towns, pa.string()), **more}
    table = DuckDB().load(pa.table(columns))
    dataset = Dataset.of(table, {"age": "quasi", "town": "quasi"}, subject="who" if "who" in more else None)
    return replace(dataset, hierarchies={"age": AGES, "town": TOWNS})


@pytest.fixture(scope="module")
def every_node(census: dict[str, CodedTable]) -> dict[str, Any]:
    """All 12,960 nodes, sorted and counted one by one with nothing of the search: suppressed records and scores."""
    table, n = census["nine"], census["nine"].total
    weights, costs, keys = table.records.astype(float), [], []
    stride = 1
    for column, codes in zip(table.columns, table.codes, strict=True):
        keys.append([labels[codes] * stride for labels in column.labels])
        stride *= column.width
        shares = [(column.leaves[i][labels] - 1) / (column.domain - 1) for i, labels in enumerate(column.labels)]
        costs.append([share[codes] / 9 / n for share in shares])
    nodes: dict[str, Any] = {}
    for node in Lattice.of(table).nodes():
        key = np.sum([keys[j][level] for j, level in enumerate(node)], axis=0)
        order = np.argsort(key)
        starts = np.flatnonzero(np.diff(key[order], prepend=-1))
        sizes = np.add.reduceat(weights[order], starts)
        gone = int(sizes[sizes < 5].sum())
        cost = weights * np.sum([costs[j][level] for j, level in enumerate(node)], axis=0)
        lost = np.add.reduceat(cost[order], starts)
        loss = float(lost[sizes >= 5].sum()) + gone / n
        kept = sizes[sizes >= 5]
        parts = len(kept) + (gone > 0)
        nodes[str(node)] = (node, gone, loss, float((kept**2).sum()) + n * gone, n / parts)
    assert len(nodes) == 12960
    return nodes


@pytest.mark.parametrize("limit", [0.0, 0.02, 0.05, 1.0])
@pytest.mark.parametrize(("place", "objective"), [(2, Loss()), (3, Discernibility()), (4, ClassSize())])
def test_no_node_of_the_census_lattice_is_better(
    census: dict[str, CodedTable], every_node: dict[str, Any], place: int, objective: Objective, limit: float
) -> None:
    if place == 4 and limit == 1.0:
        limit = 0.01  # at 100 % nearly every node has to be looked at, which takes as long again
    allowed = [node for node in every_node.values() if node[1] <= int(limit * 30162)]
    solution = OptimalSearch(FIVE, objective, limit).among(census["nine"])
    best = min(allowed, key=lambda node: node[place])
    assert solution.score == pytest.approx(best[place], rel=1e-11)
    own = every_node[str(tuple(solution.levels.values()))]
    assert (own[1], own[place]) == (solution.suppressed, pytest.approx(best[place], rel=1e-11))
    assert solution.optimal
    assert solution.examined + solution.pruned == solution.lattice == 12960


def test_a_search_that_ends_early_says_how_much_better_it_could_be(census: dict[str, CodedTable]) -> None:
    """The bound never exceeds the true optimum, and both come closer the longer it takes."""
    best, bounds, scores = OptimalSearch(FIVE, Loss(), 0.02).among(census["nine"]).score, [], []
    for nodes in (1, 20, 100, 300, inf):
        solution = OptimalSearch(FIVE, Loss(), 0.02, budget=Budget(nodes=nodes)).among(census["nine"])
        assert solution.bound <= best + 1e-12 <= solution.score + 2e-12
        assert solution.examined <= nodes + 1
        bounds.append(solution.bound)
        scores.append(solution.score)
    assert bounds == sorted(bounds)
    assert scores == sorted(scores, reverse=True)
    assert solution.optimal
    assert solution.gap == 0


def test_no_time_at_all_still_gives_an_answer(census: dict[str, CodedTable]) -> None:
    solution = OptimalSearch(FIVE, Loss(), 0.02, budget=Budget(seconds=0)).among(census["nine"])
    assert (solution.examined, solution.optimal, solution.bound) == (1, False, pytest.approx(0, abs=1e-12))
    assert solution.gap == pytest.approx(1)


def test_an_interrupted_search_gives_the_best_so_far(
    census: dict[str, CodedTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, examine = [], ExaminedNodes.examine

    def interrupted(self: ExaminedNodes, *arguments: Any) -> Any:
        looks.append(1)
        if len(looks) == 50:
            raise KeyboardInterrupt
        return examine(self, *arguments)

    monkeypatch.setattr(ExaminedNodes, "examine", interrupted)
    solution = OptimalSearch(FIVE, Loss(), 0.02).among(census["nine"])
    assert not solution.optimal
    assert solution.bound <= 0.35748248991015824 <= solution.score


def test_levels_stay_within_their_limits(census: dict[str, CodedTable]) -> None:
    limits = {"age": (1, 2), "sex": (0, 0)}
    solution = OptimalSearch(FIVE, Loss(), 0.05, limits=limits).among(census["nine"])
    assert solution.levels["sex"] == 0
    assert 1 <= solution.levels["age"] <= 2
    assert solution.lattice == 12960 // 5 * 2 // 2
    free = OptimalSearch(FIVE, Loss(), 0.05).among(census["nine"])
    assert free.score <= solution.score


def test_the_worked_example_of_four_ages() -> None:
    """By decade there are two classes of two; one of the four ages could be two, 1/3 of what could be left open."""
    dataset = people(["20", "25", "30", "35"], ["a", "a", "a", "a"])
    solution = OptimalSearch(Policy((Requirement(KAnonymity(), 2),)), Loss()).of(dataset)
    assert (solution.levels, solution.suppressed, solution.classes, solution.sizes) == (
        {"age": 1, "town": 0},
        0,
        2,
        (2, 2),
    )
    assert solution.score == pytest.approx((1 / 3 + 0) / 2)


def test_a_missing_value_is_a_leaf_that_joins_the_others_at_the_top() -> None:
    dataset = people(["20", None, "30", None], ["a", "a", "a", "a"])
    solution = OptimalSearch(Policy((Requirement(KAnonymity(), 2),)), Loss()).of(dataset)
    assert solution.levels == {"age": 2, "town": 0}
    kept = OptimalSearch(Policy((Requirement(KAnonymity(), 2),)), Loss(), 0.5).of(dataset)
    assert (kept.levels, kept.suppressed) == ({"age": 0, "town": 0}, 2)


def test_persons_and_not_records_make_a_class_large_enough() -> None:
    ages, towns = ["20", "20", "20", "30", "30"], ["a"] * 5
    rows = OptimalSearch(Policy((Requirement(KAnonymity(), 2),)), Loss()).of(people(ages, towns))
    assert rows.levels == {"age": 0, "town": 0}
    whose = {"who": pa.array([1, 1, 1, 2, 3])}
    solution = OptimalSearch(Policy((Requirement(KAnonymity(), 2),)), Loss()).of(people(ages, towns, **whose))
    assert solution.levels == {"age": 2, "town": 0}


def test_values_that_a_hierarchy_lacks_are_counted_and_not_shown() -> None:
    with pytest.raises(UnplacedValues, match="2 different, in 3 records") as raised:
        condense(people(["20", "71", "71", "82"], ["a", "a", "a", "a"]))
    assert "71" not in str(raised.value)


def test_what_cannot_be_searched_is_refused() -> None:
    dataset = people(["20", "30"], ["a", "b"])
    with pytest.raises(PolicyError, match="No combination of levels keeps to the policy"):
        OptimalSearch(FIVE, Loss()).of(dataset)
    with pytest.raises(HierarchyError, match="'town' is a quasi-identifier without a hierarchy"):
        condense(replace(dataset, hierarchies={"age": AGES}))
    with pytest.raises(SchemaError, match="own_value"):
        condense(replace(dataset, missing=Missing.WILDCARD))
    with pytest.raises(PlanError, match="levels 0 to 2"):
        Lattice.of(condense(dataset), {"age": (1, 3)})
    with pytest.raises(PlanError, match="between 0 and 1"):
        OptimalSearch(FIVE, Loss(), 2)


def test_a_lattice_may_be_larger_than_any_machine_number() -> None:
    lattice = Lattice(tuple(f"c{i}" for i in range(60)), (0,) * 60, (9,) * 60)
    assert lattice.size == 10**60


def test_the_same_table_in_any_order_gives_the_same_levels_and_score() -> None:
    rng = np.random.default_rng(1)
    ages = [AGES.values[i] for i in rng.integers(0, 4, 60)]
    towns = [TOWNS.values[i] for i in rng.integers(0, 2, 60)]
    first = OptimalSearch(FIVE, Loss(), 0.1).of(people(ages, towns))
    assert OptimalSearch(FIVE, Loss(), 0.1).of(people(ages[::-1], towns[::-1])) == first
