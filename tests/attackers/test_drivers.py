"""Contributions of columns against all orders, and what they add up to."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations
from math import factorial

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attackers.by_hand import crowds, dataset, persons, singled_out, tables

from sfumato.attackers import column_order
from sfumato.attackers import risk_drivers as module
from sfumato.attackers.class_refinement import Refinement
from sfumato.attackers.coded_records import CodedRecords, coded_records
from sfumato.attackers.risk import risk
from sfumato.attackers.risk_drivers import Risk, drivers
from sfumato.errors import PolicyError, SchemaError
from sfumato.schema import Missing

READINGS = [Missing.OWN_VALUE, Missing.NEVER_MATCHES]


def risk_by(rows, subjects, places, risk, missing) -> Fraction:
    if risk == "singled_out":
        return Fraction(singled_out(rows, subjects, places, missing), len(rows))
    people = persons(rows, subjects)
    found = set()
    for i, row in enumerate(rows):
        key = tuple(row[p] for p in places)
        own = people[i] if missing is Missing.NEVER_MATCHES and None in key else None
        found.add((key, own, people[i]))
    return Fraction(len({(key, own) for key, own, _ in found}), len(found))


def shapley(rows, names, subjects, risk, missing):
    total = dict.fromkeys(range(len(names)), Fraction(0))
    for order in permutations(range(len(names))):
        for i, column in enumerate(order):
            total[column] += risk_by(rows, subjects, order[: i + 1], risk, missing)
            total[column] -= risk_by(rows, subjects, order[:i], risk, missing)
    return {names[c]: total[c] / factorial(len(names)) for c in total}


@pytest.mark.parametrize("missing", READINGS)
@pytest.mark.parametrize("risk", list(Risk))
@given(drawn=tables(most=4, records=12))
@settings(max_examples=20)
def test_contributions_are_the_averages_over_all_orders(risk, missing, drawn):
    rows, names, subjects = drawn
    found = drivers(dataset(rows, names, subjects, missing), risk=risk)
    by_hand = shapley(rows, names, subjects, risk, missing)
    everything = range(len(names))
    assert found.orders is None
    assert found.whole == pytest.approx(float(risk_by(rows, subjects, everything, risk, missing)))
    for driver in found.columns:
        place = names.index(driver.column)
        others = [p for p in everything if p != place]
        assert driver.contribution == driver.low == driver.high == pytest.approx(float(by_hand[driver.column]))
        assert driver.by_itself == pytest.approx(float(risk_by(rows, subjects, [place], risk, missing)))
        assert driver.without == pytest.approx(float(risk_by(rows, subjects, others, risk, missing)))


def test_five_columns_are_shared_out_as_by_all_their_orders():
    draw = random.Random(3)
    rows = [tuple(draw.randrange(2 + c) for c in range(5)) for _ in range(30)]
    names = [f"c{i}" for i in range(5)]
    by_hand = shapley(rows, names, None, "singled_out", Missing.OWN_VALUE)
    for driver in drivers(dataset(rows, names)).columns:
        assert driver.contribution == pytest.approx(float(by_hand[driver.column]), abs=1e-12)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("risk", list(Risk))
@given(drawn=tables(most=5), seed=st.integers(0, 9))
@settings(max_examples=25)
def test_contributions_add_up_to_the_risk_of_all_columns(risk, exact, drawn, seed):
    rows, names, subjects = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "EXACT", 10 if exact else 0)
        found = drivers(dataset(rows, names, subjects), risk=risk, orders=6, seed=seed)
    assert found.orders == (None if exact else 6)
    assert sum(d.contribution for d in found.columns) == pytest.approx(found.whole - found.nothing, abs=1e-12)
    if risk == "singled_out":
        assert found.nothing == (1 if len(set(persons(rows, subjects))) == 1 else 0)
        assert all(d.contribution >= 0 and d.by_itself <= found.whole >= d.without for d in found.columns)


def test_sampled_contributions_hold_the_exact_ones_in_most_of_their_intervals(monkeypatch):
    draw = random.Random(11)
    rows = [tuple(draw.randrange(2 + c % 4) for c in range(7)) for _ in range(150)]
    table = dataset(rows, [f"c{i}" for i in range(7)])
    exact = {d.column: d.contribution for d in drivers(table).columns}
    monkeypatch.setattr(module, "EXACT", 0)
    hits = [
        driver.low <= exact[driver.column] <= driver.high
        for seed in range(12)
        for driver in drivers(table, orders=60, seed=seed).columns
    ]
    assert 0.85 <= sum(hits) / len(hits) <= 1
    widths = [max(d.high - d.low for d in drivers(table, orders=orders).columns) for orders in (40, 640)]
    assert widths[1] < widths[0] / 2


def test_a_sampled_contribution_is_off_by_about_its_standard_error(monkeypatch):
    draw = random.Random(12)
    rows = [tuple(draw.randrange(2 + c % 4) for c in range(6)) for _ in range(80)]
    table = dataset(rows, [f"c{i}" for i in range(6)])
    exact = {d.column: d.contribution for d in drivers(table).columns}
    assert all(d.error == 0 for d in drivers(table).columns)
    monkeypatch.setattr(module, "EXACT", 0)
    records = coded_records(table)
    sampled = [d for seed in range(25) for d in drivers(table, orders=40, seed=seed, records=records).columns]
    off = [((d.contribution - exact[d.column]) / d.error) ** 2 for d in sampled]
    assert 0.7 < (sum(off) / len(off)) ** 0.5 < 1.3


def test_the_sheet_and_the_document_say_how_far_off_sampled_contributions_are(monkeypatch):
    draw = random.Random(7)
    rows = [tuple(draw.randrange(2 + c % 4) for c in range(5)) for _ in range(40)]
    table = pa.table({f"c{i}": [row[i] for row in rows] for i in range(5)})
    assert "standard error" not in str(risk(table, quasi=table.column_names))
    monkeypatch.setattr(module, "EXACT", 0)
    exposure = risk(table, quasi=table.column_names)
    errors = [column["standard_error"] for column in exposure.document()["drivers"]["columns"]]
    assert max(errors) > 0
    shown = f"sampled orders of the columns, on all records; the standard error is {100 * max(errors):.1f} % at most."
    assert f"means over 200 {shown}" in " ".join(str(exposure).split())


@pytest.mark.parametrize("bits", [9, 12, 63])
@pytest.mark.parametrize("persons", [False, True])
def test_one_sort_counts_who_is_alone_as_a_refinement_for_each_column_does(monkeypatch, bits, persons):
    """With numbers of few bits the columns come in several steps, of which each begins with the classes so far."""
    monkeypatch.setattr(column_order, "BITS", bits)
    draw = random.Random(bits)
    for _ in range(60):
        places, width = draw.randrange(1, 26), draw.randrange(1, 7)
        crowded = np.array([draw.random() < 0.2 for _ in range(places)])
        records = CodedRecords(
            columns=tuple("abcdef"[:width]),
            codes=tuple(np.array([draw.randrange(4) for _ in range(places)]) for _ in range(width)),
            values=(4,) * width,
            n=np.array([2 if several else draw.choice([1, 3 if persons else 1]) for several in crowded]),
            person=np.array([draw.randrange(6) for _ in range(places)]) if persons else np.arange(places),
            crowded=crowded,
            persons=persons,
            members=places,
        )
        order = draw.sample(range(width), width)
        alone = [Refinement.of(records, tuple(order[:known])).alone for known in range(width + 1)]
        assert column_order.alone_in_order(records, order) == alone


def test_the_same_seed_gives_the_same_contributions_and_another_seed_others(monkeypatch):
    monkeypatch.setattr(module, "EXACT", 0)
    draw = random.Random(2)
    rows = [tuple(draw.randrange(3) for _ in range(6)) for _ in range(60)]
    table = dataset(rows, [f"c{i}" for i in range(6)])
    assert drivers(table, seed=1) == drivers(table, seed=1)
    assert drivers(table, seed=1) != drivers(table, seed=2)


def test_columns_that_say_the_same_share_what_they_say():
    found = drivers(dataset([(i, i) for i in range(4)], ["a", "b"]))
    assert [(d.column, d.contribution, d.without, d.by_itself) for d in found.columns] == [
        ("a", 0.5, 1.0, 1.0), ("b", 0.5, 1.0, 1.0),
    ]  # fmt: skip
    assert found.content().plain()["columns"][0] == {
        "column": "a", "alone": 1.0, "without": 1.0, "contribution": 0.5, "standard_error": 0.0,
        "interval": [0.5, 0.5],
    }  # fmt: skip


def test_a_person_who_stands_alone_in_two_classes_counts_in_both():
    rows = [(1, 1), (1, 2), (2, 1)]
    found = drivers(dataset(rows, ["x", "y"], [1, 1, 2]), risk="average")
    assert found.whole == 1.0
    assert found.nothing == 0.5
    assert crowds(rows, [1, 1, 2], [0])[0] == {("subject", 1)}
    assert {d.column: d.by_itself for d in found.columns} == {"x": 1.0, "y": pytest.approx(2 / 3)}


def test_thirty_columns_are_sampled():
    draw = random.Random(4)
    rows = [tuple(draw.randrange(3) for _ in range(30)) for _ in range(500)]
    found = drivers(dataset(rows, [f"c{i:02}" for i in range(30)]), orders=20)
    assert found.orders == 20
    assert found.whole == 1.0
    assert sum(d.contribution for d in found.columns) == pytest.approx(1.0, abs=1e-12)


def test_what_is_asked_for_must_be_there():
    table = dataset([(1,), (2,)], ["a"])
    with pytest.raises(PolicyError, match="singled_out, average"):
        drivers(table, risk="highest")
    with pytest.raises(PolicyError, match="at least four"):
        drivers(table, orders=3)
    with pytest.raises(SchemaError, match="wildcard"):
        drivers(dataset([(1,)], ["a"], missing=Missing.WILDCARD))
