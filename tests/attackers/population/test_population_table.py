"""A sample beside the table of its population: matching, attackers, k-map and delta-presence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.attackers.population.model_interface import Population
from sfumato.attackers.population.paired_sizes import PairedSizes
from sfumato.attackers.three_attackers import Attackers
from sfumato.errors import PolicyError, SchemaError, WrongScale
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.assess import assess_dataset
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.models.delta_presence import DeltaPresence
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.k_map import KMap
from sfumato.privacy.models.least_presence import LeastPresence
from sfumato.privacy.policy import Policy, Requirement
from sfumato.privacy.population_table import absent, in_population
from sfumato.privacy.sizes import LADDER, Sizes
from sfumato.schema import Missing
from sfumato.tables.engine import Engine
from sfumato.tables.engines.duckdb import DuckDB

Record = tuple[int | None, str | None]
COLUMNS = ["age", "sex"]
TYPES = [pa.int64(), pa.string()]
PEOPLE = st.lists(
    st.tuples(st.tuples(st.sampled_from([None, 30, 40]), st.sampled_from([None, "f", "m", ""])), st.booleans()),
    min_size=1,
    max_size=25,
).filter(lambda people: any(sampled for _, sampled in people))


@pytest.fixture(scope="module")
def duckdb() -> DuckDB:
    return DuckDB(threads=1)


def loaded(engine: Engine, records: Sequence[Record], kinds: Sequence[pa.DataType] = TYPES) -> Dataset:
    arrays = [pa.array([record[i] for record in records], kind) for i, kind in enumerate(kinds)]
    return Dataset.of(engine.load(pa.Table.from_arrays(arrays, COLUMNS)), dict.fromkeys(COLUMNS, "quasi"))


def sampled(engine: Engine, sample: Sequence[Record], population: Sequence[Record]) -> Dataset:
    return loaded(engine, sample).with_population(loaded(engine, population).table)


# What holds for every sample


@given(PEOPLE)
@settings(max_examples=60)
def test_every_number_is_what_counting_by_hand_gives(duckdb: DuckDB, people: list[tuple[Record, bool]]) -> None:
    sample, population = [who for who, taken in people if taken], [who for who, _ in people]
    here, there = Counter(sample), Counter(population)
    classes = sampled(duckdb, sample, population).classes()
    matches = PairedSizes.of(classes)
    assert sorted((c, whole) for c, whole, number, _ in matches.pairs for _ in range(number)) == sorted(
        (here[key], there[key]) for key in here
    )
    shares = [here[key] / there[key] for key in there]
    assert KMap().of(classes) == min(there[key] for key in here)
    assert DeltaPresence().of(classes) == pytest.approx(max(shares), rel=1e-15)
    assert LeastPresence().of(classes) == pytest.approx(min(shares), rel=1e-15)
    assert absent(classes) == (len(there) > len(here))


@given(PEOPLE)
@settings(max_examples=60)
def test_attackers_are_what_their_definitions_give_person_by_person(
    duckdb: DuckDB, people: list[tuple[Record, bool]]
) -> None:
    sample, population = [who for who, taken in people if taken], [who for who, _ in people]
    here, there, n = Counter(sample), Counter(population), len(sample)
    classes = sampled(duckdb, sample, population).classes()
    found = Attackers.matched(Sizes.of(classes), PairedSizes.of(classes))
    hits = sum(1 / there[who] for who in sample) / n
    assert found.prosecutor.highest == max(1 / here[who] for who in sample)
    assert found.prosecutor.average == pytest.approx(sum(1 / here[who] for who in sample) / n)
    assert found.journalist.highest == max(1 / there[who] for who in sample)
    assert found.journalist.average == pytest.approx(max(len(here) / sum(there[key] for key in here), hits))
    assert (found.marketer.average, found.marketer.highest) == (pytest.approx(hits), None)
    for attacker, crowd in ((found.prosecutor, here), (found.journalist, there)):
        assert [(at.below, at.records) for at in attacker.at_risk] == [
            (k, sum(crowd[who] < k for who in sample)) for k in LADDER
        ]


@given(PEOPLE)
@settings(max_examples=30)
def test_a_population_never_makes_a_release_more_dangerous_than_the_prosecutor_thinks(
    duckdb: DuckDB, people: list[tuple[Record, bool]]
) -> None:
    sample, population = [who for who, taken in people if taken], [who for who, _ in people]
    classes = sampled(duckdb, sample, population).classes()
    bound = Attackers.of(Sizes.of(classes), Population(size=len(population)))
    known = Attackers.matched(Sizes.of(classes), PairedSizes.of(classes))
    assert (known.journalist.highest or 0) <= (bound.journalist.highest or 0)
    assert known.journalist.average <= bound.journalist.average + 1e-12
    assert known.marketer.average <= bound.marketer.average + 1e-12
    assert f"{len(population):,} people" in bound.journalist.caveat
    assert "upper bound" in bound.journalist.caveat
    assert known.journalist.caveat == ""


def test_the_journalist_on_the_average_is_the_worse_of_two_directions() -> None:
    """From the table to the population 1.5 of 11 are hits; from the population to the table 2 of 12 are."""
    found = Attackers.matched(Sizes(((1, 1, 1), (10, 1, 10))), PairedSizes(((1, 2, 1, 1), (10, 10, 1, 10))))
    assert found.marketer.average == pytest.approx(1.5 / 11)
    assert found.journalist.average == pytest.approx(2 / 12)


# On every engine


def test_a_missing_key_matches_a_missing_key(engine: Engine) -> None:
    sample: list[Record] = [(30, None), (None, None), (None, None), (40, "m")]
    population: list[Record] = [*sample, (30, None), (40, "m"), (40, "m"), (50, "m"), (30, "f")]
    classes = sampled(engine, sample, population).classes()
    assert PairedSizes.of(classes).pairs == ((1, 2, 1, 1), (1, 3, 1, 1), (2, 2, 1, 2))
    assert (KMap().of(classes), DeltaPresence().of(classes), LeastPresence().of(classes)) == (2, 1, 0)


# How the population is read


def test_without_a_population_the_table_is_all_there_is(duckdb: DuckDB) -> None:
    dataset = loaded(duckdb, [(30, "f"), (30, "f"), (40, "m"), (None, "m")])
    for missing in Missing:
        classes = replace(dataset, missing=missing).classes()
        assert KMap().of(classes) == KAnonymity().of(classes)
        assert (DeltaPresence().of(classes), LeastPresence().of(classes)) == (1, 1)
        assert not absent(classes)


def test_the_population_is_read_in_the_same_bins_and_at_the_same_level(duckdb: DuckDB) -> None:
    binned = sampled(duckdb, [(31, "f"), (45, "m")], [(31, "f"), (39, "f"), (45, "m"), (41, "m"), (49, "m")])
    binned = replace(binned, schema=binned.schema.with_attribute("age", bins=(0.0, 40.0, 60.0)))
    assert KMap().of(binned.classes()) == 2
    tree = Hierarchy((("f", "person"), ("m", "person")))
    merged = replace(binned, schema=binned.schema.with_attribute("sex", level=1), hierarchies={"sex": tree}).with_roles(
        {"age": "non-sensitive"}
    )
    assert KMap().of(merged.classes()) == 5


def test_persons_are_counted_where_the_population_has_the_subject_and_rows_where_it_has_not(duckdb: DuckDB) -> None:
    visits = pa.table({"age": [30, 30, 40], "who": ["ann", "ann", "bob"]})
    more = pa.table({"age": [30, 30, 30, 40], "who": ["ann", "ann", "cy", "bob"]})
    sample = Dataset.of(duckdb.load(visits), {"age": "quasi"}, subject="who")
    pairs = PairedSizes.of(sample.with_population(duckdb.load(more)).classes()).pairs
    assert pairs == ((1, 1, 1, 1), (1, 2, 1, 2))
    pairs = PairedSizes.of(sample.with_population(duckdb.load(more.drop(["who"]))).classes()).pairs
    assert pairs == ((1, 1, 1, 1), (1, 3, 1, 2))


def test_a_number_that_is_whole_in_one_table_and_real_in_the_other_is_the_same_number(duckdb: DuckDB) -> None:
    sample = loaded(duckdb, [(30, "f"), (40, "m")])
    real = loaded(duckdb, [(30, "f"), (40, "m"), (40, "m")], [pa.float64(), pa.string()])
    assert PairedSizes.of(sample.with_population(real.table).classes()).pairs == ((1, 1, 1, 1), (1, 2, 1, 1))


def test_names_that_came_with_the_data_do_not_get_in_the_way(duckdb: DuckDB) -> None:
    names = ["population", 'x"; DROP TABLE t; --', "class_id"]
    sample = Dataset.of(duckdb.load(pa.table([[1], [2], [3]], names)), dict.fromkeys(names, "quasi"))
    whole = duckdb.load(pa.table([[1, 1], [2, 2], [3, 3]], names))
    assert KMap().of(sample.with_population(whole).classes()) == 2


# In a policy


def test_measures_of_the_population_are_requirements_like_any_other(duckdb: DuckDB) -> None:
    sample: list[Record] = [(30, "f"), (30, "f"), (40, "m")]
    dataset = sampled(duckdb, sample, [*sample, (40, "m"), (40, "m"), (50, "f")])
    policy = Policy((Requirement(KMap(), 3), Requirement(DeltaPresence(), 0.5), Requirement(LeastPresence(), 0.1)))
    found = assess_dataset(dataset, policy)
    assert [(reading.value, reading.met, reading.flagged) for reading in found.readings] == [
        (2, False, 2),
        (1, False, 2),
        (0, False, 0),
    ]


def test_readings_of_missing_values_are_still_shown_beside_a_population(duckdb: DuckDB) -> None:
    sample: list[Record] = [(30, "f"), (None, "f"), (40, None)]
    found = assess_dataset(sampled(duckdb, sample, sample * 2), Policy((Requirement(KMap(), 2),)))
    assert found.met
    assert found.missing_readings == {"own_value": 1, "wildcard": 2, "never_matches": 1}


def test_measures_of_the_population_can_be_asked_for_by_name() -> None:
    assert {"k_map", "delta_presence", "least_presence"} <= set(sf.measures())
    table = pa.table({"age": [30, 30, 40]})
    found = sf.assess(table, quasi="age", requirements=["k_map >= 2", "delta_presence <= 0.5"])
    assert [(reading.value, reading.met) for reading in found.readings] == [(1, False), (1, False)]


# What cannot be matched


def test_a_sample_whose_classes_are_not_in_the_population_is_an_error_with_counts_and_without_values(
    duckdb: DuckDB,
) -> None:
    sample: list[Record] = [(30, "f"), (30, "f"), (77, "secret"), (None, "f")]
    classes = sampled(duckdb, sample, [(30, "f"), (30, "f")]).classes()
    for _ in range(2):
        with pytest.raises(SchemaError, match=r"lacks 2 classes of the sample \(2 records\)") as raised:
            in_population(classes)
        assert "77" not in str(raised.value)
        assert "secret" not in str(raised.value)


def test_a_sample_with_more_members_than_the_population_is_no_sample_of_it(duckdb: DuckDB) -> None:
    classes = sampled(duckdb, [(30, "f"), (30, "f"), (40, "m")], [(30, "f"), (40, "m")]).classes()
    with pytest.raises(SchemaError, match=r"1 class \(2 records\) with more members"):
        KMap().of(classes)


def test_an_empty_population_lacks_everybody(duckdb: DuckDB) -> None:
    with pytest.raises(SchemaError, match=r"lacks 1 class of the sample \(1 record\)"):
        DeltaPresence().of(sampled(duckdb, [(30, "f")], []).classes())


@pytest.mark.parametrize("missing", [Missing.WILDCARD, Missing.NEVER_MATCHES])
def test_other_readings_of_missing_values_are_refused_where_they_matter(duckdb: DuckDB, missing: Missing) -> None:
    sample: list[Record] = [(30, "f"), (None, "f")]
    classes = replace(sampled(duckdb, sample, sample), missing=missing).classes()
    assert KAnonymity().of(classes) in (1, 2)
    with pytest.raises(PolicyError, match="a missing value is a value of its own"):
        KMap().of(classes)


def test_columns_that_lack_or_hold_something_else_and_other_engines_are_errors(duckdb: DuckDB) -> None:
    sample = loaded(duckdb, [(30, "f")])
    with pytest.raises(SchemaError, match="The population has no column 'sex'"):
        sample.with_population(duckdb.load(pa.table({"age": [30]}))).classes()
    with pytest.raises(WrongScale, match="'age' holds integer in the sample and text in the population"):
        sample.with_population(duckdb.load(pa.table({"age": ["30"], "sex": ["f"]}))).classes()
    with pytest.raises(SchemaError, match="different engines"):
        sample.with_population(loaded(DuckDB(), [(30, "f")]).table).classes()


# Attackers without a population


def test_attackers_without_a_population_say_that_it_is_an_upper_bound() -> None:
    found = Attackers.of(Sizes(((1, 2, 2), (4, 2, 8))))
    assert (found.prosecutor.highest, found.prosecutor.average) == (1, 4 / 10)
    assert (found.journalist.highest, found.journalist.average, found.marketer.average) == (1, 4 / 10, 4 / 10)
    assert (found.prosecutor.caveat, "upper bound" in found.journalist.caveat) == ("", True)
    assert [(at.below, at.risk, at.records, at.share) for at in found.prosecutor.at_risk] == [
        (3, 0.33, 2, 0.2),
        (5, 0.2, 10, 1.0),
        (11, 0.09, 10, 1.0),
        (20, 0.05, 10, 1.0),
    ]


def test_a_class_of_eleven_is_not_at_risk_at_0_09_and_one_of_ten_is() -> None:
    at_risk = Attackers.of(Sizes(((10, 1, 10), (11, 1, 11)))).prosecutor.at_risk
    assert {at.risk: at.records for at in at_risk} == {0.33: 0, 0.2: 0, 0.09: 10, 0.05: 21}


def test_attackers_of_overlapping_classes_average_over_everybody_once(duckdb: DuckDB) -> None:
    dataset = replace(loaded(duckdb, [(30, "f"), (None, "f"), (40, "f")]), missing=Missing.WILDCARD)
    found = Attackers.of(Sizes.of(dataset.classes()), Population(fraction=0.5))
    assert found.prosecutor.average == pytest.approx((1 / 2 + 1 / 3 + 1 / 2) / 3)
    assert "6 people" in found.journalist.caveat


def test_a_document_of_attackers_is_plain_values() -> None:
    prosecutor, journalist, marketer = (one.plain() for one in Attackers.of(Sizes(((2, 5, 10),))).content())
    assert [attacker["name"] for attacker in (prosecutor, journalist, marketer)] == [
        "prosecutor",
        "journalist",
        "marketer",
    ]
    assert prosecutor["at_risk"][0] == {"below": 3, "risk": 0.33, "records": 10, "share": 1.0}
    assert (marketer["highest"], marketer["at_risk"]) == (None, [])
