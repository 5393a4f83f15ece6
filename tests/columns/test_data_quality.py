"""What a steward would clean before a release, counted: S3's table before protection."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest

from sfumato.columns.data_quality import QualityFinding, data_quality
from sfumato.columns.profile import Profile
from sfumato.tables.engines.duckdb import DuckDB


def found(table: pa.Table) -> set[QualityFinding]:
    loaded = DuckDB().load(table)
    return set(data_quality(loaded, Profile.of(loaded)))


def test_what_lacks_repeats_never_changes_or_cannot_be_is_counted() -> None:
    days = [dt.date(2020, 1, 1 + i % 28) for i in range(100)]
    later = [day + dt.timedelta(days=3) for day in days]
    later[7] = dt.date(2019, 12, 1)  # a discharge before the admission
    days[9] = dt.date(1800, 1, 1)
    table = pa.table(
        {
            "id": [*range(98), 97, 97],
            "import": ["no"] * 100,
            "never": pa.array([None] * 100, pa.string()),
            "seldom": [None if i % 4 else "x" for i in range(100)],
            "admitted": [*days[:98], days[97], days[97]],
            "discharged": [*later[:98], later[97], later[97]],
        }
    )
    rows = table.slice(97, 1)
    table = pa.concat_tables([table.slice(0, 98), rows, rows])
    assert found(table) == {
        QualityFinding("the same as an earlier record, in every column", (), 2),
        QualityFinding("without any value", ("never",), 100),
        QualityFinding("mostly without a value", ("seldom",), sum(1 for i in [*range(98), 97, 97] if i % 4)),
        QualityFinding("the same in every record", ("import",), 100),
        QualityFinding("a date before 1850, or from 2100 on", ("admitted",), 1),
        QualityFinding(
            "discharged before admitted, which it follows in nearly all others", ("admitted", "discharged"), 1
        ),
    }


@pytest.mark.parametrize("rows", [0, 1])
def test_a_table_of_no_or_one_record_has_nothing_to_say(rows: int) -> None:
    assert found(pa.table({"a": ["x"] * rows, "b": pa.array([1] * rows, pa.int64())})) == set()


@pytest.mark.parametrize(
    ("good", "bad"),
    [("2021-03-{:02}", "2021-02-30"), ("{}.03.2021", "31.02.2021"), ("3/{}/2021 08:00", "2/30/2021 08:00"),
     ("2021/3/{}", "unknown")],
)  # fmt: skip
def test_a_day_that_there_is_not_is_found_among_dates_that_are_text(good: str, bad: str) -> None:
    table = pa.table({"seen": [*(good.format(1 + i % 28) for i in range(60)), bad, None], "id": range(62)})
    assert found(table) == {QualityFinding("no day of the calendar, in a column of dates", ("seen",), 1)}


@pytest.mark.parametrize(
    "texts", [["2021-03-04"] * 9 + ["2021-03-05"], ["12.5-3-1"] * 19 + ["x"], ["a-b-cdef"] * 9 + ["x"]]
)
def test_texts_that_are_all_days_or_mostly_none_are_not_found(texts: list[str]) -> None:
    assert found(pa.table({"seen": texts, "id": range(len(texts))})) == set()
