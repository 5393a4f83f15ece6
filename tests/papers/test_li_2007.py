"""Li, Li, Venkatasubramanian (2007), t-closeness: the salary and disease tables (3, 4, 5) and their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.models.t_ordered import TOrdered
from sfumato.privacy.models.t_wasserstein import TWasserstein
from sfumato.privacy.models.t_wasserstein_normalised import TWassersteinNormalised
from sfumato.privacy.policy import Requirement
from sfumato.studies.printed_tables import rows, salaries
from sfumato.tables.engines.duckdb import DuckDB

Release = dict[tuple[str, str], tuple[int, ...]]  # zip and age -> numbers of table 3

# Table 3, number -> salary in thousands and disease.
TABLE_3 = {
    1: (3, "gastric ulcer"),
    2: (4, "gastritis"),
    3: (5, "stomach cancer"),
    4: (6, "gastritis"),
    5: (11, "flu"),
    6: (8, "bronchitis"),
    7: (7, "bronchitis"),
    8: (9, "pneumonia"),
    9: (10, "stomach cancer"),
}
TABLE_4: Release = {("476**", "2*"): (1, 2, 3), ("4790*", ">=40"): (4, 5, 6), ("476**", "3*"): (7, 8, 9)}
TABLE_5: Release = {("4767*", "<=40"): (1, 3, 8), ("4790*", ">=40"): (4, 5, 6), ("4760*", "<=40"): (2, 7, 9)}


@pytest.fixture(scope="module")
def duckdb() -> DuckDB:
    return DuckDB(threads=1)


def released(duckdb: DuckDB, table: Release) -> EquivalenceClasses:
    records = [(*keys, *TABLE_3[number]) for keys, numbers in table.items() for number in numbers]
    roles = {"zip": "quasi", "age": "quasi", "salary": "sensitive", "disease": "sensitive"}
    return rows(records, ["zip", "age", "salary", "disease"], duckdb, **roles).classes()


def by_keys(classes: EquivalenceClasses, measure: TOrdered | TCloseness) -> dict[tuple[str, str], float]:
    found = classes.engine.fetch(f"""
        SELECT k1, k2, reading FROM {classes.with_keys()} AS class
        JOIN {measure.readings(classes)} AS m ON m.class_id = class.class_id""")
    return {(code, age): reading for code, age, reading in found}


def ordered(duckdb: DuckDB, salaries_of_class: Sequence[int]) -> float:
    """The ordered distance of one class of salaries from the nine of table 3."""
    whole = [salary for salary, _ in TABLE_3.values()]
    rest = [salary for salary in whole if salary not in salaries_of_class]
    records = [("class", s) for s in salaries_of_class] + [(f"rest {s}", s) for s in rest]
    classes = rows(records, ["q", "salary"], duckdb, q="quasi", salary="sensitive").classes()
    found = duckdb.fetch(f"""
        SELECT reading FROM {TOrdered("salary").readings(classes)} AS m
        JOIN {classes.with_keys()} AS class ON class.class_id = m.class_id WHERE k1 = 'class'""")
    return float(found[0][0])


def test_the_class_of_3k_4k_5k_lies_at_0_375(duckdb: DuckDB) -> None:
    """Section 4.1: D[P1, Q] = 0.375."""
    assert ordered(duckdb, [3, 4, 5]) == pytest.approx(0.375, abs=1e-12)


def test_the_class_of_6k_8k_11k_lies_at_0_167(duckdb: DuckDB) -> None:
    """Section 4.1: D[P2, Q] = 0.167, which is 1/6."""
    assert ordered(duckdb, [6, 8, 11]) == pytest.approx(1 / 6, abs=1e-12)


def test_table_4_is_3_diverse_and_yet_0_375_away_from_the_whole(duckdb: DuckDB) -> None:
    classes = released(duckdb, TABLE_4)
    assert KAnonymity().of(classes) == 3
    assert DistinctLDiversity("disease").of(classes) == 3
    assert DistinctLDiversity("salary").of(classes) == 3
    assert TOrdered("salary").of(classes) == pytest.approx(0.375, abs=1e-12)


def test_the_classes_of_table_4_lie_at_27_12_and_17_seventy_seconds(duckdb: DuckDB) -> None:
    """By hand: the eight steps of the cumulative distributions differ by 27, 12 and 17 ninths in all."""
    found = by_keys(released(duckdb, TABLE_4), TOrdered("salary"))
    assert found[("476**", "2*")] == pytest.approx(27 / 72, abs=1e-12)
    assert found[("4790*", ">=40")] == pytest.approx(12 / 72, abs=1e-12)
    assert found[("476**", "3*")] == pytest.approx(17 / 72, abs=1e-12)


def test_table_5_has_0_167_closeness_in_salary(duckdb: DuckDB) -> None:
    """The caption of table 5. By hand {3, 5, 9} and {6, 8, 11} lie at 12/72 and {4, 7, 10} at 6/72."""
    classes = released(duckdb, TABLE_5)
    reading = TOrdered("salary").of(classes)
    assert KAnonymity().of(classes) == 3
    found = by_keys(classes, TOrdered("salary")).values()
    assert sorted(found) == pytest.approx([6 / 72, 12 / 72, 12 / 72], abs=1e-12)
    assert reading == pytest.approx(1 / 6, abs=1e-12)
    assert Requirement(TOrdered("salary"), 0.167).met_by(reading)
    assert not Requirement(TOrdered("salary"), 0.166).met_by(reading)


def test_equal_distance_does_not_see_that_stomach_diseases_are_alike(duckdb: DuckDB) -> None:
    """Ours has no hierarchical distance, by which the paper gives 0.278 for disease in table 5.

    With equal distances between diseases, three different ones of a class lie at 1 minus their shares of the
    whole: {gastric ulcer 1, gastritis 2, stomach cancer 2 of 9} = 4/9, {gastritis 2, flu 1, bronchitis 2} = 4/9 and
    {bronchitis 2, pneumonia 1, stomach cancer 2} = 4/9 in table 4; in table 5 the first class is
    {gastric ulcer 1, stomach cancer 2, pneumonia 1} = 5/9 and the last {2, 2, 2} = 3/9.
    """
    four = by_keys(released(duckdb, TABLE_4), TCloseness("disease"))
    five = by_keys(released(duckdb, TABLE_5), TCloseness("disease"))
    assert sorted(four.values()) == pytest.approx([4 / 9, 4 / 9, 4 / 9], abs=1e-12)
    assert sorted(five.values()) == pytest.approx([3 / 9, 4 / 9, 5 / 9], abs=1e-12)


def test_salaries_one_thousand_apart_must_be_moved_by_three_thousand(duckdb: DuckDB) -> None:
    """Evenly spaced from 3 to 11: in thousands the distance is 8 times the ordered one."""
    classes = salaries(duckdb).classes()
    assert TWasserstein("salary").of(classes) == pytest.approx(3.0, abs=1e-12)
    assert TWassersteinNormalised("salary").of(classes) == pytest.approx(0.375, abs=1e-12)


def test_a_class_that_is_distributed_as_the_whole_is_at_distance_zero(duckdb: DuckDB) -> None:
    records = [(q, s) for q in ("a", "b", "c") for s in (1, 2, 2, 7)]
    classes = rows(records, ["q", "s"], duckdb, q="quasi", s="sensitive").classes()
    for measure in (TCloseness("s"), TOrdered("s"), TWasserstein("s"), TWassersteinNormalised("s")):
        assert measure.of(classes) == pytest.approx(0, abs=1e-15)


def test_moving_to_the_other_end_costs_one(duckdb: DuckDB) -> None:
    """One record at the low end, a hundred at the high end: t tends to 1 and is 100/101 here."""
    records = [("low", 0)] + [("high", 10)] * 100
    classes = rows(records, ["q", "s"], duckdb, q="quasi", s="sensitive").classes()
    for measure in (TCloseness("s"), TOrdered("s"), TWassersteinNormalised("s")):
        assert measure.of(classes) == pytest.approx(100 / 101, abs=1e-12)
    assert TWasserstein("s").of(classes) == pytest.approx(1000 / 101, abs=1e-12)
