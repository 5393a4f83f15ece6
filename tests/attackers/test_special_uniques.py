"""Minimal sample uniques against brute force and the printed scores."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import pyarrow as pa
import pytest
from hypothesis import given, settings
from tests.attackers.by_hand import DUCKDB, all_sets, crowds, dataset, tables

from sfumato.attackers.dis_suda import DisSuda
from sfumato.attackers.risk import risk
from sfumato.attackers.special_uniques import special_uniques
from sfumato.errors import PolicyError, SchemaError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.sizes import Sizes
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


GUIDE = ["U F some E", "U F some E", "U F none N", "U M done E", "R F done U", "U M done E", "U F prim N", "U M post U",
         "U F some N", "U F some N"]  # fmt: skip


def guide(fraction=0.01):
    """Ten records of Benschop, Machingauta, Welch, Statistical disclosure control: a practice guide, table 4.5."""
    people = quasi([tuple(row.split()) for row in GUIDE], ["residence", "gender", "education", "labour"])
    return DisSuda(special_uniques(people), Sizes.of(people.classes()), fraction)


def test_dis_suda_is_computed_by_hand_from_scores_pairs_and_fraction():
    """Four are alone with the scores 6, 12, 6 and 10, six are in pairs, and four columns make the power 1.2."""
    found = guide()
    assert (found.alone, found.paired) == (4, 6)
    assert found.dis == pytest.approx(4 * 0.01 / (4 * 0.01 + 6 * 0.99))
    total = 2 * 6**-1.2 + 12**-1.2 + 10**-1.2
    by_hand = {row: s**1.2 * total / (s**1.2 * total + 594) for row, s in ((3, 6), (5, 12), (7, 6), (8, 10))}
    assert dict(found.probabilities()) == pytest.approx(by_hand)
    assert [round(p, 4) for p in by_hand.values()] == [0.005, 0.0114, 0.005, 0.0092]
    assert found.highest == pytest.approx(by_hand[5])
    assert found.average == pytest.approx(sum(by_hand.values()) / 4)
    as_defined = {row: 1 / (1 + (4 / found.dis - 4) / (s**1.2 * total)) for row, s in found.uniques.scores()}
    assert as_defined == pytest.approx(by_hand)


def test_who_says_what_of_dis_suda_on_the_table_of_the_practice_guide():
    """The guide prints 0.0051, 0.0107, 0.0051 and 0.0088 beside the scores 6, 12, 6 and 10.

    These follow by the same formula from other scores: those that sdcMicro has with `original_scores = FALSE`, which
    was all it had up to version 5.0.2. One of k of m columns weighs (2^(m - k) - 1) k! (m - k)! / m! there: 7/4 for one
    column and 1/2 for two of four. So the guide prints scores of one definition beside probabilities of the other. By
    the definition of Elliot and others, which sdcMicro has had since by default, they are those above; so are ours. The
    Python package `suda` says something else: DIS times the share that the record has of all scores.
    """
    weights = {1: 7 * 1 * 6 / 24, 2: 3 * 2 * 2 / 24}
    scores = {row: sum(weights[len(columns)] for columns in guide().uniques.of(row)) for row in (3, 5, 7, 8)}
    assert scores == {3: 1.75, 5: 3.25, 7: 1.75, 8: 2.75}
    total = sum(s**-1.2 for s in scores.values())
    printed = [round(s**1.2 * total / (s**1.2 * total + 6 * 99), 4) for s in scores.values()]
    assert printed == [0.0051, 0.0107, 0.0051, 0.0088]
    proportional = [round(guide().dis * s / 34, 4) for s in (6, 12, 6, 10)]
    assert proportional == [0.0012, 0.0024, 0.0012, 0.002]
    assert [round(p, 4) for _, p in guide().probabilities()] == [0.005, 0.0114, 0.005, 0.0092]


def test_where_all_have_the_same_score_dis_suda_is_dis_and_no_multiple_of_scores_changes_it():
    people = quasi([(1, 5), (2, 5), (3, 5), (4, 6), (4, 6)], ["a", "b"])
    found = DisSuda(special_uniques(people), Sizes.of(people.classes()), 0.2)
    assert [p for _, p in found.probabilities()] == pytest.approx([found.dis] * 3)
    assert found.dis == pytest.approx(3 * 0.2 / (3 * 0.2 + 2 * 0.8))
    four = quasi([tuple(row.split()) for row in GUIDE], ["residence", "gender", "education", "labour"])
    for largest in (2, 3, 4):  # scores of two columns at most are half of those of three
        found = DisSuda(special_uniques(four, largest), Sizes.of(four.classes()))
        assert dict(found.probabilities()) == pytest.approx(dict(guide().probabilities()))


def test_without_anybody_in_twos_every_unique_match_is_right_and_without_uniques_none_is():
    alone, alike = quasi([(1,), (2,)], ["a"]), quasi([(1,), (1,)], ["a"])
    assert DisSuda(special_uniques(alone), Sizes.of(alone.classes())).content().plain() == {
        "fraction": 0.01, "assumed": True, "dis": 1.0, "highest": 1.0, "average": 1.0,
    }  # fmt: skip
    none = DisSuda(special_uniques(alike), Sizes.of(alike.classes()))
    assert (none.dis, none.highest, none.average, list(none.probabilities())) == (0.0, 0.0, 0.0, [])
    assert guide(1.0).highest == 1.0
    for fraction in (0, -0.1, 1.1):
        with pytest.raises(PolicyError, match="above 0"):
            guide(fraction)


def test_dis_suda_counts_a_person_once_however_often_their_record_stands_there():
    rows = [(1, 1), (2, 1), (3, 2), (3, 2), (4, 2), (4, 2)]
    once = dataset(rows, ["a", "b"], [1, 2, 3, 4, 5, 6])
    often = dataset([*rows, *rows[:1] * 4, *rows[2:3] * 2], ["a", "b"], [1, 2, 3, 4, 5, 6, 1, 1, 1, 1, 3, 3])
    first, second = (DisSuda(special_uniques(d), Sizes.of(d.classes())) for d in (once, often))
    assert (first.alone, first.paired) == (second.alone, second.paired) == (2, 4)
    assert (second.dis, second.highest, second.average) == (first.dis, first.highest, first.average)


def test_the_fraction_of_dis_suda_is_that_of_the_population_where_one_is_given():
    table = pa.table({"a": [1, 1, 2, 3], "b": ["x", "x", "y", "z"]})
    assert risk(table, quasi=["a", "b"]).content().dis_suda.plain() == pytest.approx(
        {"fraction": 0.01, "assumed": True, "dis": 0.02 / 2, "highest": 0.02 / 2, "average": 0.02 / 2}
    )
    found = risk(table, quasi=["a", "b"], population_size=40)
    assert (found.dis_suda.fraction, found.dis_suda.assumed) == (0.1, False)
    assert "DIS-SUDA, for a sampling fraction of 0.1: " in str(found)
    assert "DIS-SUDA, for an assumed sampling fraction of 0.01: " in str(risk(table, quasi=["a", "b"]))
