"""Searches for several attackers at once, each of whom knows some of the columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search import by_hand
from tests.search.test_brute_force import (
    OBJECTIVES,
    asked,
    condensed,
    dataset,
    holds_below,
    known,
    policies,
    searched,
    tasks,
)
from tests.search.test_brute_force import tables as plain_tables
from tests.search.test_persons_search import crowds
from tests.search.test_population_search import OF_POPULATIONS, samples
from tests.search.worlds import World

from sfumato.errors import UnknownColumn
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.policy import Scenario
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.average_class_size import ClassSize
from sfumato.search.objectives.loss import Loss

FLAT = Hierarchy((("a", "*"), ("b", "*"), ("c", "*")))


@st.composite
def seen(draw: st.DrawFn, worlds: st.SearchStrategy[World]) -> World:
    """A world with two or three attackers."""
    world = draw(worlds)
    columns = st.lists(st.integers(0, len(world.hierarchies) - 1), min_size=1, max_size=3, unique=True)
    scenarios = draw(st.lists(columns.map(lambda some: tuple(sorted(some))), min_size=1, max_size=3))
    return replace(world, scenarios=scenarios)


def pairs(rows: list[str]) -> World:
    """Records of two columns, of which one attacker knows the first and another the second."""
    return World([(row[0], row[1]) for row in rows], ["u"] * len(rows), [FLAT, FLAT], scenarios=[(0,), (1,)])


@pytest.mark.parametrize("name", OBJECTIVES)
@settings(max_examples=25)
@given(world=seen(plain_tables(2)), policy=policies(), task=tasks())
def test_the_search_finds_what_looking_everywhere_finds_in_scenarios(
    name: str, world: World, policy: list[tuple[str, float]], task: dict[str, Any]
) -> None:
    searched(name, world, policy, **task)


@pytest.mark.parametrize("name", ["loss", "nue", "class size", "divergence"])
@settings(max_examples=20)
@given(world=seen(crowds()), policy=policies(), task=tasks())
def test_persons_in_scenarios_are_counted_in_each(
    name: str, world: World, policy: list[tuple[str, float]], task: dict[str, Any]
) -> None:
    searched(name, world, policy, **task)


@pytest.mark.parametrize("name", ["loss", "nue", "class size", "divergence"])
@settings(max_examples=20)
@given(world=seen(samples()), policy=policies(*OF_POPULATIONS), task=tasks())
def test_nobody_of_the_population_goes_with_a_record(
    name: str, world: World, policy: list[tuple[str, float]], task: dict[str, Any]
) -> None:
    searched(name, world, policy, **task)


@settings(max_examples=120)
@given(world=seen(plain_tables(2)) | seen(crowds()), policy=policies())
def test_what_a_node_says_of_all_below_it_holds_there_in_scenarios(
    world: World, policy: list[tuple[str, float]]
) -> None:
    holds_below(world, policy)


@settings(max_examples=80)
@given(world=seen(samples()), policy=policies(*OF_POPULATIONS))
def test_what_a_node_says_of_all_below_it_holds_there_in_scenarios_of_a_population(
    world: World, policy: list[tuple[str, float]]
) -> None:
    holds_below(world, policy)


@settings(max_examples=60)
@given(world=seen(plain_tables(2)), k=st.integers(1, 5), levels=st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_no_larger_set_of_records_keeps_to_k_in_every_scenario(world: World, k: int, levels: list[int]) -> None:
    """What is kept is the union of all sets of classes that keep to it, where there are few enough to try them all."""
    node = tuple(min(level, tree.height) for level, tree in zip(levels, world.hierarchies, strict=False))
    classes = CodedClasses.at(condensed(world), node).packed
    if classes.space > 9:
        return
    table, largest = classes.table, np.zeros(classes.space, dtype=bool)
    keys = [
        [tuple(int(table.labels(j, node[j])[row]) for j in columns) for row in classes.examples]
        for columns in world.scenarios or []
    ]
    for chosen in range(2**classes.space):
        marks = np.array([chosen >> i & 1 for i in range(classes.space)], dtype=bool)
        sizes = [
            {key: sum(classes.records[i] for i in np.flatnonzero(marks) if own[i] == key) for key in own}
            for own in keys
        ]
        if all(sizes[s][own[i]] >= k for s, own in enumerate(keys) for i in np.flatnonzero(marks)):
            largest |= marks
    suppression = PolicyRules.of(asked([("k", k)]), known(world)).suppression(classes, float("inf"))
    assert suppression is not None
    assert (~suppression.here).tolist() == largest.tolist()


@settings(max_examples=40)
@given(world=plain_tables(), policy=policies(), task=tasks())
def test_one_attacker_who_knows_everything_is_no_scenario_at_all(
    world: World, policy: list[tuple[str, float]], task: dict[str, Any]
) -> None:
    searched("loss", replace(world, scenarios=[tuple(range(len(world.hierarchies)))]), policy, **task)


def test_a_record_that_goes_for_one_attacker_may_leave_another_record_alone() -> None:
    """The only c of the first column goes; it shared its b with one record, which goes as well, and no other does."""
    world = pairs(["aa", "aa", "aa", "ab", "cb"])
    suppression = PolicyRules.of(asked([("k", 2)]), known(world)).suppression(
        CodedClasses.at(condensed(world), (0, 0)), float("inf")
    )
    assert suppression is not None
    assert (suppression.forced, by_hand.release(world, (0, 0), [("k", 2)]).gone) == (2, [3, 4])


def test_who_knows_one_column_cannot_tell_combinations_of_two() -> None:
    """Nine different pairs, each value three times in its column: nothing needs to change."""
    world = pairs([x + y for x in "abc" for y in "abc"])
    for objective in (Loss(), ClassSize()):
        solution = OptimalSearch(asked([("k", 3)]), objective, scenarios=known(world)).of(dataset(world))
        assert (solution.levels, solution.suppressed, solution.classes) == ({"q0": 0, "q1": 0}, 0, 9)
    together = OptimalSearch(asked([("k", 3)]), Loss()).of(dataset(world))
    assert sum(together.levels.values()) == 1


def test_a_scenario_with_a_column_that_is_not_searched_is_refused() -> None:
    world = pairs(["aa", "bb"])
    with pytest.raises(UnknownColumn, match="'zip'"):
        OptimalSearch(asked([("k", 2)]), Loss(), scenarios=[Scenario("neighbour", ["q0", "zip"])]).of(dataset(world))
