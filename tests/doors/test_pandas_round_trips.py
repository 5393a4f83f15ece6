"""What pandas has comes back: index, names and types, as the table in docs/python.md says; polars and Arrow as well."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pandas.testing import assert_frame_equal, assert_index_equal

import sfumato as sf

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
DAYS = pd.to_datetime(["2020-01-01", "2020-02-02", None, "2021-03-03"])
DATES = [dt.date(2020, 1, 1), dt.date(2020, 2, 2), None, dt.date(2021, 3, 3)]
SIZES = pd.CategoricalDtype(["small", "large", "huge", "unheard of"], ordered=True)
UUIDS = [uuid.UUID(int=i) for i in range(1, 5)]
TEXTS = str(pd.Series(["a"]).dtype)  # `str`, and `object` before pandas 3, as the page says below its table

# As docs/python.md calls a type: four values of it.
COLUMNS = {
    "int64": pd.Series([1, 2, 3, 4]),
    "uint8": pd.Series([1, 2, 3, 4], dtype="uint8"),
    "float64": pd.Series([1.5, 2.5, np.nan, 4.5]),
    "float16": pd.Series([1.5, 2.5, np.nan, 4.5], dtype="float16"),
    "bool": pd.Series([True, False, True, False]),
    "Int64": pd.Series([1, 2, None, 2**60 + 1], dtype="Int64"),
    "Float64": pd.Series([1.5, 2.5, None, 4.5], dtype="Float64"),
    "boolean": pd.Series([True, False, None, True], dtype="boolean"),
    "str": pd.Series(["a", "b", None, "d"], dtype="str"),
    "string": pd.Series(["a", "b", None, "d"], dtype="string"),
    "object of texts": pd.Series(["a", "b", None, "d"], dtype=object),
    "object of mixed types": pd.Series([1, "b", None, 2.5], dtype=object),
    "object of dates": pd.Series(DATES, dtype=object),
    "object of decimals": pd.Series([Decimal("1.5"), Decimal("2.5"), None, Decimal("4.5")], dtype=object),
    "object of UUIDs": pd.Series(UUIDS, dtype=object),
    "category of texts": pd.Series(["a", "b", None, "d"], dtype="category"),
    "ordered category": pd.Series(["small", "large", None, "huge"], dtype=SIZES),
    "category of whole numbers": pd.Series([1, 2, None, 4], dtype="category"),
    "category of intervals (pd.cut)": pd.cut(pd.Series([1, 5, None, 9]), [0, 3, 6, 9]),
    "datetime64": pd.Series(DAYS),
    "datetime64 with a time zone": pd.Series(DAYS).dt.tz_localize("America/New_York"),
    "timedelta64 of whole days": pd.Series(pd.to_timedelta([1, 2, None, 9], unit="D")),
    "timedelta64 of parts of days": pd.Series(pd.to_timedelta([1, 30, None, 100], unit="h")),
    "period of a day or longer": pd.Series(pd.PeriodIndex(["2020-01", "2020-02", None, "2021-03"], freq="M")),
    "period of less than a day": pd.Series(pd.PeriodIndex(["2020-01-01 10:00", "2020-01-02", None, "2021"], freq="h")),
    "interval": pd.Series(pd.arrays.IntervalArray.from_tuples([(0, 1), (1, 2), None, (3, 4)])),
    "complex128": pd.Series([1j, 2, 3, 4]),
    "Sparse": pd.Series([0, 0, 1, 2], dtype=pd.SparseDtype("int64", 0)),
    "int64[pyarrow]": pd.Series([1, 2, None, 4], dtype="int64[pyarrow]"),
    "string[pyarrow] of Arrow": pd.Series(["a", "b", None, "d"], dtype=pd.ArrowDtype(pa.string())),
    "date32[pyarrow]": pd.Series(DATES, dtype=pd.ArrowDtype(pa.date32())),
    "duration[pyarrow]": pd.Series(pd.to_timedelta([1, 2, None, 9], unit="D")).astype(pd.ArrowDtype(pa.duration("ns"))),
}  # fmt: skip


def frame_of(column: pd.Series) -> pd.DataFrame:
    labels = pd.Index(["w", "x", "y", "y"], name="who")  # also twice: a label is no key
    return pd.DataFrame({"all": ["same"] * 4, "column": column.array}, index=labels).astype({"column": column.dtype})


def released(frame: pd.DataFrame, quasi: str, **asked: Any) -> sf.Anonymised:
    return sf.anonymise(
        frame,
        quasi=quasi,
        k=4,
        release_rest=True,
        method="optimal",
        suppress=0.0,
        compare=False,
        explain=False,
        **asked,
    )


def documented() -> dict[str, tuple[str, str, str]]:
    """The table of the page: how a type is read, what comes back of values that did not change, and of others."""
    part = PAGE.read_text(encoding="utf-8").partition("## What comes back of a pandas frame")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("|")]
    return {
        row[0].replace("`", ""): (row[1], row[2].strip("`"), row[3].strip("`")) for row in rows[2:] if len(row) == 4
    }


def test_the_page_has_a_line_for_every_type_that_is_tried_here() -> None:
    assert list(documented()) == list(COLUMNS)


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_that_did_not_change_comes_back_as_it_went_in(name: str) -> None:
    frame = frame_of(COLUMNS[name])
    result = released(frame, "all")
    assert_frame_equal(result.to_frame(), frame)
    kind, same, _ = documented()[name]
    assert sf.load(frame).columns[1].kind == kind
    assert same == "the same"


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_that_changed_has_the_type_that_the_page_says(name: str) -> None:
    """Four different people in a class of four: everything becomes one label."""
    column = released(frame_of(COLUMNS[name]), "column").to_frame()["column"]
    assert len(set(column.astype(object))) == 1
    written = documented()[name][2]
    assert str(column.dtype) == (TEXTS if written == "str" else written)


@pytest.mark.parametrize(
    "index",
    [
        pd.RangeIndex(5, 45, 10),
        pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["ward", "bed"]),
        pd.date_range("2020-01-01", periods=4, freq="D", name="day"),
        pd.Index(["x", "x", "x", "y"], name="who"),
        pd.Index([3, 1, 2, 0]),
    ],
    ids=["range", "levels", "days", "labels that repeat", "numbers"],
)
def test_released_rows_have_the_labels_of_the_rows_that_they_were(index: pd.Index) -> None:
    frame = pd.DataFrame({"age": [30, 30, 90, 30], "days": [1, 2, 3, 4]}, index=index)
    result = sf.anonymise(frame, quasi="age", non_sensitive="days", k=3, suppress=0.25, method="optimal")
    assert result.rows.tolist() == [0, 1, 3]
    assert result.rows.dtype == np.int64
    assert_index_equal(result.to_frame().index, index[[0, 1, 3]], check_order=True, exact="equiv")
    assert result.to_frame()["days"].tolist() == result.release["days"].to_pylist() == [1, 2, 4]


def test_names_of_columns_that_are_no_texts_come_back() -> None:
    names = [0, dt.date(2020, 1, 1), "age"]
    frame = pd.DataFrame([[1, 2, 30]] * 3, columns=pd.Index(names, dtype=object))
    result = sf.anonymise(frame, quasi="age", k=3, release_rest=True)
    assert list(result.to_frame().columns) == names
    whole = pd.DataFrame([[1, 2]] * 3)
    assert_index_equal(sf.anonymise(whole, quasi="0", k=3, release_rest=True).to_frame().columns, pd.Index([0, 1]))


def test_a_category_that_only_left_out_records_had_is_not_in_the_frame() -> None:
    kinds = pd.CategoricalDtype(["gout", "kuru", "scurvy"])  # nobody ever had scurvy: that tells of nobody
    frame = pd.DataFrame({"age": [30] * 4 + [90], "illness": pd.Series([*["gout"] * 4, "kuru"], dtype=kinds)})
    result = sf.anonymise(frame, quasi="age", sensitive="illness", k=4, suppress=0.5, method="optimal")
    assert list(result.to_frame()["illness"].cat.categories) == ["gout", "scurvy"]


def test_two_values_that_were_read_as_one_come_back_as_one() -> None:
    """Else the frame would tell people apart whom nobody measured as different."""
    mixed = pd.Series([1, "1", "x", "x"], dtype=object)
    given_back = released(frame_of(mixed), "all").to_frame()["column"].tolist()
    assert given_back == [1, 1, "x", "x"]
    coded = pd.DataFrame({"age": [30] * 3, "smokes": ["yes", "NA", "-99"]})
    asked = {"options": sf.ReadOptions(missing=("NA", "-99")), "release_rest": True}
    assert sf.anonymise(coded, quasi="age", k=3, **asked).to_frame()["smokes"].isna().tolist() == [False, True, True]


def test_the_frame_does_not_see_what_becomes_of_the_original_later() -> None:
    frame = pd.DataFrame({"age": [30] * 3, "name": ["a", "b", "c"]})
    result = sf.anonymise(frame, quasi="age", k=3, release_rest=True)
    frame["name"] = ["x", "y", "z"]
    frame.index = [7, 8, 9]
    assert result.to_frame()["name"].tolist() == ["a", "b", "c"]
    assert result.to_frame().index.tolist() == [0, 1, 2]


def test_polars_and_arrow_come_back_with_their_types_and_a_file_as_pandas(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {
            "age": [30, 30, 30],
            "c": pl.Series(["a", None, "b"], dtype=pl.Categorical),
            "d": [dt.timedelta(days=1), None, dt.timedelta(hours=5)],
        }
    )
    assert sf.anonymise(table, quasi="age", k=3, release_rest=True).to_frame().equals(table)
    lazy = sf.anonymise(table.lazy(), quasi="age", k=3, release_rest=True).to_frame()
    assert lazy.schema == table.schema
    listed, lengths = pa.array(["a", None, "b"]).dictionary_encode(), pa.array([1, None, 2], pa.duration("s"))
    arrow = pa.table({"age": [30] * 3, "c": listed, "d": lengths})
    given_back = sf.anonymise(arrow, quasi="age", k=3, release_rest=True).to_frame()
    assert given_back.schema == arrow.schema
    assert given_back.to_pydict() == arrow.to_pydict()
    file = tmp_path / "people.csv"
    file.write_text("age,n\n90,1\n30,2\n30,3\n", encoding="utf-8")
    result = sf.anonymise(file, quasi="age", non_sensitive="n", k=2, suppress=0.4, method="optimal").to_frame()
    assert isinstance(result, pd.DataFrame)
    assert (result.index.tolist(), result["n"].tolist()) == ([1, 2], [2, 3])


def test_what_is_written_holds_neither_index_nor_order(tmp_path: Path) -> None:
    people = [f"Zaphod-{i}" for i in range(6)]
    frame = pd.DataFrame({"age": [30] * 6, "n": [6, 5, 4, 3, 2, 1]}, index=pd.Index(people, name="patient"))
    result = sf.anonymise(frame, quasi="age", non_sensitive="n", k=3)
    assert result.to_frame().index.tolist() == people
    for path in result.write(tmp_path / "release"):
        assert not re.search("Zaphod|patient", path.read_text(encoding="utf-8"))
    order = pd.read_csv(tmp_path / "release" / "released.csv")["n"].tolist()
    assert sorted(order) == [1, 2, 3, 4, 5, 6]
    assert order != frame["n"].tolist()


def test_durations_and_periods_and_zones_are_said_to_be_read_as_something_else() -> None:
    names = ("timedelta64 of whole days", "period of a day or longer", "datetime64 with a time zone")
    frame = pd.DataFrame({name: COLUMNS[name] for name in names})
    extract = sf.load(frame)
    first = extract.table.engine.fetch(f"SELECT * FROM {extract.table}")[0]
    assert first[:2] == (1, dt.date(2020, 1, 1))
    assert [re.search(r"read (as|in) (.+?)[.:]", note).group(2) for note in extract.notes] == [
        "numbers of days", "UTC", "the moment at which it begins",
    ]  # fmt: skip
