"""Mondrian: every group keeps to the policy, labels cover their values, and nobody is lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.search.census import census
from tests.search.small_tables import Small, policies, small_tables

from sfumato.errors import PolicyError
from sfumato.group_rules import ClassPolicy, DistinctValues, at_least, class_policy
from sfumato.partitioning import CountedTuples, Order
from sfumato.policy import Policy, Requirement
from sfumato.recoding import Recoding
from sfumato.search.mondrian import Cut, mondrian


def covered(small: Small, found: Recoding) -> bool:
    """Whether the label of every record says what the record has, read from the label alone."""
    for row, group in zip(found.tuples.codes.tolist(), found.group.tolist(), strict=True):
        for j, (column, code) in enumerate(zip(small.columns, row, strict=True)):
            label = found.label(group, j)
            if isinstance(column, Order):
                if label is None or label == "*":
                    assert label == "*" or code == column.missing
                else:
                    ends = [float(end) for end in label.strip("[]").split(", ")]
                    assert code < column.missing
                    assert ends[0] <= column.numbers[code] <= ends[-1]
            else:
                assert label in [column.labels[n][int(column.nodes[n, code])] for n in range(column.height + 1)]
    return True


@settings(max_examples=150)
@given(small_tables(), policies())
def test_every_class_keeps_to_the_policy_and_no_record_is_lost(small, policy):
    if not small.feasible(policy):
        with pytest.raises(PolicyError):
            mondrian(small.tuples, policy)
        return
    found = mondrian(small.tuples, policy)
    classes = small.classes(found)
    assert all(small.met(policy, values) for values in classes.values())
    assert sum(map(len, classes.values())) == len(small.rows) == found.sizes.sum()
    assert found.keeps(policy)
    assert covered(small, found)


@settings(max_examples=60)
@given(small_tables())
def test_with_k_1_every_value_stays_as_it_is(small):
    found = mondrian(small.tuples, at_least(1), cuts=(Cut.WIDEST,))
    assert found.loss == 0
    assert found.classes == len({tuple(row) for row in small.rows})


@settings(max_examples=60)
@given(small_tables(), policies())
def test_the_same_tuples_in_another_order_lose_the_same(small, policy):
    if small.feasible(policy):
        other = Small(small.columns, small.rows[::-1], small.sensitive[::-1])
        assert mondrian(small.tuples, policy).loss == mondrian(other.tuples, policy).loss


def test_a_missing_value_is_no_part_of_an_interval():
    column = Order("x", np.array([1.0, 2.0, 3.0]))
    rows = np.array([[0], [1], [2], [3]], dtype=np.int32)
    found = mondrian(CountedTuples.of([column], rows), at_least(2))
    assert {found.label(g, 0) for g in range(found.classes)} == {"[1, 2]", "*"}
    alone = mondrian(CountedTuples.of([column], np.repeat(rows, 2, axis=0)), at_least(2))
    assert {alone.label(g, 0) for g in range(alone.classes)} == {"1", "2", "3", None}


def test_what_a_check_finds_is_not_what_the_search_says():
    column = Order("x", np.array([1.0, 2.0]))
    tuples = CountedTuples.of([column], np.array([[0], [1], [1]], dtype=np.int32))
    apart = Recoding.of(tuples, np.array([0, 1]))
    assert apart.keeps(at_least(1))
    assert not apart.keeps(at_least(2))
    wrong = Recoding(tuples, np.array([0, 0]), apart.low[:1], apart.high[:1], apart.levels[:1])
    assert not wrong.keeps(at_least(1))  # the label says 1 of a record that has 2


def test_a_model_that_partitioning_does_not_know_is_refused():
    from sfumato.privacy.basic_beta_likeness import BasicBetaLikeness

    with pytest.raises(PolicyError, match="basic_beta_likeness"):
        class_policy(Policy((Requirement(BasicBetaLikeness("s"), 1),)))
    column = Order("x", np.array([1.0]))
    with pytest.raises(PolicyError, match="'disease'"):
        mondrian(
            CountedTuples.of([column], np.array([[0]], dtype=np.int32)), ClassPolicy((DistinctValues("disease", 1),))
        )


@pytest.mark.parametrize(("k", "classes", "loss"), [(2, 9932, 0.02187), (5, 4147, 0.06580), (10, 2097, 0.11604)])
def test_cuts_of_the_widest_column_on_the_census_table(shared, k, classes, loss):
    """With age as a number and equal halves, as in the paper. Age counts in shares of the 72 ages that occur."""
    found = mondrian(census(shared, ordered=["age"]), at_least(k), cuts=(Cut.WIDEST,))
    assert (found.classes, round(found.loss, 5)) == (classes, loss)
    assert found.keeps(at_least(k))


def test_cuts_that_look_at_the_loss_lose_less_on_the_census_table(shared):
    found = mondrian(census(shared, ordered=["age"]), at_least(5))
    assert found.loss < 0.0600
    assert found.keeps(at_least(5))


def test_three_different_occupations_in_every_class_of_the_census_table(shared):
    policy = at_least(5, DistinctValues("occupation", 3))
    found = mondrian(census(shared, sensitive="occupation"), policy)
    assert found.keeps(policy)
    assert found.sizes.sum() == 30162
