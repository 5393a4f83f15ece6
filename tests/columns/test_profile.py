"""The profile of a table against counting by hand, on random tables with missing values."""

from __future__ import annotations

from collections import Counter
from math import comb

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.columns.evidence.empty_columns import EmptyColumns
from sfumato.columns.evidence.risk_rate import RiskRate
from sfumato.columns.evidence.seen_once_influence import SeenOnceInfluence
from sfumato.columns.evidence.separation import Separation
from sfumato.columns.profile import SAMPLE, ColumnProfile, Profile
from sfumato.errors import PolicyError
from sfumato.schema import Missing, Role
from sfumato.studies.printed_tables import five_patients
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB

CELLS = st.lists(st.one_of(st.none(), st.integers(0, 6)), min_size=1, max_size=40)
DUCKDB = DuckDB()


def profiled(values, **settings) -> ColumnProfile:
    table = DUCKDB.load(pa.table({"x": pa.array(values, pa.int64())}))
    return Profile.of(table, **settings)["x"]


@given(CELLS)
def test_a_column_is_counted_as_by_hand_and_missing_is_a_value(values):
    counts = Counter(values)
    found = profiled(values)
    assert (found.records, found.distinct, found.missing) == (len(values), len(counts), values.count(None))
    assert found.once == sum(n == 1 for n in counts.values())
    assert found.rarity == pytest.approx(sum(1 / n for n in counts.values()))
    assert found.pairs == sum(comb(n, 2) for n in counts.values())
    assert found.values_seen_once == pytest.approx(found.once / len(values))
    assert sorted(map(int, found.sample)) == sorted({v for v in values if v is not None})


@given(CELLS)
def test_under_the_basic_match_a_missing_value_matches_nothing(values):
    alone = [v if v is not None else ("row", i) for i, v in enumerate(values)]
    counts = Counter(alone)
    found = profiled(values, missing=Missing.NEVER_MATCHES)
    assert (found.records, found.distinct) == (len(values), len(counts))
    assert found.once == sum(n == 1 for n in counts.values())
    assert found.rarity == pytest.approx(sum(1 / n for n in counts.values()))


@given(CELLS)
def test_the_risk_rate_is_the_mean_of_g_distinct(values):
    counts = Counter(values)
    finding = RiskRate().of(profiled(values))
    if values.count(None) / len(values) > 0.85:
        assert finding is None
    else:
        assert finding.number == pytest.approx(sum(1 / n for n in counts.values()) / len(counts), abs=0.00005001)
        assert 0 < finding.number <= 1


def test_a_rate_at_a_bound_falls_as_the_thesis_says():
    def role(rate):
        column = ColumnProfile("x", Kind.TEXT, 100, missing=0, distinct=1, once=0, rarity=rate / 100, pairs=0)
        return RiskRate(alpha=0.1, beta=0.01).of(column).role

    assert [role(10.01), role(10), role(1), role(0.99)] == [
        Role.SENSITIVE, Role.QUASI, Role.QUASI, Role.NON_SENSITIVE,
    ]  # fmt: skip


def test_exactly_85_per_cent_missing_stays():
    assert RiskRate().of(profiled([None] * 17 + [1, 2, 3])) is not None
    assert RiskRate().of(profiled([None] * 18 + [1, 2])) is None


@pytest.mark.parametrize(("alpha", "beta"), [(0.01, 0.1), (1.01, 0.01), (0.1, -0.01), (float("nan"), 0.01)])
def test_bounds_of_the_risk_rate_are_checked(alpha, beta):
    with pytest.raises(PolicyError, match="alpha"):
        RiskRate(alpha, beta)


def test_the_five_patients_of_jung_et_al():
    found = Profile.of(five_patients().table)
    assert {column.name: column.values_seen_once for column in found} == {
        "weight": 0.2, "age": 0.2, "gender": 0.0, "zipcode": 0.0,
    }  # fmt: skip
    assert SeenOnceInfluence().of(found["age"]) is None  # no influence was counted


def test_not_a_number_is_missing_and_there_is_one_zero():
    table = DUCKDB.load(pa.table({"x": [float("nan"), None, 0.0, -0.0, 1.5]}))
    found = Profile.of(table)["x"]
    assert (found.missing, found.known, found.once) == (2, 2, 1)


def test_separation_is_the_share_of_pairs_that_differ():
    found = Separation().of(profiled([1, 1, 2, 3]))
    assert found.number == pytest.approx(5 / 6)
    assert "Distinction 0.7500" in found.sentence
    assert Separation().of(profiled([7])).number == 0


@pytest.mark.parametrize(
    ("values", "said"),
    [([1, 1], "Every record has the same value."), ([None] * 3, "No record has a value."),
     ([None] * 9 + [1], "90.0% of the records have no value."), ([1, 2], None), ([1], None)],
)  # fmt: skip
def test_constant_and_nearly_empty_columns_had_better_be_left_out(values, said):
    finding = EmptyColumns().of(profiled(values))
    assert (finding.sentence if finding else None) == said


def test_the_sample_is_bounded_distinct_and_the_same_each_time():
    table = DUCKDB.load(pa.table({"x": [f"text {i % 3000}" for i in range(9000)]}))
    first, second = (Profile.of(table)["x"].sample for _ in range(2))
    assert first == second
    assert len(set(first)) == len(first) == SAMPLE


def test_a_sample_never_shows_in_a_repr():
    assert "secret" not in repr(Profile.of(DUCKDB.load(pa.table({"x": ["secret"]}))))


def test_an_empty_table_has_a_profile():
    table = DUCKDB.load(pa.table({"x": pa.array([], pa.int64())}))
    found = Profile.of(table)["x"]
    assert (found.records, found.distinct, found.values_seen_once, found.missing_share) == (0, 0, 0, 0)
    assert RiskRate().of(found) is None
    assert Separation().of(found).number == 0


def test_both_engines_count_alike(engine):
    table = engine.load(pa.table({"a": ["x", "y", None, "x"], "b": [1.5, float("nan"), 2.0, 2.0], "c": [1, 2, 3, 4]}))
    found = Profile.of(table)
    assert [(c.distinct, c.once, c.missing, c.pairs) for c in found] == [(3, 2, 1, 1), (3, 2, 1, 1), (4, 4, 0, 0)]
    assert sorted(found["a"].sample) == ["x", "y"]


@pytest.mark.parametrize("missing", [Missing.OWN_VALUE, Missing.NEVER_MATCHES])
def test_a_table_of_few_records_is_counted_in_one_statement_as_in_many(missing, monkeypatch):
    """With values of every kind, some missing, and zeros of both signs: also the order of the samples is the same."""
    table = DUCKDB.query("""
        SELECT nullif(range % 7, 3) AS whole, CASE range % 5 WHEN 0 THEN -0.0 WHEN 1 THEN 0.0 WHEN 2 THEN 'nan'
            ELSE range / 3 END AS "a real", nullif(chr(CAST(97 + range % 20 AS INTEGER)), 'c') AS letter,
            DATE '2020-01-01' + CAST(range % 90 AS INTEGER) AS day, range % 2 = 0 AS even, NULL AS nothing,
            [range % 3] AS listed
        FROM range(500)""")
    at_once = Profile.of(table, missing=missing)
    monkeypatch.setattr(DuckDB, "stacks", False)  # one statement after the other, a column at a time
    assert Profile.of(table, missing=missing) == at_once
    assert at_once.records == 500
