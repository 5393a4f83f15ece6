"""Brickell, Shmatikov (2008), delta-disclosure privacy: worked by hand from its definition."""

from __future__ import annotations

from math import inf, log, log2

import pytest

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.models.delta_disclosure import DeltaDisclosure
from sfumato.studies.printed_tables import four_anonymous_inpatients, rows, three_diverse_inpatients
from sfumato.tables.engines.duckdb import DuckDB


@pytest.fixture(scope="module")
def duckdb() -> DuckDB:
    return DuckDB(threads=1)


def made_of(duckdb: DuckDB, counts: dict[str, dict[str | None, int]]) -> EquivalenceClasses:
    records = [(q, s) for q, values in counts.items() for s, n in values.items() for _ in range(n)]
    return rows(records, ["q", "s"], duckdb, q="quasi", s="sensitive").classes()


def by_class(classes: EquivalenceClasses, measure: DeltaDisclosure) -> dict[str, float]:
    found = classes.engine.fetch(f"""
        SELECT k1, reading FROM {classes.with_keys()} AS class
        JOIN {measure.readings(classes)} AS m ON m.class_id = class.class_id""")
    return dict(found)


def test_a_value_that_becomes_rarer_counts_as_one_that_becomes_commoner(duckdb: DuckDB) -> None:
    """Whole: x 5, y 5. Class a: x 1 of 4, half as likely; class b: x 4 of 6, 4/3 as likely, y 2/3 as likely."""
    classes = made_of(duckdb, {"a": {"x": 1, "y": 3}, "b": {"x": 4, "y": 2}})
    found = by_class(classes, DeltaDisclosure("s"))
    assert found == pytest.approx({"a": log(2), "b": log(3 / 2)}, abs=1e-12)
    assert DeltaDisclosure("s").of(classes) == pytest.approx(log(2), abs=1e-12)


def test_the_base_of_the_logarithm_is_a_parameter(duckdb: DuckDB) -> None:
    classes = made_of(duckdb, {"a": {"x": 1, "y": 3}, "b": {"x": 4, "y": 2}})
    assert DeltaDisclosure("s", base=2).of(classes) == pytest.approx(1.0, abs=1e-12)
    assert by_class(classes, DeltaDisclosure("s", base=2))["b"] == pytest.approx(log2(3 / 2), abs=1e-12)


def test_a_class_as_the_whole_discloses_nothing(duckdb: DuckDB) -> None:
    classes = made_of(duckdb, {"a": {"x": 1, "y": 2}, "b": {"x": 2, "y": 4}})
    assert DeltaDisclosure("s").of(classes) == pytest.approx(0, abs=1e-15)


def test_a_value_that_a_class_lacks_has_become_impossible(duckdb: DuckDB) -> None:
    """log 0: the definition is about every value of the table, so no finite delta is enough."""
    classes = made_of(duckdb, {"a": {"x": 1, "y": 1}, "b": {"x": 1, "y": 1, "z": 1}})
    found = by_class(classes, DeltaDisclosure("s"))
    assert found["a"] == inf
    assert found["b"] == pytest.approx(log((1 / 3) / (1 / 5)), abs=1e-12)
    assert DeltaDisclosure("s").of(classes) == inf


def test_a_missing_value_is_no_value_unless_it_is_counted(duckdb: DuckDB) -> None:
    classes = made_of(duckdb, {"a": {"x": 1, "y": 1}, "b": {"x": 1, "y": 1, None: 2}})
    assert DeltaDisclosure("s").of(classes) == pytest.approx(0, abs=1e-15)
    assert DeltaDisclosure("s", count_missing=True).of(classes) == inf


def test_the_four_anonymous_inpatients_disclose_without_limit_and_the_diverse_ones_5_thirds(
    duckdb: DuckDB,
) -> None:
    """Figures 2 and 3 of Machanavajjhala et al.: cancer is 5 in 12 of all, 1 in 4 of one class: ratio 5/3."""
    assert DeltaDisclosure("condition").of(four_anonymous_inpatients(duckdb).classes()) == inf
    found = DeltaDisclosure("condition").of(three_diverse_inpatients(duckdb).classes())
    assert found == pytest.approx(log(5 / 3), abs=1e-12)
