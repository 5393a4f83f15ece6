"""How a column is spread, before and after: recounted by hand, and on every engine."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from math import floor

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import UnknownColumn
from sfumato.hierarchies.builders.dates import Dates
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.show.charts.boxes import DensityBox
from sfumato.show.charts.categories import CategoryCounts
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.utility.distributions import BINS, Categories, Numbers, distribution
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing

from ..show.pictures import checked, texts


def compared(before, after, *, hierarchy=None, engine=None, name="x"):
    held = engine or DuckDB()
    tables = [held.load(pa.table({name: side, "id": list(range(len(side)))})) for side in (before, after)]
    return Comparison.of(Pairing.of(*tables, [name], hierarchies={name: hierarchy} if hierarchy else None, key="id"))


def spread(before, after, **settings):
    return distribution(compared(before, after, **settings), settings.get("name", "x"))


def test_categories_are_counted_on_both_sides_and_suppressed_ones_in_neither_label(engine):
    before = ["F"] * 3 + ["M"] * 2 + [None]
    found = spread(before, ["F", "F", "*", "M", "M", None], engine=engine)
    assert found == Categories(
        "x",
        (CategoryCounts("F", 3, 2), CategoryCounts("M", 2, 2), CategoryCounts(None, 1, 1)),
        "16.7 % of the values are suppressed.",
    )


def test_numbers_are_a_histogram_and_ranges_as_wide_as_they_say(engine):
    ages = [18, 21, 25, 33, 38, 44, 52, 58, 67, 90]
    labels = ["<20", "20-39", "20-39", "20-39", "20-39", "40--60", "40--60", "40--60", "65+", "65+"]
    found = spread(ages, labels, engine=engine)
    assert isinstance(found, Numbers)
    assert [(box.low, box.high) for box in found.original] == [(0, 50), (50, 100)]
    assert [box.records for box in found.original] == [6, 4]
    assert found.released == (
        DensityBox(0, 20, 1),
        DensityBox(20, 40, 4),
        DensityBox(40, 60, 3),
        DensityBox(65, 100, 2),
    )
    assert found.released[1].density == 4 / 20
    assert found.note == ""


def test_a_label_that_says_nothing_covers_the_values_that_became_it():
    found = spread([18, 25, 38, 44, 58], ["young", "young", "young", "old", "old"])
    assert found.released == (DensityBox(18, 39, 3), DensityBox(44, 59, 2))


def test_a_label_is_drawn_as_it_reads_and_it_is_said_where_it_holds_other_values():
    """Who gets the release knows no more than the label."""
    found = spread([18, 25, 58, 63], ["20-29", "20-29", "50-69", "50-69"])
    assert found.released == (DensityBox(20, 30, 2), DensityBox(50, 70, 2))
    assert found.note == "1 label of the release holds values outside its range."


def test_a_code_that_looks_like_a_range_is_not_believed():
    found = spread([180, 185, 250, 263], ["1-2", "1-2", "3-4", "3-4"])
    assert found.released == (DensityBox(180, 186, 2), DensityBox(250, 264, 2))
    assert found.note == "2 labels of the release hold values outside their range."


def test_real_numbers_that_were_kept_are_counted_in_the_steps_of_the_original():
    draw = np.random.Generator(np.random.PCG64(1))
    values = draw.normal(size=500).tolist()
    found = spread(values, values)
    assert found.original == found.released
    assert sum(box.records for box in found.original) == 500


def test_numbers_that_were_moved_are_counted_where_they_went():
    found = spread([10, 20, 30, 40], [12, 19, 33, 140])
    assert sum(box.records for box in found.released) == 4
    assert any(box.low <= 140 < box.high for box in found.released)


def test_months_are_as_wide_as_their_days():
    days = [date(2020, 1, 1) + timedelta(n) for n in range(0, 91, 7)]
    hierarchy = Dates(levels=("month",)).build([day.isoformat() for day in days])
    found = spread(days, [hierarchy.label(day.isoformat(), 1) for day in days], hierarchy=hierarchy)
    assert found.moment
    assert [box.high - box.low for box in found.released] == [31, 29, 31]
    assert [box.records for box in found.released] == [5, 4, 4]
    assert found.released[0].low == (date(2020, 1, 1) - date(1970, 1, 1)).days


@given(
    st.lists(st.one_of(st.none(), st.integers(-50, 300)), min_size=1, max_size=60),
    st.integers(2, 40),
    st.lists(st.booleans(), min_size=60, max_size=60),
)
@settings(max_examples=25)
def test_no_record_vanishes_and_every_count_can_be_recounted(values, width, suppressed):
    if all(value is None for value in values):
        values[0] = 7
    hierarchy = Intervals(width=width, levels=1).build([str(v) for v in values if v is not None])
    shown = [None if v is None else hierarchy.label(str(v), 1) for v in values]
    pairs = zip(shown, suppressed, strict=False)
    released = ["*" if gone and label is not None else label for label, gone in pairs]
    found = spread(pa.array(values, pa.int64()), pa.array(released, pa.string()), hierarchy=hierarchy)
    known = [value for value in values if value is not None]
    for box in found.original:
        assert box.records == sum(box.low <= value < box.high for value in known)
    assert sum(box.records for box in found.original) == len(known)
    counts = Counter(label for label in released if label not in (None, "*"))
    lows = {label: floor(v / width) * width for label, v in zip(shown, values, strict=True) if v is not None}
    assert found.released == tuple(
        sorted(DensityBox(lows[label], lows[label] + width, n) for label, n in counts.items())
    )


@pytest.mark.parametrize(("size", "sigma"), [(100, 1.0), (5000, 0.001), (20000, 12345.0)])
def test_the_steps_are_those_of_freedman_and_diaconis_rounded_up(size, sigma):
    values = np.random.Generator(np.random.PCG64(size)).normal(scale=sigma, size=size)
    found = spread(values.tolist(), values.tolist())
    low, high = np.quantile(values, [0.25, 0.75])
    usual = max(2 * (high - low) / size ** (1 / 3), (values.max() - values.min()) / BINS)
    width = found.original[0].high - found.original[0].low
    assert usual * 0.98 <= width <= usual * 2.6
    assert len(found.original) <= BINS + 1


@pytest.mark.parametrize(
    "values",
    [[5.0] * 20, [0.0, 1e300, -1e300, 1.0], [float("inf"), 1.0, 2.0], [float("nan")] * 3, [1e6, 1e6 + 1e-7] * 20,
     [0.0] * 50 + [1.0], [1e-300, 2e-300], [None] * 3],
    ids=["constant", "huge", "infinite", "no numbers", "close", "no spread", "tiny", "missing"],
)  # fmt: skip
def test_strange_numbers_are_drawn_or_counted_as_not_drawn(values):
    found = spread(pa.array(values, pa.float64()), pa.array(values, pa.float64()))
    drawn = sum(box.records for box in found.original)
    beyond = sum(v is None or not abs(v) < 1e15 for v in values)
    assert drawn == len(values) - beyond
    assert bool(found.note) == bool(beyond)
    checked(found.chart())


def test_a_single_real_number_under_a_label_is_not_lost():
    found = spread([0.5, 1.5, 1.75, 9.0], ["low", "middle", "middle", "high"])
    assert sum(box.records for box in found.released) == 4
    assert DensityBox(1.5, 1.75, 2) in found.released


def test_labels_that_are_too_many_to_draw_are_counted_in_the_middle_of_their_values():
    values = list(range(3000))
    found = spread(values, [f"group {value // 10}" for value in values])
    assert sum(box.records for box in found.released) == 3000
    assert {box.high - box.low for box in found.released} == {found.original[0].high - found.original[0].low}


def test_more_values_than_are_fetched_are_counted_as_others():
    values = [f"v{n}" for n in range(1500)] * 2 + ["common"] * 40
    found = spread(values, values)
    assert len(found.rows) == 1001
    assert found.rows[0] == CategoryCounts("common", 40, 40)
    assert found.rows[-1] == CategoryCounts("other", 1002, 1002, values=501)
    assert sum(row.before for row in found.rows) == 3040


def test_a_column_that_was_dropped_is_drawn_without_a_release():
    engine = DuckDB()
    before = engine.load(pa.table({"x": [*["a"] * 20, *["b"] * 20], "id": list(range(40))}))
    after = engine.load(pa.table({"id": list(range(40))}))
    found = distribution(Comparison.of(Pairing.of(before, after, ["x"], key="id")), "x")
    assert found.rows == (CategoryCounts("a", 20, 0), CategoryCounts("b", 20, 0))
    assert found.note == "The release does not have the column."
    checked(found.chart())


def test_the_chart_of_a_column_hides_what_few_people_have():
    values = ["common"] * 50 + ["rare"] * 3 + ["scarce"] * 9
    root = checked(spread(values, values, name="<script>\"'").chart())
    assert "fewer than 11 records (2 values)" in texts(root)
    assert not {"rare", "scarce", "3", "9"} & set(texts(root))


def test_the_chart_of_numbers_does_not_show_the_oldest_patient():
    ages = [30 + n % 40 for n in range(400)] + [109]
    chart = spread(ages, ages, name="age").chart()
    checked(chart)
    assert "109" not in chart.alternative
    assert "in 1 " not in chart.alternative


def test_a_column_that_is_not_compared_is_unknown():
    with pytest.raises(UnknownColumn, match="'y'"):
        distribution(compared(["a"], ["a"]), "y")
