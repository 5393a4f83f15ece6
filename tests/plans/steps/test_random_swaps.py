"""Swapped ranks and post-randomised categories."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import made_up, resources, values

from sfumato.errors import PlanError
from sfumato.plans.steps.post_randomise import PostRandomise
from sfumato.plans.steps.swap_ranks import SwapRanks, swapped

N = 5000
INCOMES = [float((i * 7919) % 10_007) for i in range(N)]  # all different
SMOKERS = ["no"] * 5000 + ["yes"] * 3000 + ["former"] * 2000
MATRIX = {"no": {"no": 0.9, "yes": 0.1}, "yes": {"yes": 0.7, "former": 0.3}, "former": {"former": 1}}


def ranks(numbers):
    place = {value: rank for rank, value in enumerate(sorted(numbers))}
    return [place[value] for value in numbers]


@pytest.mark.parametrize("share", [0.1, 1, 5, 100])
def test_no_value_moves_farther_than_its_share_of_ranks_and_none_is_lost(share):
    after = values(SwapRanks("income", share=share).apply(made_up({"income": INCOMES}), resources()), "income")
    assert sorted(after) == sorted(INCOMES)
    moves = [abs(a - b) for a, b in zip(ranks(INCOMES), ranks(after), strict=True)]
    assert max(moves) <= N * share / 100
    assert sum(move > 0 for move in moves) > 0.9 * N
    assert max(moves) > 0.9 * N * share / 100 * (share <= 5)


def test_a_partner_is_drawn_evenly_among_those_within_reach():
    found = Counter(swapped([i / 10_000, *[0.5] * 9], 4)[0] for i in range(10_000))
    assert found == {1: 2500, 2: 2500, 3: 2500, 4: 2500}


def test_swapping_is_its_own_inverse_and_what_finds_no_partner_stays():
    found = swapped([0.99, 0.99, 0.99, 0.99, 0.99], 3)
    assert found == [3, 4, 2, 0, 1]
    assert [found[i] for i in found] == [0, 1, 2, 3, 4]


def test_missing_values_stay_where_they_are_and_both_engines_swap_alike(engine):
    table = {
        "when": pa.array([date(2020, 1, 1 + i % 28) if i % 5 else None for i in range(200)]),
        "x": pa.array([float("nan") if i % 7 == 0 else i * 1.5 for i in range(200)]),
    }
    here, there = made_up(table, engine), made_up(table)
    for name in table:
        here, there = (SwapRanks(name, share=10).apply(draft, resources(name)) for draft in (here, there))
    assert [str(row) for row in values(here, *table)] == [str(row) for row in values(there, *table)]
    assert [v is None for v in values(here, "when")] == [i % 5 == 0 for i in range(200)]
    assert [v != v for v in values(here, "x")] == [i % 7 == 0 for i in range(200)]
    assert here.kind("when") == "date"


def test_an_ordered_text_swaps_by_its_order_and_keeps_its_labels():
    draft = made_up({"stage": ["I", "II", "III", "IV"] * 50})
    with pytest.raises(PlanError, match="without an order"):
        SwapRanks("stage").apply(draft, resources())
    column = replace(draft["stage"], order=("I", "II", "III", "IV"), value_labels={"I": "one"})
    ordered = replace(draft, columns=(column,))
    after = SwapRanks("stage", share=30).apply(ordered, resources())
    assert Counter(values(after, "stage")) == dict.fromkeys(("I", "II", "III", "IV"), 50)
    assert not any({a, b} >= {"I", "IV"} for a, b in zip(values(draft, "stage"), values(after, "stage"), strict=True))
    assert after["stage"] == column
    with pytest.raises(PlanError, match="50 records"):
        SwapRanks("stage").apply(replace(draft, columns=(replace(column, order=("I", "II", "III")),)), resources())


def test_other_steps_and_keys_decide_the_swaps_as_they_should():
    draft = made_up({"income": INCOMES[:200], "other": INCOMES[:200]})
    first = values(SwapRanks("income").apply(draft, resources()), "income")
    moved = SwapRanks("other").apply(draft, resources("before"))
    assert values(SwapRanks("income").apply(moved, resources()), "income") == first
    assert values(SwapRanks("income").apply(draft, resources(project="other")), "income") != first


def test_a_share_below_one_rank_is_an_error():
    with pytest.raises(PlanError, match="less than one rank"):
        SwapRanks("v").apply(made_up({"v": [1, 2, 3]}), resources())
    with pytest.raises(PlanError, match="fewer than two"):
        SwapRanks("v").apply(made_up({"v": pa.array([1, None])}), resources())
    with pytest.raises(PlanError, match="at most 100"):
        SwapRanks("v", share=101)


def changes(step, column=SMOKERS):
    draft = made_up({"smoker": column})
    return Counter(zip(column, values(step.apply(draft, resources()), "smoker"), strict=True))


def close(found, wanted):
    """Within five standard deviations of what the matrix says."""
    size = sum(found.values())
    for (i, j), p in wanted.items():
        n = sum(m for (a, _), m in found.items() if a == i)
        assert abs(found[i, j] - n * p) <= 5 * (n * p * (1 - p)) ** 0.5 + 1e-9, (i, j)
    assert sum(found[pair] for pair in wanted) == size


def flat(matrix):
    return {(i, j): p for i, row in matrix.items() for j, p in row.items() if p}


def test_categories_change_by_the_matrix():
    close(changes(PostRandomise("smoker", matrix=MATRIX)), flat(MATRIX))


@pytest.mark.parametrize("invariant", [False, True])
def test_what_is_not_kept_is_spread_by_frequency(invariant):
    step = PostRandomise("smoker", keep=0.6, invariant=invariant)
    matrix = step.transitions(Counter(SMOKERS))
    stays = 0.6 + 0.4 * 0.5 if invariant else 0.6
    assert matrix["no"]["no"] == pytest.approx(stays)
    assert matrix["no"]["yes"] == pytest.approx(0.4 * 0.3 if invariant else 0.4 * 3 / 5)
    close(changes(step), flat(matrix))


@pytest.mark.parametrize("given", [{"keep": 0.6}, {"matrix": MATRIX}, {"keep": 0}], ids=str)
def test_an_invariant_matrix_keeps_the_expected_frequencies_and_its_rows_add_up_to_one(given):
    frequencies = Counter(SMOKERS)
    matrix = PostRandomise("smoker", invariant=True, **given).transitions(frequencies)
    for j, n in frequencies.items():
        assert sum(frequencies[i] * matrix[i][j] for i in frequencies) == pytest.approx(n)
    assert all(sum(row.values()) == pytest.approx(1) for row in matrix.values())


def test_types_labels_and_missing_values_survive_and_both_engines_change_alike(engine):
    table = {
        "smoker": pa.array(["no", "yes", None, "it's"] * 50),
        "grade": pa.array([1, 2, 3, None] * 50, pa.int32()),
        "dead": pa.array([True, False, None, False] * 50),
    }
    steps = [
        PostRandomise("smoker", keep=0.5),
        PostRandomise("grade", matrix={1: {2: 0.5, 1: 0.5}, 2: {3: 1}, 3: {3: 1}}),
        PostRandomise("dead", matrix={True: {False: 0.25, True: 0.75}, False: {False: 1}}),
    ]
    here, there = made_up(table, engine), made_up(table)
    for step in steps:
        here, there = (step.apply(draft, resources(step.column)) for draft in (here, there))
    assert values(here, *table) == values(there, *table)
    assert [here.kind(name) for name in table] == ["text", "integer", "boolean"]
    assert [v is None for v in values(here, "grade")] == [False, False, False, True] * 50
    assert here.names == tuple(table)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "either a `matrix` or"),
        ({"keep": 0.5, "matrix": MATRIX}, "either a `matrix` or"),
        ({"keep": 1.5}, "from 0 to 1"),
        ({"matrix": {"a": {"a": 0.5}}}, "must add up to 1"),
        ({"matrix": {"a": {"a": 1.5, "b": -0.5}, "b": {"b": 1}}}, "must not be negative"),
        ({"matrix": {"a": {"b": 1}}}, "has no row itself"),
        ({"matrix": {"a": 1}}, "{from: {to: probability}}"),
    ],
)
def test_a_wrong_matrix_is_said_at_once(given, words):
    with pytest.raises(PlanError, match=words):
        PostRandomise("smoker", **given)


def test_a_category_without_a_row_is_an_error_that_does_not_name_it():
    draft = made_up({"smoker": [*SMOKERS, "sometimes", "sometimes"]})
    with pytest.raises(PlanError, match=r"no row for 1 category .*\(2 records\)") as raised:
        PostRandomise("smoker", matrix=MATRIX).apply(draft, resources())
    assert "sometimes" not in str(raised.value)


def test_what_cannot_be_categories_is_said():
    for column, words in (
        ([1.5, 2.5], "not categories"),
        (["a", "a"], "no other to change to"),
        ([f"c{i}" for i in range(101)], "more than 100"),
    ):
        with pytest.raises(PlanError, match=words):
            PostRandomise("v", keep=0.5).apply(made_up({"v": column}), resources())


def test_a_column_without_any_value_stays_as_it_is():
    draft = made_up({"v": pa.array([None, None], pa.string())})
    assert values(PostRandomise("v", keep=0.5).apply(draft, resources()), "v") == [None, None]


def test_explanations_and_examples_follow_from_the_parameters():
    assert "kept with probability 0.8 at least" in PostRandomise("v", keep=0.8, invariant=True).explained()
    assert PostRandomise("v", matrix=MATRIX).examples()[1] == ("no", "no (90%), yes (10%)")
    ((before, after),) = SwapRanks("v", share=30).examples()
    assert before != after
    assert sorted(before.split(", ")) == sorted(after.split(", "))
