"""Small groups are hidden, by themselves and in differences."""

from __future__ import annotations

import re
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import PolicyError
from sfumato.proof.report.make_report import report
from sfumato.proof.report.small_numbers import SmallNumberMask

COUNTS = st.lists(st.integers(0, 30), min_size=1, max_size=7)


@given(COUNTS, st.integers(0, 30), st.integers(1, 15))
def test_no_difference_between_shown_steps_is_a_small_group(steps, rest, least):
    counts = [sum(steps[: i + 1]) for i in range(len(steps))]
    whole = counts[-1] + rest
    shown = [n for n in SmallNumberMask(least).known(counts, whole) if n is not None]
    for low, high in pairwise([0, *shown, whole]):
        assert high == low or high - low >= least or (low, high) == (0, whole)
    assert all(n in counts for n in shown)


@given(COUNTS, st.integers(0, 30), st.integers(1, 15))
def test_a_bound_that_is_shown_is_true_of_the_number_it_hides(steps, rest, least):
    counts = [sum(steps[: i + 1]) for i in range(len(steps))]
    for n, text in zip(counts, SmallNumberMask(least).steps(counts, counts[-1] + rest), strict=True):
        number = int(re.sub(r"\D", "", text))
        assert {"<": n < number, ">": n > number}.get(text[0], n == number)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 15))
def test_a_share_says_no_more_than_its_count(n, rest, least):
    whole = n + rest
    if not whole:
        return
    mask = SmallNumberMask(least)
    assert (mask.share(n / whole, whole)[0] in "<>") == (mask.count(n, whole)[0] in "<>") == mask.hides(n, whole)


def test_a_mask_of_one_hides_nothing_and_zero_is_refused():
    assert SmallNumberMask(1).steps([1, 2, 3], 4) == ("1", "2", "3")
    with pytest.raises(PolicyError):
        SmallNumberMask(0)


def crowd(alone: int, in_twos: int, rest: int) -> pa.Table:
    """So many people alone, so many in classes of two, the rest all alike."""
    ages = [1000 + i for i in range(alone)] + [2000 + i // 2 for i in range(in_twos)] + [40] * rest
    return pa.table({"age": ages, "sex": ["f"] * len(ages)})


def section(found, part: str, title: str):
    return next(block for block in found[part].blocks if block.section.title == title)


def told(part) -> str:
    """All that a part says of the table, and nothing of formulas."""
    blocks = [{**block.content().plain(), "explained": [], "numbers": []} for block in part.blocks]
    return str([part.words, blocks])


def test_seven_people_who_stand_alone_are_fewer_than_eleven_in_every_table_and_picture():
    found = report(crowd(7, 0, 200), quasi=["age", "sex"])
    ladder = section(found, "identifiability", "Risk ladder")
    assert ladder.section.rows[0][2:] == ("<11", "<5.3 %")
    assert "1+ 207" in ladder.charts[0].alternative
    assert "alone hidden" in ladder.charts[1].alternative
    scenario = section(found, "identifiability", "Scenarios: what an attacker may know")
    assert scenario.section.rows[0][5:] == ("<5.3 %",) * 5
    sets = section(found, "identifiability", "Sets of columns that single out most").section
    assert sets.rows[0][1:] == ("<11", "<5.3 %")
    attackers = section(found, "identifiability", "Attackers").section
    assert attackers.rows[0][5:] == ("<5.3 %",) * 4
    assert not re.search(r"(?<![\d.])(?:7|3\.4 %)(?![\d.])", told(found["identifiability"]))


def test_what_is_left_when_all_but_a_few_are_singled_out_is_hidden_too():
    found = report(crowd(200, 4, 0), quasi=["age", "sex"], charts=False)
    rows = section(found, "identifiability", "Risk ladder").section.rows
    assert [row[2] for row in rows] == [">193", "204", "204", "204", "204"]


def test_a_small_step_between_two_large_numbers_is_hidden():
    found = report(crowd(40, 6, 200), quasi=["age", "sex"], charts=False)
    rows = section(found, "identifiability", "Risk ladder").section.rows
    assert [row[2] for row in rows] == ["40", "<51", "<51", "<51", "<51"]


def test_without_a_mask_every_number_is_shown():
    found = report(crowd(7, 0, 200), quasi=["age", "sex"], mask=1, charts=False)
    assert section(found, "identifiability", "Risk ladder").section.rows[0][2:] == ("7", "3.4 %")


def test_a_few_missing_values_are_not_counted():
    table = crowd(0, 0, 100).append_column("weight", pa.array([None] * 4 + [70] * 96))
    rows = section(report(table, quasi=["age"], charts=False), "data", "Values and missing values").section.rows
    assert {row[0]: row[1] for row in rows}["weight"] == "<11.0 %"


def test_a_column_of_which_all_but_a_few_are_missing_does_not_say_how_many():
    table = crowd(0, 0, 100).append_column("weight", pa.array([None] * 97 + [70, 71, 72]))
    found = report(table, quasi=["age"], charts=False)
    evidence = {row[0]: row[4] for row in section(found, "data", "Columns, their roles and the evidence").section.rows}
    assert "Leave out? Nearly all records have no value." in evidence["weight"]
    assert "97" not in told(found["data"])


def test_how_many_of_a_group_were_left_out_cannot_be_told_from_a_picture():
    """Three of 103 women are left out; before and after are drawn alike."""
    table = pa.table({"sex": ["f"] * 103 + ["m"] * 100, "age": [1, 2, 3] + [40] * 200})
    found = report(table, quasi=["age", "sex"], k=5, curve=False)
    sexes = next(chart for chart in found.charts if chart.title.startswith("sex:"))
    counts = [int(n.replace("\u00a0", "").replace(" ", "")) for n in re.findall(r"([\d\u00a0 ]+) (?:before|after)",
                                                                                 sexes.alternative)]  # fmt: skip
    assert counts
    assert all(n % 11 == 0 for n in counts)
