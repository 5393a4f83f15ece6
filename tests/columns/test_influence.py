"""Influence against regrouping the table for each column, on random tables."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.columns import influence
from sfumato.columns.influence import ClassCount, distinct_rows, influences, influences_of, numbered_values
from sfumato.columns.profile import Profile
from sfumato.schema import Missing
from sfumato.studies.printed_tables import five_patients
from sfumato.tables.engines.duckdb import DuckDB

DUCKDB = DuckDB()


@st.composite
def tables(draw, least=1, most=12):
    """Rows of few values in up to a dozen columns, so that rows are alone on some columns and not on others."""
    width = draw(st.integers(least, most))
    values = st.one_of(st.none(), st.integers(0, draw(st.integers(0, 3))))
    rows = draw(st.lists(st.tuples(*[values] * width), min_size=1, max_size=30))
    return rows, [f"c{i}" for i in range(width)]


def loaded(rows, names):
    return DUCKDB.load(pa.table({name: pa.array([row[i] for row in rows], pa.int64()) for i, name in enumerate(names)}))


def crowd(rows) -> ClassCount:
    counts = Counter(rows)
    return ClassCount(len(counts), sum(n == 1 for n in counts.values()))


def without(rows, place):
    return [(*row[:place], *row[place + 1 :]) for row in rows]


@given(tables())
@settings(max_examples=60)
def test_classes_without_each_column_are_those_of_the_regrouped_table(drawn):
    rows, names = drawn
    counts = influences(loaded(rows, names), names)
    assert counts.records == len(rows)
    assert counts.whole == crowd(rows)
    assert counts.without == {name: crowd(without(rows, i)) for i, name in enumerate(names)}


@given(tables())
@settings(max_examples=40)
def test_missing_that_matches_nothing_is_a_value_of_its_own_in_each_record(drawn):
    rows, names = drawn
    alone = [tuple(("row", i) if cell is None else cell for cell in row) for i, row in enumerate(rows)]
    counts = influences(loaded(rows, names), names, missing=Missing.NEVER_MATCHES)
    assert counts.whole == crowd(alone)
    assert counts.without == {name: crowd(without(alone, i)) for i, name in enumerate(names)}


@given(tables())
@settings(max_examples=40)
def test_a_coarser_column_is_counted_as_if_the_table_had_it(drawn):
    rows, names = drawn
    halved = [tuple(None if cell is None else cell // 2 for cell in row) for row in rows]
    counts = influences(loaded(rows, names), names, coarse=dict.fromkeys(names, "floor(value / 2)"))
    for i, name in enumerate(names):
        mixed = [(*row[:i], half[i], *row[i + 1 :]) for row, half in zip(rows, halved, strict=True)]
        assert counts.coarser[name] == crowd(mixed)


@given(tables())
@settings(max_examples=40)
def test_influence_is_at_most_one_minus_one_over_the_number_of_values(drawn):
    """The bound that the printed table of Jung et al. breaks (A4-3): a column of two values has at most 0.5."""
    rows, names = drawn
    table = loaded(rows, names)
    counts, profile = influences(table, names), Profile.of(table)
    for name in names:
        assert 0 <= counts.of(name) <= 1 - 1 / profile[name].distinct + 1e-12


def test_the_five_patients_of_jung_et_al(engine):
    counts = influences(five_patients(engine).table, ["weight", "age", "gender", "zipcode"])
    assert counts.whole.classes == 4
    assert {name: counts.of(name) for name in counts.columns} == {"weight": 0, "age": 0.25, "gender": 0, "zipcode": 0}


def test_both_engines_leave_out_one_of_many_columns_alike(engine):
    rows = [tuple((i >> bit) & 1 for bit in range(9)) for i in (0, 1, 2, 3, 8, 8, 255, 256, 511)]
    names = [f"c{i}" for i in range(9)]
    table = engine.load(pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)}))
    counts = influences(table, names, coarse={"c0": "value * 0"})
    assert counts.without == {name: crowd(without(rows, i)) for i, name in enumerate(names)}
    assert counts.coarser["c0"] == counts.without["c0"]


def test_one_column_no_column_and_no_record():
    rows = [(1,), (1,), (2,)]
    one = influences(loaded(rows, ["c"]), ["c"])
    assert (one.whole, one.without["c"], one.of("c")) == (ClassCount(2, 1), ClassCount(1, 0), 0.5)
    none = influences(loaded(rows, ["c"]), [])
    assert (none.records, none.whole.classes, none.without) == (3, 1, {})
    empty = influences(DUCKDB.load(pa.table({"c": pa.array([], pa.int64())})), ["c"])
    assert (empty.records, empty.whole, empty.of("c")) == (0, ClassCount(0, 0), 0)


def test_names_with_quotes_and_a_column_of_the_name_that_is_used_inside():
    table = DUCKDB.load(pa.table({'a "b"': [1, 2], "n": [1, 1], "q1": [5, 5], "row": [1, 1]}))
    for missing in (Missing.OWN_VALUE, Missing.NEVER_MATCHES):
        counts = influences(table, ['a "b"', "n", "q1", "row"], missing=missing)
        assert {name: counts.of(name) for name in counts.columns} == {'a "b"': 0.5, "n": 0, "q1": 0, "row": 0}


@pytest.mark.parametrize("columns", [20, 200])
def test_many_columns_need_few_passes(columns, monkeypatch):
    engine = DuckDB()
    rows = {f"c{i}": [(row * (i + 3)) % 97 for row in range(500)] for i in range(columns)}
    table = engine.load(pa.table(rows))
    asked = []
    monkeypatch.setattr(engine, "fetch", lambda sql, fetch=engine.fetch: asked.append(sql) or fetch(sql))
    counts = influences(table, list(rows))
    assert set(counts.without.values()) == {counts.whole}
    assert len(asked) < 12


@given(tables())
@settings(max_examples=30)
def test_numbered_values_count_the_same_classes(drawn):
    """Many rows are grouped by the numbers of their values; here few are, to compare."""
    rows, names = drawn
    plain = influences(loaded(rows, names), names, coarse={names[0]: "value // 2"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(influence, "CODED_FROM", 0)
        coded = numbered_values(distinct_rows(loaded(rows, names), names, Missing.OWN_VALUE), len(names))
    assert coded.columns[0] == "q1"
    assert "v1" in coded.columns
    assert influences_of(coded, names, {names[0]: "value // 2"}) == plain


@pytest.mark.parametrize(("copies", "alone"), [(1, True), (2, False)])
def test_values_are_not_numbered_where_either_half_of_the_columns_tells_nearly_all_rows_apart(copies, alone):
    """Rows that are all different on both halves, and rows of which two share the second half."""
    rows = [(i, i, -i, i // copies) for i in range(40)]
    rows = [(a, b // copies, c, d) for a, b, c, d in rows]
    distinct = distinct_rows(loaded(rows, list("abcd")), list("abcd"), Missing.OWN_VALUE)
    assert influence.mostly_alone(distinct, 4) is alone
    assert not influence.mostly_alone(distinct, 3)  # with so few columns the search does not look for them
