"""A small release with every kind of column, and how it is written and read back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sfumato.tables.engine import Engine, Table
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.tables.write.release import ReleasedColumn
from sfumato.tables.write.table import write_table

PATIENTS = """
    SELECT * FROM (VALUES
        (CAST(1 AS BIGINT), CAST(1.5 AS DOUBLE), 'Zoë', CAST('2020-02-29' AS DATE),
         CAST('2020-01-01 10:30:05.25' AS TIMESTAMP), TRUE, '007', 'mild'),
        (2, -0.00001, 'a "b", c;' || chr(10) || 'd', CAST('1999-12-31' AS DATE),
         CAST('1999-01-01 00:00:01' AS TIMESTAMP), FALSE, '010', 'grave'),
        (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        (-3, 1000000.25, ' Ø ', CAST('1950-03-01' AS DATE),
         CAST('2038-01-19 03:14:07' AS TIMESTAMP), TRUE, '0', 'mild')
    ) AS listed (visit, dose, place, born, seen, alive, code, grade)
"""
COLUMNS = (
    ReleasedColumn("visit", "Besuch Nº", {"1": "first", "2": "später"}),
    ReleasedColumn("dose", "Dose in mg"),
    ReleasedColumn("place"),
    ReleasedColumn("born", "Date of birth"),
    ReleasedColumn("seen"),
    ReleasedColumn("alive"),
    ReleasedColumn("code", None, {"007": "seven"}),
    ReleasedColumn("grade", "Grade", None, ("mild", "moderate", "grave")),
)


@dataclass(frozen=True)
class Written:
    """A file that was written, and what our own reader makes of it."""

    path: Path
    rows: int
    extract: Extract

    @property
    def found(self) -> list[tuple[Any, ...]]:
        return self.extract.table.engine.fetch(f"SELECT * FROM {self.extract.table}")

    @property
    def kinds(self) -> list[str]:
        return [column.kind.value for column in self.extract.columns]


@pytest.fixture
def patients() -> Table:
    return DuckDB().query(PATIENTS)


@pytest.fixture
def columns() -> tuple[ReleasedColumn, ...]:
    return COLUMNS


@pytest.fixture
def released(tmp_path: Path) -> Callable[..., Written]:
    """Write a SELECT or a table to a file, and read the file back."""

    def run(source: Table | str, name: str, *, engine: Engine | None = None, read: ReadOptions | None = None,
            columns: Any = None, **how: Any) -> Written:  # fmt: skip
        table = source if isinstance(source, Table) else (engine or DuckDB()).query(source)
        path = tmp_path / name
        rows = write_table(table, path, columns or [ReleasedColumn(c) for c in table.columns], **how)
        return Written(path, rows, load(str(path), read))

    return run
