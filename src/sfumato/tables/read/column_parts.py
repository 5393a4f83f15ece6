"""Parts of very wide tables: columns that are read some at a time, and put together again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

from sfumato.tables.engine import Engine, Table, listed, quoted

WIDE = 500  # columns, above which the text is held as it is and read in parts. Chosen, not measured
# Above so many, one thread reads all of them: each thread of DuckDB holds 2,048 texts of every column, 33 MB for a
# thousand columns. 10,000 columns by 1,000 rows took 912 MB with two threads, and 400 MB with one in less time.
VERY_WIDE = 2000
PART = 100  # columns of a part
# Columns whose different values one statement counts: DuckDB's memory grows with the square of them, whatever the rows.
# 100 take a third of a gigabyte for a single record, 300 one, and 600 more than 19.
DISTINCT = 25
Each = TypeVar("Each")  # the name of a column, or what is asked about one


def parts(columns: Sequence[Each], most: int = WIDE) -> list[tuple[Each, ...]]:
    """The columns as one part, or in several where there are very many: a statement's time grows with its square."""
    size = len(columns) if len(columns) <= most else min(most, PART)
    return [tuple(columns[start : start + size]) for start in range(0, len(columns), max(1, size))]


def counts(table: Table, asked: Sequence[str], most: int = PART) -> list[int]:
    """The numbers that aggregates of a table give, some in one statement."""
    rows = (table.engine.fetch(f"SELECT {listed(part)} FROM {table}")[0] for part in parts(asked, most))
    return [int(number) for row in rows for number in row]


def different_values(table: Table, columns: Sequence[str]) -> dict[str, int]:
    """How many different values each column has, apart from missing ones."""
    asked = [f"count(DISTINCT {quoted(name)})" for name in columns]
    return dict(zip(columns, counts(table, asked, DISTINCT), strict=True))


def side_by_side(engine: Engine, tables: Sequence[Table]) -> Table:
    """Parts of the same records, in the same order, as one table."""
    if len(tables) == 1:
        return tables[0]
    table = engine.query(f"SELECT * FROM {' POSITIONAL JOIN '.join(map(str, tables))}")
    engine.drop(*tables)
    return table


def in_few_blocks(engine: Engine, names: Sequence[str]) -> AbstractContextManager[None]:
    """For statements over all columns: where these are thousands, one thread."""
    return engine.one_thread() if len(names) > VERY_WIDE else nullcontext()
