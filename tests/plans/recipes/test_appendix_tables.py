"""S0.13 and S0.26: the tables of the thesis's appendices 3 and 4, each by a plan."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from sfumato.plans.plan_file import parse_plan

ORIGINAL = """\
Name,Postal code,Age,Sex,Diagnosis
Emma,3500,25,F,Gastric flu
Bob,3510,32,M,Flu
Tommy,3520,36,M,COVID
Michael,3530,45,M,Gastric flu
Sara,3540,23,F,Flu
Ziggy,3550,43,M,COVID
"""
DECADES = ["20-29", "30-39", "30-39", "40-49", "20-29", "40-49"]
SYSTEMS = ["Digestive", "Respiratory", "Respiratory", "Digestive", "Respiratory", "Respiratory"]

# Strategy, the plan, and what becomes of one column; all others stay as they are.
APPENDIX_3 = [
    ("suppression", "suppress_values: {columns: Name}", "Name", [""] * 6),
    ("masking", "mask: {columns: Name, placeholder: xxxx}", "Name", ["xxxx"] * 6),
    ("generalisation", "generalise: {column: Age, level: 2, hierarchy: {kind: ages}}", "Age", DECADES),
    (
        "aggregation",
        "recode: {column: Diagnosis, mapping: {Gastric flu: Digestive, Flu: Respiratory, COVID: Respiratory}}",
        "Diagnosis",
        SYSTEMS,
    ),
]
APPENDIX_4 = """\
steps:
  - suppress_values: {columns: Name}
  - mask: {columns: Postal code, keep_left: 2, character: x}
  - generalise: {column: Age, level: 2, hierarchy: {kind: ages}}
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "appendix.csv"
    path.write_text(ORIGINAL, encoding="utf-8")
    return path


@pytest.mark.parametrize(("step", "column", "after"), [case[1:] for case in APPENDIX_3], ids=[c[0] for c in APPENDIX_3])
def test_a_strategy_of_appendix_3_changes_its_column_as_printed_and_no_other(applied, table, step, column, after):
    rows = applied(parse_plan(f"steps:\n  - {step}\n"), table)
    assert [row[column] for row in rows] == after
    for name, *values in zip(*(line.split(",") for line in ORIGINAL.splitlines()), strict=True):
        if name != column:
            assert [row[name] for row in rows] == values


def test_appendix_4_is_the_printed_table(applied, table):
    rows = applied(parse_plan(APPENDIX_4), table)
    printed = zip(DECADES, "FMMMFM", ["Gastric flu", "Flu", "COVID"] * 2, strict=True)
    assert [tuple(row.values()) for row in rows] == [("", "35xx", *row) for row in printed]


def test_appendix_4_is_2_anonymous_and_2_diverse_and_the_original_is_not(applied, table, tmp_path):
    applied(parse_plan(APPENDIX_4), table)
    for path, k, l in ((table, 1, 1), (tmp_path / "applied.csv", 2, 2)):  # noqa: E741
        found = sf.assess(path, quasi=["Postal code", "Age", "Sex"], sensitive=["Diagnosis"], k=2, l=2, t=0.5)
        assert [reading.value for reading in found.readings][:2] == [k, l]


def test_t_of_appendix_4_is_one_third(applied, table, tmp_path):
    applied(parse_plan(APPENDIX_4), table)
    found = sf.assess(tmp_path / "applied.csv", quasi=["Postal code", "Age", "Sex"], sensitive=["Diagnosis"], t=0.5)
    assert [reading.value for reading in found.readings] == [pytest.approx(1 / 3, abs=1e-12)]
