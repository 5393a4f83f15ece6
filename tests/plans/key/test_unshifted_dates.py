"""Dates that stay beside dates that are shifted: found whatever they look like, and only those."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import made_up

from sfumato.errors import PlanError
from sfumato.plans.plan import Plan, numbered
from sfumato.plans.steps.add_noise import AddNoise
from sfumato.plans.steps.date_periods import DatePeriods
from sfumato.plans.steps.drop import Drop
from sfumato.plans.steps.pseudonymise import Pseudonymise
from sfumato.plans.steps.shift_dates import ShiftDates
from sfumato.plans.steps.truncate_dates import TruncateDates
from sfumato.plans.steps.year_of import YearOf
from sfumato.plans.unshifted_dates import left_unshifted, named_unshifted
from sfumato.secrets import Secrets

DAYS = [date(2021, 1, 5) + timedelta(days=23 * i) for i in range(30)]
STAY = {
    "date": pa.array(DAYS),
    "moment": pa.array([datetime(d.year, d.month, d.day, 7) for d in DAYS], pa.timestamp("us")),
    "iso": pa.array([d.isoformat() for d in DAYS]),
    "month": pa.array([f"{d:%Y-%m}" for d in DAYS]),
    "german": pa.array([f"{d:%d.%m.%Y}" for d in DAYS]),
    "slashes": pa.array([f"{d:%m/%d/%y}" for d in DAYS]),
    "sas": pa.array([f"{d:%d%b%Y}" for d in DAYS]),
    "words": pa.array([f"{d:%d %B %Y}" for d in DAYS]),
    "digits": pa.array([int(f"{d:%Y%m%d}") for d in DAYS]),
    "year": pa.array([1990 + i for i in range(30)]),
}
OTHERS = {
    "age": pa.array([20 + i for i in range(30)]),
    "name": pa.array([f"may {chr(97 + i % 26)}" for i in range(30)]),
    "phone": pa.array([f"0151 794 {2000 + i}" for i in range(30)]),
    "grams": pa.array([1500 + 100 * i for i in range(30)]),
    "same": pa.array([date(2021, 1, 1)] * 30),
}


def unshifted(*steps, **columns):
    draft = made_up({"shifted": pa.array(DAYS), **columns})
    plan = Plan(numbered([(step, None) for step in steps]))
    return left_unshifted(plan, draft, plan.apply(draft, Secrets()))


@pytest.mark.parametrize("name", STAY)
def test_a_date_is_found_in_any_form(name):
    assert unshifted(ShiftDates("shifted"), **{name: STAY[name]}) == (name,)


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_date_or_tells_nothing_of_anybody_is_not(name):
    assert unshifted(ShiftDates("shifted"), **{name: OTHERS[name]}) == ()


@pytest.mark.parametrize(
    "coarser",
    [TruncateDates("date", to="month"), DatePeriods("date", days=28), YearOf("date"), AddNoise("date")],
    ids=str,
)
def test_a_coarser_or_noisy_date_still_tells(coarser):
    assert unshifted(ShiftDates("shifted"), coarser, date=STAY["date"]) == ("date",)


def test_what_is_shifted_dropped_decided_or_hidden_is_not():
    both = STAY["date"]
    assert unshifted(ShiftDates(("shifted", "date")), date=both) == ()
    assert unshifted(ShiftDates("shifted"), ShiftDates("date", secret=None, days=20), date=both) == ()
    assert unshifted(ShiftDates("shifted"), Drop("date"), date=both) == ()
    assert unshifted(ShiftDates("shifted", beside="date"), date=both) == ()
    assert unshifted(ShiftDates("shifted"), Pseudonymise("date"), date=both) == ()
    assert unshifted(ShiftDates("shifted"), Drop("shifted"), date=both) == ()
    assert unshifted(Drop("shifted"), date=both) == ()


def test_a_decision_names_columns_that_are_there_and_are_not_shifted():
    with pytest.raises(PlanError, match="Name it once"):
        ShiftDates("shifted", beside=("shifted",))
    with pytest.raises(PlanError, match="There is no column 'dat'"):
        unshifted(ShiftDates("shifted", beside="dat"), date=STAY["date"])
    assert "by decision: date" in ShiftDates("shifted", beside="date").explained()


def test_a_plan_alone_tells_of_dates_that_its_steps_treat():
    steps = [ShiftDates("shifted"), YearOf("born"), TruncateDates("seen", to="month"), Drop("seen")]
    assert named_unshifted(Plan(numbered([(step, None) for step in steps]))) == ("born",)
    assert named_unshifted(Plan(numbered([(YearOf("born"), None)]))) == ()
