"""Labels that are intervals, as people and hierarchies write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.hierarchies.builders.ages import Ages
from sfumato.hierarchies.builders.dates import Dates
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.ranges import Style
from sfumato.utility.paired.interval_label import IntervalLabel


@pytest.mark.parametrize(
    ("label", "low", "high"),
    [
        ("20-39", 20, 40), ("[18, 40)", 18, 40), ("18--40", 18, 40), ("<18", None, 18), (">=65", 65, None),
        ("65+", 65, None), ("5-5", 5, 6), ("[18, 40]", 18, 41), ("(18, 40)", 19, 40), (">65", 66, None),
        ("<=17", None, 18), ("≤ 17", None, 18), ("≥65", 65, None), (" 20 - 39 ", 20, 40), ("20–39", 20, 40),
        ("-10---5", -10, -5), ("-10-5", -10, 6), ("[-0.5;0.5)", -0.5, 0.5), ("0.5--1", 0.5, 1), ("-3+", -3, None),
    ],
)  # fmt: skip
def test_an_interval_is_read_as_it_is_meant(label, low, high):
    assert IntervalLabel.of(label) == IntervalLabel(low, high)


@pytest.mark.parametrize(
    "label",
    ["", "*", "42", "adult", "39-20", "40--18", "[40, 18)", "[5, 5)", "20-39 years", "0151", "2020-03-01", "1-2-3",
     "-5--1", "<", "+", "<<18", "[18, 40", "9" * 5000 + "-" + "9" * 5000, "nan-inf", "1_0-20"],
)  # fmt: skip
def test_what_is_no_interval_or_may_be_two_is_none(label):
    assert IntervalLabel.of(label) is None


@given(st.integers(-500, 500), st.integers(1, 100), st.sampled_from(list(Style)))
def test_every_interval_that_a_hierarchy_writes_is_read_back_or_left_alone(number, width, style):
    """A value lies in the interval of its label, which is as wide as the hierarchy's."""
    hierarchy = Intervals(width=width, style=style, levels=1).build([str(number)])
    found = IntervalLabel.of(hierarchy.lines[0][1])
    if found is None:
        assert width == 1 or number < 0
        return
    assert found.width == width
    assert found.holds(number, number)


def test_ages_of_a_hierarchy_are_read_back():
    found = Ages().build(["7", "33", "93"])
    read = [IntervalLabel.of(found.label(age, 2)) for age in ("7", "33", "93")]
    assert read == [IntervalLabel(0, 10), IntervalLabel(30, 40), IntervalLabel(90, None)]


@given(st.dates(min_value=__import__("datetime").date(1600, 1, 1)), st.integers(1, 60))
def test_a_date_lies_in_the_period_of_its_label(day, days):
    since = (day - type(day)(1970, 1, 1)).days
    for levels in (("day",), ("period",), ("week",), ("month",), ("quarter",), ("year",), ("decade",)):
        label = Dates(levels=levels, days=days).build([day.isoformat()]).lines[0][1]
        found = IntervalLabel.of_period(label)
        if day.year >= 9990:  # the last day has no day after it
            assert found is None or found.holds(since, since)
        else:
            assert found.holds(since, since)
            assert levels != ("period",) or found.width == days


@pytest.mark.parametrize("label", ["2020-13", "2020-02-30", "2021-W53", "2020-Q5", "20", "2020-2019", "0000", "x"])
def test_what_is_no_period_is_none(label):
    assert IntervalLabel.of_period(label) is None
