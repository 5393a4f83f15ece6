"""Reading frames in memory, and Arrow files."""

from __future__ import annotations

import traceback
from datetime import date, datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest

from sfumato.errors import UnreadableFile, UnusableInput
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.formats.arrow import ArrowFile
from sfumato.tables.read.formats.frame import Frame
from sfumato.tables.source import Extract, ReadOptions

TABLE = pa.table({"a": [1, 2, None], "b": ["x", None, "z"], "c": [0.5, float("nan"), None]})
ROWS = [(1, "x", 0.5), (2, None, None), (None, "z", None)]


@pytest.fixture
def engine() -> DuckDB:
    return DuckDB(threads=1)


@pytest.fixture
def read(engine):
    def read(frame: object, **options) -> Extract:
        assert Frame().claims(frame)
        return Frame().read(frame, ReadOptions(**options), engine)

    return read


def rows(extract: Extract) -> list[tuple]:
    return extract.table.engine.fetch(f"SELECT * FROM {extract.table}")


class Stream:
    """Something of another library that speaks the Arrow interface and nothing else."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return TABLE.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "frame",
    [
        lambda: TABLE,
        lambda: TABLE.to_batches()[0],
        lambda: TABLE.to_reader(),
        lambda: pl.from_arrow(TABLE),
        lambda: pl.from_arrow(TABLE).lazy(),
        lambda: pd.DataFrame({"a": pd.array([1, 2, None], "Int64"), "b": ["x", None, "z"], "c": [0.5, None, None]}),
        Stream,
    ],
    ids=["table", "batch", "reader", "polars", "lazy polars", "pandas", "stream"],
)
def test_every_frame_gives_the_same_table(read, frame):
    extract = read(frame())
    assert extract.table.kinds == {"a": Kind.INTEGER, "b": Kind.TEXT, "c": Kind.REAL}
    assert rows(extract) == ROWS
    assert [column.missing for column in extract.columns] == [1, 1, 2]


def test_text_and_numbers_are_not_claims(read):
    assert not Frame().claims("t.csv")
    assert not Frame().claims(5)


def test_a_pandas_column_of_mixed_types_is_text(read):
    frame = pd.DataFrame({"m": pd.Series([1, "x", None, 2.5, float("nan")], dtype=object)})
    extract = read(frame)
    assert rows(extract) == [("1",), ("x",), (None,), ("2.5",), (None,)]
    assert extract.columns[0].missing == 2


def test_pandas_categories_dates_and_odd_types_are_read(read):
    frame = pd.DataFrame(
        {
            "c": pd.Categorical(["u", None, "u[1]"]),
            "t": pd.to_datetime(["2020-01-01", None, "2020-01-03"]),
            "p": pd.period_range("2020-01", periods=3, freq="M"),
            "i": pd.interval_range(0, 3),
            "z": [None, None, None],
            "h": np.array([1, 2, 3], dtype="float16"),
            "x": [1 + 2j] * 3,
        }
    )
    extract = read(frame)
    assert rows(extract)[0] == ("u", datetime(2020, 1, 1), date(2020, 1, 1), "(0, 1]", None, 1.0, "(1+2j)")
    assert [column.missing for column in extract.columns] == [1, 1, 0, 0, 3, 0, 0]
    assert [kind.value for kind in extract.table.kinds.values()] == [
        "text", "timestamp", "date", "text", "text", "real", "text",
    ]  # fmt: skip


def test_a_pandas_index_is_left_out_and_labels_become_text(read):
    frame = pd.DataFrame({0: [1, 2], "b": [3, 4]}, index=["Wilhelmina", "Anton"])
    assert rows(read(frame)) == [(1, 3), (2, 4)]
    assert read(frame).table.columns == ("0", "b")


def test_a_pandas_frame_with_levels_of_names_or_a_series_is_refused(read):
    with pytest.raises(UnusableInput, match="2 levels"):
        read(pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])))
    with pytest.raises(UnusableInput, match="not a data frame"):
        read(pd.Series([1]))
    with pytest.raises(UnusableInput, match="not a table"):
        read(pl.Series([1]))


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame([[1, 2]], columns=["a", "a"]), pa.table([[1], [2]], names=["a", "a"])],
    ids=["pandas", "pyarrow"],
)
def test_duplicate_names_are_told_apart(read, frame):
    extract = read(frame)
    assert extract.table.columns == ("a (1)", "a (2)")
    assert rows(extract) == [(1, 2)]
    assert extract.notes == ("There are 2 columns called 'a'; they are read as 'a (1)' and 'a (2)'.",)


def test_missing_tokens_apply_when_they_are_named(read):
    assert rows(read(pl.DataFrame({"a": ["NA", "x"]}))) == [("NA",), ("x",)]
    assert rows(read(pl.DataFrame({"a": ["NA", "x"]}), missing=("NA",))) == [(None,), ("x",)]


def test_a_frame_that_goes_out_of_scope_can_still_be_read(read):
    extract = read(pd.DataFrame({"a": np.arange(1000)}))
    assert extract.table.engine.fetch(f"SELECT sum(a) FROM {extract.table}") == [(499500,)]


def test_an_error_in_a_stream_quotes_nothing(read):
    def batches():
        yield pa.record_batch({"a": ["1"]})
        raise ValueError("Wilhelmina")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"a": pa.string()}), batches())
    with pytest.raises(Exception, match="withheld") as caught:
        read(reader)
    shown = "".join(traceback.format_exception(caught.value))
    assert "Wilhelmina" not in shown


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_feather_and_arrow_files_are_read(engine, tmp_path, compression):
    path = tmp_path / "t.feather"
    pyarrow.feather.write_feather(TABLE, path, compression=compression)
    assert ArrowFile().claims(str(path))
    assert rows(ArrowFile().read(str(path), ReadOptions(), engine)) == ROWS


def test_an_arrow_stream_file_is_read(engine, tmp_path):
    path = tmp_path / "t.arrows"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, TABLE.schema) as writer:
        writer.write_table(TABLE)
    assert rows(ArrowFile().read(str(path), ReadOptions(), engine)) == ROWS


@pytest.mark.parametrize("content", [b"", b"ARROW1", b"ARROW1\0\0 and so on", b"nothing of the kind"])
def test_what_is_not_an_arrow_file_is_refused(engine, tmp_path, content):
    (tmp_path / "t.arrow").write_bytes(content)
    with pytest.raises(UnreadableFile, match="not a whole Arrow"):
        ArrowFile().read(str(tmp_path / "t.arrow"), ReadOptions(), engine)
    with pytest.raises(UnreadableFile, match="no such file"):
        ArrowFile().read(str(tmp_path / "none.arrow"), ReadOptions(), engine)
