"""Every measure, value by value and record by record, against a plain recomputation on random tables.

The recomputation knows nothing of classes: for each record it looks for the others that it could be mistaken
for, and counts. Wasserstein distances are SciPy's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import exp, inf, log
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance
from tests.engines.statements import WAYS

from sfumato.privacy.assess import answer
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.measure_interface import Safer, SensitiveMeasure
from sfumato.privacy.models.alpha_k_anonymity import AlphaKAnonymity
from sfumato.privacy.models.average_risk import AverageRisk
from sfumato.privacy.models.basic_beta_likeness import BasicBetaLikeness
from sfumato.privacy.models.delta_disclosure import DeltaDisclosure
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.enhanced_beta_likeness import EnhancedBetaLikeness
from sfumato.privacy.models.entropy_l_diversity import EntropyLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.maximum_risk import MaximumRisk
from sfumato.privacy.models.recursive_l_diversity import RecursiveLDiversity
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.models.t_ordered import TOrdered
from sfumato.privacy.models.t_wasserstein import TWasserstein
from sfumato.privacy.models.t_wasserstein_normalised import TWassersteinNormalised
from sfumato.privacy.policy import Requirement
from sfumato.privacy.question import Question
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.source import Extract

READINGS = ["own_value", "wildcard", "never_matches"]
COLUMNS = ["age", "sex", "disease", "dose", "who"]
TYPES = [pa.int64(), pa.string(), pa.string(), pa.float64(), pa.string()]
Record = tuple[int | None, str | None, str | None, float | None, str | None]

RECORDS = st.lists(
    st.tuples(
        st.sampled_from([None, 30, 40]),
        st.sampled_from([None, "f", "m"]),
        st.sampled_from([None, "flu", "cold", "hiv", ""]),
        st.sampled_from([None, -2.5, 0.0, 0.1, 1.0, 7.0, 1e6]),
        st.sampled_from([None, "ann", "bob", "cy"]),
    ),
    min_size=1,
    max_size=14,
)

REQUIREMENTS = [
    Requirement(KAnonymity(), 2),
    Requirement(MaximumRisk(), 0.5),
    Requirement(AverageRisk(), 0.4),
    *[Requirement(DistinctLDiversity(column), 2) for column in ("disease", "dose")],
    Requirement(EntropyLDiversity("disease"), 1.8),
    Requirement(RecursiveLDiversity("disease", l=2), 1.5),
    Requirement(AlphaKAnonymity("disease", k=2), 0.6),
    Requirement(BasicBetaLikeness("disease"), 0.75),
    Requirement(EnhancedBetaLikeness("disease"), 0.75),
    Requirement(DeltaDisclosure("disease"), 0.9),
    *[Requirement(TCloseness(column), 0.3) for column in ("disease", "dose")],
    *[Requirement(TOrdered(column), 0.25) for column in ("disease", "dose")],
    Requirement(TWasserstein("dose"), 1.5),
    Requirement(TWassersteinNormalised("dose"), 0.2),
]


@dataclass(frozen=True)
class Plain:
    """The recomputation: records, how a missing quasi-identifier is read, and whether persons are counted."""

    records: Sequence[Record]
    missing: str
    persons: bool

    def who(self, i: int) -> str:
        """The person of a record; a record without one is somebody of its own."""
        person = self.records[i][4] if self.persons else None
        return f"row {i}" if person is None else person

    def alike(self, i: int, j: int) -> bool:
        one, other = self.records[i][:2], self.records[j][:2]
        if self.missing == "wildcard":
            return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))
        if self.missing == "never_matches" and None in one:
            return one == other and self.who(i) == self.who(j)
        return one == other

    @cached_property
    def members(self) -> list[list[int]]:
        every = range(len(self.records))
        return [[j for j in every if self.alike(i, j)] for i in every]

    def look_alikes(self, i: int) -> list[Record]:
        """The records that lack and have the same as record i, however a missing value is read."""
        return [other for other in self.records if other[:2] == self.records[i][:2]]

    def size(self, i: int) -> int:
        return len({self.who(j) for j in self.members[i]})

    def counts(self, indexes: Sequence[int], column: int) -> Counter[Any]:
        """How many persons have each value."""
        held = {(self.who(j), self.records[j][column]) for j in indexes if self.records[j][column] is not None}
        return Counter(value for _, value in held)

    def known(self, i: int, column: int) -> int:
        return len({self.who(j) for j in self.members[i] if self.records[j][column] is not None})

    def whole(self, column: int) -> Counter[Any]:
        """Everybody's values; a person in several classes of their own counts in each."""
        exact = Plain(self.records, "never_matches" if self.missing == "never_matches" else "own_value", self.persons)
        found: Counter[Any] = Counter()
        for i, own in enumerate(exact.members):
            if i == own[0]:
                found += self.counts(own, column)
        return found

    def shares(self, i: int, column: int) -> tuple[dict[Any, float], dict[Any, float]]:
        """q and p over all values of the table."""
        here, everyone = self.counts(self.members[i], column), self.whole(column)
        order = sorted(everyone)
        return (
            {value: here[value] / here.total() for value in order},
            {value: everyone[value] / everyone.total() for value in order},
        )

    def reading(self, measure: object, i: int) -> float | None:
        """What a measure reads off the people that record i could be mistaken for; None where nobody has a value."""
        if not isinstance(measure, SensitiveMeasure):
            return self.size(i) if isinstance(measure, KAnonymity) else 1 / self.size(i)
        column = COLUMNS.index(measure.sensitive)
        counts = sorted(self.counts(self.members[i], column).values(), reverse=True)
        if not counts:
            return {DistinctLDiversity: 0, EntropyLDiversity: 0, RecursiveLDiversity: inf}.get(type(measure))
        if measure.family != "l" and all(other[column] is None for other in self.look_alikes(i)):
            return None
        if isinstance(measure, DistinctLDiversity):
            return min(len(counts), self.known(i, column))
        if isinstance(measure, RecursiveLDiversity):
            rest = sum(counts[measure.l - 1 :])
            return counts[0] / rest if rest and self.known(i, column) >= measure.l else inf
        if isinstance(measure, AlphaKAnonymity):
            return counts[0] / self.known(i, column) if self.size(i) >= measure.k else inf
        return self.distance(measure, i, column)

    def distance(self, measure: SensitiveMeasure, i: int, column: int) -> float:
        q, p = self.shares(i, column)
        gains = {value: (q[value] - p[value]) / p[value] for value in p}
        match measure:
            case EntropyLDiversity():
                return min(exp(-sum(share * log(share) for share in q.values() if share)), self.known(i, column))
            case BasicBetaLikeness():
                return max(0.0, *gains.values())
            case EnhancedBetaLikeness():
                too_much = any(gain > -log(p[value]) + 1e-12 for value, gain in gains.items())
                return inf if too_much else max(0.0, *gains.values())
            case DeltaDisclosure():
                return max(abs(log(q[value] / p[value])) if q[value] else inf for value in p)
            case TCloseness():
                return sum(abs(q[value] - p[value]) for value in p) / 2
            case TOrdered():
                steps = accumulate(q[value] - p[value] for value in p)
                return sum(map(abs, steps)) / max(len(p) - 1, 1)
        moved = float(wasserstein_distance(list(q), list(p), list(q.values()), list(p.values())))
        reach = max(p) - min(p)
        return moved if isinstance(measure, TWasserstein) else moved / reach if reach else 0.0

    def flagged(self, requirement: Requirement, i: int) -> bool:
        """Whether record i is at risk: its reading breaks the bound, and it has a value to disclose."""
        measure, bound = requirement.measure, requirement.bound
        reading = self.reading(measure, i)
        if reading is None or bound is None:
            return False
        if (
            isinstance(measure, SensitiveMeasure)
            and measure.family != "l"
            and self.records[i][COLUMNS.index(measure.sensitive)] is None
        ):
            return False
        if measure.strict:
            return reading > bound - 1e-9
        return reading < bound - 1e-9 if measure.safer is Safer.HIGHER else reading > bound + 1e-9

    def of_table(self, requirement: Requirement) -> float | None:
        if isinstance(requirement.measure, AverageRisk):
            exact = Plain(self.records, self.missing.replace("wildcard", "own_value"), self.persons)
            firsts = [i for i, own in enumerate(exact.members) if own[0] == i]
            return sum(exact.size(i) / self.size(i) for i in firsts) / sum(exact.size(i) for i in firsts)
        found = [self.reading(requirement.measure, i) for i in range(len(self.records))]
        readings = [reading for reading in found if reading is not None]
        if not readings:
            return None
        return min(readings) if requirement.measure.safer is Safer.HIGHER else max(readings)


@pytest.fixture(scope="module", params=WAYS, ids=["in memory", "by statements"])
def duckdb(request: pytest.FixtureRequest) -> DuckDB:
    engine: DuckDB = request.param(threads=1)
    return engine


def assessed(
    duckdb: DuckDB,
    records: Sequence[Record],
    requirements: Sequence[Requirement],
    missing: str = "own_value",
    *,
    persons: bool = False,
) -> Assessment:
    columns = {
        name: pa.array([record[i] for record in records], kind)
        for i, (name, kind) in enumerate(zip(COLUMNS, TYPES, strict=True))
    }
    extract = Extract("random", duckdb.load(pa.table(columns)), ())
    question = Question.written(
        quasi=["age", "sex"],
        sensitive=["disease", "dose"],
        subject="who" if persons else None,
        missing=missing,
        requirements=requirements,
    )
    return answer(extract, question)


def close(expected: float | None) -> Any:
    return None if expected is None else pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("missing", READINGS)
@settings(max_examples=8, deadline=None)
@given(records=RECORDS, persons=st.booleans())
def test_every_reading_and_every_flag_equals_a_plain_recomputation(
    duckdb: DuckDB, records: list[Record], missing: str, persons: bool
) -> None:
    found = assessed(duckdb, records, REQUIREMENTS, missing, persons=persons)
    plain = Plain(records, missing, persons)
    flags = found.flags
    assert flags["record"].to_pylist() == list(range(1, len(records) + 1))
    at_risk = [False] * len(records)
    for requirement, reading, label in zip(REQUIREMENTS, found.readings, found.verdicts.labels, strict=True):
        expected = [plain.flagged(requirement, i) for i in range(len(records))]
        assert reading.value == close(plain.of_table(requirement)), label
        for i, value in enumerate(flags[label].to_pylist()):
            assert value == close(plain.reading(requirement.measure, i)), (label, i)
        assert flags[f"{label}_flagged"].to_pylist() == expected, label
        assert reading.flagged == sum(expected), label
        if persons:
            assert reading.flagged_subjects == len({plain.who(i) for i, hit in enumerate(expected) if hit}), label
        at_risk = [before or hit for before, hit in zip(at_risk, expected, strict=True)]
    assert flags["flagged"].to_pylist() == at_risk
    assert found.overlap.any == sum(at_risk)


@settings(max_examples=14, deadline=None)
@given(records=RECORDS, missing=st.sampled_from(READINGS), persons=st.booleans())
def test_no_record_vanishes_from_the_classes(
    duckdb: DuckDB, records: list[Record], missing: str, persons: bool
) -> None:
    found = assessed(duckdb, records, REQUIREMENTS[:1], missing, persons=persons)
    plain = Plain(records, missing, persons)
    assert found.records == found.sizes.records == len(records)
    assert found.sizes.smallest == min(plain.size(i) for i in range(len(records)))
    assert found.subjects == (len({plain.who(i) for i in range(len(records))}) if persons else None)
    expected = {
        reading: min(Plain(records, reading, persons).size(i) for i in range(len(records))) for reading in READINGS
    }
    assert found.missing_readings == expected
    assert expected["never_matches"] <= expected["own_value"] <= expected["wildcard"]


@settings(max_examples=8, deadline=None)
@given(records=RECORDS)
def test_a_record_with_a_missing_value_never_matches_anybody(duckdb: DuckDB, records: list[Record]) -> None:
    sizes = assessed(duckdb, records, REQUIREMENTS[:1], "never_matches").flags["k_anonymity"].to_pylist()
    for record, size in zip(records, sizes, strict=True):
        if None in record[:2]:
            assert size == 1
        else:
            assert size == sum(other[:2] == record[:2] for other in records)


def test_a_record_without_the_sensitive_value_is_flagged_by_l_and_not_by_t(duckdb: DuckDB) -> None:
    """Three alike, one of them without a disease: the class has one disease, and is far from the whole."""
    records: list[Record] = [
        (30, "f", "flu", 1.0, None),
        (30, "f", "flu", 1.0, None),
        (30, "f", None, 1.0, None),
        (40, "f", "hiv", 1.0, None),
    ]
    asked = [Requirement(DistinctLDiversity("disease"), 2), Requirement(TCloseness("disease"), 0.2)]
    found = assessed(duckdb, records, asked)
    assert found.flags["distinct_l_diversity_disease_flagged"].to_pylist() == [True, True, True, True]
    assert found.flags["t_closeness_disease_flagged"].to_pylist() == [True, True, False, True]
    assert [(reading.flagged, reading.left_out) for reading in found.readings] == [(4, 1), (3, 1)]


def test_what_nobody_could_disclose_breaks_no_bound_where_a_missing_value_may_be_anything(duckdb: DuckDB) -> None:
    """The first record could be either of the others, but has no disease of its own: there is nothing to learn."""
    records: list[Record] = [(None, "f", None, None, None), (30, None, "flu", 1.0, None), (30, "m", "hiv", 1.0, None)]
    asked = [Requirement(TCloseness("disease"), 0.1), Requirement(BasicBetaLikeness("disease"), 0.1)]
    found = assessed(duckdb, records, asked, "wildcard")
    assert [(reading.value, reading.met, reading.flagged) for reading in found.readings] == [(0, True, 0), (0, True, 0)]
    assert found.flags["t_closeness_disease"].to_pylist() == [None, 0, 0]


def test_a_person_with_several_records_is_one_and_a_record_without_a_person_is_another(duckdb: DuckDB) -> None:
    records: list[Record] = [(30, "f", "flu", 1.0, who) for who in ("ann", "ann", "bob", None, None)]
    by_person = assessed(duckdb, records, REQUIREMENTS[:1], persons=True)
    assert (by_person.sizes.smallest, by_person.sizes.records, by_person.subjects) == (4, 5, 4)
    assert assessed(duckdb, records, REQUIREMENTS[:1]).sizes.smallest == 5


def test_one_person_with_three_diseases_is_not_diverse_company(duckdb: DuckDB) -> None:
    records: list[Record] = [(30, "f", disease, 1.0, "ann") for disease in ("flu", "cold", "hiv")]
    asked = [Requirement(DistinctLDiversity("disease"), 2), Requirement(EntropyLDiversity("disease"), 2)]
    assert [r.value for r in assessed(duckdb, records, asked, persons=True).readings] == [1, 1]
    assert [r.value for r in assessed(duckdb, records, asked).readings] == [3, 3]
