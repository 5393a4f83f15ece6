"""No count below eleven, and none lost: what is shown together is everything that was there."""

from __future__ import annotations

from math import fsum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.show.charts.boxes import DensityBox, joined, profile
from sfumato.show.charts.categories import MOST, SMALLEST, CategoryCounts, masked

counts = st.one_of(st.integers(0, 30), st.integers(0, 5000))
rows = st.lists(st.tuples(counts, counts), max_size=40).map(
    lambda pairs: [CategoryCounts(f"value {i}", before, after) for i, (before, after) in enumerate(pairs)]
)


@given(rows, st.tuples(st.integers(2, 500), counts, counts))
@settings(max_examples=300)
def test_no_category_of_a_few_records_is_shown_and_no_record_is_lost(found, rest):
    everything = [*found, CategoryCounts("other", rest[1], rest[2], values=rest[0])]
    kept = masked(everything)
    totals = [sum(row.before for row in everything), sum(row.after for row in everything)]
    if not kept:
        assert any(0 < total < SMALLEST for total in totals)
        return
    assert not any(0 < n < SMALLEST for row in kept for n in (row.before, row.after))
    assert [sum(row.before for row in kept), sum(row.after for row in kept)] == totals
    assert sum(row.values for row in kept) == len(found) + rest[0]
    assert len(kept) <= MOST + 2


def test_sixteen_common_values_are_fifteen_and_another():
    kept = masked([CategoryCounts(f"{i:02}", 100 - i, 100 - i) for i in range(17)])
    assert [row.label for row in kept] == [*(f"{i:02}" for i in range(15)), "other (2 values)"]
    assert kept[-1].before == 85 + 84


def test_one_rare_value_takes_the_least_common_one_with_it():
    """By itself it would be the difference between all records and those that are shown."""
    kept = masked([CategoryCounts("A", 500, 480), CategoryCounts("B", 60, 60), CategoryCounts("C", 3, 3)])
    assert kept == [
        CategoryCounts("A", 500, 480),
        CategoryCounts("fewer than 11 records and next (2 values)", 63, 63, 2),
    ]


def test_values_that_only_one_table_has_are_not_rare_in_the_other():
    kept = masked([CategoryCounts("20", 40, 0), CategoryCounts("20-39", 0, 90), CategoryCounts("33", 50, 0)])
    assert kept == [CategoryCounts("33", 50, 0), CategoryCounts("20", 40, 0), CategoryCounts("20-39", 0, 90)]


intervals = st.lists(
    st.tuples(st.integers(0, 50), st.integers(1, 30), st.integers(0, 40)), min_size=1, max_size=12
).map(lambda found: [DensityBox(low, low + width, n) for low, width, n in found])


@given(intervals, st.integers(1, 20))
@settings(max_examples=200)
def test_boxes_hold_enough_records_and_all_of_them(found, smallest):
    kept, records = joined(found, smallest), sum(box.records for box in found)
    if records < smallest:
        assert kept == []
        return
    assert sum(box.records for box in kept) == records
    assert min(box.records for box in kept) >= smallest
    assert min(box.low for box in kept) == min(box.low for box in found if box.records)
    assert max(box.high for box in kept) == max(box.high for box in found if box.records)


@given(intervals)
@settings(max_examples=200)
def test_the_area_below_a_profile_is_the_number_of_records(found):
    area = fsum((high - low) * density for low, high, density in profile(found))
    assert area == pytest.approx(sum(box.records for box in found))
    for low, high, density in profile(found):
        middle = (low + high) / 2
        assert density == pytest.approx(sum(b.records / (b.high - b.low) for b in found if b.low < middle < b.high))
