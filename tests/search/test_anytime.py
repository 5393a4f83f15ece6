"""More than can be searched: the best so far with a bound that holds, whenever the search ends."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search import by_hand
from tests.search.test_brute_force import OBJECTIVES, REQUIREMENTS, condensed, policies, tables
from tests.search.wide_tables import wide
from tests.search.worlds import World

from sfumato.errors import PolicyError
from sfumato.privacy.coded.lattice import Lattice
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.levels import lower_bounds as floors
from sfumato.search.levels import open_boxes as boxes
from sfumato.search.levels import optimal
from sfumato.search.levels import optimality_proof as proof
from sfumato.search.levels.examined_nodes import Budget, ExaminedNodes
from sfumato.search.levels.levels_found import LevelsFound
from sfumato.search.levels.optimal import OptimalSearch, heuristics
from sfumato.search.objectives.discernibility import Discernibility
from sfumato.search.objectives.loss import Loss
from sfumato.search.objectives.non_uniform_entropy import Nue
from sfumato.search.scoring.objective_interface import NodeState, Objective, Scorer, Task

FIVE = Policy((Requirement(KAnonymity(), 5),))


def close(number: float) -> float:
    return 1e-9 * max(1.0, abs(number))


@pytest.mark.parametrize("name", OBJECTIVES)
@settings(max_examples=20)
@given(
    table=tables(), policy=policies(), limit=st.sampled_from([0.0, 0.1, 0.3, 1.0]), nodes=st.integers(1, 20),
    how=st.sampled_from(["sum", "arithmetic", "geometric", "maximum"]), balance=st.sampled_from([0.5, 0.2, 0.8]),
    weights=st.lists(st.sampled_from([1.0, 0.3]), min_size=3, max_size=3), group=st.integers(2, 9),
)  # fmt: skip
def test_the_bound_holds_whenever_the_search_ends(
    name: str, table: Any, policy: list[tuple[str, float]], limit: float, nodes: int, how: str, balance: float,
    weights: list[float], group: int,
) -> None:  # fmt: skip
    trees, rows, secrets = table.hierarchies, table.rows, table.secrets
    made, score = OBJECTIVES[name](how, balance, weights[: len(trees)])
    best = by_hand.best(World(rows, secrets, trees), policy, limit, score)
    rules = Policy(tuple(REQUIREMENTS[rule](bound) for rule, bound in policy))
    small = condensed(World(rows, secrets, trees))
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(floors, "NODES", group)
        search = OptimalSearch(rules, made, limit, budget=Budget(nodes=nodes))
        if best is None:
            with pytest.raises(PolicyError, match="No combination of levels"):
                search.among(small)
            return
        try:
            solution = search.among(small)
        except PolicyError:
            tops = by_hand.release(World(rows, secrets, trees), tuple(tree.height for tree in trees), policy)
            assert len(tops.gone) > int(limit * len(rows) + 1e-9)
            return
        assert solution.bound - close(solution.bound) <= best[0] <= solution.score + close(solution.score)
        changed.setattr(optimal, "WORTH_PROVING", 0)
        changed.setattr(boxes, "MEMORY", 0)
        changed.setattr(boxes, "FEWEST", 1)
        changed.setattr(proof, "ROLLED_BY_COLUMN", 2)
        changed.setattr(proof, "ROLLED", 2)
        whole = OptimalSearch(rules, made, limit).among(small)
    assert whole.optimal
    assert whole.score == pytest.approx(best[0], rel=1e-9, abs=1e-9)
    assert tuple(whole.levels.values()) == best[1]


@pytest.mark.parametrize("objective", [Loss(), Nue(), Discernibility()])
def test_thirty_columns_have_a_good_answer_early_and_a_bound_that_rises(objective: Objective) -> None:
    table, solutions = wide(), []
    for nodes in (200, 800, 3000):
        solutions.append(OptimalSearch(FIVE, objective, 0.05, budget=Budget(nodes=nodes)).among(table))
        assert solutions[-1].examined <= nodes + 1
        assert solutions[-1].lattice == 6**30
        assert 0 <= solutions[-1].bound < solutions[-1].score
        assert solutions[-1].suppressed <= 0.05 * table.total
    assert solutions[0].score >= solutions[1].score >= solutions[2].score
    assert solutions[0].bound <= solutions[1].bound <= solutions[2].bound
    alone = min(OptimalSearch(FIVE, objective, 0.05, heuristic=cls(), budget=Budget(nodes=120)).among(table).score
                for cls in heuristics().values())  # fmt: skip
    assert solutions[1].score <= alone


def test_the_same_search_ends_with_the_same_answer() -> None:
    search = OptimalSearch(FIVE, Nue(), 0.05, budget=Budget(nodes=700))
    assert search.among(wide()) == search.among(wide())


def test_groups_of_columns_narrow_the_gap() -> None:
    table = wide()
    with_floors = OptimalSearch(FIVE, Loss(), 0.0, budget=Budget(nodes=2000)).among(table)
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(optimal, "find_floors", lambda *arguments: None)
        without = OptimalSearch(FIVE, Loss(), 0.0, budget=Budget(nodes=2000)).among(table)
    assert with_floors.gap < 0.85 * without.gap


def test_every_column_is_in_one_group() -> None:
    lattice = Lattice(tuple("abcdefg"), (0, 1, 0, 0, 0, 0, 3), (9, 9, 1, 30_000, 4, 2, 3))
    groups = floors.grouped_columns(lattice)
    assert sorted(j for group in groups for j in group) == list(range(7))
    assert all(len(group) == 1 or floors.within(lattice, group).size <= floors.NODES for group in groups)


@pytest.mark.parametrize("nodes", [1, 2])
def test_a_budget_of_hardly_any_node_gives_an_answer(nodes: int) -> None:
    solution = OptimalSearch(FIVE, Loss(), 0.0, budget=Budget(nodes=nodes)).among(wide())
    assert solution.examined <= nodes
    assert not solution.optimal


class Interrupting(Loss):
    """A user who presses Ctrl-C while a score is computed."""

    after = 5

    def ready(self, task: Task) -> Scorer:
        scorer, left, score = super().ready(task), [self.after], super().ready(task).score

        def interrupted(state: NodeState) -> float:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return score(state)

        scorer.score = interrupted  # type: ignore[method-assign]
        return scorer


@pytest.mark.parametrize("after", [1, 3, 40, 200])
@pytest.mark.parametrize("name", [None, "beam", "genetic", "bottom-up", "top-down"])
def test_an_interrupt_within_a_score_keeps_the_best_so_far(
    monkeypatch: pytest.MonkeyPatch, name: str | None, after: int
) -> None:
    monkeypatch.setattr(Interrupting, "after", after)
    table = wide()
    heuristic = heuristics()[name]() if name else None
    solution = OptimalSearch(FIVE, Interrupting(), 0.05, heuristic=heuristic, budget=Budget(nodes=900)).among(table)
    assert not solution.optimal
    assert solution.suppressed <= 0.05 * table.total
    assert 0 <= solution.bound < solution.score <= 1


def test_an_interrupt_before_anything_was_found_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Interrupting, "after", 0)
    with pytest.raises(PolicyError, match="stopped before it came upon a combination"):
        OptimalSearch(FIVE, Interrupting()).among(wide())


@pytest.mark.parametrize("calls", [1, 2, 5])
def test_an_interrupt_while_progress_is_told_never_claims_a_proof(
    census: dict[str, CodedTable], monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    """Every look is told here; whichever it is after, the box in hand counts as open."""
    monkeypatch.setattr(optimal, "BETWEEN_MESSAGES", 0)
    monkeypatch.setattr(optimal, "TELLING_SHARE", inf)
    told: list[str] = []

    def tell(words: str, /, done: int = 0, total: int = 0) -> None:
        told.append(words)
        if len(told) == calls * 20:
            raise KeyboardInterrupt

    solution = OptimalSearch(FIVE, Loss(), 0.02).among(census["nine"], tell)
    assert not solution.optimal
    assert solution.bound <= 0.35748248991015824 <= solution.score + 1e-12
    assert len(told) == calls * 20


def test_progress_tells_the_best_score_and_the_bound(
    census: dict[str, CodedTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(optimal, "BETWEEN_MESSAGES", 0)
    monkeypatch.setattr(optimal, "TELLING_SHARE", inf)
    told: list[tuple[str, int, int]] = []

    def tell(words: str, /, done: int = 0, total: int = 0) -> None:
        told.append((words, done, total))

    solution = OptimalSearch(FIVE, Loss(), 0.02).among(census["nine"], tell)
    assert told[0][0] == "Searching: best 1, bound 0"
    assert told[-1][0].startswith("Searching: best 0.3575, bound 0.3")
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert {total for _, _, total in told} == {12960}
    assert len(told) == solution.examined


def test_progress_is_told_a_few_times_a_second_at_the_most(census: dict[str, CodedTable]) -> None:
    told: list[str] = []
    OptimalSearch(FIVE, Loss(), 0.0).among(census["nine"], lambda words, done=0, total=0: told.append(words))
    assert len(told) <= 20


def test_open_boxes_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more classes than there is room for are held, however many boxes are open."""
    held, add = [], boxes.OpenBoxes.add

    def counted(self: boxes.OpenBoxes, box: boxes.LatticeBox) -> None:
        add(self, box)
        held.append((sum(box.state is not None for box in self.waiting.values()), len(self.waiting), self.room))

    monkeypatch.setattr(boxes.OpenBoxes, "add", counted)
    monkeypatch.setattr(boxes, "MEMORY", 0)
    OptimalSearch(FIVE, Loss(), 0.05, budget=Budget(nodes=2500)).among(wide())
    assert max(n for n, _, _ in held) <= 16 == held[0][2]
    assert max(n for _, n, _ in held) > 100


def test_boxes_that_are_too_many_grow_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting, add = [], boxes.OpenBoxes.add

    def counted(self: boxes.OpenBoxes, box: boxes.LatticeBox) -> None:
        add(self, box)
        waiting.append(len(self.waiting))

    monkeypatch.setattr(boxes.OpenBoxes, "add", counted)
    monkeypatch.setattr(boxes, "MANY", 50)
    OptimalSearch(FIVE, Loss(), 0.05, budget=Budget(nodes=2500)).among(wide())
    assert max(waiting) <= 50 + 2 * 30 * 5


def test_looks_that_lead_nowhere_are_still_counted_once(census: dict[str, CodedTable]) -> None:
    table = census["nine"]
    task = Task(table, optimal.PolicyRules.of(FIVE), 0)
    nodes = ExaminedNodes(task, Lattice.of(table), Loss().ready(task), Budget())
    lowest = nodes.visit(nodes.lattice.lowest)
    assert lowest is not None
    assert (nodes.visit(nodes.lattice.lowest), nodes.count, nodes.best) == (nodes.visited[lowest.node], 1, None)
    assert lowest.infeasible_below
    assert lowest.excess == int(np.sum(table.records[table.records < 5]))


def test_found_says_how_large_the_lattice_is_in_full() -> None:
    solution = LevelsFound(
        levels={"a": 0}, records=1, suppressed=0, classes=1, sizes=(1, 1), score=1.0, normalised=1.0, bound=0.5,
        examined=1, pruned=10**40 - 1, tied=0, lattice=10**40,
    )  # fmt: skip
    assert solution.document()["lattice"] == 10**40
    assert solution.document()["gap"] == 0.5
