"""No end of a printed interval is somebody's value: an attacker who knows how labels are made learns no extreme."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.utility.paired.interval_label import IntervalLabel

K = 3
DAY = date(2000, 1, 1)
# Whole numbers, real numbers and days, as numbers that a table is made of.
KINDS = ("whole", "real", "day")


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, list[int], list[str]]:
    """A kind of values, 14 to 40 of them from 0 to 400, and a second column."""
    size = draw(st.integers(14, 40))
    values = draw(st.lists(st.integers(0, 400), min_size=size, max_size=size))
    towns = draw(st.lists(st.sampled_from("ab"), min_size=size, max_size=size))
    return draw(st.sampled_from(KINDS)), values, towns


def written(kind: str, values: Sequence[int | None]) -> list[Any]:
    """The values of a kind."""
    make = {"whole": int, "real": lambda n: n / 8, "day": lambda n: DAY + timedelta(days=n)}[kind]
    return [None if n is None else make(n) for n in values]


def released(kind: str, values: Sequence[int | None], towns: Sequence[str], method: str = "mondrian") -> list[Any]:
    """The labels of a release, beside the numbers of the records that stay."""
    table = pa.table({"x": written(kind, values), "town": list(towns)})
    result = sf.anonymise(table, quasi=["x", "town"], k=K, method=method, compare=False, explain=False)
    labels: list[Any] = result.release.column("x").to_pylist()
    return [None if label is None else str(label) for label in labels]


def numbers(kind: str, values: Sequence[int | None]) -> list[float]:
    """The values as labels count them: days since 1970 for dates."""
    since = (DAY - date(1970, 1, 1)).days
    return [n / 8 if kind == "real" else n + since * (kind == "day") for n in values if n is not None]


def interval(kind: str, label: str) -> IntervalLabel | None:
    return IntervalLabel.of_period(label) if kind == "day" else IntervalLabel.of(label, whole=kind == "whole")


@settings(max_examples=40, deadline=None)
@given(tables())
def test_enough_people_lie_on_both_sides_of_every_end_that_mondrian_prints(
    drawn: tuple[str, list[int], list[str]],
) -> None:
    kind, values, towns = drawn
    people = numbers(kind, values)
    exact = {str(value) for value in written(kind, values)}
    for label in set(released(kind, values, towns)) - {"*"}:
        if label in exact:  # a value by itself, of which there are enough
            assert [str(value) for value in written(kind, values)].count(label) >= K
            continue
        known = interval(kind, label)
        assert known is not None, label
        for end in (known.low, known.high):
            if end is not None:
                assert sum(x < end for x in people) >= K
                assert sum(x >= end for x in people) >= K


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(1, 100_000), st.integers(1, 100_000))
def test_the_outermost_person_may_have_any_value_and_the_release_is_the_same(
    drawn: tuple[str, list[int], list[str]], above: int, below: int
) -> None:
    """The attack of the issue: `[50, 98761]` was the income of the richest. Now any other income gives these bytes."""
    kind, values, towns = drawn
    most, least = max(values) + 1, min(values) - 1
    above, below = min(above, 40_000), min(below, 40_000)  # days within the calendar
    here = released(kind, [*values, most, least], [*towns, "a", "b"])
    there = released(kind, [*values, most + above, least - below], [*towns, "a", "b"])
    assert here == there


@settings(max_examples=20, deadline=None)
@given(tables(), st.sampled_from(["optimal", "local"]))
def test_labels_of_hierarchies_have_ends_that_enough_people_reach(
    drawn: tuple[str, list[int], list[str]], method: str
) -> None:
    """By levels, an interval is a step of a grid or open; it is printed where a class lies in it."""
    kind, values, towns = drawn
    people = numbers(kind, values)
    for label in set(released(kind, values, towns, method)) - {"*"}:
        known = interval(kind, label)
        if known is None:
            continue
        if known.low is not None:
            assert sum(x >= known.low for x in people) >= K
        if known.high is not None:
            assert sum(x < known.high for x in people) >= K


def test_persons_are_counted_where_a_subject_is_known() -> None:
    """Ten records of two old people are two people: no end lies among them."""
    ages = [*range(20, 50), *[98] * 5, *[99] * 5]
    persons = [*map(str, range(30)), *["old"] * 5, *["older"] * 5]
    table = pa.table({"person": persons, "age": ages})
    result = sf.anonymise(table, quasi=["age"], subject="person", k=K, method="mondrian", compare=False)
    known = [interval("whole", label) for label in set(result.release.column("age").to_pylist())]
    assert all(one is None or one.low is None or one.low < 50 for one in known)
    assert all(one is None or one.high is None or one.high <= 50 for one in known)


def test_an_income_of_one_person_is_in_no_label() -> None:
    incomes = [50, *(1000 + 37 * i for i in range(98)), 98761]
    result = sf.anonymise(pa.table({"income": incomes}), quasi="income", k=5, method="mondrian")
    labels = sorted(set(result.release.column("income").to_pylist()))
    text = " ".join(labels)
    assert "98761" not in text
    assert "[50," not in text
    assert sum(label.startswith(">=") for label in labels) == 1
    assert sum(label.startswith("<") for label in labels) == 1
    lost = result.document()
    assert lost["score"]["normalised"] == pytest.approx(lost["lost"]["total"]["loss"])
    assert lost["score"]["normalised"] < 0.08
