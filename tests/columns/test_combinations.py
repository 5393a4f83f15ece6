"""Distinction and separation of combinations: by hand, against ARX, and what is looked at when there are many."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations as subsets
from math import comb

import pyarrow as pa
import pytest
from hypothesis import given, settings
from tests.columns.test_influence import loaded, tables

from sfumato.columns.combinations import examine_combinations
from sfumato.columns.influence import distinct_rows
from sfumato.schema import Missing
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.load import load

DUCKDB = DuckDB()


@given(tables(least=1, most=4))
@settings(max_examples=30)
def test_every_combination_is_counted_as_by_hand(drawn):
    rows, names = drawn
    table = loaded(rows, names)
    looked_at = examine_combinations(distinct_rows(table, names, Missing.OWN_VALUE), names, largest=4)
    assert len(looked_at.examined) == looked_at.possible == 2 ** len(names) - 1
    for combination in looked_at.examined:
        places = [names.index(name) for name in combination.columns]
        counts = Counter(tuple(row[p] for p in places) for row in rows)
        pairs = sum(comb(n, 2) for n in counts.values())
        assert combination.distinction == pytest.approx(len(counts) / len(rows))
        assert combination.separation == pytest.approx(1 - pairs / comb(len(rows), 2) if len(rows) > 1 else 0)
        assert combination.alone == sum(n == 1 for n in counts.values())


@pytest.mark.parametrize("setup", ["adult8", "adult9"])
def test_arx_finds_the_same_distinction_and_separation(shared, setup):
    oracle = json.loads((shared / "oracles" / "arx_risk.json").read_text(encoding="utf-8"))
    printed = next(o for o in oracle if o["setup"] == setup and o["dataset"] == "original")["risk"]["attribute_risks"]
    names = [o["attributes"][0] for o in printed if len(o["attributes"]) == 1]
    table = load(shared / "data" / "adult" / "adult.csv").table
    looked_at = examine_combinations(
        distinct_rows(table, names, Missing.OWN_VALUE), names, largest=len(names), budget=10_000
    )
    numbers = {frozenset(c.columns): (c.distinction, c.separation) for c in looked_at.examined}
    assert len(numbers) == len(printed) == 2 ** len(names) - 1
    for o in printed:
        assert numbers[frozenset(o["attributes"])] == pytest.approx((o["distinction"], o["separation"]), abs=1e-12)


def test_beyond_the_budget_the_best_are_grown_and_it_is_said_how_many_were_looked_at():
    rows = {f"c{i:02}": [(row * (i + 1)) % (i + 2) for row in range(300)] for i in range(20)}
    names = list(rows)
    table = DUCKDB.load(pa.table(rows))
    distinct = distinct_rows(table, names, Missing.OWN_VALUE)
    everything = examine_combinations(distinct, names, largest=3, budget=10_000)
    some = examine_combinations(distinct, names, largest=3, budget=50)
    assert len(everything.examined) == everything.possible == some.possible == sum(comb(20, size) for size in (1, 2, 3))
    assert len(some.examined) == 20 + 50 + 50
    assert {c.columns for c in some.examined} <= {c.columns for c in everything.examined}
    assert some.examined[0].alone >= 0.9 * everything.examined[0].alone
    assert [c.columns for c in some.examined] == [
        c.columns for c in examine_combinations(distinct, names, largest=3, budget=50).examined
    ]


def test_there_is_nothing_to_combine_without_columns():
    table = DUCKDB.load(pa.table({"c": [1]}))
    assert examine_combinations(distinct_rows(table, [], Missing.OWN_VALUE), []).content().plain() == {
        "examined": 0, "possible": 0, "found": [],
    }  # fmt: skip


def test_combinations_come_in_the_order_of_those_that_tell_most_apart():
    table = DUCKDB.load(pa.table({"a": [1, 1, 1, 2], "b": [1, 2, 3, 4], "c": [1, 1, 1, 1]}))
    looked_at = examine_combinations(distinct_rows(table, ["a", "b", "c"], Missing.OWN_VALUE), ["a", "b", "c"]).examined
    assert looked_at[0].columns == ("b",)
    assert looked_at[-1].columns == ("c",)
    assert all(set(pair) <= {"a", "b", "c"} for c in looked_at for pair in subsets(c.columns, 2))
