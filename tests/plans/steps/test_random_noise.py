"""Noise: inside its range, of the stated distribution, and the same in each run."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from itertools import pairwise
from statistics import fmean, stdev

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import made_up, resources, values

from sfumato.errors import PlanError
from sfumato.plans.steps.add_noise import AddNoise

N = 20_000


def noise(step, column, n=N, given=None):
    draft = made_up({"v": pa.array([column] * n)})
    return [after - column for after in values(step.apply(draft, given or resources()), "v")]


def test_uniform_noise_on_dates_is_every_whole_day_of_the_range_equally_often():
    found = Counter(move.days for move in noise(AddNoise("v"), date(2021, 3, 1)))
    assert set(found) == set(range(-3, 4))
    assert sum((n - N / 7) ** 2 / (N / 7) for n in found.values()) < 22.5  # chi-square of 6 degrees, 1 in 1,000


def test_zero_is_left_out_on_request_and_the_others_stay_equally_likely():
    found = Counter(noise(AddNoise("v", exclude_zero=True), 40))
    assert set(found) == {-3, -2, -1, 1, 2, 3}
    assert sum((n - N / 6) ** 2 / (N / 6) for n in found.values()) < 20.5


def test_a_range_without_zero_loses_nothing_when_zero_is_left_out():
    assert set(noise(AddNoise("v", range=(1, 3), exclude_zero=True), 40, 500)) == {1, 2, 3}


@pytest.mark.parametrize("kind", ["uniform", "gaussian", "laplace"])
def test_real_noise_has_the_stated_distribution(kind):
    stats = pytest.importorskip("scipy.stats")
    step = AddNoise("v", range=(-0.5, 2)) if kind == "uniform" else AddNoise("v", kind=kind, scale=2.5)
    wanted = {"uniform": stats.uniform(-0.5, 2.5), "gaussian": stats.norm(0, 2.5), "laplace": stats.laplace(0, 2.5)}
    found = noise(step, 100.0)
    assert stats.kstest(found, wanted[kind].cdf).statistic < 1.95 / N**0.5  # 1 in 1,000


def test_the_two_draws_of_gaussian_noise_are_independent_and_records_are_too():
    found = noise(AddNoise("v", kind="gaussian", scale=1), 0.0)
    assert abs(fmean(a * b for a, b in pairwise(found))) < 4 / N**0.5
    assert abs(stdev(found) - 1) < 0.03


def test_both_engines_give_the_same_noise_and_types_survive(engine):
    table = {
        "id": pa.array([1, 1, 2, 2, None] * 40),
        "age": pa.array([40, None, 17, 99, 3] * 40, pa.int32()),
        "weight": pa.array([61.5, None, float("nan"), 80.25, 1e300] * 40),
        "day": pa.array([date(2020, 2, 28), None, date(1999, 12, 31), date(2021, 1, 1), date(2022, 1, 1)] * 40),
        "seen": pa.array([datetime(2020, 2, 28, 10, 5), None] * 100, pa.timestamp("us")),
    }
    steps = [
        AddNoise("age", kind="laplace", scale=2, bounds=(0, 90), exclude_zero=True),
        AddNoise("weight", kind="gaussian", scale=3.3),
        AddNoise("day", per="subject", bounds=("2000-01-01", None)),
        AddNoise("seen", kind="gaussian", scale=20),
    ]
    here, there = made_up(table, engine, "id"), made_up(table, subject="id")
    for step in steps:
        here, there = (step.apply(draft, resources(step.column)) for draft in (here, there))
    assert [str(row) for row in values(here, *table)] == [str(row) for row in values(there, *table)]
    assert [here.kind(name) for name in table] == ["integer", "integer", "real", "date", "timestamp"]
    assert [row[1] is None for row in values(here, *table)] == [age is None for age in table["age"].to_pylist()]


def test_whole_numbers_stay_whole_and_real_numbers_get_whole_noise_on_request():
    assert all(isinstance(e, int) for e in noise(AddNoise("v", kind="gaussian", scale=3), 40, 100))
    assert set(noise(AddNoise("v", whole=True), 40.0, 500)) == set(map(float, range(-3, 4)))


def test_whole_noise_that_rounds_to_zero_becomes_one_on_request():
    step = AddNoise("v", kind="gaussian", scale=0.4, exclude_zero=True)
    found = Counter(noise(step, 40))
    assert set(found) == {-1, 1} or set(found) == {-2, -1, 1, 2}
    assert abs(found[-1] - found[1]) < 5 * N**0.5


def test_records_of_a_subject_move_together_on_request():
    table = {"id": [i % 50 for i in range(500)], "day": [date(2020, 1, 1) + timedelta(days=i) for i in range(500)]}
    draft = made_up(table, subject="id")
    for per, least, most in (("subject", 1, 1), ("record", 3, 7)):
        after = values(AddNoise("day", per=per).apply(draft, resources()), "id", "day")
        moves = {i: set() for i in range(50)}
        for (person, moved), start in zip(after, table["day"], strict=True):
            moves[person].add(moved - start)
        assert all(least <= len(found) <= most for found in moves.values())


def test_results_stay_within_the_bounds():
    draft = made_up({"age": [0, 1, 2, 88, 89, None] * 100})
    after = values(AddNoise("age", bounds=(0, 89)).apply(draft, resources()), "age")
    assert {min(a for a in after if a is not None), max(a for a in after if a is not None)} == {0, 89}
    assert after.count(None) == 100


def test_other_steps_leave_the_noise_alone():
    draft = made_up({"a": [10] * 200, "b": [10] * 200})
    first, second = AddNoise("a"), AddNoise("b")
    one = second.apply(first.apply(draft, resources("first")), resources("second"))
    other = first.apply(second.apply(draft, resources("second")), resources("first"))
    assert values(one, "a", "b") == values(other, "a", "b")
    assert values(one, "b") == values(second.apply(draft, resources("second")), "b")
    assert values(one, "b") != values(second.apply(draft, resources("third")), "b")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"kind": "normal"}, "one of uniform, gaussian, laplace"),
        ({"range": (3, -3)}, "the lower first"),
        ({"range": 3}, "two values"),
        ({"scale": 2}, "has a `range`"),
        ({"kind": "laplace"}, "needs a `scale`"),
        ({"kind": "laplace", "scale": 0}, "needs a `scale`"),
        ({"kind": "laplace", "scale": 1, "range": (0, 1)}, "not a `range`"),
        ({"bounds": (5, 1)}, "the lower first"),
        ({"bounds": (5, "2020-01-01")}, "two numbers or two dates"),
        ({"bounds": ("soon", None)}, "must be a number"),
        ({"per": "person"}, "one of record, subject"),
    ],
)
def test_wrong_parameters_are_said_at_once(given, words):
    with pytest.raises(PlanError, match=words):
        AddNoise("v", **given)


@pytest.mark.parametrize(
    ("column", "given", "words"),
    [
        (["words"], {}, "neither numbers nor dates"),
        ([1], {"range": (-0.5, 0.5)}, "range must be whole numbers"),
        ([1.5], {"exclude_zero": True}, "whole: true"),
        ([1], {"bounds": (0.5, None)}, "bounds must be whole"),
        ([1], {"bounds": ("2020-01-01", None)}, "whole numbers"),
    ],
)
def test_data_that_do_not_fit_are_said(column, given, words):
    with pytest.raises(PlanError, match=words):
        AddNoise("v", **given).apply(made_up({"v": column}), resources())


def test_the_explanation_says_what_is_added():
    step = AddNoise("age", kind="laplace", scale=2, per="subject", bounds=(0, None), exclude_zero=True)
    words = ("Laplace of scale 2", "never zero", "the same for all records of a subject", "at least 0")
    assert all(word in step.explained() for word in words)
    assert "uniform from -3 to 3" in AddNoise("age").explained()
