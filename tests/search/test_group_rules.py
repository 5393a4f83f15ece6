"""Group rules: what they say of groups of tuples is what the definitions say of each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.small_tables import policies, required, small_tables

from sfumato.errors import HierarchyError, PolicyError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.classes import Value
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.models.average_risk import AverageRisk
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.k_map import KMap
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.local.counted_tuples import CountedTuples
from sfumato.search.local.group_rules import GroupRules
from sfumato.studies.printed_tables import rows

AGES = {"age": Hierarchy((("30", "*"), ("40", "*"), ("9", "*"), ("50", "*")))}


def patients(**more: str) -> CountedTuples:
    records = [(40, "a", 1), (9, "b", 2), (40, "b", 2), (40, "a", 3), (None, "a", 4)]
    dataset = replace(rows(records, ["age", "s", "person"], age="quasi", s="sensitive", **more), hierarchies=AGES)
    return CountedTuples.of_condensed(condense(dataset, [Value("s")]), AGES, ordered=["age"])


@settings(max_examples=300)
@given(small_tables(), policies(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_a_rule_says_of_every_group_what_its_definition_says(small, policy, count, random):
    tuples = small.tuples
    group = np.array([random.randrange(count) for _ in tuples.counts], dtype=np.int64)
    _, group = np.unique(group, return_inverse=True)
    places = {tuple(row): i for i, row in enumerate(tuples.codes.tolist())}
    met = GroupRules.of(tuples, policy).met(np.arange(len(group)), group, int(group.max()) + 1)
    for number, found in enumerate(met.tolist()):
        values = [value for row, value in zip(small.rows, small.sensitive, strict=True) if group[places[row]] == number]
        assert found == small.met(policy, values)


@settings(max_examples=100)
@given(small_tables(), policies(), st.randoms(use_true_random=False))
def test_a_union_of_groups_that_keep_to_a_policy_keeps_to_it(small, policy, random):
    tuples = small.tuples
    sides = np.array([random.randrange(3) for _ in tuples.counts])
    rules = GroupRules.of(tuples, policy)
    first, second = (np.flatnonzero(sides == side) for side in (0, 1))
    if len(first) and len(second) and rules.together(first) and rules.together(second):
        assert rules.together(np.concatenate([first, second]))


def test_rows_that_differ_in_a_sensitive_value_only_are_one_tuple():
    tuples = patients()
    assert [tuples.columns[0].text(code) for code in tuples.codes[:, 0].tolist()] == ["40", "9", None]
    assert tuples.counts.tolist() == [3, 1, 1]
    assert tuples.table.rows == 4
    rules = GroupRules.of(tuples, Policy((Requirement(DistinctLDiversity("s"), 2),)))
    assert rules.met(np.array([2, 0, 1]), np.array([1, 0, 1]), 2).tolist() == [True, True]
    assert rules.met(np.array([2, 0]), np.array([1, 0]), 2).tolist() == [True, False]


def test_values_of_an_ordered_column_that_do_not_occur_have_no_place():
    assert patients().columns[0].texts == ("9", "40")


def test_a_table_needs_the_hierarchies_it_was_condensed_by():
    table = patients().table
    with pytest.raises(HierarchyError, match="'age'"):
        CountedTuples.of_condensed(table, {})
    with pytest.raises(HierarchyError, match="'age'"):
        CountedTuples.of_condensed(table, {"age": Hierarchy((("9", "*"),))})


def test_size_decides_alone_only_where_members_are_records():
    tuples = patients()
    assert GroupRules.of(tuples, required(k=3)).by_size
    assert GroupRules.of(tuples, required(k=3, risk=0.2)).by_size
    assert not GroupRules.of(tuples, required(k=3, distinct=2)).by_size
    table = replace(tuples.table, members=tuples.table.records // tuples.table.records, one_record_each=False)
    persons = GroupRules.of(replace(tuples, table=table), required(k=3))
    assert not persons.by_size
    assert persons.met(np.array([0]), np.array([0]), 1).tolist() == [False]  # three records, of two persons


def test_what_is_true_of_a_table_as_a_whole_is_refused_with_a_way_out():
    with pytest.raises(PolicyError, match="k_anonymity >= 7"):
        GroupRules.of(patients(), Policy((Requirement(AverageRisk(), 0.15),)))
    with pytest.raises(PolicyError, match="k_map"):
        GroupRules.of(patients(), Policy((Requirement(KMap(), 3),)))


def test_a_sensitive_value_that_was_not_counted_is_named():
    with pytest.raises(PolicyError, match="'disease'"):
        GroupRules.of(patients(), Policy((Requirement(KAnonymity(), 1), Requirement(DistinctLDiversity("disease"), 1))))
