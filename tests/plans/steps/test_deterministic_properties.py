"""What holds for every table."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plans.steps.drafting import RESOURCES, column, drafted

from sfumato.errors import PlanError
from sfumato.plans.steps.bottom_code import BottomCode
from sfumato.plans.steps.date_periods import DatePeriods
from sfumato.plans.steps.drop import Drop
from sfumato.plans.steps.generalise import Generalise
from sfumato.plans.steps.mask import Mask
from sfumato.plans.steps.merge_rare import MergeRare
from sfumato.plans.steps.recode import Recode
from sfumato.plans.steps.round_to import RoundTo
from sfumato.plans.steps.suppress_records import SuppressRecords
from sfumato.plans.steps.suppress_values import SuppressValues
from sfumato.plans.steps.top_code import TopCode
from sfumato.plans.steps.truncate_dates import UNITS, TruncateDates
from sfumato.tables.engines.duckdb import DuckDB

DUCK = DuckDB()
NUMBERS = st.lists(st.none() | st.integers(-(10**6), 10**6), min_size=1, max_size=12)
REALS = st.lists(st.none() | st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=12)
TEXTS = st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
                 min_size=1, max_size=12)  # fmt: skip
DATES = st.lists(st.none() | st.dates(min_value=date(1000, 1, 1)), min_size=1, max_size=9)
FEW = settings(max_examples=60)


def table(kind, values):
    return drafted(DUCK, {"v": pa.array(values, kind), "other": pa.array(range(len(values)))})


def classes(values):
    """For each record, who looks like it."""
    return [frozenset(i for i, other in enumerate(values) if other == value) for value in values]


@FEW
@given(NUMBERS, st.sampled_from([{"kind": "intervals", "width": 7}, {"kind": "quantiles"}, {"kind": "density"}]))
def test_generalising_further_never_shrinks_a_class(values, hierarchy):
    draft = table(pa.int64(), values)
    height = Generalise("v", "top", hierarchy).settled(draft, RESOURCES).level
    found = [
        classes(column(Generalise("v", level, hierarchy).apply(draft, RESOURCES), "v")) for level in range(height + 1)
    ]
    for lower, upper in pairwise(found):
        assert all(small <= large for small, large in zip(lower, upper, strict=True))
    assert set(found[-1]) == {frozenset(range(len(values)))}


@FEW
@given(TEXTS, st.sampled_from([{"kind": "masks"}, {"kind": "priority", "at_least": 2}]))
def test_generalising_texts_further_never_shrinks_a_class(values, hierarchy):
    draft = table(pa.string(), values)
    height = Generalise("v", "top", hierarchy).settled(draft, RESOURCES).level
    found = [
        classes(column(Generalise("v", level, hierarchy).apply(draft, RESOURCES), "v")) for level in range(height + 1)
    ]
    for lower, upper in pairwise(found):
        assert all(small <= large for small, large in zip(lower, upper, strict=True))


@FEW
@given(TEXTS, st.integers(0, 4), st.integers(0, 4), st.sampled_from("*x#"))
def test_masking_never_lengthens_and_never_shows_a_whole_value(values, left, right, character):
    step = Mask("v", left, right, character)
    found = column(step.apply(table(pa.string(), values), RESOURCES), "v")
    assert found == [None if value is None else step.masked(value) for value in values]
    for before, after in zip(values, found, strict=True):
        if before is not None:
            assert len(after) == len(before)
            assert not before or character in after


@FEW
@given(REALS, st.floats(-1e6, 1e6))
def test_top_and_bottom_coding_are_idempotent_and_bound_the_values(values, at):
    draft = table(pa.float64(), values)
    for step, bound in ((TopCode("v", at), min), (BottomCode("v", at), max)):
        once = step.apply(draft, RESOURCES)
        assert column(once, "v") == [None if value is None else bound(value, at) for value in values]
        assert column(step.apply(once, RESOURCES), "v") == column(once, "v")


@FEW
@given(NUMBERS, st.integers(1, 1000), st.sampled_from(["nearest", "down", "up"]))
def test_rounding_gives_multiples_and_moves_no_value_by_more_than_the_base(values, base, how):
    draft = table(pa.int64(), values)
    once = RoundTo("v", base, how=how).apply(draft, RESOURCES)
    for before, after in zip(values, column(once, "v"), strict=True):
        if before is None:
            assert after is None
            continue
        assert after % base == 0
        assert abs(after - before) * (2 if how == "nearest" else 1) <= base
        assert {"down": after <= before, "up": after >= before, "nearest": True}[how]
    assert column(RoundTo("v", base, how=how).apply(once, RESOURCES), "v") == column(once, "v")


@FEW
@given(DATES, st.sampled_from([unit for unit, length in UNITS.items() if length <= 10]))
def test_truncating_dates_twice_is_truncating_them_once_and_never_later(values, to):
    once = TruncateDates("v", to).apply(table(pa.date32(), values), RESOURCES)
    found = column(once, "v")
    assert column(TruncateDates("v", to).apply(once, RESOURCES), "v") == found
    assert all((a is None) == (b is None) and (a is None or a <= b) for a, b in zip(found, values, strict=True))


@FEW
@given(TEXTS, st.integers(2, 5))
def test_after_merging_and_suppression_no_rare_value_is_left(values, least):
    draft = table(pa.string(), values)
    held = Counter(values)
    merged = column(MergeRare("v", least, into="\t").apply(draft, RESOURCES), "v")
    blanked = column(SuppressValues("v", rarer_than=least).apply(draft, RESOURCES), "v")
    for value, in_merged, in_blanked in zip(values, merged, blanked, strict=True):
        stays = value is None or held[value] >= least
        assert (in_merged, in_blanked) == ((value, value) if stays else ("\t", None))


@FEW
@given(TEXTS, st.integers(2, 4))
def test_after_the_suppression_of_records_every_class_is_large_enough(values, size):
    expected = [value for value in values if Counter(values)[value] >= size]
    step, draft = SuppressRecords(class_size=size, columns="v"), table(pa.string(), values)
    if not expected:
        with pytest.raises(PlanError):
            step.apply(draft, RESOURCES)
    else:
        assert column(step.apply(draft, RESOURCES), "v") == expected


NUMBER_STEPS = (
    Mask("v", keep_left=1), SuppressValues("v", where={"column": "v", "above": 0}), SuppressValues("v", rarer_than=2),
    Generalise("v", 1, {"kind": "intervals", "width": 5}), Recode("v", {0: "none"}, otherwise="keep"),
    MergeRare("v", 2), TopCode("v", 10), BottomCode("v", 10, label="few"), RoundTo("v", 5),
)  # fmt: skip


@FEW
@given(NUMBERS, st.sampled_from(NUMBER_STEPS))
def test_a_step_leaves_other_columns_and_the_number_of_rows_alone(values, step):
    draft = table(pa.int64(), values)
    found = step.apply(draft, RESOURCES)
    assert column(found, "other") == list(range(len(values)))
    assert column(Drop("v").apply(draft, RESOURCES), "other") == list(range(len(values)))
    assert column(draft, "v") == values
    assert [a is None for a, b in zip(column(found, "v"), values, strict=True) if b is None] == [True] * values.count(
        None
    )


@FEW
@given(DATES, st.integers(1, 40))
def test_a_period_holds_the_date_and_so_many_days(values, days):
    found = column(DatePeriods("v", days).apply(table(pa.date32(), values), RESOURCES), "v")
    assert all(a is b is None or 0 <= (b - a).days < days for a, b in zip(found, values, strict=True))
