"""Conditions: which records are meant, on every engine."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import drafted

from sfumato.errors import PlanError, SfumatoError
from sfumato.plans.condition import Condition

PEOPLE = {
    "age": pa.array([17, 18, 40, None], pa.int32()),
    "bmi": pa.array([18.5, float("nan"), 0.7, None], pa.float32()),
    "sex": ["f", "m", "x", None],
    "code": ["A1", "A12", "B1\\", None],
    "born": pa.array([date(2000, 1, 1), date(2000, 1, 2), None, date(1999, 12, 31)]),
    "seen": pa.array([datetime(2020, 1, 1, 8), datetime(2020, 1, 1, 9), None, datetime(2020, 1, 2)]),
    "alive": [True, False, None, True],
}

ASKED = [
    ({"column": "age", "equals": 18}, [2]),
    ({"column": "age", "equals": "18"}, [2]),
    ({"column": "age", "not_equals": 18}, [1, 3]),
    ({"column": "age", "in": [17, 40]}, [1, 3]),
    ({"column": "age", "not_in": [17, 40]}, [2]),
    ({"column": "age", "below": 18}, [1]),
    ({"column": "age", "at_most": 18}, [1, 2]),
    ({"column": "age", "above": 17.5}, [2, 3]),
    ({"column": "age", "at_least": 18, "below": 40}, [2]),
    ({"column": "age", "missing": True}, [4]),
    ({"column": "age", "missing": False}, [1, 2, 3]),
    ({"column": "bmi", "missing": True}, [2, 4]),
    ({"column": "bmi", "equals": 0.7}, [3]),
    ({"column": "bmi", "above": 0}, [1, 3]),
    ({"column": "sex", "in": ["f", "m"]}, [1, 2]),
    ({"column": "code", "matches": "A[0-9]"}, [1]),
    ({"column": "code", "matches": r"[AB]\d+\\?"}, [1, 2, 3]),
    ({"column": "age", "matches": "1."}, [1, 2]),
    ({"column": "born", "at_least": "2000-01-01"}, [1, 2]),
    ({"column": "born", "equals": date(2000, 1, 2)}, [2]),
    ({"column": "seen", "above": "2020-01-01 08:30"}, [2, 4]),
    ({"column": "seen", "at_least": "2020-01-02"}, [4]),
    ({"column": "alive", "equals": True}, [1, 4]),
    ({"not": {"column": "age", "below": 18}}, [2, 3, 4]),
    ({"any": [{"column": "sex", "equals": "x"}, {"column": "age", "missing": True}]}, [3, 4]),
    ({"all": [{"column": "age", "above": 17}, {"not": {"column": "sex", "equals": "x"}}]}, [2]),
]


def test_a_condition_means_the_same_records_on_every_engine(engine):
    draft = drafted(engine, PEOPLE)
    found = [(asked, draft.rows(Condition.of(asked).sql(draft))) for asked, _ in ASKED]
    assert found == ASKED


def test_ordered_categories_are_below_and_above_each_other(duck):
    draft = drafted(duck, {"grade": ["low", "high", "middle", None]})
    draft = replace(draft, columns=(replace(draft["grade"], order=("low", "middle", "high")),))
    found = {
        key: draft.rows(Condition.of({"column": "grade", key: "middle"}).sql(draft))
        for key in ("below", "above", "at_least", "at_most")
    }
    assert found == {"below": [1], "above": [2], "at_least": [2, 3], "at_most": [1, 3]}
    with pytest.raises(PlanError, match="none of its categories"):
        Condition.of({"column": "grade", "below": "huge"}).sql(draft)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("age > 18", "keys and values"),
        ({"column": "age"}, "asks nothing"),
        ({"below": 18}, "name of a column"),
        ({"column": "age", "under": 18}, "no key 'under'"),
        ({"column": "age", "equals": None}, "missing: true"),
        ({"column": "age", "in": [1, None]}, "missing: true"),
        ({"column": "age", "in": 5}, "list of values"),
        ({"column": "age", "equals": [5]}, "one value"),
        ({"column": "age", "missing": "yes"}, "true or false"),
        ({"column": "age", "matches": "["}, "this is none"),
        ({"column": "age", "matches": "(?=a)b"}, "plain regular expressions"),
        ({"column": "age", "matches": r"(a)\1"}, "plain regular expressions"),
        ({"column": "age", "matches": "a*+"}, "plain regular expressions"),
        ({"all": []}, "at least one"),
        ({"all": [{"column": "a", "equals": 1}], "column": "b"}, "nothing beside it"),
    ],
)
def test_a_condition_that_cannot_be_read_says_why(data, message):
    with pytest.raises(PlanError, match=message):
        Condition.of(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"column": "sex", "equals": 5}, "put the value in quotes"),
        ({"column": "sex", "equals": True}, "put the value in quotes"),
        ({"column": "sex", "below": "m"}, "none is below or above"),
        ({"column": "age", "equals": "old"}, "whole numbers"),
        ({"column": "age", "equals": True}, "whole numbers"),
        ({"column": "born", "below": "1/2/2000"}, "such as 2024-03-01"),
        ({"column": "alive", "equals": "perhaps"}, "true or false"),
        ({"column": "agee", "equals": 5}, "Did you mean 'age'"),
    ],
)
def test_a_value_of_another_kind_than_the_column_is_an_error(duck, data, message):
    with pytest.raises(SfumatoError, match=message):
        Condition.of(data).sql(drafted(duck, PEOPLE))


def test_sql_in_a_condition_is_only_a_text(duck):
    draft = drafted(duck, PEOPLE)
    assert draft.rows(Condition.of({"column": "sex", "equals": "f' OR '1'='1"}).sql(draft)) == []
    assert Condition.of({"not": {"column": "sex", "equals": "f"}}).words() == "it is not so that sex is 'f'"
