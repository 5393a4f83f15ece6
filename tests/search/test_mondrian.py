"""Mondrian: every group keeps to the policy, labels cover their values, and nobody is lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.search.census import census
from tests.search.small_tables import Small, policies, required, small_tables

from sfumato.errors import PolicyError, SchemaError
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.local.counted_tuples import OrderedColumn
from sfumato.search.local.mondrian import Cut, mondrian
from sfumato.search.local.recoding import Recoding


def covered(small: Small, found: Recoding) -> bool:
    """Whether the label of every record says what the record has, read from the label alone."""
    for row, group in zip(found.tuples.codes.tolist(), found.group.tolist(), strict=True):
        for j, (column, code) in enumerate(zip(small.columns, row, strict=True)):
            label = found.label(group, j)
            if isinstance(column, OrderedColumn):
                if label is None or label == "*":
                    assert label == "*" or code == column.missing
                else:
                    ends = [float(end) for end in label.strip("[]").split(", ")]
                    assert code < column.missing
                    assert ends[0] <= float(column.texts[code]) <= ends[-1]
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
    found = mondrian(small.tuples, required(k=1), cuts=(Cut.WIDEST,))
    assert found.loss == 0
    assert found.classes == len({tuple(row) for row in small.rows})


@settings(max_examples=60)
@given(small_tables(), policies())
def test_the_same_tuples_in_another_order_lose_the_same(small, policy):
    if small.feasible(policy):
        other = Small(small.columns, small.rows[::-1], small.sensitive[::-1])
        assert mondrian(small.tuples, policy).loss == mondrian(other.tuples, policy).loss


def ordered(texts: list[str], rows: list[int]) -> Small:
    return Small((OrderedColumn.of("x", texts),), tuple((row,) for row in rows), (None,) * len(rows))


def test_a_missing_value_is_no_part_of_an_interval():
    texts, rows = ["1", "2", "3"], [0, 1, 2, 3]
    found = mondrian(ordered(texts, rows).tuples, required(k=2))
    assert {found.label(g, 0) for g in range(found.classes)} == {"[1, 2]", "*"}
    alone = mondrian(ordered(texts, rows * 2).tuples, required(k=2))
    assert {alone.label(g, 0) for g in range(alone.classes)} == {"1", "2", "3", None}


def test_dates_are_cut_in_the_order_of_the_calendar():
    found = mondrian(
        ordered(["2020-01-09", "2019-12-31", "2020-01-10", "2021-05-05"], [0, 1, 2, 3]).tuples, required(k=2)
    )
    assert {found.label(g, 0) for g in range(found.classes)} == {
        "[2019-12-31, 2020-01-09]", "[2020-01-10, 2021-05-05]"
    }  # fmt: skip


def test_texts_have_no_order():
    with pytest.raises(SchemaError, match="'x'"):
        OrderedColumn.of("x", ["1", "soon"])


def test_numbers_beyond_those_of_floating_point_stay_apart():
    assert OrderedColumn.of("x", ["9007199254740993", "9007199254740992", "-0.5"]).texts == (
        "-0.5", "9007199254740992", "9007199254740993"
    )  # fmt: skip


def test_what_a_check_finds_is_not_what_the_search_says():
    tuples = ordered(["1", "2"], [0, 1, 1]).tuples
    apart = Recoding.of(tuples, np.array([0, 1]))
    assert apart.keeps(required(k=1))
    assert not apart.keeps(required(k=2))
    wrong = Recoding(tuples, np.array([0, 0]), apart.low[:1], apart.high[:1], apart.levels[:1], apart.gone[:1])
    assert not wrong.keeps(required(k=1))  # the label says 1 of a record that has 2


@pytest.mark.parametrize(("k", "classes", "loss"), [(2, 9932, 0.02187), (5, 4147, 0.06580), (10, 2097, 0.11604)])
def test_cuts_of_the_widest_column_on_the_census_table(shared, k, classes, loss):
    """With age as a number and equal halves, as in the paper. Age counts in shares of the 72 ages that occur."""
    found = mondrian(census(shared, ordered=["age"]), required(k=k), cuts=(Cut.WIDEST,))
    assert (found.classes, round(found.loss, 5)) == (classes, loss)
    assert found.keeps(required(k=k))


def test_cuts_that_look_at_the_loss_lose_less_on_the_census_table(shared):
    found = mondrian(census(shared, ordered=["age"]), required(k=5))
    assert found.loss < 0.0600
    assert found.keeps(required(k=5))


def test_three_different_occupations_in_every_class_of_the_census_table(shared):
    policy = Policy((Requirement(KAnonymity(), 5), Requirement(DistinctLDiversity("occupation"), 3)))
    found = mondrian(census(shared, sensitive="occupation"), policy)
    assert found.keeps(policy)
    assert found.sizes.sum() == 30162
