"""Microaggregation: groups of k at least, by MDAV as published."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from fractions import Fraction
from random import Random
from statistics import median

import numpy as np
import pyarrow as pa
import pytest
from tests.plans.steps.drafting import made_up, resources, values

from sfumato.errors import PlanError
from sfumato.plans.steps.microaggregate import Microaggregate, cells, mdav, means, sorted_groups, standardised


def published(points, k):
    """MDAV read off the paper, in exact fractions: a list of groups of places."""
    columns = list(zip(*points, strict=True))
    centre = [sum(column) / len(column) for column in columns]
    spread = [sum((x - m) ** 2 for x in c) / len(c) or 1 for c, m in zip(columns, centre, strict=True)]

    def apart(a, b):
        return sum((x - y) ** 2 / s for x, y, s in zip(a, b, spread, strict=True))

    def farthest(places, target):
        return max(places, key=lambda i: (apart(points[i], target), -i))

    def group(places, i):
        return sorted(places, key=lambda j: (apart(points[j], points[i]), j))[:k]

    def mean(places):
        return [sum(points[i][d] for i in places) / len(places) for d in range(len(columns))]

    left, groups = list(range(len(points))), []
    while len(left) >= 3 * k:
        r = farthest(left, mean(left))
        groups.append(group(left, r))
        left = [i for i in left if i not in groups[-1]]
        s = farthest(left, points[r])
        groups.append(group(left, s))
        left = [i for i in left if i not in groups[-1]]
    if len(left) >= 2 * k:
        groups.append(group(left, farthest(left, mean(left))))
        left = [i for i in left if i not in groups[-1]]
    return {frozenset(g) for g in [*groups, left] if g}


def as_groups(labels):
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}


@pytest.mark.parametrize("n", [1, 3, 5, 6, 8, 9, 14, 25, 40])
@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("d", [1, 3])
def test_mdav_gives_the_groups_of_the_paper(n, k, d):
    chance = Random(n * 100 + k * 10 + d)
    points = [[Fraction(chance.randrange(10**6), 1000) for _ in range(d)] for _ in range(n)]
    found = mdav(standardised(np.array(points, dtype=float)), k)
    assert as_groups(found) == published(points, k)


def test_equal_distances_take_the_lower_number_first():
    assert as_groups(mdav(np.zeros((7, 2)), 2)) == {frozenset({0, 1}), frozenset({2, 3}), frozenset({4, 5, 6})}


@pytest.mark.parametrize("method", ["mdav", "univariate"])
def test_every_group_holds_at_least_k_records_and_at_most_2k_less_one(method):
    chance = Random(7)
    for n in range(5, 60, 3):
        values = np.array([[chance.gauss(0, 1), chance.randrange(3)] for _ in range(n)])
        for k in (2, 3, 5):
            labels = mdav(values, k) if method == "mdav" else sorted_groups(values[:, 0], k)
            sizes = Counter(labels.tolist()).values()
            assert k <= min(sizes)
            assert max(sizes) <= 2 * k - 1
            assert sum(sizes) == n


def test_combinations_are_shared_by_k_records_and_the_mean_of_all_stays():
    chance = Random(1)
    table = {"a": [chance.gauss(50, 9) for _ in range(200)], "b": [chance.expovariate(1) for _ in range(200)]}
    after = values(Microaggregate(("a", "b"), k=5).apply(made_up(table), resources()), "a", "b")
    assert min(Counter(after).values()) >= 5
    for i, name in enumerate(table):
        assert sum(row[i] for row in after) == pytest.approx(sum(table[name]))


def test_each_column_on_its_own_is_cut_in_order():
    table = {"a": [5, 1, 9, 2, 8, 7, 3], "b": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 70.0]}
    after = values(Microaggregate(("a", "b"), k=3, method="univariate").apply(made_up(table), resources()), "a", "b")
    assert [a for a, _ in after] == [7, 2, 7, 2, 7, 7, 2]
    assert [b for _, b in after] == [2.0, 2.0, 2.0, 21.25, 21.25, 21.25, 21.25]


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_the_statistic_is_that_of_the_group(statistic):
    chance = Random(5)
    column = [chance.expovariate(1) for _ in range(50)]
    step = Microaggregate("v", k=4, method="univariate", statistic=statistic)
    after = values(step.apply(made_up({"v": column}), resources()), "v")
    for value in set(after):
        group = [before for before, found in zip(column, after, strict=True) if found == value]
        assert value == pytest.approx(median(group) if statistic == "median" else sum(group) / len(group))


def test_equal_values_stay_exactly_what_they_are():
    assert set(values(Microaggregate("v").apply(made_up({"v": [0.1] * 7}), resources()), "v")) == {0.1}


def test_types_survive_missing_stays_and_both_engines_agree(engine):
    table = {
        "age": pa.array([None if i % 9 == 0 else 20 + i * 7 % 60 for i in range(90)], pa.int16()),
        "day": pa.array([date(2020, 1, 1 + i * 5 % 28) for i in range(90)], pa.date32()),
        "seen": pa.array([datetime(2020, 1, 1 + i * 3 % 28, i % 24) for i in range(90)], pa.timestamp("us")),
        "weight": pa.array([None if i % 7 == 0 else i * 3 % 41 / 4 for i in range(90)]),
        "note": pa.array([f"n{i}" for i in range(90)]),
    }
    step = Microaggregate(("age", "day", "seen", "weight"), k=2, too_few="clear")
    here, there = (step.apply(made_up(table, on), resources()) for on in (engine, None))
    assert values(here, *table) == values(there, *table)
    assert [here.kind(name) for name in table] == ["integer", "date", "timestamp", "real", "text"]
    assert [row[0] is None for row in values(here, *table)] == [i % 9 == 0 for i in range(90)]
    assert values(here, "note") == table["note"].to_pylist()


def test_records_that_lack_the_same_are_grouped_among_themselves():
    table = {"a": pa.array([1.0, 2.0, 3.0, 4.0, 10.0, 20.0]), "b": pa.array([1.0, 2.0, 3.0, 4.0, None, None])}
    after = values(Microaggregate(("a", "b"), k=2).apply(made_up(table), resources()), "a", "b")
    assert after == [(1.5, 1.5), (1.5, 1.5), (3.5, 3.5), (3.5, 3.5), (15.0, None), (15.0, None)]


def test_too_few_to_group_are_an_error_or_cleared_and_never_released_as_they_are():
    table = {"a": pa.array([1.0, 2.0, 3.0, 4.0]), "b": pa.array([1.0, 2.0, 3.0, None])}
    with pytest.raises(PlanError, match="1 record cannot be grouped: fewer than 3"):
        Microaggregate(("a", "b"), k=3).apply(made_up(table), resources())
    after = values(Microaggregate(("a", "b"), k=3, too_few="clear").apply(made_up(table), resources()), "a", "b")
    assert after == [(2.0, 2.0)] * 3 + [(None, None)]


def test_an_empty_table_and_a_column_without_values_stay_as_they_are():
    for column in ([], [None, None]):
        draft = made_up({"v": pa.array(column, pa.float64())})
        assert values(Microaggregate("v").apply(draft, resources()), "v") == column


def test_the_order_of_the_records_survives():
    after = Microaggregate("v").apply(
        made_up({"n": list(range(500)), "v": [i * 37 % 101 for i in range(500)]}), resources()
    )
    assert values(after, "n") == list(range(500))


def test_of_ten_thousand_records_each_is_in_a_group_of_three_or_more():
    chance = Random(3)
    points = np.array([[chance.gauss(0, 1) for _ in range(5)] for _ in range(10_000)])
    assert min(Counter(mdav(points, 3).tolist()).values()) >= 3


def test_more_records_than_fit_one_cell_are_grouped_cell_by_cell_and_lose_little():
    chance = np.random.default_rng(4)
    clusters = chance.normal(size=(20, 3))[chance.integers(0, 20, 2_000)] * 5 + chance.normal(size=(2_000, 3))
    for points in (chance.normal(size=(2_000, 2)), clusters, chance.integers(0, 30, (2_000, 3)).astype(float)):
        together, in_cells = mdav(points, 3), mdav(points, 3, whole=1_999)
        sizes = Counter(in_cells.tolist()).values()
        assert 3 <= min(sizes) <= max(sizes) <= 5
        assert as_groups(in_cells) != as_groups(together)
        assert lost(points, in_cells) < 1.2 * lost(points, together)


def lost(points, labels):
    return sum(((column - means(column, labels)) ** 2).sum() for column in points.T)


def test_a_table_of_the_largest_whole_size_is_grouped_as_published():
    points = [[Fraction(i * 37 % 101), Fraction(i * 53 % 89)] for i in range(60)]
    labels = mdav(standardised(np.array(points, dtype=float)), 3, whole=60)
    assert as_groups(labels) == published(points, 3)


@pytest.mark.parametrize("number", [1, 2, 3, 7, 100])
def test_cells_hold_every_point_once_and_are_of_one_size_or_one_more(number):
    points = np.random.default_rng(2).integers(0, 4, (100, 2)).astype(float)  # with many equal ones
    separate = cells(points, number)
    assert sorted(np.concatenate(separate).tolist()) == list(range(100))
    assert len(separate) == number
    assert {len(cell) for cell in separate} <= {100 // number, -(-100 // number)}


def test_of_two_clouds_each_is_a_cell_of_its_own():
    points = np.array([[0.0, i % 3] for i in range(10)] + [[50.0, i % 3] for i in range(10)])[::-1]
    assert sorted(cell.tolist() for cell in cells(points, 2)) == [list(range(10)), list(range(10, 20))]


@pytest.mark.parametrize(
    ("given", "words"),
    [({"k": 1}, "2 or more"), ({"method": "kmeans"}, "one of mdav"), ({"statistic": "mode"}, "one of mean, median")],
)
def test_wrong_parameters_are_said_at_once(given, words):
    with pytest.raises(PlanError, match=words):
        Microaggregate("v", **given)


def test_texts_and_infinite_numbers_are_said():
    with pytest.raises(PlanError, match="neither numbers nor dates"):
        Microaggregate("v").apply(made_up({"v": ["a"]}), resources())
    with pytest.raises(PlanError, match="1 records hold infinite"):
        Microaggregate("v").apply(made_up({"v": [1.0, float("inf"), 2.0]}), resources())
