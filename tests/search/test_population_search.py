"""Searches for a sample of a population."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.test_brute_force import OBJECTIVES, asked, condensed, dataset, holds_below, policies, searched, tasks
from tests.search.test_brute_force import tables as plain_tables
from tests.search.worlds import World

from sfumato.errors import PolicyError, SchemaError, UnplacedValues
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.dataset import Dataset
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.loss import Loss
from sfumato.tables.engine import Engine

AGES = Hierarchy((("20", "20-", "*"), ("25", "20-", "*"), ("30", "30-", "*"), ("35", "30-", "*")))
OF_POPULATIONS = ("k map", "presence", "least presence")


@st.composite
def samples(draw: st.DrawFn) -> World:
    """Records, whose persons may be known, and a population that has all of them and more."""
    world = draw(plain_tables())
    persons: list[int | None] | None = None
    if draw(st.booleans()):
        whose = st.sampled_from([None, 1, 2, 3, 4, 5])
        persons = draw(st.lists(whose, min_size=len(world.rows), max_size=len(world.rows)))
    row = st.tuples(*(st.sampled_from([*tree.values, None]) for tree in world.hierarchies))
    near = st.sampled_from(world.rows) | row
    others = draw(st.lists(st.tuples(near, st.sampled_from([None, None, 4, 5, 6, 7])), max_size=20))
    same = list(zip(world.rows, persons or [None] * len(world.rows), strict=True))
    nobody = [(row, None) for row, _ in (*same, *others)]
    return replace(world, persons=persons, everybody=[*same, *others] if persons else nobody)


def sample(ages: list[str], everybody: list[str]) -> World:
    return World([(age,) for age in ages], ["u"] * len(ages), [AGES], everybody=[((age,), None) for age in everybody])


@pytest.mark.parametrize("name", OBJECTIVES)
@settings(max_examples=25)
@given(world=samples(), policy=policies(*OF_POPULATIONS), task=tasks())
def test_the_search_finds_what_looking_everywhere_finds_with_a_population(
    name: str, world: World, policy: list[tuple[str, float]], task: dict[str, Any]
) -> None:
    searched(name, world, policy, **task)


@settings(max_examples=150)
@given(world=samples(), policy=policies(*OF_POPULATIONS))
def test_what_a_node_says_of_all_below_it_holds_there_with_a_population(
    world: World, policy: list[tuple[str, float]]
) -> None:
    holds_below(world, policy)


@settings(max_examples=40)
@given(world=plain_tables(), policy=policies(*OF_POPULATIONS))
def test_a_table_without_a_population_is_all_of_it(world: World, policy: list[tuple[str, float]]) -> None:
    holds_below(world, policy)


def test_combinations_that_only_the_population_has_are_rows_without_records() -> None:
    table = condensed(sample(["20", "20", "30"], ["20"] * 3 + ["30"] * 4 + ["35"] * 5))
    assert table.population is not None
    assert (table.records.tolist(), table.population.tolist()) == ([2, 1, 0], [3, 4, 5])
    assert (table.total, table.leaf_counts.sum()) == (3, 3)
    assert CodedClasses.at(table, (1,)).packed.population.tolist() == [3, 9]


def test_a_small_class_is_kept_where_enough_of_the_population_share_it() -> None:
    world = sample(["20", "30"], ["20"] * 5 + ["25"] + ["30"] * 4)
    assert OptimalSearch(asked([("k map", 4)]), Loss()).of(dataset(world)).levels == {"q0": 0}
    solution = OptimalSearch(asked([("k map", 5)]), Loss()).of(dataset(world))
    assert (solution.levels, solution.suppressed, solution.classes) == ({"q0": 2}, 0, 1)
    solution = OptimalSearch(asked([("k map", 5)]), Loss(), 0.5).of(dataset(world))
    assert (solution.levels, solution.suppressed, solution.classes, solution.sizes) == ({"q0": 0}, 1, 1, (1, 1))


def test_nothing_may_be_suppressed_for_a_least_presence() -> None:
    """Of three ages a third each was sampled, and nobody of a fourth, who is known not to be there until decades."""
    world = sample(["20", "25", "30"], ["20", "20", "20", "25", "25", "25", "30", "30", "30", "35", "35", "35"])
    solution = OptimalSearch(asked([("least presence", 0.1)]), Loss(), 0.9).of(dataset(world))
    assert (solution.levels, solution.suppressed) == ({"q0": 1}, 0)
    with pytest.raises(PolicyError, match="No combination of levels"):
        OptimalSearch(asked([("least presence", 0.3)]), Loss(), 0.9).of(dataset(world))


def test_values_of_the_population_that_a_hierarchy_lacks_are_said_to_be_in_the_population() -> None:
    with pytest.raises(UnplacedValues, match="in the population: 2 different, in 3 records") as raised:
        condensed(sample(["20"], ["20", "71", "71", "82"]))
    assert "71" not in str(raised.value)


def test_a_table_that_is_no_sample_of_the_population_is_refused() -> None:
    with pytest.raises(SchemaError, match="population lacks 1 combination of"):
        condensed(sample(["20", "30"], ["20", "35"]))
    with pytest.raises(SchemaError, match="more members than the population with 2 combinations"):
        condensed(sample(["20", "20", "30", "30"], ["20", "30"]))


def test_a_population_that_nobody_asks_for_is_not_read() -> None:
    world = sample(["20", "20"], ["71"])
    assert condense(dataset(world), population=False).population is None
    assert OptimalSearch(asked([("k", 2)]), Loss()).of(dataset(world)).levels == {"q0": 0}


def test_persons_and_a_population_are_condensed_alike_in_every_engine(engine: Engine) -> None:
    ages, towns = ["20", "20", "25", "30", None], ["20", "20", "25", "30", None, "35", "35", "20"]
    table = engine.load(pa.table({"q0": pa.array(ages, pa.string()), "who": pa.array([1, 2, 1, None, 3])}))
    whose = pa.array([1, 2, 1, None, 3, 9, 8, 9])
    everybody = engine.load(pa.table({"q0": pa.array(towns, pa.string()), "who": whose}))
    sampled = Dataset.of(table, {"q0": "quasi"}, subject="who").with_population(everybody)
    coded = condense(replace(sampled, hierarchies={"q0": AGES}))
    decades = CodedClasses.at(coded, (1,)).packed
    assert (decades.records.tolist(), decades.members.tolist()) == ([3, 1, 1], [2, 1, 1])
    assert decades.population.tolist() == [3, 3, 1]
    assert CodedClasses.at(coded, (2,)).packed.population.tolist() == [6]
