"""The steps that the recipes brought along: ZIP codes, years, and columns merged; on every engine."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from sfumato.errors import PlanError
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources
from sfumato.plans.steps.merge_columns import MergeColumns
from sfumato.plans.steps.year_of import YearOf
from sfumato.plans.steps.zip3 import RESTRICTED, Zip3
from sfumato.secrets import Secrets
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.source import Column, Extract

RESOURCES = Resources("step", Path(), Secrets())


def drafted(engine, columns):
    table = engine.load(pa.table(columns))
    return Draft.of(Extract("made up", table, tuple(Column(name, kind, "") for name, kind in table.kinds.items())))


def values(step, draft, name):
    found = step.apply(draft, RESOURCES)
    place = found.names.index(name)
    return [row[place] for row in found.engine.fetch(found.select())]


def test_a_zip_code_keeps_three_digits_and_becomes_000_where_few_people_live(engine):
    codes = ["02139", "94110-1234", "941101234", "606", None, *(f"{prefix}01" for prefix in RESTRICTED)]
    found = values(Zip3("zip"), drafted(engine, {"zip": codes}), "zip")
    assert found == ["021", "941", "941", "606", None, *["000"] * 17]


def test_a_zip_code_that_was_read_as_a_number_gets_its_noughts_back(engine):
    draft = drafted(engine, {"zip": pa.array([2139, 94110, 501, 21391234, 3601, None], pa.int64())})
    assert values(Zip3("zip"), draft, "zip") == ["021", "941", "005", "021", "000", None]


def test_what_is_no_zip_code_is_an_error_with_counts_and_rows_and_no_cell(engine):
    draft = drafted(engine, {"zip": ["02139", "L69 3BX", "0213", "60601"]})
    with pytest.raises(PlanError, match=r"2 records hold no ZIP code \(row 2, 3\)") as error:
        Zip3("zip").apply(draft, RESOURCES)
    assert "L69" not in str(error.value)
    assert values(Zip3("zip", unknown="missing"), draft, "zip") == ["021", None, None, "606"]


def test_the_areas_of_few_people_can_be_those_of_a_later_census(engine):
    draft = drafted(engine, {"zip": ["02139", "03601"]})
    assert values(Zip3("zip", restricted=("021",)), draft, "zip") == ["000", "036"]
    assert values(Zip3("zip", restricted=()), draft, "zip") == ["021", "036"]
    with pytest.raises(PlanError, match="three digits"):
        Zip3("zip", restricted=("21",))


def test_a_column_of_other_things_has_no_zip_codes(engine):
    with pytest.raises(PlanError, match="holds real"):
        Zip3("x").apply(drafted(engine, {"x": [1.5]}), RESOURCES)


def test_a_year_is_kept_of_dates_of_texts_and_of_years(engine):
    import datetime as dt

    draft = drafted(
        engine,
        {
            "day": [dt.date(2024, 3, 1), None],
            "moment": [dt.datetime(2023, 12, 31, 23, 59), None],
            "text": ["1999-05", "1987"],
            "year": pa.array([1950, None], pa.int64()),
            "dutch": ["31/12/1980", None],
        },
    )
    assert values(YearOf("day"), draft, "day") == [2024, None]
    assert values(YearOf("moment"), draft, "moment") == [2023, None]
    assert values(YearOf("text"), draft, "text") == [1999, 1987]
    assert values(YearOf("year"), draft, "year") == [1950, None]
    assert values(YearOf("dutch", format="%d/%m/%Y"), draft, "dutch") == [1980, None]


def test_years_of_long_ago_are_one_group(engine):
    draft = drafted(engine, {"born": ["1933-12-31", "1934-01-01", "1910-06-01", None]})
    expected = ["1933 or earlier", "1934", "1933 or earlier", None]
    assert values(YearOf("born", earliest=1933), draft, "born") == expected


def test_a_year_stays_a_whole_number_and_what_is_no_date_is_an_error():
    from sfumato.tables.engines.duckdb import DuckDB

    draft = drafted(DuckDB(), {"day": ["2024-03-01", "soon"]})
    with pytest.raises(PlanError, match=r"row 2") as error:
        YearOf("day").apply(draft, RESOURCES)
    assert "soon" not in str(error.value)
    whole = YearOf("day").apply(drafted(DuckDB(), {"day": ["2024-03-01"]}), RESOURCES)
    assert whole.kind("day") is Kind.INTEGER


def test_one_column_says_whether_any_of_several_is_so(engine):
    draft = drafted(
        engine, {"id": [1, 2, 3, 4, 5], "hiv": ["Y", "N", "N", None, "Unknown"], "tb": ["N", "N", None, "Y", "N"]}
    )
    step = MergeColumns(("hiv", "tb"), into="other", present="Y", absent="N")
    found = step.apply(draft, RESOURCES)
    assert found.names == ("id", "other")
    assert values(step, draft, "other") == ["Y", "N", None, "Y", None]


def test_numbers_and_truth_values_are_merged_too(engine):
    draft = drafted(engine, {"a": [1, 0, 0], "b": [0, 0, None], "c": [True, False, None], "d": [None, False, False]})
    assert values(MergeColumns(("a", "b"), into="x", present=1, absent=0), draft, "x") == [1, 0, None]
    assert values(MergeColumns(("c", "d"), into="x", present=True, absent=False), draft, "x") == [True, False, None]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"columns": ("a",), "into": "x"}, "two columns"),
        ({"columns": ("a", "b"), "into": ""}, "into"),
        ({"columns": ("a", "b"), "into": "x", "present": "Y", "absent": "Y"}, "two values"),
        ({"columns": ("a", "b"), "into": "x", "present": None}, "one value each"),
    ],
)
def test_a_merging_that_cannot_be_is_refused_before_any_data(given, problem):
    with pytest.raises(PlanError, match=problem):
        MergeColumns(**given)


def test_columns_of_different_types_are_not_merged(engine):
    draft = drafted(engine, {"a": ["Y"], "b": [1]})
    with pytest.raises(PlanError, match="all hold text"):
        MergeColumns(("a", "b"), into="x").apply(draft, RESOURCES)


SAME = "merge_columns: other is the same as hiv in every record, so merging hid nothing."


@pytest.mark.parametrize(("tb", "notes"), [(["N", "N", None], (SAME,)), (["Y", "N", None], ())])
def test_a_merged_column_that_is_one_of_those_it_was_made_of_is_said(tb, notes):
    draft = drafted(DuckDB(), {"hiv": ["N", "Y", None], "tb": tb})
    assert MergeColumns(("hiv", "tb"), into="other", present="Y", absent="N").apply(draft, RESOURCES).notes == notes
