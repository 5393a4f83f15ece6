"""Dates: truncated, in periods, and as durations."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import RESOURCES, column, drafted

from sfumato.errors import PlanError
from sfumato.plans.steps.age import Age
from sfumato.plans.steps.date_periods import DatePeriods
from sfumato.plans.steps.duration import Duration
from sfumato.plans.steps.truncate_dates import UNITS, TruncateDates
from sfumato.schema import Role
from sfumato.tables.engine import Kind

MOMENT = datetime(2021, 1, 3, 14, 5, 9, 250000)  # a Sunday, of the last ISO week of 2020
CUT = {
    "second": (datetime(2021, 1, 3, 14, 5, 9), "2021-01-03 14:05:09"),
    "minute": (datetime(2021, 1, 3, 14, 5), "2021-01-03 14:05"),
    "hour": (datetime(2021, 1, 3, 14), "2021-01-03 14h"),
    "day": (date(2021, 1, 3), "2021-01-03"),
    "week": (date(2020, 12, 28), "2020-W53"),
    "month": (date(2021, 1, 1), "2021-01"),
    "quarter": (date(2021, 1, 1), "2021-Q1"),
    "year": (date(2021, 1, 1), "2021"),
    "decade": (date(2020, 1, 1), "2020-2029"),
}


def test_a_moment_is_cut_to_a_moment_a_date_or_a_text(engine):
    draft = drafted(engine, {"t": pa.array([MOMENT, None], pa.timestamp("us"))})
    for to, (moment, text) in CUT.items():
        as_date = TruncateDates("t", to).apply(draft, RESOURCES)
        assert column(as_date, "t") == [moment, None], to
        assert as_date.kind("t") is (Kind.TIMESTAMP if isinstance(moment, datetime) else Kind.DATE)
        assert column(TruncateDates("t", to, written_as="text").apply(draft, RESOURCES), "t") == [text, None]


def test_a_date_is_never_cut_finer_than_it_is(engine):
    draft = drafted(engine, {"d": pa.array([date(2021, 1, 3), None])})
    assert column(TruncateDates("d", "hour").apply(draft, RESOURCES), "d") == [date(2021, 1, 3), None]
    assert column(TruncateDates("d", "quarter").apply(draft, RESOURCES), "d") == [date(2021, 1, 1), None]


def test_a_text_stays_a_text_and_an_incomplete_date_what_it_is(engine):
    texts = {"t": ["2021-01-03T14:05:09Z", "2021-05-17", "2021-05", "2021", None]}
    draft = drafted(engine, texts)
    cut = {
        "minute": ["2021-01-03 14:05", "2021-05-17", "2021-05", "2021", None],
        "month": ["2021-01", "2021-05", "2021-05", "2021", None],
        "quarter": ["2021-Q1", "2021-Q2", "2021-Q2", "2021", None],
        "decade": ["2020-2029"] * 4 + [None],
    }
    assert {to: column(TruncateDates("t", to).apply(draft, RESOURCES), "t") for to in cut} == cut


@pytest.mark.parametrize(
    ("form", "texts"),
    [
        ("%d/%m/%Y", ["3/1/2021", "03/01/2021", "29/2/2020"]),
        ("%d%b%Y", ["03JAN2021", "3jan2021", "29Feb2020"]),
        ("%d%m%Y", ["03012021", "03012021", "29022020"]),
        ("%Y%m%d", ["20210103", "20210103", "20200229"]),
        ("%d.%m.%Y %H:%M", ["3.1.2021 14:05", "03.01.2021 0:00", "29.02.2020 23:59"]),
    ],
)
def test_dates_are_read_in_a_given_form(engine, form, texts):
    draft = drafted(engine, {"t": [*texts, None]})
    found = TruncateDates("t", "day", written_as="date", format=form).apply(draft, RESOURCES)
    assert column(found, "t") == [date(2021, 1, 3), date(2021, 1, 3), date(2020, 2, 29), None]


def test_dates_written_as_numbers_are_read_in_a_given_form(duck):
    draft = drafted(duck, {"n": [20210103]})
    assert column(TruncateDates("n", "year", format="%Y%m%d").apply(draft, RESOURCES), "n") == ["2021"]
    with pytest.raises(PlanError, match="written as numbers"):
        TruncateDates("n", "year").apply(draft, RESOURCES)


@pytest.mark.parametrize(
    ("form", "texts"),
    [
        (None, ["2021-01-03", "2021-02-30", "03/01/2021", "soon", ""]),
        ("%d/%m/%Y", ["3/1/2021", "2021-02-03", "30/2/2021", "3/1/21", "3/13/2021"]),
        ("%d/%m/%Y %H:%M", ["3/1/2021 23:59", "3/1/2021", "3/1/2021 24:00", "3/1/2021 12:60", "x"]),
    ],
)
def test_what_is_no_date_is_an_error_with_a_count_and_rows(engine, form, texts):
    draft = drafted(engine, {"t": texts})
    with pytest.raises(PlanError) as caught:
        TruncateDates("t", "month", format=form).apply(draft, RESOURCES)
    assert "column 't': 4 records hold no date" in str(caught.value)
    assert "(row 2, 3, 4, 5)" in str(caught.value)
    assert not any(text in str(caught.value) for text in texts if len(text) > 2)


@pytest.mark.parametrize("days", [2, 5, 7])
def test_dates_lie_in_periods_of_days(engine, days):
    dates = [date(1999, 12, 30) + timedelta(i) for i in range(20)]
    step = DatePeriods("d", days, origin="2000-01-03")
    found = column(step.apply(drafted(engine, {"d": pa.array([*dates, None])}), RESOURCES), "d")
    assert found == [*(step.first(d) for d in dates), None]
    assert all(0 <= (d - first).days < days for d, first in zip(dates, found, strict=False))


def test_a_period_of_a_text_is_a_text_and_of_a_moment_a_date(duck):
    draft = drafted(duck, {"t": ["2000-01-04"], "m": pa.array([datetime(2000, 1, 4, 23)])})
    found = DatePeriods(("t", "m"), 7).apply(draft, RESOURCES)
    assert (column(found, "t"), column(found, "m")) == (["2000-01-03"], [date(2000, 1, 3)])


STAYS = {
    "in": pa.array([datetime(2020, 3, 1, 8), datetime(2020, 3, 1, 23, 30), datetime(2020, 2, 29), None]),
    "out": pa.array(
        [datetime(2020, 3, 19, 10), datetime(2020, 3, 2, 0, 15), datetime(2019, 2, 28), datetime(2020, 1, 1)]
    ),
}


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("days", [18, 1, -366, None]),
        ("hours", [434, 0, -8784, None]),
        ("minutes", [26040, 45, -527040, None]),
        ("weeks", [2, 0, -52, None]),
        ("months", [0, 0, -12, None]),
        ("years", [0, 0, -1, None]),
    ],
)
def test_a_duration_is_in_completed_units(engine, unit, expected):
    found = Duration("in", "out", into="stay", unit=unit).apply(drafted(engine, STAYS), RESOURCES)
    assert found.names == ("stay",)
    assert (found.kind("stay"), column(found, "stay")) == (Kind.INTEGER, expected)
    assert found.notes == ("duration: 1 record in which 'out' is before 'in'.",)
    assert Duration("in", "out", into="stay", unit=unit).examples()[0][1] == str(expected[0])


def test_a_negative_duration_is_missing_or_an_error_where_that_is_asked(duck):
    draft = drafted(duck, STAYS)
    missing = Duration("in", "out", into="stay", negative="missing", drop=False).apply(draft, RESOURCES)
    assert column(missing, "stay") == [18, 1, None, None]
    assert missing.names == ("in", "out", "stay")
    with pytest.raises(PlanError, match=r"1 record in which 'out' is before 'in' \(row 3\)"):
        Duration("in", "out", into="stay", negative="error").apply(draft, RESOURCES)


def test_a_derived_column_has_the_role_of_what_it_comes_from_and_a_name_of_its_own(duck):
    draft = drafted(duck, STAYS, roles={"out": Role.QUASI})
    assert Duration("in", "out", into="stay").apply(draft, RESOURCES)["stay"].role is Role.QUASI
    with pytest.raises(PlanError, match="already"):
        Duration("in", "out", into="in").apply(draft, RESOURCES)


def test_dates_and_texts_have_durations_between_them(engine):
    draft = drafted(engine, {"a": ["2020-03-01", "2020-03-01T08:00"], "b": pa.array([date(2020, 3, 2)] * 2)})
    assert column(Duration("a", "b", into="n", unit="hours").apply(draft, RESOURCES), "n") == [24, 16]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TruncateDates("a", "century"), "one of second"),
        (lambda: TruncateDates("a", "day", written_as="number"), "date, text"),
        (lambda: TruncateDates("a", "day", format="%d/%m/%y"), "format"),
        (lambda: TruncateDates("a", "day", format="%d/%m/%Y/%d"), "each once"),
        (lambda: DatePeriods("a", 0), "1 or more"),
        (lambda: DatePeriods("a", 2, origin="March"), "a day"),
        (lambda: Duration("a", "a", into="b"), "two columns"),
        (lambda: Duration("a", "b", into="c", unit="eons"), "unit"),
        (lambda: Age("a", 2020), "name of a column"),
        (lambda: Age("a", "b", top=0), "top"),
    ],
)
def test_parameters_that_cannot_be_are_refused_before_any_data(make, message):
    with pytest.raises(PlanError, match=message):
        make()


@pytest.mark.parametrize("written_as", ["date", "text"])
@pytest.mark.parametrize("to", UNITS)
def test_the_examples_of_truncation_are_what_the_step_does(duck, to, written_as):
    step = TruncateDates("t", to, written_as=written_as)
    ((before, after),) = step.examples()
    draft = drafted(duck, {"t": pa.array([datetime.fromisoformat(before)], pa.timestamp("us"))})
    assert [str(value) for value in column(step.apply(draft, RESOURCES), "t")] == [after]
