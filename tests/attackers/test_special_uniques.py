"""Minimal sample uniques against brute force and the printed scores."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import pyarrow as pa
import pytest
from hypothesis import given, settings
from tests.attackers.by_hand import DUCKDB, all_sets, crowds, dataset, tables

from sfumato.attackers.special_uniques import special_uniques
from sfumato.errors import PolicyError, SchemaError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.dataset import Dataset
from sfumato.schema import Missing
from sfumato.studies.printed_tables import rows as examples
from sfumato.tables.load import load


def minimal(rows, subjects, largest, missing):
    """For each record its minimal sample uniques, by looking at every set."""
    unique = {places: [len(crowd) == 1 for crowd in crowds(rows, subjects, places, missing)]
              for places in all_sets(len(rows[0]), largest)}  # fmt: skip
    return [
        [p for p, alone in unique.items() if alone[i] and not any(unique[q][i] for q in unique if set(q) < set(p))]
        for i in range(len(rows))
    ]


def check(rows, names, subjects, largest, missing):
    found = special_uniques(dataset(rows, names, subjects, missing), largest)
    largest, width = min(largest, len(names)), len(names)
    by_hand = minimal(rows, subjects, largest, missing)
    weights = {k: prod(width - i for i in range(k, largest)) for k in range(1, largest + 1)}
    scores = {i: sum(weights[len(p)] for p in sets) for i, sets in enumerate(by_hand, 1) if sets}
    assert dict(found.scores()) == scores
    assert list(dict(found.scores())) == sorted(scores)
    for i, sets in enumerate(by_hand, 1):
        assert found.of(i) == tuple(tuple(names[p] for p in places) for places in sets)
    counts = {tuple(names[p] for p in places): sum(places in sets for sets in by_hand)
              for places in all_sets(width, largest)}  # fmt: skip
    assert dict(found.by_combination) == {names: n for names, n in counts.items() if n}
    for size in range(1, largest + 1):
        assert found.by_size[size] == sum(any(len(p) == size for p in sets) for sets in by_hand)
        assert found.smallest[size] == sum(bool(sets) and min(map(len, sets)) == size for sets in by_hand)
    assert found.uniques == len(scores)
    for place, name in enumerate(names):
        due = sum(weights[len(p)] for sets in by_hand for p in sets if place in p)
        assert found.contributions[name] == pytest.approx(due / sum(scores.values()) if scores else 0)


@pytest.mark.parametrize("missing", [Missing.OWN_VALUE, Missing.NEVER_MATCHES])
@pytest.mark.parametrize("largest", [1, 2, 3, 9])
@given(drawn=tables(most=4, records=16))
@settings(max_examples=30)
def test_minimal_sample_uniques_are_those_of_brute_force(missing, largest, drawn):
    rows, names, subjects = drawn
    check(rows, names, subjects, largest, missing)


@given(drawn=tables(least=6, most=7, records=12))
@settings(max_examples=15)
def test_minimal_sample_uniques_of_many_columns_are_those_of_brute_force(drawn):
    rows, names, subjects = drawn
    check(rows, names, subjects, 4, Missing.OWN_VALUE)


def quasi(records, columns):
    return examples(records, columns, **dict.fromkeys(columns, "quasi"))


def test_the_scores_of_the_book_example_are_those_sdcmicro_prints():
    """Templ (2017), Statistical disclosure control for microdata; the scores are in sdcMicro's own tests."""
    ages, genders = ["20s"] * 7 + ["60s"], ["male"] * 4 + ["female"] * 3 + ["male"]
    incomes = ["50k+"] * 2 + ["50k-"] * 6
    schools = ["highschool"] * 4 + ["university", "highschool", "middleschool", "university"]
    table = quasi(list(zip(ages, genders, incomes, schools, strict=True)), ["age", "gender", "income", "education"])
    for largest in (3, 4):
        assert dict(special_uniques(table, largest).scores()) == {5: 4, 6: 2, 7: 6, 8: 8}


def test_the_contributions_of_columns_are_those_sdcmicro_prints(monkeypatch):
    monkeypatch.setattr("sfumato.attackers.special_uniques.MOST", 1)
    found = special_uniques(quasi([(2, 0, 0), (1, 3, 6), (1, 0, 0)], ["a", "b", "c"]))
    assert found.contributions == {"a": 0.5, "b": 0.375, "c": 0.375}
    assert found.content().plain() == {
        "largest": 3, "records": 3, "uniques": 3, "by_size": {"1": 2, "2": 1, "3": 0},
        "smallest": {"1": 2, "2": 1, "3": 0}, "contributions": {"a": 0.5, "b": 0.375, "c": 0.375},
        "combinations": [{"columns": ["a"], "records": 1}],
    }  # fmt: skip


def test_a_record_that_has_a_twin_is_never_unique_and_several_records_of_one_person_are():
    twins = [(1, 1), (1, 1), (2, 2)]
    assert dict(special_uniques(dataset(twins, ["a", "b"])).scores()) == {3: 2}
    one_person = special_uniques(dataset(twins, ["a", "b"], [7, 7, 8]))
    assert dict(one_person.scores()) == {1: 2, 2: 2, 3: 2}
    assert dict(one_person.by_combination) == {("a",): 3, ("b",): 3}


def test_records_keep_their_numbers_where_a_hierarchy_is_joined():
    table = DUCKDB.load(pa.table({"town": [f"t{i % 7}" for i in range(70)] + ["far"], "c": [1] * 71}))
    towns = Hierarchy((*((f"t{i}", "near", "*") for i in range(7)), ("far", "far", "*")))
    found = Dataset.of(table, {"town": "quasi", "c": "quasi"})
    read = replace(found, schema=found.schema.with_attribute("town", level=1), hierarchies={"town": towns})
    assert dict(special_uniques(read).scores()) == {71: 1}


def test_a_table_in_which_nobody_is_unique_has_no_scores():
    found = special_uniques(dataset([(1, 2)] * 5, ["a", "b"]))
    assert list(found.scores()) == []
    assert (found.uniques, found.contributions, found.of(1), found.of(99)) == (0, {"a": 0.0, "b": 0.0}, (), ())


def test_the_census_has_these_special_uniques(shared):
    table = load(shared / "data" / "adult" / "adult.csv").table
    names = list(table.columns)
    found = special_uniques(Dataset.of(table, dict.fromkeys(names, "quasi")))
    assert (found.records, found.by_size) == (30162, {1: 2, 2: 936, 3: 5991})
    rows = table.engine.fetch(f"SELECT * FROM {table}")
    pairs = {names: n for names, n in found.by_combination.items() if len(names) < 3}
    for (first, *second), n in list(pairs.items())[::7]:
        places = [names.index(column) for column in (first, *second)]
        counted = {}
        for row in rows:
            key = tuple(row[p] for p in places)
            counted[key] = counted.get(key, 0) + 1
        alone = [key for key, times in counted.items() if times == 1]
        singles = [{v for v in {row[p] for row in rows} if sum(row[p] == v for row in rows) == 1} for p in places]
        by_hand = [k for k in alone if len(k) == 1 or not any(v in s for v, s in zip(k, singles, strict=True))]
        assert len(by_hand) == n


def test_it_is_an_error_to_look_for_nothing_or_where_classes_overlap():
    with pytest.raises(PolicyError, match="one column or more"):
        special_uniques(dataset([(1,)], ["a"]), 0)
    with pytest.raises(SchemaError, match="wildcard"):
        special_uniques(dataset([(1,)], ["a"], missing=Missing.WILDCARD))


def test_engines_agree_on_special_uniques(engine):
    rows = [(1, None, 2), (1, 2, 2), (1, 2, 2), (None, 2, 1), (3, None, 1)]
    found = special_uniques(dataset(rows, ["a", "b", "c"], [1, 1, 2, None, 3], engine=engine))
    by_hand = minimal(rows, [1, 1, 2, None, 3], 3, Missing.OWN_VALUE)
    assert [found.of(i) for i in range(1, 6)] == [tuple(tuple("abc"[p] for p in s) for s in sets) for sets in by_hand]
