"""Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam (2007), l-diversity. Figures 1 to 3 and its definitions."""

from __future__ import annotations

from math import inf, sqrt

import pytest

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.entropy_l_diversity import EntropyLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.recursive_l_diversity import RecursiveLDiversity
from sfumato.privacy.policy import Requirement
from sfumato.studies.printed_tables import four_anonymous_inpatients, inpatients, rows, three_diverse_inpatients
from sfumato.tables.engines.duckdb import DuckDB


@pytest.fixture(scope="module")
def duckdb() -> DuckDB:
    return DuckDB(threads=1)


@pytest.fixture(scope="module")
def figure_1(duckdb: DuckDB) -> EquivalenceClasses:
    return inpatients(duckdb).classes()


@pytest.fixture(scope="module")
def figure_2(duckdb: DuckDB) -> EquivalenceClasses:
    return four_anonymous_inpatients(duckdb).classes()


@pytest.fixture(scope="module")
def figure_3(duckdb: DuckDB) -> EquivalenceClasses:
    return three_diverse_inpatients(duckdb).classes()


def one_class(duckdb: DuckDB, counts: list[int]) -> EquivalenceClasses:
    """A single class in which the values v0, v1, ... occur this often."""
    records = [("a", f"v{i}") for i, n in enumerate(counts) for _ in range(n)]
    return rows(records, ["q", "s"], duckdb, q="quasi", s="sensitive").classes()


def readings(measure: EntropyLDiversity | RecursiveLDiversity, classes: EquivalenceClasses) -> list[float]:
    found = classes.engine.fetch(f"SELECT reading FROM {measure.readings(classes)} ORDER BY reading")
    return [reading for (reading,) in found]


def test_everybody_in_figure_1_is_unique(figure_1: EquivalenceClasses) -> None:
    assert KAnonymity().of(figure_1) == 1
    assert figure_1.table.count() == 12


def test_figure_2_is_4_anonymous_but_only_1_diverse(figure_2: EquivalenceClasses) -> None:
    """The homogeneity attack: everybody in the third class has cancer."""
    assert KAnonymity().of(figure_2) == 4
    assert DistinctLDiversity("condition").of(figure_2) == 1
    assert EntropyLDiversity("condition").of(figure_2) == 1


def test_figure_3_is_4_anonymous_and_3_diverse(figure_3: EquivalenceClasses) -> None:
    assert KAnonymity().of(figure_3) == 4
    assert DistinctLDiversity("condition").of(figure_3) == 3


def test_figure_3_has_less_than_three_values_worth_of_entropy(figure_3: EquivalenceClasses) -> None:
    """Counts 2, 1, 1: entropy (1/2) ln 2 + (1/2) ln 4 = (3/2) ln 2, so l = 2 sqrt(2)."""
    found = EntropyLDiversity("condition").of(figure_3)
    assert found == pytest.approx(2 * sqrt(2), abs=1e-12)
    assert Requirement(EntropyLDiversity("condition"), 2.8).met_by(found)
    assert not Requirement(EntropyLDiversity("condition"), 3).met_by(found)


def test_entropy_of_the_classes_of_figure_2(figure_2: EquivalenceClasses) -> None:
    """Counts (2, 2), (1, 1, 2) and (4)."""
    assert readings(EntropyLDiversity("condition"), figure_2) == pytest.approx([1, 2, 2 * sqrt(2)], abs=1e-12)


@pytest.mark.parametrize("l", [1, 2, 3, 5, 7, 10])
def test_l_equally_frequent_values_are_entropy_l_diverse(duckdb: DuckDB, l: int) -> None:  # noqa: E741
    """Floating point must not turn exp(ln 3) into something that fails a bound of 3."""
    found = EntropyLDiversity("s").of(one_class(duckdb, [2] * l))
    assert found == l
    assert Requirement(EntropyLDiversity("s"), l).met_by(found)


def test_a_class_of_uneven_counts_has_fewer_effective_values_than_distinct_ones(duckdb: DuckDB) -> None:
    """Counts 6, 1, 1, 1, 1 of 10: ln l = 0.6 ln(10/6) + 0.4 ln 10, l = (5/3)^0.6 10^0.4."""
    classes = one_class(duckdb, [6, 1, 1, 1, 1])
    assert DistinctLDiversity("s").of(classes) == 5
    assert EntropyLDiversity("s").of(classes) == pytest.approx((5 / 3) ** 0.6 * 10**0.4, abs=1e-11)


@pytest.mark.parametrize(("l", "c"), [(1, 0.5), (2, 1.0), (3, 2.0), (4, inf)])
def test_figure_3_is_recursive_for_every_c_above_these(figure_3: EquivalenceClasses, l: int, c: float) -> None:  # noqa: E741
    """Counts 2, 1, 1 in every class: r1 = 2 against 4, 2, 1 and nothing."""
    assert RecursiveLDiversity("condition", l=l).of(figure_3) == c


def test_recursive_readings_of_the_classes_of_figure_2(figure_2: EquivalenceClasses) -> None:
    """l = 2 on counts (2, 2), (2, 1, 1), (4): 2/2, 2/2, 4/0; l = 3: 2/0, 2/1, 4/0."""
    assert readings(RecursiveLDiversity("condition", l=2), figure_2) == [1, 1, inf]
    assert readings(RecursiveLDiversity("condition", l=3), figure_2) == [2, inf, inf]


def test_definition_4_2_sums_the_rare_values_from_the_l_th_on(duckdb: DuckDB) -> None:
    """Counts 5, 3, 2, 1: r1 = 5 against 3 + 2 + 1 (l = 2), 2 + 1 (l = 3), 1 (l = 4)."""
    classes = one_class(duckdb, [2, 5, 1, 3])
    found = [RecursiveLDiversity("s", l=l).of(classes) for l in (1, 2, 3, 4, 5)]  # noqa: E741
    assert found == [5 / 11, 5 / 6, 5 / 3, 5, inf]


def test_a_value_removed_from_a_diverse_class_leaves_l_minus_1(duckdb: DuckDB) -> None:
    """Why it is called recursive: a (c, l)-diverse class stays (c, l - 1)-diverse without any one value."""
    before = RecursiveLDiversity("s", l=3).of(one_class(duckdb, [5, 3, 2, 1]))
    for left in ([3, 2, 1], [5, 2, 1], [5, 3, 1], [5, 3, 2]):
        after = RecursiveLDiversity("s", l=2).of(one_class(duckdb, left))
        assert before is not None
        assert after is not None
        assert after <= before
