"""Shifted dates: other days, the same intervals."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import made_up, resources, values

from sfumato.errors import PlanError
from sfumato.plans.steps.pseudonymise import Pseudonymise
from sfumato.plans.steps.shift_dates import ShiftDates

ADMITTED = [date(2019, 1, 1) + timedelta(days=97 * i % 2000) for i in range(300)]
STAYS = [timedelta(days=i % 40) for i in range(300)]
PATIENTS = [f"P{i % 60}" for i in range(300)]


def stays(engine=None, subject="patient"):
    table = {
        "patient": pa.array([*PATIENTS, None, None]),
        "admitted": pa.array([*ADMITTED, date(2020, 2, 29), None], pa.date32()),
        "discharged": pa.array([*(a + s for a, s in zip(ADMITTED, STAYS, strict=True)), date(2020, 3, 1), None]),
        "seen": pa.array([datetime(2020, 2, 28, 23, 59, i % 60) for i in range(301)] + [None], pa.timestamp("us")),
        "dtc": pa.array([f"{day.isoformat()}T10:{i % 60:02}" for i, day in enumerate(ADMITTED)] + ["2020-02-29", None]),
    }
    return made_up(table, engine, subject)


COLUMNS = ("admitted", "discharged", "seen", "dtc")


def offsets(draft, step, given=None, column="admitted"):
    after = values(step.apply(draft, given or resources()), column)
    return [(b - a).days if a else None for a, b in zip(values(draft, column), after, strict=True)]


def test_intervals_within_a_subject_survive_and_every_column_moves_alike():
    draft = stays()
    found = values(ShiftDates(COLUMNS, days=500).apply(draft, resources()), "patient", *COLUMNS)
    moves = {}
    for before, after in zip(values(draft, "patient", *COLUMNS), found, strict=True):
        if before[1] is None:
            assert after[1:] == (None,) * 4
            continue
        texts = [date.fromisoformat(row[4][:10]) for row in (before, after)]
        moved = {after[i] - before[i] for i in (1, 2, 3)} | {texts[1] - texts[0]}
        assert before[4][10:] == after[4][10:]
        assert len(moved) == 1
        moves.setdefault(before[0], set()).update(moved)
    assert all(len(moved) == 1 for moved in moves.values())
    assert len({next(iter(moved)) for moved in moves.values()}) > 50


def test_types_survive_and_both_engines_shift_alike(engine):
    step = ShiftDates(COLUMNS, secret="key", days=900, keep=("season",), exclude_zero=True)
    here = step.apply(stays(engine), resources(key="a long enough key"))
    there = step.apply(stays(), resources(key="a long enough key"))
    assert values(here, *COLUMNS) == values(there, *COLUMNS)
    assert [here.kind(c) for c in COLUMNS] == ["date", "date", "timestamp", "text"]


@pytest.mark.parametrize("keep", [(), ("weekday",), ("season",), ("weekday", "season")], ids=str)
@pytest.mark.parametrize("exclude_zero", [False, True])
def test_sql_draws_every_offset_of_the_list_about_as_often_as_any_other(keep, exclude_zero):
    step = ShiftDates("day", days=740, keep=keep, exclude_zero=exclude_zero)
    allowed = step.offsets.all()
    n = 100 * len(allowed)
    found = offsets(made_up({"day": [date(2020, 2, 29)] * n}), step, column="day")
    assert set(found) == set(allowed)
    assert (0 in found) is not exclude_zero
    assert max(map(abs, allowed)) <= 740
    square = sum((found.count(o) - 100) ** 2 / 100 for o in allowed)
    assert square < len(allowed) + 5 * (2 * len(allowed)) ** 0.5


def test_the_weekday_is_kept_on_request():
    found = offsets(stays(), ShiftDates("admitted", keep="weekday"))
    assert {o % 7 for o in found if o is not None} == {0}
    assert len(set(found)) > 30


@pytest.mark.parametrize(("keep", "most"), [(("season",), 4), (("weekday", "season"), 5)])
def test_the_season_is_kept_on_request(keep, most):
    step = ShiftDates("admitted", days=40 * 366, keep=keep)
    for start in (date(2020, 2, 29), date(2019, 12, 31), date(2021, 7, 1), date(2000, 1, 1)):
        for offset in step.offsets.all():
            moved = start + timedelta(days=offset)
            near = (moved.year - 1, moved.year, moved.year + 1)
            assert min(abs((moved - same_day(start, year)).days) for year in near) <= most


def same_day(day, year):
    return date(year, 3, 1) - timedelta(days=1) if (day.month, day.day) == (2, 29) else day.replace(year=year)


def test_nobody_keeps_the_true_dates_on_request():
    assert 0 in offsets(stays(), ShiftDates("admitted", days=2))
    assert set(offsets(stays(), ShiftDates("admitted", days=2, exclude_zero=True))) - {None} == {-2, -1, 1, 2}


def test_under_a_secret_tables_plans_and_types_of_the_subject_do_not_matter():
    numbers = {"id": list(range(50)), "day": [date(2020, 1, 1)] * 50}
    texts = {"other": [f"{i}" for i in range(50)], "when": [date(2021, 1, 1)] * 50}
    key = resources("one step", key=bytes(range(32)).hex())
    first = offsets(made_up(numbers, subject="id"), ShiftDates("day", secret="key"), key, "day")
    elsewhere = resources("another step", project="other", key=bytes(range(32)).hex())
    second = offsets(made_up(texts, subject="other"), ShiftDates("when", secret="key"), elsewhere, "when")
    assert first == second
    other = resources("one step", key="another key altogether")
    assert first != offsets(made_up(numbers, subject="id"), ShiftDates("day", secret="key"), other, "day")


def test_without_a_secret_the_step_decides_and_nothing_else():
    step = ShiftDates("admitted")
    first = offsets(stays(), step)
    assert offsets(ShiftDates("discharged").apply(stays(), resources("before")), step) == first
    assert offsets(stays(), step, resources("other")) != first
    assert offsets(stays(), step, resources(project="other")) != first


def test_without_a_subject_each_record_is_shifted_on_its_own_and_the_release_says_so():
    after = ShiftDates("admitted").apply(stays(subject=None), resources())
    assert "each record was shifted on its own" in after.notes[0]
    assert len(set(offsets(stays(subject=None), ShiftDates("admitted")))) > 150


def test_a_partial_date_is_an_error_by_number_or_becomes_missing():
    draft = made_up({"dtc": ["2020-01-02", "2020-01", "secret words", "2020-02-30", None, "2020-01-02x"]})
    with pytest.raises(PlanError, match=r"4 records \(rows 2, 3, 4, 6\)") as raised:
        ShiftDates("dtc").apply(draft, resources())
    assert "secret" not in str(raised.value)
    after = values(ShiftDates("dtc", partial="clear").apply(draft, resources()), "dtc")
    assert len(after[0]) == 10
    assert after[1:] == [None] * 5


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"days": 0}, "days must be a whole number"),
        ({"days": 6, "keep": "weekday"}, "7 or more"),
        ({"days": 367, "keep": "season"}, "368 or more"),
        ({"days": 363, "keep": ("season", "weekday")}, "364 or more"),
        ({"keep": ("month",)}, "one of weekday, season"),
        ({"exclude_zero": "yes"}, "true or false"),
        ({"partial": "guess"}, "one of error, clear"),
    ],
)
def test_wrong_parameters_are_said_at_once(given, words):
    with pytest.raises(PlanError, match=words):
        ShiftDates("day", **given)


@pytest.mark.parametrize(("days", "keep"), [(7, ("weekday",)), (368, ("season",)), (364, ("season", "weekday"))])
def test_the_least_days_that_the_message_names_are_enough(days, keep):
    assert len(ShiftDates("day", days=days, keep=keep).offsets.all()) > 1


def test_numbers_are_no_dates():
    with pytest.raises(PlanError, match="holds integer, not dates"):
        ShiftDates("day").apply(made_up({"day": [1]}), resources())


@pytest.mark.parametrize("secret", [None, "key"])
def test_the_subject_is_that_of_the_source_when_it_was_dropped_or_got_a_pseudonym(secret):
    step, given = ShiftDates("admitted", secret=secret), resources(key="a long enough key")
    first = offsets(stays(), step, given)
    assert offsets(stays().without("patient"), step, given) == first
    assert offsets(Pseudonymise("patient").apply(stays(), given), step, given) == first


def test_the_explanation_says_how_and_names_the_secret_only():
    step = ShiftDates(("a", "b"), days=1830, secret="key", keep=("weekday", "season"))
    assert "11 possible offsets of at most 1827 days" in step.explained()
    assert "weekday and season are kept" in step.explained()
    assert "secret 'key'" in step.explained()
    assert step.secrets() == ("key",)
