"""Searches in which persons have several different records."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search import by_hand
from tests.search.test_brute_force import OBJECTIVES, asked, condensed, dataset, holds_below, policies, searched, tasks
from tests.search.test_brute_force import tables as plain_tables
from tests.search.worlds import World

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.loss import Loss

AGES = Hierarchy((("20", "20-", "*"), ("25", "20-", "*"), ("30", "30-", "*"), ("35", "30-", "*")))


@st.composite
def crowds(draw: st.DrawFn) -> World:
    """Records of a few persons, of some of whom it is not known whose they are."""
    world = draw(plain_tables())
    whose = st.sampled_from([None, 1, 2, 3, 4, 5, 6, 7])
    return replace(world, persons=draw(st.lists(whose, min_size=len(world.rows), max_size=len(world.rows))))


def ages(values: list[str], persons: list[int | None]) -> World:
    return World([(value,) for value in values], ["u"] * len(values), [AGES], persons)


@pytest.mark.parametrize("name", OBJECTIVES)
@settings(max_examples=25)
@given(world=crowds(), policy=policies(), task=tasks())
def test_the_search_finds_what_looking_everywhere_finds_with_persons(
    name: str, world: World, policy: list[tuple[str, float]], task: dict[str, Any]
) -> None:
    searched(name, world, policy, **task)


@settings(max_examples=150)
@given(world=crowds(), policy=policies())
def test_what_a_node_says_of_all_below_it_holds_there_with_persons(
    world: World, policy: list[tuple[str, float]]
) -> None:
    holds_below(world, policy)


@settings(max_examples=25)
@given(world=crowds(), policy=policies(), levels=st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_the_classes_that_go_are_those_that_the_measures_flag(
    world: World, policy: list[tuple[str, float]], levels: list[int]
) -> None:
    """By hand and in the search, at a node whose labels were written into a table and read by the engine."""
    policy = [(name, bound) for name, bound in policy if name != "average risk"] or [("k", 2)]
    node = tuple(min(level, tree.height) for level, tree in zip(levels, world.hierarchies, strict=False))
    rows = [tuple(tree.label(value, level) for tree, value, level in zip(world.hierarchies, row, node, strict=True))
            for row in world.rows]  # fmt: skip
    classes = replace(dataset(replace(world, rows=rows)), hierarchies={}).classes()
    flagged = [
        classes.engine.fetch(f"""SELECT sum(records), array_agg(class.class_id) FROM {classes.table} AS class
            JOIN {requirement.measure.readings(classes)} AS reading ON reading.class_id = class.class_id
            WHERE {requirement.broken("reading.reading")}""")[0]
        for requirement in asked(policy).requirements
    ]
    coded = CodedClasses.at(condensed(world), node)
    rules = PolicyRules.of(asked(policy))
    broken = {rule.requirement.measure: int(coded.records[rule.judge(coded).broken].sum()) for rule in rules.rules}
    assert [broken[r.measure] for r in asked(policy).requirements] == [int(records or 0) for records, _ in flagged]
    gone = {class_id for _, ids in flagged for class_id in ids or []}
    by_engine = classes.engine.fetch(f"SELECT class_id, records FROM {classes.table}")
    suppressed = sum(int(records) for class_id, records in by_engine if class_id in gone)
    suppression = rules.suppression(coded, float("inf"))
    assert suppression is not None
    assert int(coded.records[suppression.here].sum()) == suppressed == len(by_hand.release(world, node, policy).gone)


def test_a_person_of_several_records_is_one_member_of_a_class() -> None:
    """Four records of two persons: each decade has one of them, and only all ages together have both."""
    world = ages(["20", "25", "30", "35"], [1, 1, 2, 2])
    table = condense(dataset(world))
    assert CodedClasses.at(table, (0,)).packed.members.tolist() == [1, 1, 1, 1]
    assert CodedClasses.at(table, (1,)).packed.members.tolist() == [1, 1]
    assert CodedClasses.at(table, (1,)).packed.records.tolist() == [2, 2]
    assert CodedClasses.at(table, (2,)).packed.members.tolist() == [2]
    solution = OptimalSearch(asked([("k", 2)]), Loss()).of(dataset(world))
    assert solution.levels == {"q0": 2}


def test_a_person_may_be_in_several_classes_and_records_without_a_subject_are_persons_of_their_own() -> None:
    table = condense(dataset(ages(["20", "30", "20", "30", "30"], [1, 1, None, None, None])))
    assert CodedClasses.at(table, (0,)).packed.members.tolist() == [2, 3]
    assert CodedClasses.at(table, (2,)).packed.members.tolist() == [4]


def test_rows_of_persons_that_become_one_count_once() -> None:
    table = condense(dataset(ages(["20", "25", "25", "30"], [1, 1, 2, 2])))
    rolled = CodedClasses.at(table, (2,)).rolled((1,))
    assert rolled.table.rows == 3
    assert rolled.table.members.tolist() == [1, 1, 1]
    assert rolled.refined((1,)).packed.members.tolist() == [2, 1]


def test_a_table_whose_persons_have_one_record_each_needs_no_numbers_of_persons() -> None:
    assert condense(dataset(ages(["20", "20", "30"], [1, 1, 2]))).persons is None


def test_suppression_limits_count_records_and_not_persons() -> None:
    """Person 1 has six of the ten records, alone at the age of 20."""
    world = ages(["20"] * 5 + ["25"] + ["30"] * 4, [1] * 6 + [2, 3, 4, 1])
    at = {limit: OptimalSearch(asked([("k", 2)]), Loss(), limit, limits={"q0": (0, 1)}) for limit in (0.59, 0.6)}
    assert at[0.6].of(dataset(world)).suppressed == 6
    with pytest.raises(Exception, match="No combination of levels"):
        at[0.59].of(dataset(world))
