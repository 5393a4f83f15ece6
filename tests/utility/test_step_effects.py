"""Risk and utility after each step: what is read for it, and what is held meanwhile."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sfumato.plans.plan_file import read_plan
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.utility.paired.class_sizes import ClassSizes
from sfumato.utility.step_effects import effects

PLAN = """\
steps:
  - generalise: {column: age, level: 1, hierarchy: {kind: intervals, edges: [0, 40, 80]}}
  - drop: {columns: [town]}
"""


def test_losses_of_steps_count_no_classes_and_hold_no_pairs(tmp_path, monkeypatch):
    """Classes of pairs are the most costly of what a comparison can read, and no model of a step needs them."""
    monkeypatch.setattr(ClassSizes, "of", lambda *_: pytest.fail("classes of pairs were counted"))
    (tmp_path / "plan.yaml").write_text(PLAN)
    engine = DuckDB()
    table = pa.table({"age": [31, 32, 55, 56], "town": ["a", "b", "a", "b"]})
    found = effects(read_plan(tmp_path / "plan.yaml"), table, quasi=["age", "town"], engine=engine)
    assert [(step.transformation, step.singled_out) for step in found.steps] == [("generalise", 4), ("drop", 0)]
    assert [round(step.lost["loss"], 3) for step in found.steps] == [
        0.167,
        0.667,
    ]  # (1 / 3 + 0) / 2 and (1 / 3 + 1) / 2
    tables = engine.fetch("SELECT sql FROM duckdb_tables()")
    assert not [sql for (sql,) in tables if " l2 " in sql]
