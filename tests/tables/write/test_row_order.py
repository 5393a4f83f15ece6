"""Rows are written in an order that depends on what is released of them, and on nothing else."""

from __future__ import annotations

import csv
import datetime as dt
import random
import tempfile
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.tables.engine import Engine
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.write.release import ReleasedColumn
from sfumato.tables.write.table import write_table

SCHEMA = pa.schema(
    [("note", pa.string()), ("n", pa.int64()), ("x", pa.float64()), ("day", pa.date32()), ("at", pa.timestamp("us"))]
)
CELLS = st.tuples(
    st.none() | st.text(alphabet='ab;~=-,"\n é', max_size=3),
    st.none() | st.integers(-3, 3),
    st.none() | st.sampled_from([0.0, -0.0, 0.1, 1e-7, 1e22, -2.5, float("nan")]),
    st.none() | st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)),
    st.none() | st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1)),
)


def written(rows: list[tuple[Any, ...]], folder: Path, name: str = "r.csv", *, hidden: bool = False) -> bytes:
    """The bytes of a file with the rows; with `hidden`, from a table with the number of the row as one more column."""
    columns = {field.name: [row[i] for row in rows] for i, field in enumerate(SCHEMA)}
    table = pa.table(columns, SCHEMA)
    if hidden:
        table = table.append_column("place", pa.array(range(len(rows)), pa.int64()))
    write_table(DuckDB().load(table), folder / name, [ReleasedColumn(field.name) for field in SCHEMA])
    return (folder / name).read_bytes()


@given(rows=st.lists(CELLS, min_size=1, max_size=12), seed=st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_the_order_of_the_source_does_not_show(rows: list[tuple[Any, ...]], seed: int) -> None:
    shuffled = random.Random(seed).sample(rows, len(rows))
    with tempfile.TemporaryDirectory() as folder:
        first = written(rows, Path(folder))
        assert written(shuffled, Path(folder)) == first
        assert written(shuffled, Path(folder), hidden=True) == first


def test_the_place_of_a_row_is_the_hash_of_its_cells(tmp_path: Path) -> None:
    """Reckoned here by hand: absent, empty, marked and one zero."""
    texts = {
        (None, 1): "-;=1", ("", 1): "=;=1", ("-", 1): "=-;=1", ("a;b", 1): "=a~;b;=1", ("~", 1): "=~~;=1",
        ("a", None): "=a;-", ("é", -7): "=é;=-7",
    }  # fmt: skip
    table = DuckDB().load(pa.table({"a": [a for a, _ in texts], "n": [n for _, n in texts]}))
    write_table(table, tmp_path / "r.csv", [ReleasedColumn("a"), ReleasedColumn("n")])
    with (tmp_path / "r.csv").open(encoding="utf-8", newline="") as file:
        found = [tuple(row) for row in csv.reader(file)][1:]
    ordered = sorted(texts, key=lambda row: sha256(texts[row].encode()).hexdigest())
    assert found == [(a or "", "" if n is None else str(n)) for a, n in ordered]


def test_rows_are_not_lost_and_every_repeat_is_there(tmp_path: Path) -> None:
    rows = [(f"{i % 7}", i % 3, None, None, None) for i in range(500)]
    lines = written(rows, tmp_path).decode().splitlines()[1:]
    assert Counter(lines) == Counter(f"{a},{n},,," for a, n, *_ in rows)


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_every_engine_gives_the_same_order(engine: Engine, tmp_path: Path, ending: str) -> None:
    rows = [(chr(97 + i % 5) * (i % 3), i, i / 7 if i % 4 else 1e-7 * i, dt.date(2000 + i, 1, 2),
             dt.datetime(1999, 1, 1, 0, 0, i, 250000 * (i % 4))) for i in range(30)]  # fmt: skip
    table = engine.load(pa.table({f.name: [row[i] for row in rows] for i, f in enumerate(SCHEMA)}, SCHEMA))
    write_table(table, tmp_path / f"r{ending}", [ReleasedColumn(field.name) for field in SCHEMA])
    expected = written(rows, tmp_path, f"duckdb{ending}")
    if ending == ".csv":
        assert (tmp_path / "r.csv").read_bytes() == expected
    else:
        import pyarrow.parquet as pq

        read = [pq.read_table(tmp_path / name).column("n").to_pylist() for name in ("r.parquet", "duckdb.parquet")]
        assert read[0] == read[1]


def test_a_table_of_thousands_of_columns_is_written(tmp_path: Path) -> None:
    names = [f"c{i}" for i in range(2000)]
    table = DuckDB().load(pa.table({name: ["a", None] for name in names}))
    assert write_table(table, tmp_path / "r.csv", [ReleasedColumn(name) for name in names]) == 2
    with (tmp_path / "r.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    texts = {"a": ";".join(["=a"] * 2000), "": ";".join(["-"] * 2000)}  # the order is that of fewer columns, too
    ordered = sorted(texts, key=lambda cell: sha256(texts[cell].encode()).hexdigest())
    assert rows == [names, *([cell] * 2000 for cell in ordered)]
