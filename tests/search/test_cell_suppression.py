"""Cell suppression: k holds on every set of columns, counted anew, and few cells are lost."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.census import census
from tests.search.small_tables import Small, policies, required, small_tables

from sfumato.errors import PolicyError, UnknownColumn
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.search.local.cell_suppression import suppress_cells
from sfumato.search.local.counted_tuples import OrderedColumn, TreeColumn


def holds(rows, k, sets) -> bool:
    return all(min(Counter(tuple(row[i] for i in places) for row in rows).values()) >= k for places in sets)


@settings(max_examples=150)
@given(small_tables(), st.integers(1, 4), st.booleans())
def test_every_class_of_every_set_has_k_records(small, k, several):
    tuples = small.tuples
    names = [column.name for column in small.columns]
    sets = [c for n in (1, 2) for c in itertools.combinations(range(len(names)), min(n, len(names)))]
    sets = sets if several else [tuple(range(len(names)))]
    if len(small.rows) < k:
        with pytest.raises(PolicyError):
            suppress_cells(tuples, required(k=k))
        return
    found = suppress_cells(tuples, required(k=k), [[names[i] for i in places] for places in sets])
    gone = {tuple(row): lost for row, lost in zip(tuples.codes.tolist(), found.gone.tolist(), strict=True)}
    rows = [["*" if lost else code for code, lost in zip(row, gone[row], strict=True)] for row in small.rows]
    assert holds(rows, k, sets)
    assert found.cells == sum(row.count("*") for row in rows) >= found.bound
    assert all(found.smallest([names[i] for i in places]) >= k for places in sets)
    if holds(small.rows, k, sets):
        assert found.cells == 0


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=5, unique=True), st.integers(2, 3)
)
def test_on_tiny_tables_no_more_than_two_cells_more_than_needed(rows, k):
    if len(rows) < k:
        return
    letters = Hierarchy((("a", "*"), ("b", "*")))
    columns = TreeColumn.of("x", letters), TreeColumn.of("y", letters)
    tuples = Small(columns, tuple(rows), (None,) * len(rows)).tuples
    cells = [(i, j) for i in range(len(rows)) for j in range(2)]
    fewest = next(
        n
        for n in range(len(cells) + 1)
        for lost in itertools.combinations(cells, n)
        if holds([["*" if (i, j) in lost else v for j, v in enumerate(r)] for i, r in enumerate(rows)], k, [(0, 1)])
    )
    assert fewest <= suppress_cells(tuples, required(k=k)).cells <= fewest + 2


def test_a_column_that_is_not_there_is_named():
    small = Small((OrderedColumn("x", ("1",)),), ((0,),), (None,))
    with pytest.raises(UnknownColumn):
        suppress_cells(small.tuples, required(k=1), [["y"]])


def test_few_cells_of_the_census_table_are_lost_for_two_scenarios(shared):
    sets = [["sex", "age", "race"], ["sex", "education", "native-country"]]
    found = suppress_cells(census(shared), required(k=3), sets)
    assert all(found.smallest(columns) >= 3 for columns in sets)
    assert found.bound <= found.cells < 1.5 * found.bound


@settings(max_examples=150)
@given(small_tables(), policies(), st.booleans())
def test_any_policy_holds_on_every_set_and_no_fewer_cells_than_bound_are_lost(small, policy, several):
    tuples, names = small.tuples, [column.name for column in small.columns]
    sets = [[name] for name in names] + [names] if several else [names]
    if not small.feasible(policy):
        with pytest.raises(PolicyError):
            suppress_cells(tuples, policy, sets)
        return
    found = suppress_cells(tuples, policy, sets)
    lines = found.lines().to_pylist()
    labels = {
        tuple(row): [line[f"l{j + 1}"] for j in range(len(names))]
        for row, line in zip(tuples.codes.tolist(), lines, strict=True)
    }
    assert found.cells >= found.bound
    for columns in sets:
        classes = defaultdict(list)
        for row, value in zip(small.rows, small.sensitive, strict=True):
            classes[tuple(labels[row][names.index(name)] for name in columns)].append(value)
        assert all(small.met(policy, values) for values in classes.values())
        assert found.keeps(policy, columns)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=5), st.data())
def test_no_choice_of_cells_of_a_tiny_table_is_below_the_bound(rows, data):
    """Every choice of cells, record by record, for a policy of which a broken class may have parts that keep to it."""
    policy = required(k=1, t=data.draw(st.floats(0.05, 0.6)))
    letters = Hierarchy((("a", "*"), ("b", "*")))
    columns = TreeColumn.of("x", letters), TreeColumn.of("y", letters)
    small = Small(columns, tuple(row[:2] for row in rows), tuple(row[2] for row in rows))
    cells = [(i, j) for i in range(len(rows)) for j in range(2)]

    def kept(lost) -> bool:
        classes = defaultdict(list)
        for i, row in enumerate(small.rows):
            classes[tuple("*" if (i, j) in lost else v for j, v in enumerate(row))].append(small.sensitive[i])
        return all(small.met(policy, values) for values in classes.values())

    fewest = next(n for n in range(len(cells) + 1) for lost in itertools.combinations(cells, n) if kept(set(lost)))
    assert suppress_cells(small.tuples, policy).bound <= fewest
