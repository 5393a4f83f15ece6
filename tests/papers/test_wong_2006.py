"""Wong, Li, Fu, Wang (2006), (alpha, k)-anonymity: worked by hand from its definition."""

from __future__ import annotations

from math import inf

import pytest

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.models.alpha_k_anonymity import AlphaKAnonymity
from sfumato.privacy.policy import Requirement
from sfumato.studies.printed_tables import four_anonymous_inpatients, rows
from sfumato.tables.engines.duckdb import DuckDB

# Two classes of four with 2 in 4 and 3 in 4, one of two with 1 in 2.
RECORDS = [
    *[("a", s) for s in ("hiv", "hiv", "flu", "fever")],
    *[("b", s) for s in ("flu", "flu", "flu", "hiv")],
    *[("c", s) for s in ("hiv", "fever")],
]


@pytest.fixture(scope="module")
def duckdb() -> DuckDB:
    return DuckDB(threads=1)


@pytest.fixture(scope="module")
def classes(duckdb: DuckDB) -> EquivalenceClasses:
    return rows(RECORDS, ["q", "s"], duckdb, q="quasi", s="sensitive").classes()


def alphas(classes: EquivalenceClasses, k: int) -> dict[str, float]:
    found = classes.engine.fetch(f"""
        SELECT k1, reading FROM {classes.with_keys()} AS class
        JOIN {AlphaKAnonymity("s", k=k).readings(classes)} AS m ON m.class_id = class.class_id""")
    return dict(found)


def test_alpha_of_a_class_is_the_share_of_its_commonest_value(classes: EquivalenceClasses) -> None:
    assert alphas(classes, k=2) == {"a": 0.5, "b": 0.75, "c": 0.5}
    assert AlphaKAnonymity("s", k=2).of(classes) == 0.75


def test_a_class_of_fewer_than_k_has_no_alpha(classes: EquivalenceClasses) -> None:
    assert alphas(classes, k=3) == {"a": 0.5, "b": 0.75, "c": inf}
    assert AlphaKAnonymity("s", k=3).of(classes) == inf
    assert not Requirement(AlphaKAnonymity("s", k=3), 1).met_by(inf)


def test_a_frequency_of_exactly_alpha_is_allowed(classes: EquivalenceClasses) -> None:
    """The definition asks for a relative frequency that is less than or equal to alpha."""
    reading = AlphaKAnonymity("s", k=2).of(classes)
    assert Requirement(AlphaKAnonymity("s", k=2), 0.75).met_by(reading)
    assert not Requirement(AlphaKAnonymity("s", k=2), 0.74).met_by(reading)


def test_a_homogeneous_class_is_inferred_with_certainty(duckdb: DuckDB) -> None:
    assert AlphaKAnonymity("condition", k=4).of(four_anonymous_inpatients(duckdb).classes()) == 1


def test_a_missing_value_is_not_part_of_the_share_but_its_record_counts_for_k(duckdb: DuckDB) -> None:
    """Three members, two of whom have a value, the same one: whoever has a value has that one."""
    records = [("a", "hiv"), ("a", "hiv"), ("a", None)]
    missing = rows(records, ["q", "s"], duckdb, q="quasi", s="sensitive").classes()
    assert AlphaKAnonymity("s", k=3).of(missing) == 1
    assert AlphaKAnonymity("s", k=4).of(missing) == inf
    assert AlphaKAnonymity("s", count_missing=True, k=3).of(missing) == pytest.approx(2 / 3, abs=1e-15)
