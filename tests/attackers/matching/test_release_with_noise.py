"""Record linkage on releases with noise: what the hospital paper reports, and what must hold of it."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.attackers.attack_interface import LinkedRecords
from sfumato.attackers.attacks.distance_linkage import DistanceLinkage
from sfumato.attackers.attacks.exact_linkage import ExactLinkage
from sfumato.tables.engine import quoted
from sfumato.tables.engines.duckdb import DuckDB

VALUES = st.sampled_from(["a", "b", None])


@given(st.lists(st.tuples(st.tuples(VALUES, VALUES, VALUES), st.none() | st.tuples(VALUES, VALUES, VALUES)), min_size=1,
                max_size=12))  # fmt: skip
@settings(max_examples=40)
def test_with_further_columns_fewer_are_matched_and_fewer_own_records_are_among_them(link, pairs):
    """What falls for certain is the found rate; it is the share of true pairs that the paper's tool counts."""
    fewer = [link([(o[:width], r and r[:width]) for o, r in pairs]) for width in (1, 2, 3)]
    found = [ExactLinkage().of(linked) for linked in fewer]
    for small, large in pairwise(found):
        assert large.own_named <= small.own_named
        assert large.matched <= small.matched


@given(st.lists(st.tuples(VALUES, VALUES, VALUES, VALUES), min_size=1, max_size=12))
@settings(max_examples=40)
def test_the_true_match_rate_falls_with_further_columns_where_released_tuples_are_unique(link, rows):
    pairs = [((i, o1, o2), (i, r1, r2)) for i, (o1, o2, r1, r2) in enumerate(rows)]
    rates = [ExactLinkage().of(link([(o[:w], r[:w]) for o, r in pairs])).true_match_rate for w in (1, 2, 3)]
    assert rates == sorted(rates, reverse=True)


def test_the_true_match_rate_rises_with_a_further_column_where_it_leaves_fewer_to_pick_from(link):
    """Two people of the same age are found with probability 1/2; by age and sex for certain."""
    pairs = [((30, sex), (30, sex)) for sex in "fm"]
    assert ExactLinkage().of(link([(o[:1], r[:1]) for o, r in pairs])).true_match_rate == 0.5
    assert ExactLinkage().of(link(pairs)).true_match_rate == 1.0


def admissions(n: int, seed: int):
    """People admitted ten days apart; released with dates moved by -3 to 3 days."""
    random = Random(seed)
    for i in range(n):
        day = date(1700, 1, 1) + timedelta(days=10 * i)
        yield (day, "f"), (day + timedelta(days=random.randint(-3, 3)), "f")


def test_of_unique_dates_moved_by_up_to_three_days_one_in_seven_is_found(link):
    pairs = list(admissions(7000, seed=3))
    found = ExactLinkage().of(link(pairs))
    assert found.linkable == sum(o == r for o, r in pairs)
    assert found.true_match_rate == found.match_rate == found.linkable / 7000
    assert found.true_match_rate == pytest.approx(1 / 7, abs=4 * (6 / 49 / 7000) ** 0.5)


def test_dates_that_are_farther_apart_than_the_noise_reaches_are_all_found(link):
    found = DistanceLinkage().of(link(admissions(500, seed=4), ["day", "sex"]))
    assert (found.true_match_rate, found.linkable) == (1.0, 500)


def test_a_date_and_a_time_are_compared_as_times():
    pairs = DuckDB().query("SELECT DATE '2020-03-01' AS o1, TIMESTAMP '2020-03-01 00:00:00' AS r1, TRUE AS kept")
    assert ExactLinkage().of(LinkedRecords.of(pairs, ["day"])).linkable == 1


def test_an_integer_and_a_real_number_are_compared_as_numbers():
    pairs = DuckDB().query("""
        SELECT o1, r1, TRUE AS kept FROM (VALUES (1, CAST(1.0 AS DOUBLE)), (2, 2.5), (NULL, CAST('nan' AS DOUBLE)))
        AS pair(o1, r1)""")
    found = ExactLinkage().of(LinkedRecords.of(pairs, ["dose"]))
    assert sorted(found.rows.engine.fetch(f"SELECT row FROM {found.rows}")) == [(1,), (3,)]


COLUMNS = ("sex", "age", "race", "marital-status", "education", "workclass", "occupation", "salary-class")


@pytest.fixture(scope="module")
def census(shared):
    """The census on eight quasi-identifiers, released with ages moved by up to three years."""
    engine = DuckDB()
    file = shared / "data" / "adult" / "adult.csv"
    people = engine.numbered(f"SELECT * FROM read_csv('{file}', delim=';', header=true)", "row")
    noise = f"CAST(floor(7 * {engine.uniform('CAST(row AS VARCHAR)')}) AS BIGINT) - 3"
    originals = [f"{quoted(name)} AS o{i}" for i, name in enumerate(COLUMNS, 1)]
    released = [f"{quoted(name)}{f' + {noise}' if name == 'age' else ''} AS r{i}" for i, name in enumerate(COLUMNS, 1)]
    return engine.query(f"SELECT row, {', '.join([*originals, *released])}, TRUE AS kept FROM {people}")


def joined(census, condition: str) -> str:
    """All pairs of an original and a released record that agree on everything but age, and a condition on age."""
    equal = " AND ".join(f"x.o{i} = y.r{i}" for i, name in enumerate(COLUMNS, 1) if name != "age")
    apart = "SELECT x.row AS x, y.row AS y, abs(x.o2 - y.r2) AS apart"
    return f"{apart} FROM {census} x JOIN {census} y ON {equal} AND {condition}"


def rates(census, pairs: str) -> tuple[float, int]:
    """Right picks, and people for whom the only candidate is the right one."""
    expected, linkable = census.engine.fetch(f"""
        SELECT sum(own / n), count(*) FILTER (WHERE own = 1 AND n = 1)
        FROM (SELECT x, count(*) AS n, count(*) FILTER (WHERE x = y) AS own FROM ({pairs}) GROUP BY x)""")[0]
    return pytest.approx(expected), linkable


def test_exact_linkage_of_the_census_is_a_join(census):
    found = ExactLinkage().of(LinkedRecords.of(census, COLUMNS))
    assert (found.expected, found.linkable) == rates(census, joined(census, "x.o2 = y.r2"))
    assert found.found_rate == pytest.approx(1 / 7, abs=0.008)


def test_distance_linkage_of_the_census_is_a_join_with_the_nearest_age(census):
    """The own record is nearer than anybody of another category, so that only ages are left to compare."""
    pairs = joined(census, "x.o2 BETWEEN y.r2 - 3 AND y.r2 + 3")
    least = f"SELECT x, y FROM (SELECT *, min(apart) OVER (PARTITION BY x) AS least FROM ({pairs})) WHERE apart = least"
    found = DistanceLinkage().of(LinkedRecords.of(census, COLUMNS))
    assert (found.expected, found.linkable) == rates(census, least)
