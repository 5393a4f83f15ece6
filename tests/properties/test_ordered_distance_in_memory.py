"""Few records are added up in memory, many by statements: the same formula, and so the same bits."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.statements import Statements

from sfumato.privacy.dataset import Dataset
from sfumato.privacy.measure_interface import SensitiveMeasure
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.models.t_ordered import TOrdered
from sfumato.privacy.models.t_wasserstein import TWasserstein
from sfumato.privacy.readings import Readings
from sfumato.schema import Missing
from sfumato.tables.engines.duckdb import DuckDB

IN_MEMORY, BY_STATEMENTS = DuckDB(threads=1), Statements(threads=1)
MEASURES: tuple[SensitiveMeasure, ...] = (
    TCloseness("dose"), TOrdered("dose"), TWasserstein("dose"), TOrdered("dose", bins=(0.0, 1.0)), TOrdered("word"),
)  # fmt: skip
RECORDS = st.lists(
    st.tuples(
        st.sampled_from([None, "a", "b", "c"]),
        st.one_of(st.none(), st.integers(-3, 3).map(float), st.floats(-1e6, 1e6)),
        st.sampled_from([None, "", "x", "é", "ÿz"]),
        st.sampled_from([None, "ann", "bob", "cy"]),
    ),
    min_size=1, max_size=40,
)  # fmt: skip


def readings(engine: DuckDB, records: list[tuple[Any, ...]], missing: Missing, *, persons: bool) -> list[Any]:
    """What every class reads, by its keys."""
    kinds = {"age": pa.string(), "dose": pa.float64(), "word": pa.string(), "who": pa.string()}
    columns = {
        name: pa.array(column, kind)
        for (name, kind), column in zip(kinds.items(), zip(*records, strict=True), strict=True)
    }
    roles = {"age": "quasi", "dose": "sensitive", "word": "sensitive"}
    table = engine.load(pa.table(columns))
    dataset = Dataset.of(table, roles, subject="who" if persons else None)
    classes = Dataset(table, dataset.schema, dataset.subject, missing).classes()
    read = Readings(classes, MEASURES)
    found = ", ".join(f"r.{read.column(measure)}" for measure in MEASURES)
    return engine.fetch(f"""
        SELECT c.k1, c.class_id, {found} FROM {classes.with_keys()} AS c
        JOIN {read.table} AS r ON r.class_id = c.class_id ORDER BY ALL""")


@pytest.mark.parametrize("missing", [Missing.OWN_VALUE, Missing.NEVER_MATCHES], ids=str)
@settings(max_examples=25, deadline=None)
@given(records=RECORDS, persons=st.booleans())
def test_both_ways_give_the_same_bits(records: list[tuple[Any, ...]], missing: Missing, persons: bool) -> None:
    in_memory = readings(IN_MEMORY, records, missing, persons=persons)
    assert IN_MEMORY.few
    assert in_memory == readings(BY_STATEMENTS, records, missing, persons=persons)
