"""The contract: what every engine does alike. A new engine joins by the fixture `engine` of conftest.py."""

from __future__ import annotations

import csv
import math
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.errors import EngineError, OutputError, UnreadableFile
from sfumato.tables.engine import Engine, Kind, literal, quoted, same, total
from sfumato.tables.engines.duckdb import DuckDB

CELL = "zaphod-beeblebrox"
ODD_NAMES = [
    "a b",
    "a.b",
    "a`b",
    'a"b',
    "a\nb",
    "a\\b",
    "it's",
    "size",
    "class_id",
    "x; --",
    "é",
    "1",
    "select",
]
ODD_TEXTS = [
    "it's",
    "a\\b",
    "\\",
    "\\n",
    "a\nb",
    'a"b',
    "`",
    "%",
    "é",
    "",
    " ",
    "\\'",
    "--",
    "/* */",
    "{x}",
    "?",
    "$1",
    ":a",
]


def test_every_kind_and_null_comes_back_as_it_went_in(engine: Engine) -> None:
    moment = datetime(2020, 2, 29, 23, 59, 59, 123456)
    table = pa.table(
        {
            "text": pa.array(["a", None, ""]),
            "integer": pa.array([1, None, -(2**63)], pa.int64()),
            "real": pa.array([0.1, None, -1e300]),
            "date": pa.array([date(1899, 12, 31), None, date(2020, 2, 29)]),
            "timestamp": pa.array([moment, None, datetime(1900, 1, 1)], pa.timestamp("us")),
            "boolean": pa.array([True, None, False]),
        }
    )
    held = engine.load(table)
    assert engine.fetch(f"SELECT * FROM {held}") == [
        ("a", 1, 0.1, date(1899, 12, 31), moment, True),
        (None, None, None, None, None, None),
        ("", -(2**63), -1e300, date(2020, 2, 29), datetime(1900, 1, 1), False),
    ]
    assert held.kinds == {name: Kind(name) for name in table.column_names}
    assert held.count() == 3


def test_types_that_only_arrow_has_come_back_as_their_values(engine: Engine) -> None:
    table = pa.table(
        {
            "large": pa.array(["a", None], pa.large_string()),
            "dictionary": pa.array(["x", None]).dictionary_encode(),
            "unsigned": pa.array([2**32 - 1, None], pa.uint32()),
            "huge": pa.array([2**64 - 1, None], pa.uint64()),
            "tiny": pa.array([255, None], pa.uint8()),
            "decimal": pa.array([Decimal("1.50"), None], pa.decimal128(10, 2)),
            "seconds": pa.array([datetime(2020, 1, 1), None], pa.timestamp("s")),
        }
    )
    held = engine.load(table)
    first, second = engine.fetch(f"SELECT * FROM {held}")
    assert first[:6] == ("a", "x", 2**32 - 1, 2**64 - 1, 255, Decimal("1.50"))
    assert first[6] == datetime(2020, 1, 1)
    assert second == (None,) * 7
    assert held.kinds["dictionary"] is Kind.TEXT


def test_a_moment_with_a_time_zone_stays_the_same_moment(engine: Engine) -> None:
    moment = datetime(2020, 1, 1, 12, tzinfo=UTC)
    held = engine.load(pa.table({"a": pa.array([moment, None], pa.timestamp("us", "Europe/Rome"))}))
    assert held.kinds == {"a": Kind.TIMESTAMP}
    assert engine.fetch(f"SELECT a FROM {held}") == [(moment,), (None,)]


def test_an_empty_table_keeps_its_columns(engine: Engine) -> None:
    held = engine.load(pa.table({"a": pa.array([], pa.int64()), "b": pa.array([], pa.string())}))
    assert (held.count(), held.kinds) == (0, {"a": Kind.INTEGER, "b": Kind.TEXT})
    assert engine.fetch(f"SELECT * FROM {held}") == []


def test_a_stream_a_pandas_frame_and_a_polars_frame_are_loaded_alike(engine: Engine) -> None:
    table = pa.table({"a": [1, None, 3], "b": ["x", "y", None]})
    stream = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1))
    frames = [
        table,
        stream,
        pl.from_arrow(table),
        pd.DataFrame({"a": pd.array([1, None, 3], "Int64"), "b": ["x", "y", None]}),
    ]
    for frame in frames:
        assert engine.fetch(f"SELECT * FROM {engine.load(frame)} ORDER BY b") == [
            (1, "x"),
            (None, "y"),
            (3, None),
        ]


def test_column_names_may_hold_anything(engine: Engine) -> None:
    held = engine.load(pa.table({name: [i] for i, name in enumerate(ODD_NAMES)}))
    assert list(held.columns) == ODD_NAMES
    result = engine.query(f"SELECT {quoted(*ODD_NAMES)} FROM {held}")
    assert list(result.columns) == ODD_NAMES
    each = ", ".join(f"t.{quoted(name)}" for name in ODD_NAMES)
    assert engine.fetch(f"SELECT {each} FROM {result} AS t") == [tuple(range(len(ODD_NAMES)))]


def test_a_literal_is_the_text_it_was_made_of(engine: Engine) -> None:
    assert engine.fetch(f"SELECT {', '.join(map(literal, ODD_TEXTS))}") == [tuple(ODD_TEXTS)]
    held = engine.load(pa.table({"text": ODD_TEXTS}))
    counts = ", ".join(f"count(*) FILTER (WHERE text = {literal(text)})" for text in ODD_TEXTS)
    assert engine.fetch(f"SELECT {counts} FROM {held}") == [(1,) * len(ODD_TEXTS)]


def test_nulls_form_one_group(engine: Engine) -> None:
    held = engine.load(pa.table({"a": ["x", None, None, "x", None]}))
    assert engine.fetch(f"SELECT a, count(*) FROM {held} GROUP BY a ORDER BY a") == [("x", 2), (None, 3)]


def test_a_null_joins_a_null_and_nothing_else(engine: Engine) -> None:
    left = engine.load(pa.table({"a b": ["x", None, "y"], "n": [1, 2, 3]}))
    right = engine.load(pa.table({"a b": ["x", None, "z"], "m": [10, 20, 30]}))
    condition = same("l", "r", ["a b"])
    rows = engine.fetch(f"SELECT n, m FROM {left} AS l JOIN {right} AS r ON {condition} ORDER BY n")
    assert rows == [(1, 10), (2, 20)]


def test_a_total_is_exact_and_does_not_depend_on_the_order(engine: Engine) -> None:
    tenths = [0.1] * 10
    mixed = [1e15, 0.1, -1e15, 0.2, 1 / 3, 12345.678]
    for values in (tenths, mixed):
        found = {
            engine.fetch(f"SELECT {total('x')} FROM {engine.load(pa.table({'x': order}))}")[0][0]
            for order in (values, values[::-1])
        }
        assert len(found) == 1
        assert found.pop() == pytest.approx(math.fsum(values), rel=1e-15)
    assert engine.fetch(f"SELECT {total('x')} FROM {engine.load(pa.table({'x': tenths}))}") == [(1.0,)]


@pytest.mark.parametrize("held", [True, False])
def test_rows_are_numbered_from_one_in_the_order_of_the_source(engine: Engine, held: bool) -> None:
    source = engine.load(pa.table({"a": range(250_000)}))
    table = engine.numbered(f"SELECT a FROM {source} WHERE a % 2 = 0", "row number", held=held)
    assert table.columns == ("row number", "a")
    found = 'SELECT count(*), min("row number"), max("row number"), count(DISTINCT "row number")'
    assert engine.fetch(f"{found} FROM {table}") == [(125_000, 1, 125_000, 125_000)]
    assert engine.fetch(f'SELECT count(*) FROM {table} WHERE a <> ("row number" - 1) * 2') == [(0,)]


def test_rows_are_numbered_in_the_order_that_the_select_asks_for(engine: Engine) -> None:
    source = engine.load(pa.table({"a": [3, 1, None, 2]}))
    table = engine.numbered(f"SELECT a FROM {source} ORDER BY a DESC", "n")
    assert engine.fetch(f"SELECT n, a FROM {table} ORDER BY n") == [(1, 3), (2, 2), (3, 1), (4, None)]


def test_no_rows_have_no_numbers(engine: Engine) -> None:
    table = engine.numbered(f"SELECT a FROM {engine.load(pa.table({'a': [1]}))} WHERE a > 1", "n")
    assert (table.columns, table.count()) == (("n", "a"), 0)


def test_a_held_result_outlives_its_source(engine: Engine) -> None:
    source = engine.load(pa.table({"a": [1, 2]}))
    result = engine.query(f"SELECT a + 1 AS b FROM {source}")
    engine.drop(source)
    assert engine.fetch(f"SELECT b FROM {result} ORDER BY b") == [(2,), (3,)]
    with pytest.raises(EngineError):
        engine.fetch(f"SELECT * FROM {source}")


def test_a_view_is_a_name_for_a_select(engine: Engine) -> None:
    source = engine.load(pa.table({"a": [1, 2]}))
    view = engine.view(f"SELECT a * 2 AS b FROM {source}")
    assert (view.columns, engine.fetch(f"SELECT sum(b) FROM {view}")) == (("b",), [(6,)])
    engine.drop(view)
    assert source.count() == 2


def test_arrow_gives_the_rows_in_order_with_plain_types(engine: Engine) -> None:
    held = engine.load(pa.table({"n": [2, 1, None], "x": [0.5, None, 1.0], "t": ["b", "a", None]}))
    found = engine.arrow(f"SELECT n, x, t FROM {held} ORDER BY n")
    assert [str(field.type) for field in found.schema] == ["int64", "double", "string"]
    assert found.to_pydict() == {"n": [1, 2, None], "x": [None, 0.5, 1.0], "t": ["a", "b", None]}


AWKWARD = pa.table(
    {
        "n": [1, 2, 3, 4, 5, 6, 7, None],
        'te "x"t': ["plain", "", None, ' "q" ', "a,b", "line\nbreak", "it's \\", "carriage\rreturn"],
        "real, number": [0.1, 1e10, 1e-5, 1 / 3, None, 123456789.125, 100.0, 1e16],
    }
)


def test_a_csv_file_holds_what_the_select_gave_in_its_order(engine: Engine, tmp_path: Path) -> None:
    held = engine.load(AWKWARD)
    assert engine.write(f"SELECT * FROM {held} ORDER BY n DESC", tmp_path / "out.csv") == 8
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file))
    assert header == AWKWARD.column_names
    assert rows[0] == ["7", "it's \\", "100.0"]
    assert [row[0] for row in rows] == ["7", "6", "5", "4", "3", "2", "1", ""]
    assert [row[1] for row in rows][1:4] == ["line\nbreak", "a,b", ' "q" ']
    assert [row[2] for row in rows][3:7] == [str(1 / 3), "1e-05", "10000000000.0", "0.1"]
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_a_csv_file_is_the_same_bytes_from_every_engine(engine: Engine, tmp_path: Path) -> None:
    for where, path in ((engine, "this.csv"), (DuckDB(), "duckdb.csv")):
        where.write(f"SELECT * FROM {where.load(AWKWARD)} ORDER BY n", tmp_path / path)
    assert (tmp_path / "this.csv").read_bytes() == (tmp_path / "duckdb.csv").read_bytes()


def test_no_rows_make_a_csv_file_with_a_header(engine: Engine, tmp_path: Path) -> None:
    held = engine.load(AWKWARD)
    assert engine.write(f"SELECT n FROM {held} WHERE n > 100", tmp_path / "out.csv") == 0
    assert (tmp_path / "out.csv").read_bytes() == b"n\n"


def test_a_parquet_file_comes_back_whole_and_in_order(engine: Engine, tmp_path: Path) -> None:
    held = engine.load(pa.table({"a": range(1000)}))
    assert engine.write(f"SELECT a, 'x' AS b FROM {held} ORDER BY a DESC", tmp_path / "out.parquet") == 1000
    assert pq.read_table(tmp_path / "out.parquet")["a"].to_pylist() == list(range(999, -1, -1))
    back = engine.read_parquet(tmp_path / "out.parquet")
    assert engine.fetch(f"SELECT count(*), sum(a), min(b) FROM {back}") == [(1000, 499_500, "x")]


def test_a_file_written_again_is_replaced(engine: Engine, tmp_path: Path) -> None:
    for number in (1, 2):
        engine.write(f"SELECT {number} AS n", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == b"n\n2\n"


def test_nothing_is_written_where_there_is_no_folder(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        engine.write("SELECT 1 AS n", tmp_path / "missing" / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_select_that_fails_leaves_nothing_behind(engine: Engine, tmp_path: Path) -> None:
    held = engine.load(pa.table({"t": ["1", CELL]}))
    with pytest.raises(EngineError):
        engine.write(f"SELECT CAST(t AS INTEGER) AS n FROM {held}", tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_parquet_files_is_one_table(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    pq.write_table(pa.table({"a": [1, 2]}), tmp_path / "one.parquet")
    pq.write_table(pa.table({"a": [3]}), tmp_path / "deeper" / "two.parquet")
    (tmp_path / "notes.txt").write_text("not a table")
    assert engine.fetch(f"SELECT count(*), sum(a) FROM {engine.read_parquet(tmp_path)}") == [(3, 6)]


@pytest.mark.parametrize("names", [["é 2", "é[1]", "z/%20"], ["a", "b", "b/q/1", "b/x", "z/a"]])
@pytest.mark.parametrize("scans", [64, 1])
def test_records_of_a_folder_are_numbered_by_the_names_of_files_however_large_they_are(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], scans: int
) -> None:
    """Spark reads the largest file first: a flagged record would have one number there and another here."""
    monkeypatch.setattr("sfumato.tables.engines.spark.folder.SCANS", scans)
    for place, name in enumerate(names):
        rows = 10 ** (place % 4)
        path = tmp_path / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"_metadata": [name] * rows, "`a": range(rows)}), path)
    orders = []
    for one in (DuckDB(), engine):
        numbered = one.numbered(f"SELECT * FROM {one.read_parquet(tmp_path)}", "record", held=False)
        orders.append(one.fetch(f"SELECT * FROM {numbered} ORDER BY record"))
    assert orders[1] == orders[0]
    assert [place for place, *_ in orders[0]] == list(range(1, len(orders[0]) + 1))


def test_a_truncated_parquet_file_is_named_in_the_error(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "short.parquet"
    pq.write_table(pa.table({"a": [CELL] * 100}), path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UnreadableFile, match=r"short\.parquet"):
        engine.read_parquet(path)


def test_no_error_and_no_log_line_quotes_a_cell(engine: Engine, capfd: pytest.CaptureFixture[str]) -> None:
    held = engine.load(pa.table({"t": ["1", CELL]}))
    failing = f"SELECT CAST(t AS INTEGER) AS n FROM {held}"
    for ask in (engine.query, engine.fetch, engine.arrow, lambda sql: engine.numbered(sql, "row")):
        with pytest.raises(EngineError) as raised:
            ask(failing)
        assert CELL not in str(raised.value)
        assert raised.value.__suppress_context__
    with pytest.raises(EngineError) as raised:
        engine.fetch(f"SELECT nothing FROM {held} WHERE t = {literal(CELL)}")
    assert CELL not in str(raised.value)
    out, err = capfd.readouterr()
    assert CELL not in out + err


VALUES = "(VALUES (1, 'a', 0.5::DOUBLE), (2, 'b', 1e10), (2, NULL, NULL), (NULL, 'a', 2.5)) AS t(n, t, x)"

SAME_IN_EVERY_ENGINE = {
    "7 // 2, -7 // 2, 7 / 2, 1.0 / 3, 7 % 2": [(3, -3, 3.5, 1 / 3, 1)],
    "CAST(2.5::DOUBLE AS BIGINT), CAST(3.5::DOUBLE AS BIGINT), CAST(2.5 AS INTEGER)": [(2, 4, 3)],
    "CAST(1e10::DOUBLE AS VARCHAR), CAST(1e-5::DOUBLE AS VARCHAR)": [("10000000000.0", "1e-05")],
    "CAST(0.1::DOUBLE AS VARCHAR), CAST(5 AS VARCHAR), CAST('7' AS INTEGER)": [("0.1", "5", 7)],
    "floor(2.5::DOUBLE), ceil(2.5::DOUBLE), floor(3), round(2.5::DOUBLE)": [(2.0, 3.0, 3.0, 3.0)],
    "greatest(1, NULL, 3), least(NULL, 2), isnan('nan'::DOUBLE)": [(3, 2, True)],
    "1 IS NOT DISTINCT FROM NULL, NULL IS DISTINCT FROM 1, TRUE AND NULL": [(False, True, None)],
    r"regexp_matches('abc', 'b'), regexp_full_match('abc', 'b')": [(True, False)],
    r"regexp_extract('a12', '\d+'), TRY_CAST('x' AS INTEGER)": [("12", None)],
    r"regexp_replace('a1b2', '\d', '#', 'g'), 'a\b' LIKE 'a\b', 'a_b' LIKE 'a\_b'": [("a#b#", True, False)],
    r"regexp_replace('AB-7', '^([A-Z])([A-Z])-', '\2$1', 'g'), regexp_replace('a', 'a', '$', 'g')": [("B$17", "$")],
    "isfinite('inf'::DOUBLE), isfinite('nan'::DOUBLE), isfinite(1.5::DOUBLE), isfinite(CAST(NULL AS DOUBLE))": [
        (False, False, True, None)
    ],
    f"n, count(*) FROM {VALUES} GROUP BY ALL ORDER BY n": [(1, 1), (2, 2), (None, 1)],
    f"n FROM {VALUES} ORDER BY n DESC": [(2,), (2,), (1,), (None,)],
    f"count(*) FILTER (WHERE n > 1), any_value(n) FILTER (WHERE n = 2) FROM {VALUES}": [(2, 2)],
    f"n, row_number() OVER (ORDER BY n, t) FROM {VALUES} ORDER BY n, t": [(1, 1), (2, 2), (2, 3), (None, 4)],
    f"n, rank() OVER (ORDER BY n DESC) FROM {VALUES} ORDER BY n": [(1, 3), (2, 1), (2, 1), (None, 4)],
    "sum(n) OVER (ORDER BY n RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s "
    f"FROM {VALUES} ORDER BY s": [(1,), (5,), (5,), (5,)],
    f"lead(n, 1, 99) OVER (ORDER BY n, t), lag(n) OVER (ORDER BY n, t) FROM {VALUES} ORDER BY n, t": [
        (2, None), (2, 1), (None, 2), (99, 2)
    ],
    f"CAST(x AS VARCHAR) AS label, count(*) FROM {VALUES} GROUP BY 1 ORDER BY 1": [
        ("0.5", 1), ("10000000000.0", 1), ("2.5", 1), (None, 1)
    ],
    f"CAST(sum(CAST(x AS DECIMAL(38, 18))) AS DOUBLE), avg(n) FROM {VALUES}": [(10000000003.0, 5 / 3)],
    f"quantile_cont(x, 0.5), CASE WHEN max(n) > 1 THEN 'many' END FROM {VALUES}": [(2.5, "many")],
    f"n FROM {VALUES} QUALIFY row_number() OVER (ORDER BY n DESC, t) = 1": [(2,)],
}  # fmt: skip


@pytest.mark.parametrize("select", SAME_IN_EVERY_ENGINE)
def test_the_same_sql_gives_the_same_rows(engine: Engine, select: str) -> None:
    found = engine.fetch(f"SELECT {select}")
    assert found == SAME_IN_EVERY_ENGINE[select]
    assert [type(cell) for cell in found[0]] == [type(cell) for cell in SAME_IN_EVERY_ENGINE[select][0]]


def test_what_an_engine_expects_changes_no_answer(engine: Engine) -> None:
    table = engine.load(pa.table({"n": [1, 2]}))
    for expected in (table, None, table):
        engine.expect(expected)
        assert engine.fetch(f"SELECT sum(n) AS total FROM {table}") == [(3,)]
