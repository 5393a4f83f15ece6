"""The method `auto`: every way on the same different records, and the one that loses least taken."""

from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InfeasiblePolicy
from sfumato.search import choice
from sfumato.search.methods.optimal import Optimal

WAYS = ({"method": "optimal", "suppress": 0.0}, {"method": "optimal", "suppress": 0.05}, {"method": "mondrian"},
        {"method": "local", "suppress": 0.05}, {"method": "cells"})  # fmt: skip


def people(n: int = 300) -> pa.Table:
    """Women and men of all ages, a few very old, and one person of another sex."""
    ages = [20 + (i * 7) % 40 for i in range(n - 4)] + [91, 93, 97, 44]
    sexes = ["f" if i % 2 else "m" for i in range(n - 1)] + ["x"]
    return pa.table({"age": ages, "sex": sexes, "ward": [f"w{i % 3}" for i in range(n)]})


def loss(anonymised: sf.Anonymised) -> float:
    """What was lost, as `compare` reads it off the release."""
    return float(anonymised.losses["loss"].total.normalised)


@st.composite
def tables(draw) -> pa.Table:
    """Some people; every column has two values at least, or a loss has nothing to be read off."""
    n = draw(st.integers(6, 30))
    column = {"age": st.integers(18, 40), "town": st.sampled_from("abcde"), "sex": st.sampled_from(["f", "m", None])}
    first = {"age": [18, 40], "town": ["a", "b"], "sex": ["f", "m"]}
    return pa.table({name: first[name] + draw(st.lists(v, min_size=n, max_size=n)) for name, v in column.items()})


@settings(max_examples=5)
@given(tables(), st.integers(2, 4))
def test_auto_loses_no_more_than_any_single_way(table, k):
    chosen = sf.anonymise(table, quasi=["age", "town", "sex"], k=k)
    assert chosen.met
    for way in WAYS:
        try:
            single = sf.anonymise(table, quasi=["age", "town", "sex"], k=k, explain=False, **way)
        except InfeasiblePolicy:
            continue
        assert loss(chosen) <= loss(single) + 1e-9, way


@settings(max_examples=4)
@given(tables())
def test_the_options_of_every_alternative_give_what_it_says(table):
    chosen = sf.anonymise(table, quasi=["age", "town", "sex"], k=3)
    for way in chosen.alternatives:
        if way.score is None:
            continue
        single = sf.anonymise(table, quasi=["age", "town", "sex"], k=3, **way.settings)
        assert single.solution.suppressed == way.suppressed
        assert loss(single) == pytest.approx(way.normalised, abs=1e-9)


def test_one_rare_value_forces_everybody_up_and_the_result_says_so():
    """One person of another sex takes all women and men to `*`, three old ones all ages to a higher level."""
    stiff = sf.anonymise(people(), quasi=["age", "sex"], k=3, method="optimal")
    rare = stiff.rare
    assert stiff.levels["sex"] > 0
    assert [(c.column, c.values, c.records) for c in rare.columns if c.column == "sex"] == [("sex", 1, 1)]
    assert rare.without < rare.score / 2
    again = sf.anonymise(people(), quasi=["age", "sex"], k=3, method="optimal", suppress=rare.share)
    assert again.solution.score == pytest.approx(rare.without)
    assert again.solution.suppressed <= rare.records
    assert "force everybody up" in str(stiff)
    assert "91" not in str(stiff).split("Rare values")[1].split("What becomes")[0]


def test_where_no_value_is_rare_nothing_is_said():
    even = pa.table({"sex": ["f", "m"] * 20, "age": list(range(20, 60))})
    assert sf.anonymise(even, quasi=["sex", "age"], k=2, method="optimal").rare is None


def test_auto_keeps_both_sexes_where_one_level_for_all_loses_them():
    chosen = sf.anonymise(people(), quasi=["age", "sex", "ward"], k=3)
    stiff = sf.anonymise(people(), quasi=["age", "sex", "ward"], k=3, method="optimal")
    assert {"f", "m"} <= set(chosen.release["sex"].to_pylist())
    assert loss(chosen) < loss(stiff) / 5


def test_nobody_is_left_out_where_that_is_said():
    chosen = sf.anonymise(people(), quasi=["age", "sex"], k=3, suppress=0)
    assert {way.suppression for way in chosen.alternatives} == {0.0}
    assert chosen.solution.suppressed == 0


def test_a_method_that_is_named_is_not_compared_and_leaves_nobody_out():
    named = sf.anonymise(people(), quasi=["age", "sex"], k=3, method="optimal")
    assert named.alternatives == ()
    assert named.request.suppression == 0


@pytest.mark.parametrize("objective", ["class-size", "discernibility"])
def test_another_objective_ranks_all_ways_by_itself(objective):
    chosen = sf.anonymise(people(), quasi=["age", "sex", "ward"], k=3, objective=objective)
    scores = [way.score for way in chosen.alternatives]
    assert None not in scores
    assert scores == sorted(scores)
    classes, kept = chosen.solution.classes, chosen.solution.records - chosen.solution.suppressed
    if objective == "class-size" and not chosen.solution.suppressed:
        assert chosen.solution.score == pytest.approx(kept / classes)


def test_an_objective_that_reads_whole_columns_compares_levels_only():
    chosen = sf.anonymise(people(), quasi=["age", "sex", "ward"], k=3, objective="precision")
    assert chosen.method == "optimal"
    said = {way.method: way.why_not for way in chosen.alternatives if way.score is None}
    assert set(said) == {"local", "mondrian", "cells"}
    assert all("precision" in why for why in said.values())


def test_a_level_that_is_fixed_leaves_the_search_for_levels_only():
    chosen = sf.anonymise(people(), quasi=["age", "sex", "ward"], k=3, levels={"age": (1, 2)})
    assert chosen.method == "optimal"
    assert 1 <= chosen.levels["age"] <= 2


def test_weights_count_in_every_way():
    chosen = sf.anonymise(people(), quasi=["age", "sex", "ward"], k=3, weights={"sex": 3})
    losses = {name: figure.normalised for name, figure in chosen.losses["loss"].columns.items()}
    weighed = (3 * losses["sex"] + losses["age"] + losses["ward"]) / 9
    assert chosen.solution.score == pytest.approx(weighed, abs=1e-9)


def test_a_policy_that_nothing_meets_says_what_would_help():
    with pytest.raises(InfeasiblePolicy, match="What would help"):
        sf.anonymise(people(6), quasi=["age", "sex"], k=20)


def test_in_a_large_table_a_way_that_cannot_win_is_stopped(monkeypatch):
    monkeypatch.setattr(choice, "LARGE", 0)
    monkeypatch.setattr(choice, "LOOKS", 0)
    chosen = sf.anonymise(people(), quasi=["age", "sex", "ward"], k=3)
    stopped = {way.method for way in chosen.alternatives if way.score is None}
    assert "local" in stopped
    assert chosen.met


def test_a_release_that_breaks_the_policy_when_read_anew_is_not_taken(monkeypatch):
    """A search that says too much of one way: the next one is taken instead."""
    sound = choice.choose

    def unsound(table, hierarchies, request, tell):
        trials = sound(table, hierarchies, request, tell)
        free = Optimal().solve(table, hierarchies, replace(request, policy=sf.Policy(())), tell)
        return (choice.TriedWay("optimal", replace(request, suppression=0.0), free, -1.0, 0.0), *trials)

    monkeypatch.setattr(choice, "choose", unsound)
    chosen = sf.anonymise(people(), quasi=["age", "sex", "ward"], k=3)
    assert chosen.met
    assert [way.score for way in chosen.alternatives if way.chosen] != [-1.0]


def test_persons_scenarios_and_sensitive_values_are_kept_to_by_whatever_is_taken():
    table = people().append_column("diagnosis", pa.array([f"d{i % 5}" for i in range(300)]))
    table = table.append_column("person", pa.array([i // 2 for i in range(300)]))
    chosen = sf.anonymise(
        table, quasi=["age", "sex", "ward"], sensitive="diagnosis", subject="person", k=3, l=2, t=0.6,
        scenarios={"neighbour": ["age", "sex"], "colleague": ["ward", "sex"]},
    )  # fmt: skip
    assert chosen.met
    assert len(chosen.alternatives) == 5
