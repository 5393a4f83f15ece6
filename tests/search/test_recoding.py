"""Recodings: their lines say what becomes of every record, and compiled kernels find what NumPy finds."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.census import census
from tests.search.small_tables import Small, policies, required, small_tables

from sfumato.errors import PlanError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.dataset import Dataset
from sfumato.search.local import local_kernels
from sfumato.search.local.counted_tuples import CountedTuples, TreeColumn
from sfumato.search.local.local_recoding import recode_locally
from sfumato.search.local.mondrian import mondrian
from sfumato.search.local.recoding import Recoding
from sfumato.tables.engine import quoted
from sfumato.tables.engines.duckdb import DuckDB


@settings(max_examples=60)
@given(small_tables(), policies())
def test_lines_are_the_original_values_and_the_label_of_their_group(small, policy):
    if not small.feasible(policy):
        return
    found = mondrian(small.tuples, policy)
    lines = found.lines().to_pylist()
    assert len(lines) == len({*small.rows})
    for row, group, line in zip(found.tuples.codes.tolist(), found.group.tolist(), lines, strict=True):
        for j, (column, code) in enumerate(zip(small.columns, row, strict=True)):
            assert line[f"k{j + 1}"] == column.text(code)
            assert line[f"l{j + 1}"] == found.label(group, j)
        assert line["suppressed"] is False


def test_records_join_their_lines_as_the_engine_writes_them():
    """Numbers, dates, texts and missing values: every record finds one line."""
    engine = DuckDB()
    values = {
        "age": pa.array([1.5, 10.0, None, 1.5, 7.25]),
        "born": pa.array(["2020-01-31", "1999-12-01", "2020-01-31", None, "2001-01-01"]).cast(pa.date32()),
        "town": pa.array(["a", "b", None, "a", "b"]),
    }
    table = engine.load(pa.table(values))
    texts = {
        name: engine.fetch(f"SELECT DISTINCT CAST({quoted(name)} AS VARCHAR) FROM {table} WHERE {name} IS NOT NULL")
        for name in values
    }
    hierarchies = {name: Hierarchy(tuple((row[0], "*") for row in found)) for name, found in texts.items()}
    dataset = replace(Dataset.of(table, dict.fromkeys(values, "quasi")), hierarchies=hierarchies)
    tuples = CountedTuples.of_condensed(condense(dataset), hierarchies, ordered=["age", "born"])
    lines = engine.load(mondrian(tuples, required(k=2)).lines())
    joined = engine.fetch(
        f"SELECT count(*), count(DISTINCT (l1, l2, l3)) FROM {table} AS r JOIN {lines} AS line "
        "ON CAST(r.age AS VARCHAR) IS NOT DISTINCT FROM k1 AND CAST(r.born AS VARCHAR) IS NOT DISTINCT FROM k2 "
        "AND CAST(r.town AS VARCHAR) IS NOT DISTINCT FROM k3"
    )
    assert joined[0] == (5, 2)
    assert {tuple(row.values())[:3] for row in mondrian(tuples, required(k=1)).lines().to_pylist()} == {
        tuple(row.values())[3:6] for row in mondrian(tuples, required(k=1)).lines().to_pylist()
    }


@settings(max_examples=120)
@given(small_tables(ordered=False), policies(), st.floats(0, 1))
def test_with_suppression_the_policy_holds_within_the_limit_and_full_domain_loses_no_less(small, policy, share):
    if not small.feasible(policy):
        return
    tuples = small.tuples
    found, without = recode_locally(tuples, policy, suppression=share), recode_locally(tuples, policy)
    assert found.suppressed <= share * len(small.rows) + 1e-9
    assert found.loss <= min(without.loss, small.best_full_domain(policy, share)) + 1e-9
    assert found.keeps(policy)
    classes: dict[tuple[str | None, ...], list[int | None]] = {}
    lines = {tuple(row): line for row, line in zip(tuples.codes.tolist(), found.lines().to_pylist(), strict=True)}
    for row, value in zip(small.rows, small.sensitive, strict=True):
        line = lines[row]
        labels = tuple(line[f"l{j + 1}"] for j in range(len(small.columns)))
        if line["suppressed"]:
            assert set(labels) == {"*"}
        else:
            classes.setdefault(labels, []).append(value)
    assert all(small.met(policy, values) for values in classes.values())


def outlier() -> Small:
    """Nine columns of two values; five records alike, and one that has everything else."""
    tree = TreeColumn.of("x", Hierarchy((("a", "*"), ("b", "*"))))
    columns = tuple(replace(tree, name=f"c{j}") for j in range(9))
    return Small(columns, ((0,) * 9,) * 40 + ((1,) * 9,), (None,) * 41)


def test_a_record_that_would_cost_all_others_their_labels_is_suppressed_where_that_is_allowed():
    all_kept = recode_locally(outlier().tuples, required(k=2))
    assert (all_kept.loss, all_kept.suppressed) == (1.0, 0)
    found = recode_locally(outlier().tuples, required(k=2), suppression=0.05)
    assert (found.suppressed, found.classes) == (1, 1)
    assert found.loss == pytest.approx(1 / 41)
    assert recode_locally(outlier().tuples, required(k=2), suppression=0.02).suppressed == 0


def test_a_share_above_one_is_refused():
    with pytest.raises(PlanError, match="between 0 and 1"):
        recode_locally(outlier().tuples, required(k=2), suppression=1.5)


@settings(max_examples=60)
@given(small_tables(ordered=False), st.integers(2, 4))
def test_compiled_loops_find_what_numpy_finds_on_small_tables(small, k):
    pytest.importorskip("numba")
    if len(small.rows) < k:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_kernels, "kernels_for", lambda _: local_kernels.kernels(fast=True))
        fast = recode_locally(small.tuples, required(k=k))
    assert fast.group.tolist() == recode_locally(small.tuples, required(k=k)).group.tolist()


def test_compiled_loops_find_what_numpy_finds_on_the_census_table(shared, monkeypatch):
    pytest.importorskip("numba")
    tuples, found = census(shared), []
    for fast in (True, False):
        monkeypatch.setattr(local_kernels, "kernels_for", lambda _, fast=fast: local_kernels.kernels(fast=fast))
        found.append(recode_locally(tuples, required(k=5)))
    assert found[0].group.tolist() == found[1].group.tolist()


def test_the_same_table_gives_the_same_recoding_every_time(shared):
    tuples = census(shared)
    first, second = (recode_locally(tuples, required(k=20)) for _ in range(2))
    assert np.array_equal(first.group, second.group)
    assert isinstance(first, Recoding)


def test_without_numba_the_kernels_are_those_of_numpy(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    assert local_kernels.kernels.__wrapped__(fast=True) is local_kernels.kernels(fast=False)
