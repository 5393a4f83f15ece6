"""What groups of columns cost at the least: never more than a node of the whole table, and the same by both kernels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.wide_tables import wide

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.kernels import NumbaKernels
from sfumato.privacy.coded.lattice import Lattice, Node
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.table import CodedColumn, CodedTable
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.levels import group_search, lower_bounds, optimal
from sfumato.search.levels.examined_nodes import Budget, ExaminedNodes
from sfumato.search.levels.group_scores import GroupScorer, coarsened
from sfumato.search.levels.lower_bounds import ColumnFloors, within
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.entropy_loss import EntropyLoss
from sfumato.search.objectives.loss import Loss
from sfumato.search.objectives.non_uniform_entropy import Nue
from sfumato.search.objectives.precision import Precision
from sfumato.search.scoring.by_column import AdditiveScorer, ColumnScorer
from sfumato.search.scoring.objective_interface import Objective, Task

FIVE = Policy((Requirement(KAnonymity(), 5),))
OBJECTIVES: list[Objective] = [
    Loss(), Loss(aggregate="geometric"), Loss(aggregate="maximum"), Loss(balance=0.3), Precision(), EntropyLoss(),
    Nue(),
]  # fmt: skip
TREES = [
    Hierarchy((("a", "*"), ("b", "*"), ("c", "*"))),
    Hierarchy((("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "z", "*"))),
    Hierarchy((("a", "k", "x", "*"), ("b", "k", "x", "*"), ("c", "l", "x", "*"), ("d", "m", "y", "*"))),
]


@st.composite
def small_tables(draw: st.DrawFn) -> CodedTable:
    trees = draw(st.lists(st.sampled_from(TREES), min_size=4, max_size=5))
    kinds = [[draw(st.integers(0, len(tree.lines))) for tree in trees] for _ in range(draw(st.integers(1, 9)))]
    rows = draw(st.lists(st.sampled_from(kinds), min_size=6, max_size=40))
    codes, records = np.unique(np.array(rows, dtype=np.int64).T, axis=1, return_counts=True)
    columns = tuple(CodedColumn.of(f"c{j}", tree) for j, tree in enumerate(trees))
    return CodedTable(columns, codes, records, records, {}, one_record_each=True)


def examined(table: CodedTable, objective: Objective, k: int, limit: int) -> ExaminedNodes:
    task = Task(table, PolicyRules.of(Policy((Requirement(KAnonymity(), k),))), limit)
    return ExaminedNodes(task, Lattice.of(table), objective.ready(task), Budget())


def every(lattice: Lattice) -> Iterator[Node]:
    return product(*(range(low, high + 1) for low, high in zip(lattice.lowest, lattice.highest, strict=True)))


def cost_of_group(nodes: ExaminedNodes, group: frozenset[int], levels: Node) -> float:
    """At a node of the whole table; infinite where it does not keep to the policy."""
    scorer, state = nodes.scorer, nodes.state(levels)
    assert isinstance(scorer, ColumnScorer)
    return GroupScorer(scorer, group, {}).score(state) if state else inf


@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
@pytest.mark.parametrize("fast", ["0", "1"])
@settings(max_examples=25)
@given(table=small_tables(), k=st.integers(2, 5), limit=st.integers(0, 5), nodes=st.sampled_from([2, 6, 16]))
def test_floors_are_the_least_that_a_look_at_every_node_finds(
    fast: str, objective: Objective, table: CodedTable, k: int, limit: int, nodes: int
) -> None:
    """Of groups that were searched to their end: not above it, so that the bound holds, and not below."""
    whole = examined(table, objective, k, limit)
    if cost_of_group(whole, frozenset(), whole.lattice.highest) == inf:
        return
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("SFUMATO_FAST", fast)
        changed.setattr(lower_bounds, "NODES", nodes)
        floors = ColumnFloors(whole)
        floors.begin()
        known: dict[frozenset[int], float] = {}
        while floors.searches:
            floors.go_on(3)
            known |= {group: search.floor or 0.0 for group, search in floors.searches.items()}
            for group, floor in (known | floors.growing | floors.floors).items():
                least = min(cost_of_group(whole, group, levels) for levels in every(within(whole.lattice, group)))
                assert floor <= least + 1e-12
                if group in floors.growing and group not in floors.searches:
                    assert floor == pytest.approx(least, rel=1e-12, abs=1e-12)
        best = min(cost_of_group(whole, frozenset(range(len(table.columns))), levels)
                   for levels in every(whole.lattice))  # fmt: skip
        assert isinstance(whole.scorer, ColumnScorer)
        assert whole.scorer.least_of(list(floors.floors.items())) <= best + 1e-12


@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
@settings(max_examples=25)
@given(table=small_tables(), k=st.integers(2, 5), limit=st.integers(0, 5), data=st.data())
def test_a_coarser_table_has_the_same_costs_from_its_levels_on(
    objective: Objective, table: CodedTable, k: int, limit: int, data: Any
) -> None:
    whole = examined(table, objective, k, limit)
    scorer = whole.scorer
    assert isinstance(scorer, ColumnScorer)
    lows = tuple(data.draw(st.integers(0, column.height)) for column in table.columns)
    task, own = coarsened(whole.task, scorer, lows)
    coarse = ExaminedNodes(task, replace(whole.lattice, lowest=lows), own, Budget())
    for levels in every(coarse.lattice):
        one, other = whole.state(levels), coarse.state(levels)
        assert (one is None) == (other is None)
        if one and other:
            assert (one.suppressed, one.classes.sizes_of(one.kept)) == (
                other.suppressed, other.classes.sizes_of(other.kept)
            )  # fmt: skip
            assert own.score(other) == pytest.approx(scorer.score(one), rel=1e-12)


def test_a_coarser_table_has_fewer_rows_and_leaves() -> None:
    nodes = examined(wide(), Loss(), 5, 75)
    assert isinstance(nodes.scorer, ColumnScorer)
    lows = within(nodes.lattice, frozenset({2, 7})).lowest
    task, scorer = coarsened(nodes.task, nodes.scorer, (*lows[:2], 3, *lows[3:]))
    assert (nodes.task.table.rows, nodes.task.table.width) == (903, 30 * 33)
    assert task.table.rows < 4 * 33
    assert task.table.width == 5 + 33 + 28 * 1
    assert scorer.heights == nodes.scorer.heights


def test_costs_that_depend_on_more_than_a_label_are_read_off_the_whole_table() -> None:
    """None of ours do; of two leaves with one label at level 1 the first here costs more there when suppressed."""
    nodes = examined(wide(columns=4), Loss(), 5, 75)
    assert isinstance(nodes.scorer, AdditiveScorer)
    assert coarsened(nodes.task, nodes.scorer, (1, 1, 1, 1))[0].table.rows < nodes.task.table.rows
    nodes.scorer.spare[1, 0] += 1
    assert coarsened(nodes.task, nodes.scorer, (1, 1, 1, 1)) == (nodes.task, nodes.scorer)


@pytest.mark.parametrize("objective", [Loss(), Loss(aggregate="sum"), Nue()], ids=str)
@pytest.mark.parametrize("looks", [1, 7, 60.5, 400])
def test_both_kernels_know_the_same_floors_after_as_many_looks(objective: Objective, looks: float) -> None:
    pytest.importorskip("numba")
    known, loops = [], []
    for fast in ("0", "1"):
        nodes = examined(wide(columns=10, people=400), objective, 5, 20)
        floors = ColumnFloors(nodes)
        with pytest.MonkeyPatch.context() as changed:
            changed.setenv("SFUMATO_FAST", fast)
            floors.begin()
            for _ in range(12):
                floors.go_on(looks)
                known.append((fast, nodes.count, dict(floors.floors), dict(floors.growing), dict(floors.gains)))
        loops.append(any(search._loop for search in floors.searches.values()))
    half = len(known) // 2
    assert [step[1:] for step in known[:half]] == [step[1:] for step in known[half:]]
    assert known[half - 1][1] >= min(12 * looks, 200)
    assert loops[0] is False
    assert loops[1] or not floors.searches


@pytest.mark.parametrize("nodes", [300, 2000, 9000])
def test_a_search_in_turns_has_the_same_answer_by_both_kernels(nodes: int) -> None:
    pytest.importorskip("numba")
    answers = []
    for fast in ("0", "1"):
        with pytest.MonkeyPatch.context() as changed:
            changed.setenv("SFUMATO_FAST", fast)
            answers.append(OptimalSearch(FIVE, Loss(), 0.05, budget=Budget(nodes=nodes)).among(wide(columns=16)))
    assert answers[0] == answers[1]


def test_the_loop_is_taken_once_so_many_rows_were_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the setting, and of few rows: a look at them takes so little that many come before numba is loaded."""
    pytest.importorskip("numba")
    kernels = NumbaKernels(pytest.importorskip("numba"))
    monkeypatch.delenv("SFUMATO_FAST", raising=False)
    monkeypatch.setattr("sfumato.search.levels.compiled_proof.fastest_kernels", lambda rows: kernels)
    monkeypatch.setattr("sfumato.search.levels.compiled_proof._loop_is_kept", lambda: True)
    nodes = examined(wide(columns=6, people=300), Loss(), 5, 15)
    assert isinstance(nodes.scorer, ColumnScorer)
    taken = []
    for rows_before in (0, 10**9):
        group = frozenset(range(6))
        own = nodes.of_columns(nodes.task, nodes.lattice, GroupScorer(nodes.scorer, group, {}))
        search = group_search.GroupSearch(own, rows_before)
        search.go_on(5, nodes)
        taken.append(search._loop is not None)
    assert taken == [False, True]


def test_more_looks_never_give_a_worse_answer_or_a_lower_bound() -> None:
    table, before = wide(columns=16), None
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(optimal, "WORTH_PROVING", 0)
        for nodes in (1, 20, 150, 151, 700, 1500, 4000, 10_000):
            answer = OptimalSearch(FIVE, Loss(), 0.05, budget=Budget(nodes=nodes), seed=3).among(table)
            if before is not None:
                assert answer.score <= before.score
                assert answer.bound >= before.bound
            before = answer


def test_groups_whose_classes_do_not_fit_into_the_memory_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    known = []
    for memory in (2**28, 0):
        monkeypatch.setattr("sfumato.search.levels.open_boxes.MEMORY", memory)
        monkeypatch.setattr("sfumato.search.levels.open_boxes.FEWEST", 2)
        nodes = examined(wide(columns=8, people=300), Loss(), 5, 15)
        floors = ColumnFloors(nodes)
        floors.begin()
        floors.go_on(600)
        known.append((nodes.count, floors.floors, floors.growing))
    assert known[0] == known[1]
