"""Class rules: what they say of many classes at once is what the definitions say of each."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.small_tables import policies, small_tables

from sfumato.errors import PolicyError
from sfumato.group_rules import AtLeast, ClassPolicy, CloseValues, DistinctValues, EvenValues, class_policy
from sfumato.hierarchy import Hierarchy
from sfumato.partitioning import CountedTuples, Tree
from sfumato.policy import Policy, Requirement
from sfumato.privacy.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.entropy_l_diversity import EntropyLDiversity
from sfumato.privacy.k_anonymity import KAnonymity
from sfumato.privacy.t_closeness import TCloseness


@settings(max_examples=300)
@given(small_tables(), policies(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_a_rule_says_of_every_class_what_its_definition_says(small, policy, count, random):
    tuples = small.tuples
    group = np.array([random.randrange(count) for _ in tuples.counts], dtype=np.int64)
    _, group = np.unique(group, return_inverse=True)
    places = {tuple(row): i for i, row in enumerate(tuples.codes.tolist())}
    met = policy.met(tuples, np.arange(len(group)), group, int(group.max()) + 1)
    for number, found in enumerate(met.tolist()):
        values = [value for row, value in zip(small.rows, small.sensitive, strict=True) if group[places[row]] == number]
        assert found == small.met(policy, values)


@settings(max_examples=100)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.lists(st.integers(0, 3), max_size=12))
def test_distance_and_entropy_hold_at_their_bounds_and_no_further(inside, outside):
    """One class of two: a millionth less than what it reads is too strict, a millionth more is not."""
    tree = Tree.of("x", Hierarchy((("a", "*"), ("b", "*"))))
    rows = np.array([[0]] * len(inside) + [[1]] * len(outside), dtype=np.int32)
    tuples = CountedTuples.of([tree], rows, [("s", [*inside, *outside])])
    share = {v: inside.count(v) / len(inside) for v in range(4)}
    whole = {v: (inside + outside).count(v) / len(rows) for v in range(4)}
    away = sum(abs(share[v] - whole[v]) for v in range(4)) / 2
    even = math.exp(-sum(q * math.log(q) for q in share.values() if q))

    def met(rule) -> bool:
        return bool(ClassPolicy((rule,)).met(tuples, np.array([0]), np.array([0]), 1)[0])

    assert met(CloseValues("s", away + 1e-6))
    assert met(EvenValues("s", even - 1e-6))
    assert not met(EvenValues("s", even + 1e-6))
    assert away < 1e-6 or not met(CloseValues("s", away - 1e-6))


def test_requirements_become_rules():
    requirements = (
        Requirement(KAnonymity(), 5), Requirement(DistinctLDiversity("s"), 3), Requirement(EntropyLDiversity("s"), 2.5),
        Requirement(TCloseness("s"), 0.2), Requirement(KAnonymity()),
    )  # fmt: skip
    found = class_policy(Policy(requirements))
    assert found.rules == (AtLeast(5), DistinctValues("s", 3), EvenValues("s", 2.5), CloseValues("s", 0.2))
    assert found.least == 5
    with pytest.raises(PolicyError, match="without bins"):
        class_policy(Policy((Requirement(TCloseness("s", bins=(1.0, 2.0)), 0.2),)))
