"""More than can be searched: the best so far with a bound that holds, whenever the search ends."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import inf
from time import monotonic
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
from sfumato.search.explain import explain_levels
from sfumato.search.levels import lower_bounds as floors
from sfumato.search.levels import open_boxes as boxes
from sfumato.search.levels import optimal
from sfumato.search.levels import optimality_proof as proof
from sfumato.search.levels.examined_nodes import Budget, ExaminedNodes
from sfumato.search.levels.feasible_levels import feasible_levels
from sfumato.search.levels.levels_found import LevelsFound
from sfumato.search.levels.optimal import OptimalSearch, heuristics
from sfumato.search.method_interface import SearchRequest
from sfumato.search.methods.optimal import search
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
        changed.setattr(floors.ColumnFloors, "begin", lambda self: None)
        without = OptimalSearch(FIVE, Loss(), 0.0, budget=Budget(nodes=2000)).among(table)
    assert with_floors.gap < 0.85 * without.gap


def test_groups_become_larger_and_cost_no_less_than_those_within_them() -> None:
    """Groups of at most 16 nodes, then two of them as one, and then columns of one go over to the other."""
    table = wide(columns=8, height=3, people=300)
    task = Task(table, optimal.PolicyRules.of(FIVE), 15)
    nodes = ExaminedNodes(task, Lattice.of(table), Loss().ready(task), Budget())
    groups, known = floors.ColumnFloors(nodes), []
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(floors, "NODES", 16)
        groups.begin()
    while groups.searches:
        groups.go_on(20)
        known.append(sum(groups.floors.values()))
        assert frozenset().union(*groups.floors) == frozenset(range(8))
        assert sum(map(len, groups.floors)) == 8
    assert sorted(map(len, groups.floors)) == [2, 6]
    assert known == sorted(known)
    assert known[0] < known[-1] <= OptimalSearch(FIVE, Loss(), 0.05).among(table).score


@pytest.mark.parametrize("sizes", [[3, 3, 3, 3, 3], [5, 4, 3], [9, 5], [7, 3], [9, 2], [4], [2, 2, 2, 2]])
def test_groups_that_are_made_anew_have_every_column_once(sizes: list[int]) -> None:
    ends = np.cumsum([0, *sizes]).tolist()
    groups = [frozenset(range(first, last)) for first, last in pairwise(ends)]
    joined = floors.regrouped(groups, {j: 1.0 + j % 3 for j in range(ends[-1])})
    if len(groups) == 1 or (min(sizes) <= floors.PASSING and len(groups) == 2):
        assert joined == []  # the next would be the whole lattice
    else:
        assert sorted(j for parts in joined for part in parts for j in part) == list(range(ends[-1]))
        largest = max(len(frozenset[int]().union(*parts)) for parts in joined)
        assert max(sizes) < largest < ends[-1]


def test_boxes_whose_classes_were_forgotten_hear_of_what_groups_cost() -> None:
    table = wide(columns=8, height=3, people=300)
    task = Task(table, optimal.PolicyRules.of(FIVE), 15)
    nodes = ExaminedNodes(task, Lattice.of(table), Loss().ready(task), Budget())
    boxes_left = proof.OptimalityProof(nodes, in_turn=True)
    for _ in range(30):
        boxes_left.step()
    boxes_left.boxes.change(lambda box: replace(box, state=None))
    before = boxes_left.bound
    nodes.scorer.floors = [(frozenset(range(4)), 0.2), (frozenset(range(4, 8)), 0.25)]  # type: ignore[attr-defined]
    boxes_left.bound_again()
    assert before < 0.45 <= boxes_left.bound <= nodes.score


def test_levels_that_no_node_can_have_are_left_out() -> None:
    """A column of which every record has a value of its own: at its lowest level nobody is like anybody."""
    table = wide(columns=2, height=4, people=16)
    codes = np.array([np.zeros(16), np.arange(16)], dtype=np.int64)
    people = np.ones(16, dtype=np.int64)
    table = replace(table, codes=codes, records=people, members=people)
    task = Task(table, optimal.PolicyRules.of(FIVE), 0)
    nodes = ExaminedNodes(task, Lattice.of(table), Loss().ready(task), Budget())
    top = nodes.examine(nodes.lattice.highest)
    assert top is not None
    assert feasible_levels(nodes, top).lowest == (0, 3)  # of 16, two labels for 8 each; four for 4 each are too many


@pytest.mark.parametrize("objective", [Loss(), Nue(), Discernibility()])
def test_more_looks_never_give_a_worse_answer(objective: Objective) -> None:
    """Wherever the search ends: among better nodes, groups of columns or boxes, in the first turn or a later one."""
    table = wide(columns=14, height=3, people=200)
    solutions = [
        OptimalSearch(FIVE, objective, 0.05, budget=Budget(nodes=nodes)).among(table)
        for nodes in (1, 3, 10, 30, 60, 120, 200, 310, 330, 390, 420, 490, 510, 700, 1000, 1200)
    ]
    scores, bounds = [one.score for one in solutions], [one.bound for one in solutions]
    assert scores == sorted(scores, reverse=True)
    assert bounds == sorted(bounds)
    assert scores[-1] < scores[0]


def test_a_longer_search_begins_with_the_same_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, ...]] = []
    state = ExaminedNodes.state
    monkeypatch.setattr(
        ExaminedNodes, "state", lambda self, levels, *rest: (seen.append(levels), state(self, levels, *rest))[1]
    )
    table = wide(columns=14, height=3, people=200)
    looks = []
    for nodes in (150, 450, 900):
        seen.clear()
        OptimalSearch(FIVE, Loss(), 0.05, budget=Budget(nodes=nodes)).among(table)
        looks.append(list(seen))
    assert len(looks[0]) < len(looks[1]) < len(looks[2])
    assert looks[2][: len(looks[1]) - 1] == looks[1][:-1]
    assert looks[1][: len(looks[0]) - 1] == looks[0][:-1]


def test_a_limit_that_is_not_reached_changes_nothing_of_the_work(census: dict[str, CodedTable]) -> None:
    """Also the number of looks is the same: a search with a limit is as quick as one without."""
    alone = OptimalSearch(FIVE, Loss(), 0.02).among(census["nine"])
    assert alone.optimal
    assert OptimalSearch(FIVE, Loss(), 0.02, budget=Budget(seconds=1e6)).among(census["nine"]) == alone
    assert OptimalSearch(FIVE, Loss(), 0.02, budget=Budget(nodes=12_000)).among(census["nine"]) == alone


def test_the_seconds_of_a_request_are_for_all_that_is_searched() -> None:
    """When they are over, what follows a search looks at one node each, and says that it does not know."""
    request = SearchRequest(FIVE, Loss(), seconds=60, begun=monotonic() - 100)
    assert (request.seconds_left(), search(request).budget.seconds) == (0, 0)
    later = replace(request, begun=monotonic() + 1000)
    assert later.seconds_left() - later.seconds_left(0.9) == pytest.approx(6, abs=1)
    over = search(request)
    levels_found = over.among(wide())
    assert levels_found.examined == 1
    explained = explain_levels(over, wide(), levels_found)
    assert [effect.without.proven for effect in explained.requirements] == [False]
    assert replace(request, seconds=inf).seconds_left() == inf


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
    monkeypatch.setattr(optimal, "FOR_FLOORS", 1)
    monkeypatch.setattr(optimal, "FOR_NODES", 1)
    monkeypatch.setattr(boxes, "MEMORY", 0)
    OptimalSearch(FIVE, Loss(), 0.05, budget=Budget(nodes=5000)).among(wide())
    assert max(n for n, _, _ in held) <= 16 == held[0][2]
    assert max(n for _, n, _ in held) > 100


def test_boxes_that_are_too_many_grow_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting, add = [], boxes.OpenBoxes.add

    def counted(self: boxes.OpenBoxes, box: boxes.LatticeBox) -> None:
        add(self, box)
        waiting.append(len(self.waiting))

    monkeypatch.setattr(boxes.OpenBoxes, "add", counted)
    monkeypatch.setattr(optimal, "FOR_FLOORS", 1)
    monkeypatch.setattr(optimal, "FOR_NODES", 1)
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
