"""Heuristics: what they find is allowed, and never better than the best there is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search import by_hand
from tests.search.test_brute_force import OBJECTIVES, REQUIREMENTS, condensed, policies, tables
from tests.search.wide_tables import wide
from tests.search.worlds import World

from sfumato.errors import PlanError, PolicyError
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.heuristics import restarts
from sfumato.search.heuristics.beam import Beam
from sfumato.search.heuristics.genetic import Genetic
from sfumato.search.heuristics.restarts import Restarts
from sfumato.search.levels.examined_nodes import Budget, ExaminedNodes
from sfumato.search.levels.optimal import OptimalSearch, heuristics
from sfumato.search.objectives.loss import Loss
from sfumato.search.objectives.non_uniform_entropy import Nue

FIVE = Policy((Requirement(KAnonymity(), 5),))
NAMES = ["bottom-up", "top-down", "beam", "genetic", "restarts"]


def test_there_are_five_and_the_quickest_comes_first() -> None:
    assert list(heuristics()) == NAMES


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(
    table=tables(), policy=policies(), limit=st.sampled_from([0.0, 0.1, 0.3, 1.0]),
    objective=st.sampled_from(["loss", "nue", "precision", "discernibility", "class size", "divergence"]),
    how=st.sampled_from(["sum", "arithmetic", "geometric", "maximum"]),
)  # fmt: skip
def test_a_heuristic_keeps_to_the_policy_and_never_beats_the_optimum(
    name: str, table: Any, policy: list[tuple[str, float]], limit: float, objective: str, how: str
) -> None:
    trees, rows, secrets = table.hierarchies, table.rows, table.secrets
    made, score = OBJECTIVES[objective](how, 0.5, [1.0] * len(trees))
    best = by_hand.best(World(rows, secrets, trees), policy, limit, score)
    rules = Policy(tuple(REQUIREMENTS[rule](bound) for rule, bound in policy))
    search = OptimalSearch(rules, made, limit, heuristic=heuristics()[name]())
    try:
        solution = search.among(condensed(World(rows, secrets, trees)))
    except PolicyError:
        tops = by_hand.release(World(rows, secrets, trees), tuple(tree.height for tree in trees), policy)
        assert len(tops.gone) > int(limit * len(rows) + 1e-9)
        return
    assert best is not None
    there = by_hand.release(World(rows, secrets, trees), tuple(solution.levels.values()), policy)
    assert len(there.gone) == solution.suppressed <= int(limit * len(rows) + 1e-9)
    assert score(there) == pytest.approx(solution.score, rel=1e-9, abs=1e-9)
    assert (
        solution.bound - 1e-9 * max(1.0, abs(solution.bound))
        <= best[0]
        <= solution.score + 1e-9 * max(1.0, abs(solution.score))
    )
    assert solution.examined <= solution.lattice
    if solution.optimal:
        assert solution.score == pytest.approx(best[0], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "least"), [("bottom-up", 0.40), ("top-down", 0.48), ("beam", 0.37), ("genetic", 0.40), ("restarts", 0.37)]
)
def test_heuristics_come_close_to_the_optimum_of_the_census(
    census: dict[str, CodedTable], name: str, least: float
) -> None:
    """0.3575 is the best there is, and everything at the top is 1."""
    solution = OptimalSearch(FIVE, Loss(), 0.02, heuristic=heuristics()[name]()).among(census["nine"])
    assert 0.35748248991015824 - 1e-12 <= solution.score <= least
    assert not solution.optimal
    assert solution.bound == pytest.approx(0, abs=1e-12)
    assert (solution.pruned, solution.lattice) == (0, 12960)


@pytest.mark.parametrize("name", NAMES)
def test_thirty_columns_are_no_obstacle(name: str) -> None:
    table = wide()
    search = OptimalSearch(FIVE, Nue(), 0.05, heuristic=heuristics()[name](), budget=Budget(nodes=300))
    solution = search.among(table)
    assert solution.lattice == 6**30 > 2**63
    assert solution.examined <= 300
    assert solution.suppressed <= 0.05 * table.total
    assert 0 < solution.normalised < 1
    assert search.among(table) == solution


def test_a_wider_beam_finds_no_worse_levels(census: dict[str, CodedTable]) -> None:
    scores = [
        OptimalSearch(FIVE, Loss(), 0.02, heuristic=Beam(width=w)).among(census["nine"]).score for w in (1, 4, 16)
    ]
    assert scores == sorted(scores, reverse=True)


def test_another_seed_goes_another_way(census: dict[str, CodedTable]) -> None:
    first, second = (
        OptimalSearch(FIVE, Nue(), 0.02, heuristic=Genetic(seed=seed)).among(census["nine"]) for seed in (0, 1)
    )
    assert first.examined != second.examined


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(PlanError, match="width"):
        Beam(width=0)
    with pytest.raises(PlanError, match="population"):
        Genetic(population=1)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_ways_leave_a_good_combination_by_way_of_worse_ones(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table = wide(columns=14, height=3, people=200)
    search = OptimalSearch(FIVE, Loss(), 0.05, heuristic=Restarts(seed=seed))
    wandering = search.among(table).score
    monkeypatch.setattr(restarts, "WORSE", 0.0)
    assert wandering == pytest.approx(0.79898, abs=1e-5)
    assert search.among(table).score > wandering + 0.005


def test_most_of_a_way_leads_over_nodes_that_were_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes are computed once for a node, and where nothing new is to be looked at not at all."""
    computed: list[tuple[int, ...]] = []
    state = ExaminedNodes.state
    monkeypatch.setattr(
        ExaminedNodes, "state", lambda self, levels, *rest: (computed.append(levels), state(self, levels, *rest))[1]
    )
    solution = OptimalSearch(FIVE, Loss(), 0.05, heuristic=Restarts()).among(wide(columns=14, height=3, people=200))
    assert len(computed) < 1.5 * solution.examined
