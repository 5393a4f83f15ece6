"""Sets of columns: pruned as if all had been looked at, within a budget, and nothing said that is not known."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import pyarrow as pa
import pytest
from hypothesis import given, settings
from tests.attackers.by_hand import DUCKDB, all_sets, dataset, singled_out, tables

from sfumato.attackers import column_sets
from sfumato.attackers.column_sets import subsets_up_to
from sfumato.errors import EmptyTable, MissingRole, PolicyError, SchemaError
from sfumato.privacy.dataset import Dataset
from sfumato.schema import Missing


@pytest.mark.parametrize("missing", [Missing.OWN_VALUE, Missing.NEVER_MATCHES])
@given(drawn=tables(most=5))
@settings(max_examples=50)
def test_the_pruned_search_knows_what_the_exhaustive_one_finds(missing, drawn):
    rows, names, subjects = drawn
    found = subsets_up_to(dataset(rows, names, subjects, missing), len(names))
    assert (found.left, found.possible) == (0, 2 ** len(names) - 1)
    for places in all_sets(len(names), len(names)):
        by_hand = singled_out(rows, subjects, places, missing)
        assert found.singled_out([names[p] for p in places]) == by_hand
    assert found.whole == singled_out(rows, subjects, range(len(names)), missing)
    best = max(f.singled_out for f in found.sets)
    assert found.sets[0].singled_out == best == found.whole


def test_what_a_set_implies_is_not_looked_at():
    rows = [(i, i % 2, i % 3, i % 4) for i in range(12)]
    found = subsets_up_to(dataset(rows, ["id", "b", "c", "d"]), 4)
    assert found.examined + found.implied == found.possible == 15
    looked_at = {frozenset(f.columns) for f in found.sets}
    assert not any({"id"} < columns for columns in looked_at)
    assert {"c", "d"} in looked_at
    assert {"b", "c", "d"} not in looked_at
    assert found.singled_out(["id", "b"]) == found.singled_out(["b", "c", "d"]) == 12


def test_a_budget_leaves_sets_and_says_of_none_of_them_what_it_does_not_know():
    draw = random.Random(5)
    rows = [tuple(draw.randrange(3) for _ in range(8)) for _ in range(60)]
    names = [f"c{i}" for i in range(8)]
    table = dataset(rows, names)
    few = subsets_up_to(table, 4, at_most=40)
    assert few.examined == 40
    assert few.examined + few.implied + few.left == few.possible == sum(comb(8, size) for size in range(1, 5))
    assert few.left > 0
    unknown = 0
    for places in all_sets(8, 4):
        found = few.singled_out([names[p] for p in places])
        unknown += found is None
        assert found in (None, singled_out(rows, None, places))
    assert unknown == few.left
    everything = subsets_up_to(table, 4, at_most=10_000)
    assert few.sets[0].singled_out >= 0.8 * everything.sets[0].singled_out


def many_columns(width, records, values):
    draw = random.Random(7)
    columns = {f"c{i:02}": [draw.randrange(values) for _ in range(records)] for i in range(width)}
    return Dataset.of(DUCKDB.load(pa.table(columns)), dict.fromkeys(columns, "quasi"))


@pytest.mark.parametrize("size", [3, 6, 30])
def test_thirty_columns_finish_within_a_budget_whatever_the_size(size):
    table = many_columns(30, 2000, 4)
    found = subsets_up_to(table, size, at_most=500)
    assert found.examined == 500
    assert found.examined + found.implied + found.left == sum(comb(30, s) for s in range(1, size + 1))
    assert {1, 2, 3} <= {len(f.columns) for f in found.sets}
    assert sum(len(f.columns) == 1 for f in found.sets) == 30
    again = subsets_up_to(table, size, at_most=500)
    assert found == again
    rows, names = table.table.engine.fetch(f"SELECT * FROM {table.table}"), list(table.table.columns)
    for looked_at in found.sets[::25]:
        counts = Counter(tuple(row[names.index(column)] for column in looked_at.columns) for row in rows)
        assert looked_at.singled_out == sum(n == 1 for n in counts.values())


def test_sizes_of_too_many_sets_to_list_are_grown_from_the_best(monkeypatch):
    monkeypatch.setattr(column_sets, "ENUMERABLE", 50)
    table = many_columns(12, 100, 3)
    found = subsets_up_to(table, 3, at_most=60)
    pairs = [f for f in found.sets if len(f.columns) == 2]
    triples = [f for f in found.sets if len(f.columns) == 3]
    assert pairs
    assert triples
    assert found.examined <= 60
    best_pairs = {p for f in sorted(pairs, key=lambda f: -f.singled_out) for p in [frozenset(f.columns)]}
    assert all(any(frozenset(c) in best_pairs for c in combinations(t.columns, 2)) for t in triples)


def test_names_with_quotes_come_back_in_the_order_of_the_table():
    rows = [(0, i) for i in range(3)]
    found = subsets_up_to(dataset(rows, ['the "zip"', "a; --"]), 2)
    assert found.content().plain() == {
        "possible": 3, "examined": 2, "implied": 1, "left": 0,
        "found": [{"columns": ["a; --"], "singled_out": 3, "percent": 100.0},
                  {"columns": ['the "zip"'], "singled_out": 0, "percent": 0.0}],
    }  # fmt: skip


def test_it_is_an_error_to_look_at_nothing_or_where_classes_overlap():
    table = dataset([(1,), (2,)], ["a"])
    for size, at_most in ((0, 5), (1, 0)):
        with pytest.raises(PolicyError):
            subsets_up_to(table, size, at_most=at_most)
    with pytest.raises(SchemaError, match="wildcard"):
        subsets_up_to(dataset([(1,)], ["a"], missing=Missing.WILDCARD), 1)
    with pytest.raises(EmptyTable):
        subsets_up_to(dataset([], ["a"]), 1)
    with pytest.raises(MissingRole):
        subsets_up_to(Dataset.of(table.table), 1)
