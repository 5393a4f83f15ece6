"""Tables of very many columns: statements about them are asked in parts, since their cost grows with the square."""

from __future__ import annotations

import pyarrow as pa

from sfumato.columns.data_quality import data_quality
from sfumato.columns.profile import Profile
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.column_parts import counts, different_values

WIDE = {f'c"{place}': [place % 7, 1, None, 2] for place in range(600)}


def test_different_values_of_many_columns_are_counted_in_little_memory() -> None:
    """600 in one statement took more than 19 GB, whatever the rows."""
    table = DuckDB(memory="400MB").load(pa.table(WIDE))
    assert different_values(table, list(WIDE)) == {name: len({*cells} - {None}) for name, cells in WIDE.items()}
    assert different_values(table, []) == {}


def test_numbers_come_in_the_order_in_which_they_were_asked() -> None:
    table = DuckDB().load(pa.table(WIDE))
    assert counts(table, [f"{place} + count(*) - 4" for place in range(250)], most=40) == list(range(250))


def test_texts_of_many_columns_are_looked_at_for_days_in_parts() -> None:
    texts = {f"c{place}": ["x", "y"] * 20 for place in range(300)}
    days = ["2020-02-30", *("2020-02-01", "2020-03-01", "2020-04-01") * 13]
    table = DuckDB(memory="400MB").load(pa.table({**texts, "day": days}))
    wrong = [each for each in data_quality(table, Profile.of(table)) if each.what.startswith("no day")]
    assert [(each.columns, each.records) for each in wrong] == [(("day",), 1)]
