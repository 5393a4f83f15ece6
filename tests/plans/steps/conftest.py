"""The engine of most tests of steps."""

from __future__ import annotations

import pytest

from sfumato.tables.engines.duckdb import DuckDB


@pytest.fixture
def duck():
    return DuckDB()
