"""Advice on a policy that cannot be met: each change does it alone, and a smaller one would not."""

from __future__ import annotations

import re
from itertools import product
from math import floor, log10
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.search import by_hand
from tests.search.test_brute_force import REQUIREMENTS, coded, condensed, hierarchies, tables
from tests.search.worlds import Row, World

from sfumato.errors import InfeasiblePolicy, PolicyError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.models.alpha_k_anonymity import AlphaKAnonymity
from sfumato.privacy.models.average_risk import AverageRisk
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.entropy_l_diversity import EntropyLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.maximum_risk import MaximumRisk
from sfumato.privacy.models.recursive_l_diversity import RecursiveLDiversity
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.policy import Policy, Requirement
from sfumato.privacy.requirement_text import parsed
from sfumato.search import feasibility
from sfumato.search.feasibility import Advice, PolicyChange, advice, impossible, sensitive_quasi_identifiers
from sfumato.search.levels.optimal import Optimal
from sfumato.search.objectives.loss import Loss

ASKED = {"k": [3, 5, 9], "distinct": [2, 3, 4], "entropy": [2.0, 2.7], "t": [0.05, 0.3], "beta": [0.4, 1.0],
         "alpha": [0.4, 0.6], "recursive": [1.0, 2.0], "delta": [0.7, 1.2]}  # fmt: skip
MEASURES = {"k_anonymity": "k", "distinct_l_diversity": "distinct", "entropy_l_diversity": "entropy",
            "t_closeness": "t", "basic_beta_likeness": "beta", "alpha_k_anonymity": "alpha",
            "recursive_l_diversity": "recursive", "delta_disclosure": "delta"}  # fmt: skip
OPTIONS = {"k": "k", "l": "distinct", "t": "t"}
Limits = dict[str, tuple[int, int]]


def fewest(table: Any, limits: Limits, policy: list[tuple[str, float]]) -> int:
    """The fewest records that any combination of levels suppresses, by trying them all."""
    trees, rows, secrets = table.hierarchies, table.rows, table.secrets
    ends = [limits.get(f"q{j}", (0, tree.height)) for j, tree in enumerate(trees)]
    return min(
        len(by_hand.release(World(rows, secrets, trees), node, policy).gone)
        for node in product(*(range(low, high + 1) for low, high in ends))
    )


def rewritten(write: str) -> tuple[str, float]:
    """The rule and bound that were written."""
    short = re.fullmatch(r"--([klt]) ([\d.e+-]+)", write)
    if short:
        return OPTIONS[short[1]], float(short[2])
    long = re.fullmatch(r'--require "(.*)"', write)
    assert long
    requirement = parsed(long[1])
    assert requirement.bound is not None
    return MEASURES[requirement.measure.name()], requirement.bound


def tighter(rule: str, bound: float, asked: float) -> float:
    """The bound a step closer to what was asked."""
    if rule in ("k", "distinct"):
        return bound + 1
    step = 10.0 ** (floor(log10(asked)) - 2)
    return bound + step if rule == "entropy" else bound - step


@st.composite
def policies(draw: st.DrawFn, rules: list[str]) -> list[tuple[str, float]]:
    names = draw(st.lists(st.sampled_from(rules), min_size=1, max_size=2, unique=True))
    return [(name, draw(st.sampled_from(ASKED[name]))) for name in names]


@st.composite
def limited(draw: st.DrawFn) -> tuple[Any, Limits]:
    table = draw(tables())
    return table, {f"q{j}": (0, draw(st.integers(0, tree.height))) for j, tree in enumerate(table.hierarchies)
                   if draw(st.booleans())}  # fmt: skip


@st.composite
def uneven(draw: st.DrawFn) -> Any:
    """Towns of which some have all values alike often and others have one: the top is not even, and some below are."""
    trees = draw(st.lists(hierarchies(), min_size=1, max_size=2))
    kinds = draw(st.lists(st.tuples(*(st.sampled_from(tree.values) for tree in trees)), min_size=2, max_size=4))
    counts = st.sampled_from([(2, 2, 2), (3, 3, 3), (6, 0, 0), (5, 1, 0), (3, 3, 0)])
    drawn = [(kind, draw(counts)) for kind in kinds]
    rows = [kind for kind, each in drawn for _ in range(sum(each))]
    secrets = [value for _, each in drawn for value, n in zip("uvw", each, strict=True) for _ in range(n)]
    return World(rows, list(secrets), trees)


def check(table: Any, limits: Limits, policy: list[tuple[str, float]], share: float) -> None:
    trees, rows, secrets = table.hierarchies, table.rows, table.secrets
    allowed = int(share * len(rows) + 1e-9)
    requirements = Policy(tuple(REQUIREMENTS[rule](bound) for rule, bound in policy))
    given_ = advice(Optimal(requirements, Loss(), share, limits), condensed(World(rows, secrets, trees)))
    least = fewest(table, limits, policy)
    if least <= allowed:
        assert not given_.changes
        return
    asked, seen = dict(policy), set()
    for change in given_.changes:
        assert change.proven
        if change.what == "suppression":
            chosen = float(change.write.removeprefix("--suppress "))
            assert int(chosen * len(rows) + 1e-9) == least
        elif change.what in limits:
            low, high = limits[change.what]
            level = int(change.possible.split()[1])
            assert fewest(table, limits | {change.what: (low, level)}, policy) <= allowed
            assert all(fewest(table, limits | {change.what: (low, less)}, policy) > allowed for less in range(level))
        else:
            rule, bound = rewritten(change.write)
            seen.add(rule)
            others = [each for each in policy if each[0] != rule]
            assert fewest(table, limits, [*others, (rule, bound)]) <= allowed
            assert fewest(table, limits, [*others, (rule, tighter(rule, bound, asked[rule]))]) > allowed
    assert (least < len(rows)) == any(change.what == "suppression" for change in given_.changes)
    for rule in asked.keys() - seen:  # no bound that asks for anything would do
        others = [each for each in policy if each[0] != rule]
        loosest = {"k": 1, "distinct": 1, "entropy": 1.0}.get(rule, 1e6)
        assert fewest(table, limits, [*others, (rule, loosest)]) > allowed


@settings(max_examples=60)
@given(table=limited(), policy=policies(["k", "distinct"]), share=st.sampled_from([0.0, 0.0, 0.1, 0.3]))
def test_advice_is_the_smallest_change_where_the_top_decides(
    table: tuple[Any, Limits], policy: list[tuple[str, float]], share: float
) -> None:
    check(*table, policy, share)


@settings(max_examples=100)
@given(table=limited(), policy=policies(sorted(ASKED)), share=st.sampled_from([0.0, 0.1, 0.3, 0.5]))
def test_advice_is_the_smallest_change_where_every_combination_counts(
    table: tuple[Any, Limits], policy: list[tuple[str, float]], share: float
) -> None:
    """Small lattices are looked at as a whole, so everything is proven."""
    check(*table, policy, share)


@settings(max_examples=60)
@given(table=uneven(), bound=st.sampled_from([2.0, 2.4, 2.7, 3.0]), share=st.sampled_from([0.0, 0.1, 0.3]))
def test_advice_is_the_smallest_change_where_the_best_levels_lie_low(table: Any, bound: float, share: float) -> None:
    check(table, {}, [("entropy", bound)], share)


@settings(max_examples=40)
@given(table=limited(), bound=st.sampled_from([0.05, 0.1, 0.2, 0.3]), share=st.sampled_from([0.0, 0.2]),
       measure=st.sampled_from([MaximumRisk(), AverageRisk()]))  # fmt: skip
def test_a_risk_that_is_advised_can_be_met(table: tuple[Any, Limits], bound: float, share: float, measure: Any) -> None:
    data, limits = table
    small = condensed(data)
    found = advice(Optimal(Policy((Requirement(measure, bound),)), Loss(), share, limits), small)
    change = next((change for change in found.changes if change.what == measure.name()), None)
    assume(change is not None)
    assert change is not None
    eased = parsed(change.write.removeprefix("--require ").strip('"'))
    Optimal(Policy((eased,)), Loss(), share, limits).among(small)
    assert eased.bound is not None
    step = 10.0 ** (floor(log10(bound)) - 2)
    size = round(1 / eased.bound)
    harder = 1 / (size + 1) if measure.name() == "maximum_risk" else eased.bound - step
    with pytest.raises(PolicyError):
        Optimal(Policy((Requirement(measure, harder),)), Loss(), share, limits).among(small)


TOWNS = Hierarchy((("a", "ab", "*"), ("b", "ab", "*"), ("c", "cd", "*"), ("d", "cd", "*")))
ROWS: list[Row] = [("a",), ("a",), ("a",), ("b",), ("c",), ("c",), ("d",), ("d",), ("d",), ("d",)]
SECRETS: list[str | None] = list("uvuvwuvwuv")


def advised(policy: Policy, share: float = 0.0, limits: Limits | None = None) -> Advice:
    return advice(Optimal(policy, Loss(), share, limits or {}), coded([TOWNS], ROWS, SECRETS))


def test_sentences_say_what_to_write() -> None:
    """Regions have four and six people."""
    found = advised(Policy((Requirement(KAnonymity(), 5),)), 0.1, {"q0": (0, 1)})
    assert found.error.advice == (
        "--k 4 would do: 4 instead of 5.",
        "--suppress 0.4 would do: 4 instead of 1 of 10 records.",
        "Levels 0 to 2 of 'q0' would do: level 2 (which leaves it out) instead of level 1.",
    )
    assert found.changes[2] == PolicyChange(
        "q0", "level 1", "level 2 (which leaves it out)", "Levels 0 to 2 of 'q0'", proven=True
    )


def test_a_limit_is_lifted_no_higher_than_it_takes() -> None:
    found = advised(Policy((Requirement(KAnonymity(), 4),)), 0.0, {"q0": (0, 0)})
    assert found.changes[-1].sentence == "Levels 0 to 1 of 'q0' would do: level 1 instead of level 0."


def test_levels_far_below_the_top_count_where_the_top_does_not_decide() -> None:
    """Only town b is even: 8 of 12 go at level 0. At level 1 all of ac go, and bd has 4 u and 2 v: 1.8899."""
    deep = Hierarchy((("a", "ac", "ad", "*"), ("b", "bd", "ad", "*"), ("c", "ac", "ad", "*"), ("d", "bd", "ad", "*")))
    rows: list[Row] = [("a",)] * 4 + [("b",)] * 4 + [("c",)] * 2 + [("d",)] * 2
    table = coded([deep], rows, list("uuuuuvuvuuuu"))
    found = advice(Optimal(Policy((Requirement(EntropyLDiversity("s"), 2.0),)), Loss(), 0.5), table)
    assert [change.write for change in found.changes] == [
        '--require "entropy_l_diversity(s) >= 1.88"', "--suppress 0.667",
    ]  # fmt: skip


def test_the_error_holds_the_advice() -> None:
    error = advised(Policy((Requirement(KAnonymity(), 5),)), 0.1, {"q0": (0, 1)}).error
    assert isinstance(error, InfeasiblePolicy)
    assert isinstance(error, PolicyError)
    assert error.advice[0] == "--k 4 would do: 4 instead of 5."
    assert "--k 4 would do" in str(error)


def test_a_bound_about_one_of_several_attributes_is_written_in_full() -> None:
    policy = Policy((Requirement(TCloseness("s"), 0.01), Requirement(TCloseness("s", count_missing=True), 0.9)))
    table = coded([TOWNS], ROWS, SECRETS)
    values = {requirement.measure.value: coded for requirement in policy.requirements
              for coded in table.values.values()}  # type: ignore[attr-defined]  # fmt: skip
    from dataclasses import replace

    found = advice(Optimal(policy, Loss(), 0.0, {"q0": (0, 1)}), replace(table, values=values))
    assert found.changes[0].write.startswith('--require "t_closeness(s) <= ')
    policy = Policy((Requirement(RecursiveLDiversity("s", l=3), 0.5),))
    assert advised(policy).changes[0].write.startswith('--require "recursive_l_diversity(s, l=3) <= ')


def test_more_than_there_is_needs_no_search() -> None:
    table = coded([TOWNS], ROWS, SECRETS)
    asked = (KAnonymity(), 11), (DistinctLDiversity("s"), 4), (EntropyLDiversity("s"), 3.1), (AlphaKAnonymity("s"), 0)
    policy = Policy((*(Requirement(*each) for each in asked), Requirement(RecursiveLDiversity("s", l=4), 2)))
    assert impossible(policy, table) == (
        "k = 11 is asked for, and there are 10 records.",
        "distinct_l_diversity 4 is asked for, and 's' has 3 values.",
        "entropy_l_diversity 3.1 is asked for, and 's' has 3 values.",
        "recursive_l_diversity 4 is asked for, and 's' has 3 values.",
    )
    met = (KAnonymity(), 10), (DistinctLDiversity("s"), 3), (EntropyLDiversity("s"), 3)
    assert impossible(Policy(tuple(Requirement(*each) for each in met)), table) == ()


def test_a_sensitive_quasi_identifier_is_a_confusion() -> None:
    policy = Policy((Requirement(KAnonymity(), 2), Requirement(TCloseness("age"), 0.2)))
    (said,) = sensitive_quasi_identifiers(policy, ["sex", "age"])
    assert "'age' is sensitive and a quasi-identifier" in said
    assert sensitive_quasi_identifiers(policy, ["sex"]) == ()


def test_two_limits_that_only_help_together_are_said_so() -> None:
    pairs = Hierarchy((("a", "*"), ("b", "*")))
    rows: list[Row] = [("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]
    table = coded([pairs, pairs], rows, ["u"] * 4)
    search = Optimal(Policy((Requirement(KAnonymity(), 4),)), Loss(), 0.0, {"q0": (0, 0), "q1": (0, 0)})
    found = advice(search, table)
    assert [change.what for change in found.changes] == ["k_anonymity"]
    assert found.notes == ("Without any limits on levels the policy can be met.",)


def test_what_was_not_looked_at_is_not_called_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feasibility, "LOOKS", 2)
    monkeypatch.setattr(feasibility, "ROWS", 0)
    many = Hierarchy(tuple((value, *(value[: 6 - i] for i in range(1, 6)), "*") for value in ("aaaaaa", "bbbbbb")))
    rows: list[Row] = [("aaaaaa",) * 3, ("bbbbbb",) * 3, ("aaaaaa", "bbbbbb", "aaaaaa")] * 3
    table = coded([many] * 3, rows, list("uuvuvwuww"))
    limits = {f"q{j}": (0, 5) for j in range(3)}
    found = advice(Optimal(Policy((Requirement(EntropyLDiversity("s"), 2.9),)), Loss(), 0.3, limits), table)
    assert not all(change.proven for change in found.changes)
    assert "Smaller changes may do: 20 combinations of levels were looked at for each." in found.notes


def test_a_policy_that_can_be_met_needs_no_advice(census: dict[str, CodedTable]) -> None:
    found = advice(Optimal(Policy((Requirement(KAnonymity(), 5),)), Loss(), 0.02), census["nine"])
    assert found == Advice((), (), ("The policy can be met as it is.",))


def test_advice_on_the_census_makes_the_search_succeed(census: dict[str, CodedTable]) -> None:
    limits = {"age": (0, 1), "sex": (0, 0), "native-country": (0, 0)}
    search = Optimal(Policy((Requirement(KAnonymity(), 5),)), Loss(), 0.02, limits)
    with pytest.raises(PolicyError):
        search.among(census["eight"])
    found = advice(search, census["eight"])
    assert [change.write for change in found.changes] == [
        "--k 3", "--suppress 0.03004", "Levels 0 to 1 of 'sex'", "Levels 0 to 2 of 'age'",
        "Levels 0 to 1 of 'native-country'",
    ]  # fmt: skip
    for k, share in ((3, 0.02), (5, 0.03004)):
        Optimal(Policy((Requirement(KAnonymity(), k),)), Loss(), share, limits).among(census["eight"])
    for k, share in ((4, 0.02), (5, 0.03003)):
        with pytest.raises(PolicyError):
            Optimal(Policy((Requirement(KAnonymity(), k),)), Loss(), share, limits).among(census["eight"])
