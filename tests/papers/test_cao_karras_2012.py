"""Cao, Karras (2012), beta-likeness: worked by hand from definitions 2 and 3."""

from __future__ import annotations

from math import inf, log

import pytest

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.models.basic_beta_likeness import BasicBetaLikeness
from sfumato.privacy.models.enhanced_beta_likeness import EnhancedBetaLikeness
from sfumato.privacy.policy import Requirement
from sfumato.studies.printed_tables import rows
from sfumato.tables.engines.duckdb import DuckDB


@pytest.fixture(scope="module")
def duckdb() -> DuckDB:
    return DuckDB(threads=1)


def made_of(duckdb: DuckDB, counts: dict[str, dict[str, int]]) -> EquivalenceClasses:
    records = [(q, s) for q, values in counts.items() for s, n in values.items() for _ in range(n)]
    return rows(records, ["q", "s"], duckdb, q="quasi", s="sensitive").classes()


def by_class(classes: EquivalenceClasses, measure: BasicBetaLikeness | EnhancedBetaLikeness) -> dict[str, float]:
    found = classes.engine.fetch(f"""
        SELECT k1, reading FROM {classes.with_keys()} AS class
        JOIN {measure.readings(classes)} AS m ON m.class_id = class.class_id""")
    return dict(found)


def test_the_gain_of_a_rare_value_counts_for_more_than_that_of_a_common_one(duckdb: DuckDB) -> None:
    """The point of the paper: +0.1 is a gain of 0.2 from 0.5, and of 1 from 0.1.

    Whole: hiv 2, flu 10, fever 8 of 20. Class a: 2, 4, 4 of 10; class b: 0, 6, 4 of 10.
    """
    classes = made_of(duckdb, {"a": {"hiv": 2, "flu": 4, "fever": 4}, "b": {"flu": 6, "fever": 4}})
    assert by_class(classes, BasicBetaLikeness("s")) == pytest.approx({"a": 1.0, "b": 0.2}, abs=1e-12)


def test_a_value_that_becomes_less_likely_is_no_gain(duckdb: DuckDB) -> None:
    """Definition 2 is about positive gains only: x falls from 1/2 to 1/4 in a, where y gains (3/4 - 1/2) / (1/2)."""
    classes = made_of(duckdb, {"a": {"x": 1, "y": 3}, "b": {"x": 3, "y": 1}})
    assert by_class(classes, BasicBetaLikeness("s")) == {"a": 0.5, "b": 0.5}


def test_a_class_as_the_whole_gains_nothing(duckdb: DuckDB) -> None:
    classes = made_of(duckdb, {"a": {"x": 1, "y": 1}, "b": {"x": 1, "y": 1}})
    assert BasicBetaLikeness("s").of(classes) == 0
    assert EnhancedBetaLikeness("s").of(classes) == 0


def test_below_the_logarithm_both_definitions_read_the_same(duckdb: DuckDB) -> None:
    """Whole: x 4, y 4, z 4 of 12; a class of 2, 1, 1: gain (1/2 - 1/3) / (1/3) = 1/2 < ln 3."""
    each = {"a": {"x": 2, "y": 1, "z": 1}, "b": {"x": 1, "y": 2, "z": 1}, "c": {"x": 1, "y": 1, "z": 2}}
    classes = made_of(duckdb, each)
    assert BasicBetaLikeness("s").of(classes) == pytest.approx(0.5, abs=1e-12)
    assert EnhancedBetaLikeness("s").of(classes) == pytest.approx(0.5, abs=1e-12)


def test_a_common_value_that_becomes_certain_satisfies_no_enhanced_beta(duckdb: DuckDB) -> None:
    """Half of all have x, all of class a do: a gain of 1 > ln 2 = 0.693, and min(beta, ln 2) is at most ln 2."""
    classes = made_of(duckdb, {"a": {"x": 4}, "b": {"x": 1, "y": 5}})
    assert BasicBetaLikeness("s").of(classes) == pytest.approx(1.0, abs=1e-12)
    reading = EnhancedBetaLikeness("s").of(classes)
    assert reading == inf
    assert Requirement(BasicBetaLikeness("s"), 1).met_by(1.0)
    assert not Requirement(EnhancedBetaLikeness("s"), 1e300).met_by(reading)


def test_only_the_class_that_gains_too_much_reads_infinite(duckdb: DuckDB) -> None:
    """Whole: x 5, y 5 of 10. Class b has y 5 of 6: a gain of 2/3 < ln 2; class a has x 4 of 4, a gain of 1."""
    classes = made_of(duckdb, {"a": {"x": 4}, "b": {"x": 1, "y": 5}})
    assert by_class(classes, EnhancedBetaLikeness("s")) == pytest.approx({"a": inf, "b": 2 / 3})
    assert 2 / 3 < log(2) < 1


@pytest.mark.parametrize("p_of_ten", range(1, 10))
def test_no_value_can_become_certain_under_enhanced_beta(duckdb: DuckDB, p_of_ten: int) -> None:
    """Certainty is a gain of 1/p - 1, and 1/p - 1 > -ln p for every p < 1."""
    classes = made_of(duckdb, {"a": {"x": p_of_ten}, "b": {"y": 10 - p_of_ten}})
    assert BasicBetaLikeness("s").of(classes) == pytest.approx(max(10 / p_of_ten, 10 / (10 - p_of_ten)) - 1)
    assert EnhancedBetaLikeness("s").of(classes) == inf


def test_a_constant_attribute_tells_nothing_in_any_class(duckdb: DuckDB) -> None:
    """p = 1, gain 0, -ln 1 = 0: a gain of exactly -ln p is allowed."""
    classes = made_of(duckdb, {"a": {"x": 3}, "b": {"x": 2}})
    assert EnhancedBetaLikeness("s").of(classes) == 0
