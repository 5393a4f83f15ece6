"""DuckDB as it works on many rows, for tables of any size: every reading by statements, none in memory."""

from __future__ import annotations

from sfumato.tables.engines.duckdb import DuckDB


class Statements(DuckDB):
    """DuckDB that takes no table for a small one."""

    few = False


WAYS = (DuckDB, Statements)
