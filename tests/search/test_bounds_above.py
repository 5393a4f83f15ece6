"""What a node says of all nodes above it: no node above scores less, and boxes above are ruled out by it."""

from __future__ import annotations

from itertools import product
from operator import le

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.best_node import best_of_all
from tests.search.test_brute_force import asked, condensed, policies, tables
from tests.search.worlds import World

from sfumato.privacy.coded.lattice import Lattice
from sfumato.privacy.coded.table import CodedColumn, CodedTable
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.levels import bounds_above, examined_nodes
from sfumato.search.levels.bounds_above import BoundsAbove
from sfumato.search.levels.node_states import NodeStates
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.average_class_size import ClassSize
from sfumato.search.objectives.discernibility import Discernibility
from sfumato.search.scoring.objective_interface import Objective

OBJECTIVES = [ClassSize(), ClassSize(balance=0.3), Discernibility(), Discernibility(ignore_suppression=True)]


def made_up(seed: int) -> CodedTable:
    """Four columns of nine values with three levels each, drawn so that some are rare."""
    draw = np.random.Generator(np.random.PCG64(seed))
    values = np.minimum(draw.geometric(0.25, (4, 600)) - 1, 8)
    codes, records = np.unique(values, axis=1, return_counts=True)
    sizes = (1, 3, 9)
    labels = tuple(np.arange(9) // size for size in sizes)
    leaves = tuple(np.full(9 // size, size) for size in sizes)
    columns = tuple(CodedColumn(name, labels, leaves, 9) for name in "abcd")
    return CodedTable(columns, np.ascontiguousarray(codes), records, records, {}, one_record_each=True)


@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
@settings(max_examples=20)
@given(world=tables(), policy=policies())
def test_no_node_scores_less_than_what_any_node_below_it_says(
    objective: Objective, world: World, policy: list[tuple[str, float]]
) -> None:
    """Of every two nodes of which one is above the other, also where rows were left out that are lost further up."""
    table = condensed(world)
    states = NodeStates(OptimalSearch(asked(policy), objective, 1.0), table)
    lattice, scorer = Lattice.of(table, {}), states.scorer
    nodes = list(product(*(range(high + 1) for high in lattice.highest)))
    for low in nodes:
        state = states.at(low)
        bounds = [scorer.bound_above(state.classes, 0)]
        for middle in nodes:
            if all(map(le, low, middle)) and not scorer.needs_all:
                omitting = states.at(middle).without_forced_rows(leaves=True)
                bounds.append(scorer.bound_above(omitting.classes.refined(low), omitting.omitted.records))
        for high in nodes:
            if all(map(le, low, high)):
                assert max(bounds) <= scorer.score(states.at(high)) * (1 + 1e-12)


@pytest.mark.parametrize("kept", [1, 3, 2048])
@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
@pytest.mark.parametrize("limit", [0.0, 0.05, 0.4])
def test_the_best_of_all_nodes_is_found_however_many_bounds_are_remembered(
    monkeypatch: pytest.MonkeyPatch, objective: Objective, limit: float, kept: int
) -> None:
    """All 81 nodes of five tables, one by one."""
    monkeypatch.setattr(bounds_above, "KEPT", kept)
    for seed in range(5):
        table = made_up(seed)
        search = OptimalSearch(Policy((Requirement(KAnonymity(), 4),)), objective, limit)
        best, score = best_of_all(search, table, product(range(3), repeat=4))
        found = search.among(table)
        assert (tuple(found.levels.values()), found.score, found.optimal) == (best, score, True)


@pytest.mark.parametrize("objective", OBJECTIVES[:1], ids=str)
def test_bounds_above_save_looks(monkeypatch: pytest.MonkeyPatch, objective: Objective) -> None:
    search = OptimalSearch(Policy((Requirement(KAnonymity(), 4),)), objective, 0.05)
    with_them = [search.among(made_up(seed)).examined for seed in range(5)]
    monkeypatch.setattr(examined_nodes.ExaminedNodes, "trimmed", lambda self, lows, highs: highs)
    monkeypatch.setenv("SFUMATO_FAST", "0")
    without = [search.among(made_up(seed)).examined for seed in range(5)]
    assert all(map(le, with_them, without))
    assert sum(with_them) < sum(without)


@given(levels=st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=4), bound=st.floats(1, 9))
def test_what_is_cut_off_a_box_is_above_a_remembered_node(levels: list[tuple[int, ...]], bound: float) -> None:
    """And what is left is above none, where that is still a box."""
    known = BoundsAbove(3)
    for node in levels:
        known.add(node, bound)
    left = known.trimmed((0, 1, 1), (3, 3, 3), promising=bound, hopeless=lambda *_: True)
    for node in product(range(4), range(1, 4), range(1, 4)):
        above = any(all(map(le, low, node)) for low in levels)
        inside = left is not None and all(map(le, node, left))
        assert inside or above
    assert left is None or not any(all(map(le, low, (0, 1, 1))) for low in levels)
