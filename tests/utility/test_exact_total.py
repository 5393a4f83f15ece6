"""Sums in arrays have the digits of those of an engine."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.tables.engine import in_units, total
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.utility.exact_total import added_by_engine, engine_total, exact_total, exact_totals

NUMBERS = st.one_of(st.floats(-1e15, 1e15), st.floats(-1e-3, 1e-3), st.integers(-(2**40), 2**40).map(lambda i: i / 2))


@pytest.fixture(scope="module")
def engine():
    return DuckDB()


@settings(max_examples=60, deadline=None)
@given(numbers=st.lists(NUMBERS, min_size=1, max_size=60))
def test_a_sum_in_arrays_is_that_of_the_engine_to_the_last_bit(engine, numbers):
    table = engine.load(pa.table({"number": pa.array(numbers, pa.float64())}))
    assert exact_total(np.array(numbers)) == engine.fetch(f"SELECT {total('number')} FROM {table}")[0][0]
    engine.drop(table)


def test_halves_of_the_last_place_are_rounded_away_from_zero_as_the_engine_does(engine):
    halves = [0.5e-18, 1.5e-18, 2.5e-18, -0.5e-18, -2.5e-18, 1e-3 + 2.0**-63]
    table = engine.load(pa.table({"number": halves}))
    sums = [row[0] for row in engine.fetch(f"SELECT {total('number')} FROM {table} GROUP BY number ORDER BY number")]
    assert [exact_total(np.array([half])) for half in sorted(halves)] == sums


def test_sums_by_group_are_those_of_each_group_alone():
    numbers, groups = np.array([0.1, 0.7, 0.2, 1e9, -0.3]), np.array([1, 0, 1, 2, 0])
    assert exact_totals(numbers, groups).tolist() == [exact_total(numbers[groups == group]) for group in range(3)]


POSITIVE = st.one_of(st.floats(0, 1e-3), st.floats(0, 300), st.floats(0, 1e9), st.just(2.0**64 / 1e18))


@settings(max_examples=60, deadline=None)
@given(numbers=st.lists(POSITIVE, max_size=60))
def test_a_sum_is_rounded_as_the_engine_rounds_it(engine, numbers):
    """Of sums from 18.4 to about 300, rounding once would give another last bit for one in six."""
    table = engine.load(pa.table({"number": pa.array(numbers, pa.float64())}))
    assert engine_total(np.array(numbers)) == (engine.fetch(f"SELECT {total('number')} FROM {table}")[0][0] or 0.0)
    engine.drop(table)


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(*[st.floats(0, 70_000) | st.floats(0, 40) | st.floats(0, 1e-9)] * 3), min_size=1))
def test_sums_of_rows_are_rounded_as_the_engine_rounds_them(engine, rows):
    columns = {
        name: pa.array(column, pa.float64()) for name, column in zip("abc", zip(*rows, strict=True), strict=True)
    }
    table = engine.load(pa.table({"row": range(len(rows)), **columns}))
    each = " UNION ALL ".join(f"SELECT row, {name} AS x FROM {table}" for name in "abc")
    sums = engine.fetch(f"SELECT {total('x')} FROM ({each}) AS cell GROUP BY row ORDER BY row")
    units = [
        [int(unit) for (unit,) in engine.fetch(f"SELECT {in_units(name)} FROM {table} ORDER BY row")] for name in "abc"
    ]
    places = [np.arange(len(rows))] * 3
    assert added_by_engine(places, units).tolist() == [x for (x,) in sums]
    assert added_by_engine(places, [*units[:2], [2**76] * len(rows)]) is None
    engine.drop(table)
