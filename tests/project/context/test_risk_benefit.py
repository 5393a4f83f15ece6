"""The matrix: where a release stands, and that silence never makes it look safer or better."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.project.context.benefit import Benefit, Benefits, Likelihood, Need
from sfumato.project.context.result import benefit_axis, risk_axis
from sfumato.project.context.risk_benefit import Area, Level, MeasuredRisk, area
from sfumato.project.recipient.grade import Grade

STRICTNESS = list(Area)
columns = st.builds(
    Benefit,
    st.just("c"),
    st.sampled_from([None, *Need]),
    st.sampled_from([None, *Likelihood]),
    released=st.booleans(),
)


def test_there_are_four_levels_on_both_axes():
    assert [str(level) for level in Level] == ["low", "moderate", "high", "very high"]


def test_more_risk_is_never_judged_more_mildly_and_more_benefit_never_more_strictly():
    ranks = [[STRICTNESS.index(area(risk, benefit)) for benefit in Level] for risk in Level]
    assert all(one <= other for line in itertools.pairwise(ranks) for one, other in zip(*line, strict=True))
    assert all(line == sorted(line, reverse=True) for line in ranks)


def test_a_moderate_risk_with_a_moderate_benefit_is_usual_and_the_highest_risk_never_is():
    assert area(Level.MODERATE, Level.MODERATE) is Area.USUAL
    assert area(Level.VERY_HIGH, Level.VERY_HIGH) is Area.WEIGH
    assert {area(Level.VERY_HIGH, benefit) for benefit in [Level.LOW, Level.MODERATE, Level.HIGH]} == {Area.PROTECT}


@pytest.mark.parametrize(
    ("size", "level"),
    [(1, "very high"), (4, "very high"), (5, "high"), (10, "high"), (11, "moderate"), (19, "moderate"), (20, "low")],
)
def test_the_level_of_risk_follows_the_cell_size_precedents(size, level):
    assert MeasuredRisk(size, "t").level == level


def test_eleven_people_alike_are_moderate_though_one_in_eleven_is_above_0_09():
    assert MeasuredRisk(11, "t").risk > 0.09
    assert MeasuredRisk(11, "t").level is Level.MODERATE


def test_only_a_low_grade_lowers_the_risk_and_never_that_of_a_public_release():
    measured = MeasuredRisk(5, "t")
    for grade in (None, Grade.HIGH, Grade.MIDDLE):
        assert risk_axis(measured, grade, "restricted").level is Level.HIGH
    assert risk_axis(measured, Grade.LOW, "restricted").level is Level.MODERATE
    assert risk_axis(measured, Grade.LOW, None).level is Level.MODERATE
    assert risk_axis(measured, Grade.LOW, "public").level is Level.HIGH


def test_a_risk_that_nobody_measured_has_no_level():
    for grade in (None, *Grade):
        assert risk_axis(None, grade, "internal").level is None


def test_a_class_of_one_is_told_in_the_singular():
    assert "has 1 person: a chance of 1 " in MeasuredRisk(1, "t", "person").words
    assert "has 20 records: a chance of 0.05 " in MeasuredRisk(20, "t").words


@given(st.lists(columns, max_size=8))
def test_the_benefit_is_the_highest_level_that_at_least_half_of_the_released_columns_reach(benefits):
    """Brute force over the levels; a column without an answer, or without need, reaches none."""
    released = [column for column in benefits if column.released]

    def reached(level):
        return sum(column.level is not None and column.level.rank >= level.rank for column in released)

    levels = [level for level in Level if released and 2 * reached(level) >= len(released)]
    silent = any(column.need is None for column in released)
    expected = levels[-1] if levels else Level.LOW if released and not silent else None
    assert Benefits(tuple(benefits)).level is expected
    assert benefit_axis(Benefits(tuple(benefits))).level is expected


@given(st.lists(columns, min_size=1, max_size=8), st.sampled_from([need for need in Need if need is not Need.NONE]))
def test_an_answer_in_the_place_of_silence_never_lowers_the_benefit(benefits, need):
    before = Benefits(tuple(benefits)).level
    at = next((i for i, column in enumerate(benefits) if column.need is None), 0)
    if benefits[at].need is None:
        benefits[at] = Benefit("c", need, released=benefits[at].released)
    after = Benefits(tuple(benefits)).level
    assert before is None or (after is not None and after.rank >= before.rank)


def test_columns_that_the_purpose_does_not_need_are_listed_and_only_those_that_are_released():
    benefits = Benefits(
        (Benefit("a", Need.NONE), Benefit("b", Need.LOW), Benefit("c"), Benefit("d", Need.NONE, released=False))
    )
    assert benefits.irrelevant == ["a"]
    assert benefits.unanswered == ["c"]


@pytest.mark.parametrize(
    ("need", "levels"),
    [
        ("none", [None] * 4),
        ("low", ["low", "low", "low", "moderate"]),
        ("medium", ["moderate", "low", "moderate", "high"]),
    ],
)
def test_a_likely_benefit_is_a_level_more_and_an_unlikely_one_a_level_less(need, levels):
    assert [Benefit("c", Need(need), likelihood).level for likelihood in (None, *Likelihood)] == levels
