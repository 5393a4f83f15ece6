"""People: their ages, and the first record of each."""

from __future__ import annotations

from datetime import date

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import RESOURCES, column, drafted

from sfumato.errors import PlanError
from sfumato.plans.steps.age import Age
from sfumato.plans.steps.keep_first import KeepFirst


def exact_age(born, at):
    return at.year - born.year - ((at.month, at.day) < (born.month, born.day))


def test_an_age_is_in_completed_years_on_every_day_around_a_birthday(engine):
    births = [date(2000, 2, 29), date(2000, 3, 1), date(1999, 12, 31), date(1920, 6, 15)]
    days = [date(y, m, d) for y in (2023, 2024) for m, d in ((2, 28), (3, 1), (12, 30), (12, 31), (6, 14), (6, 15))]
    days.append(date(2024, 2, 29))
    pairs = [(born, at) for born in births for at in days]
    draft = drafted(engine, {"born": pa.array([b for b, _ in pairs]), "at": pa.array([a for _, a in pairs])})
    found = Age("born", "at", top=None).apply(draft, RESOURCES)
    assert found.names == ("at", "age")
    assert column(found, "age") == [exact_age(b, a) for b, a in pairs]


def test_an_age_at_one_day_for_all_has_a_top(engine):
    draft = drafted(engine, {"born": ["1930-06-30", "1934-06-30", "1934-07-01", "2000-02-29", None]})
    at = "2024-06-30"
    assert column(Age("born", at).apply(draft, RESOURCES), "age") == [90, 90, 89, 24, None]
    labelled = Age("born", at, into="years", label="90+", drop=False).apply(draft, RESOURCES)
    assert column(labelled, "years") == ["90+", "90+", "89", "24", None]
    assert column(Age("born", at, top=None).apply(draft, RESOURCES), "age") == [94, 90, 89, 24, None]
    assert column(Age("born", at, unit="months").apply(draft, RESOURCES), "age") == [1080, 1080, 1079, 292, None]


def test_the_examples_of_an_age_are_what_the_step_does(duck):
    for unit, label in (("years", None), ("months", None), ("years", "90+")):
        step = Age("born", "2023-02-28", unit=unit, label=label)
        before, after = zip(*step.examples(), strict=True)
        assert [str(n) for n in column(step.apply(drafted(duck, {"born": list(before)}), RESOURCES), "age")] == list(
            after
        )


def test_a_birth_after_the_day_that_counts_is_an_error_or_missing(duck):
    draft = drafted(duck, {"born": pa.array([date(2025, 1, 1), date(2000, 1, 1)])})
    with pytest.raises(PlanError, match=r"after the day that counts \(row 1\)"):
        Age("born", "2024-06-30").apply(draft, RESOURCES)
    assert column(Age("born", "2024-06-30", negative="missing").apply(draft, RESOURCES), "age") == [None, 24]


VISITS = {
    "who": ["a", "b", "a", "b", None, None, "c", "c"],
    "day": pa.array([date(2020, 3, 2), None, date(2020, 3, 1), date(2020, 3, 5), None, None, None, None]),
    "text": ["2/3/2020", "1/1/2021", "12/1/2020", "2/1/2020", "1/1/2020", "1/1/2020", "1/1/2020", "1/1/2020"],
}


def test_the_first_record_of_each_subject_stays(engine):
    found = KeepFirst("day").apply(drafted(engine, VISITS, subject="who"), RESOURCES)
    assert engine.fetch(f"SELECT {found.number} FROM {found.table} AS record ORDER BY 1") == [
        (3,),
        (4,),
        (5,),
        (6,),
        (7,),
    ]
    assert found.notes == ("Records suppressed, being later ones of the same who: 3 of 8.",)


def test_texts_are_ordered_as_dates_where_their_form_is_given(duck):
    draft = drafted(duck, VISITS)
    found = KeepFirst("text", per="who", format="%d/%m/%Y").apply(draft, RESOURCES)
    assert column(found, "text")[:2] == ["12/1/2020", "2/1/2020"]
    with pytest.raises(PlanError, match="whose a record is"):
        KeepFirst("day").apply(draft, RESOURCES)
