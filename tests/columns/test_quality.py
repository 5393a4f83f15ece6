"""How good the detectors are, on columns that were labelled by somebody who had not seen them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from sfumato.columns.catalogue import evidences
from sfumato.columns.profile import Profile
from sfumato.columns.proposal import propose
from sfumato.schema import role_name
from sfumato.tables.engines.duckdb import DuckDB

from .labelled_columns import LabelledColumn, development, held_out
from .quality import Quality, as_markdown, measured

PAGE = Path(__file__).parents[2] / "docs" / "detection-quality.md"


def classified(columns: list[LabelledColumn]) -> list[tuple[str, str | None]]:
    engine, members, found = DuckDB(), evidences(), []
    for column in columns:
        table = engine.load(pa.table({column.name: pa.array(list(column.values))}))
        [profile] = Profile.of(table).columns
        engine.drop(table)
        role, _, hipaa = propose([f for member in members if (f := member.of(profile))])
        found.append((role_name(role), hipaa))
    return found


@pytest.fixture(scope="module")
def qualities() -> tuple[Quality, Quality]:
    return measured(development(), classified), measured(held_out(), classified)


@pytest.mark.parametrize("part", [0, 1], ids=["development", "held out"])
@pytest.mark.parametrize("what", ["direct", "hipaa"])
def test_precision_and_recall_are_at_least_95_per_cent(qualities, part, what):
    rates = getattr(qualities[part], what)
    assert rates.precision >= 0.95
    assert rates.recall >= 0.95


def test_there_are_more_than_three_hundred_columns():
    assert len(development()) + len(held_out()) >= 300


def test_the_page_shows_what_was_measured(qualities):
    assert as_markdown(*qualities).strip() in PAGE.read_text(encoding="utf-8")
