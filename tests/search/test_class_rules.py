"""What a search reads off groupings is what the measures read off tables."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isnan

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import PolicyError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.policy_rules import PolicyRules, class_rules
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.measure_interface import Measure
from sfumato.privacy.models.alpha_k_anonymity import AlphaKAnonymity
from sfumato.privacy.models.average_risk import AverageRisk
from sfumato.privacy.models.basic_beta_likeness import BasicBetaLikeness
from sfumato.privacy.models.delta_disclosure import DeltaDisclosure
from sfumato.privacy.models.delta_presence import DeltaPresence
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.enhanced_beta_likeness import EnhancedBetaLikeness
from sfumato.privacy.models.entropy_l_diversity import EntropyLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.k_map import KMap
from sfumato.privacy.models.least_presence import LeastPresence
from sfumato.privacy.models.maximum_risk import MaximumRisk
from sfumato.privacy.models.recursive_l_diversity import RecursiveLDiversity
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.models.t_ordered import TOrdered
from sfumato.privacy.models.t_wasserstein import TWasserstein
from sfumato.privacy.models.t_wasserstein_normalised import TWassersteinNormalised
from sfumato.privacy.policy import Policy, Requirement
from sfumato.tables.engines.duckdb import DuckDB

MEASURES: list[tuple[Measure, float]] = [
    (KAnonymity(), 3), (MaximumRisk(), 0.33), (AverageRisk(), 0.4),
    *[(cls(name, count_missing=counted), bound) for name in ("s", "x") for counted in (False, True) for cls, bound in (
        (DistinctLDiversity, 2), (EntropyLDiversity, 1.8), (RecursiveLDiversity, 2), (TCloseness, 0.3),
        (BasicBetaLikeness, 0.7), (EnhancedBetaLikeness, 0.7), (DeltaDisclosure, 0.8), (AlphaKAnonymity, 0.6))],
    (RecursiveLDiversity("s", l=3), 1.5), (AlphaKAnonymity("s", k=3), 0.7), (DeltaDisclosure("x", base=2), 1),
    (TOrdered("s"), 0.2), (TOrdered("x"), 0.2), (TWasserstein("x"), 2), (TWassersteinNormalised("x"), 0.2),
    (TOrdered("x", bins=(0, 2, 9)), 0.2), (DistinctLDiversity("x", bins=(0, 2, 9)), 2),
]  # fmt: skip
OF_POPULATIONS: list[tuple[Measure, float]] = [
    (KMap(), 1), (KMap(), 4), (DeltaPresence(), 0.5), (DeltaPresence(), 1), (LeastPresence(), 0.3),
    (LeastPresence(), 0),
]  # fmt: skip
TOWNS = Hierarchy((("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*")))
records = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c", None]), st.sampled_from(["u", "v", "w", None]),
              st.sampled_from([0, 1, 2.5, 7, None])), min_size=1, max_size=24)  # fmt: skip


def dataset(rows: list[tuple[object, ...]], people: list[int | None] | None = None, level: int = 0,
            everybody: list[tuple[object, ...]] | None = None) -> Dataset:  # fmt: skip
    """The rows with their towns at a level of the hierarchy, and likewise the towns and persons of a population."""
    columns = {"town": pa.array([TOWNS.label(row[0], level) for row in rows], pa.string())}  # type: ignore[arg-type]
    columns |= {"s": pa.array([row[1] for row in rows], pa.string())}
    columns |= {"x": pa.array([row[2] for row in rows], pa.float64())}
    if people is not None:
        columns["who"] = pa.array(people, pa.int64())
    table = DuckDB().load(pa.table(columns))
    described = Dataset.of(
        table, {"town": "quasi", "s": "sensitive", "x": "sensitive"}, subject="who" if people else None
    )
    if everybody is not None:
        towns = pa.array([TOWNS.label(town, level) for town, _ in everybody], pa.string())  # type: ignore[arg-type]
        whose = {"who": pa.array([who for _, who in everybody], pa.int64())} if people else {}
        described = described.with_population(table.engine.load(pa.table({"town": towns} | whose)))
    return replace(described, hierarchies={"town": TOWNS})


def label_of(code: int, table: CodedTable, level: int) -> str | None:
    leaf = [*TOWNS.values, None][int(table.codes[0][code])]
    return TOWNS.label(leaf, level)


def compared(rows: list[tuple[object, ...]], measure: Measure, bound: float, level: int,
             people: list[int | None] | None = None, everybody: list[tuple[object, ...]] | None = None
             ) -> None:  # fmt: skip
    requirement = Requirement(measure, bound)
    rules = PolicyRules.of(Policy((requirement,)))
    coded = CodedClasses.at(condense(dataset(rows, people, 0, everybody), rules.values), (level,)).packed
    ours = rules.rules[0].readings(coded)
    broken = rules.rules[0].judge(coded).broken
    classes = dataset(rows, people, level, everybody).classes()
    theirs = classes.engine.fetch(f"""
        SELECT class.k1, one.reading, {requirement.broken("one.reading")} FROM {classes.with_keys()} AS class
        LEFT JOIN {measure.readings(classes)} AS one ON one.class_id = class.class_id""")
    used = np.flatnonzero(coded.records > 0)
    assert len(theirs) == len(used)
    expected = {label: (reading, bad) for label, reading, bad in theirs}
    for i in used:
        reading, bad = expected[label_of(int(coded.examples[i]), coded.table, level)]
        assert isnan(ours[i]) if reading is None else ours[i] == pytest.approx(reading, abs=1e-9)
        if measure.name() not in ("average_risk", "least_presence"):
            assert broken[i] == bad
    if measure.name() == "least_presence":
        assert broken[used].tolist() == [not requirement.met_by(measure.of(classes))] * len(used)


@pytest.mark.parametrize(("measure", "bound"), MEASURES, ids=lambda parameter: str(parameter)[:60])
@settings(max_examples=8)
@given(rows=records, level=st.integers(0, 2))
def test_every_class_reads_and_breaks_what_the_measure_says(
    measure: Measure, bound: float, rows: list[tuple[object, ...]], level: int
) -> None:
    compared(rows, measure, bound, level)


@settings(max_examples=15)
@given(rows=records, measure=st.sampled_from(MEASURES))
def test_persons_count_once_where_all_their_records_are_alike(
    rows: list[tuple[object, ...]], measure: tuple[Measure, float]
) -> None:
    several = [row for i, row in enumerate(rows) for _ in range(1 + i % 3)]
    people = [i if i % 4 else None for i, row in enumerate(rows) for _ in range(1 + i % 3)]
    compared(several, *measure, 1, people if any(who is not None for who in people) else None)


@settings(max_examples=75)
@given(data=st.data(), rows=records, measure=st.sampled_from(MEASURES), level=st.integers(0, 2))
def test_persons_count_once_in_each_class_and_for_each_value_however_their_records_differ(
    data: st.DataObject, rows: list[tuple[object, ...]], measure: tuple[Measure, float], level: int
) -> None:
    whose = st.sampled_from([None, 1, 2, 3, 4])
    people = data.draw(st.lists(whose, min_size=len(rows), max_size=len(rows)))
    compared(rows, *measure, level, people)


@settings(max_examples=50)
@given(data=st.data(), rows=records, measure=st.sampled_from(OF_POPULATIONS), level=st.integers(0, 2))
def test_classes_read_what_the_measures_of_a_population_say(
    data: st.DataObject, rows: list[tuple[object, ...]], measure: tuple[Measure, float], level: int
) -> None:
    """Of a sample whose persons may have several records, of a population whose persons may have several too."""
    whose = st.sampled_from([None, 1, 2, 3])
    people = data.draw(st.none() | st.lists(whose, min_size=len(rows), max_size=len(rows)))
    others = data.draw(st.lists(st.sampled_from(["a", "b", "c", None]), max_size=12))
    strangers = data.draw(st.lists(st.sampled_from([None, 2, 3, 4, 5, 6]), min_size=12, max_size=12))
    everybody = [*((row[0], who) for row, who in zip(rows, people or [None] * len(rows), strict=True)),
                 *zip(others, strangers, strict=False)]  # fmt: skip
    compared(rows, *measure, level, people, everybody if data.draw(st.booleans()) else None)


def test_there_is_a_rule_for_every_measure_of_the_list_and_a_clear_word_for_others() -> None:
    assert {measure.name() for measure, _ in (*MEASURES, *OF_POPULATIONS)} == set(class_rules())

    class Unheard(KMap):
        """A measure that no rule is about."""

    with pytest.raises(PolicyError, match="cannot keep to a bound on unheard yet"):
        PolicyRules.of(Policy((Requirement(Unheard(), 5),)))


def test_the_smallest_classes_go_until_the_average_risk_is_low_enough() -> None:
    rows = [("a", "u", 1)] * 2 + [("b", "u", 1)] * 3 + [("c", "u", 1)] * 20
    classes = CodedClasses.at(condense(dataset(rows)), (0,)).packed
    for bound, gone in ((0.12, 0), (0.1, 2), (0.08, 5), (0.01, 25)):
        suppression = PolicyRules.of(Policy((Requirement(AverageRisk(), bound),))).suppression(classes, inf)
        assert suppression is not None
        assert classes.records[suppression.here].sum() == gone
