"""Recoding, merging, limits and rounding."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import RESOURCES, column, drafted

from sfumato.errors import PlanError
from sfumato.plans.steps.bottom_code import BottomCode
from sfumato.plans.steps.merge_rare import MergeRare
from sfumato.plans.steps.recode import Recode
from sfumato.plans.steps.round_to import RoundTo
from sfumato.plans.steps.suppress_values import SuppressValues
from sfumato.plans.steps.top_code import TopCode
from sfumato.tables.engine import Kind

ENDS = {"end": ["home", "nursing home", "died", None], "code": pa.array([1, 2, 3, None], pa.int32())}


def test_recoding_merges_categories(engine):
    mapping = {"home": "recovered", "nursing home": "recovered", "died": "died"}
    found = Recode("end", mapping).apply(drafted(engine, ENDS), RESOURCES)
    assert column(found, "end") == ["recovered", "recovered", "died", None]


@pytest.mark.parametrize(
    ("otherwise", "expected"),
    [("keep", ["at home", "nursing home", "died", "?"]), ("other", ["at home", "other", "other", "?"]),
     (None, ["at home", None, None, "?"])],
)  # fmt: skip
def test_what_the_mapping_misses_stays_or_becomes_another(engine, otherwise, expected):
    found = Recode("end", {"home": "at home"}, otherwise=otherwise, missing="?").apply(drafted(engine, ENDS), RESOURCES)
    assert column(found, "end") == expected


def test_a_mapping_that_misses_values_says_how_many_and_where_but_not_which(engine):
    with pytest.raises(PlanError) as caught:
        Recode("end", {"home": "x"}).apply(drafted(engine, ENDS), RESOURCES)
    message = str(caught.value)
    assert "column 'end': the mapping misses 2 different values of 2 records (row 2, 3)" in message
    assert "died" not in message


@pytest.mark.parametrize(
    ("mapping", "otherwise", "kind", "expected"),
    [
        ({1: 10, 2: 10, 3: 30}, "error", Kind.INTEGER, [10, 10, 30, None]),
        ({"1": 10}, "keep", Kind.INTEGER, [10, 2, 3, None]),
        ({1: 0.5, 2: 1}, None, Kind.REAL, [0.5, 1.0, None, None]),
        ({1: True, 2: False, 3: None}, "error", Kind.BOOLEAN, [True, False, None, None]),
        ({1: "one"}, "keep", Kind.TEXT, ["one", "2", "3", None]),
        ({1: 10}, "rest", Kind.TEXT, ["10", "rest", "rest", None]),
    ],
)
def test_a_recoded_column_is_what_its_new_values_are(engine, mapping, otherwise, kind, expected):
    found = Recode("code", mapping, otherwise=otherwise).apply(drafted(engine, ENDS), RESOURCES)
    assert (found.kind("code"), column(found, "code")) == (kind, expected)


def test_an_order_survives_a_mapping_that_keeps_it(duck):
    draft = drafted(duck, {"grade": ["low", "middle", "high"]})
    draft = replace(draft, columns=(replace(draft["grade"], order=("low", "middle", "high")),))
    kept = Recode("grade", {"low": "small", "middle": "small"}, otherwise="keep").apply(draft, RESOURCES)
    torn = Recode("grade", {"low": "ends", "high": "ends"}, otherwise="keep").apply(draft, RESOURCES)
    assert (kept["grade"].order, torn["grade"].order) == (("small", "high"), ())


def coded(duck, **stated):
    draft = drafted(duck, {"ill": ["1"] * 5 + ["2"] * 2 + ["3", None]})
    return replace(draft, columns=(replace(draft["ill"], **stated),))


def test_no_label_and_no_order_tells_of_values_that_are_gone(duck):
    draft = coded(duck, value_labels={"1": "flu", "2": "cold", "3": "gout"}, order=("1", "2", "3"))
    merged = MergeRare("ill", 2).apply(draft, RESOURCES)["ill"]
    assert (merged.value_labels, merged.order) == ({"1": "flu", "2": "cold"}, ())
    blanked = SuppressValues("ill", rarer_than=2).apply(draft, RESOURCES)["ill"]
    assert (blanked.value_labels, blanked.order) == ({"1": "flu", "2": "cold"}, ("1", "2"))
    replaced = SuppressValues("ill", rarer_than=2, placeholder="?").apply(draft, RESOURCES)["ill"]
    assert (replaced.value_labels, replaced.order) == (None, ())


def test_values_that_a_recoding_keeps_keep_their_labels_and_an_order_holds_every_value(duck):
    draft = coded(duck, value_labels={"1": "flu", "2": "cold", "3": "gout"}, order=("1", "2", "3"))
    kept = Recode("ill", {"3": "2"}, otherwise="keep").apply(draft, RESOURCES)["ill"]
    assert (kept.value_labels, kept.order) == ({"1": "flu", "2": "cold"}, ("1", "2"))
    assert Recode("ill", {"3": "2"}, otherwise="keep", missing="?").apply(draft, RESOURCES)["ill"].order == ()


def test_rare_categories_become_one(engine):
    ill = {"ill": ["flu"] * 5 + ["cold"] * 3 + ["gout", "lupus", None]}
    found = MergeRare("ill", 3, into="Other pathologies").apply(drafted(engine, ill), RESOURCES)
    assert column(found, "ill") == ["flu"] * 5 + ["cold"] * 3 + ["Other pathologies"] * 2 + [None]
    assert "were merged: 2. They are 2 people together, still fewer than 3." in found.notes[-1]


def test_a_share_is_of_all_people(duck):
    ill = {"ill": ["flu"] * 6 + ["cold"] * 3 + ["gout"]}
    draft = drafted(duck, ill)
    assert set(column(MergeRare("ill", 0.3).apply(draft, RESOURCES), "ill")) == {"flu", "cold", "other"}
    assert MergeRare("ill", 0.07)._needed(drafted(duck, {"ill": ["flu"] * 100})) == 7  # 0.07 * 100 is above 7 in binary
    assert set(column(MergeRare("ill", 0.31).apply(draft, RESOURCES), "ill")) == {"flu", "other"}


LIMITS = {
    "age": pa.array([17, 89, 90, 97, None], pa.int16()),
    "bmi": pa.array([17.5, 30.0, 30.5, float("nan"), None]),
    "born": pa.array([date(1900, 1, 1), date(1930, 1, 1), date(1931, 1, 1), date(1950, 1, 1), None]),
    "seen": pa.array([datetime(2020, 1, 1, 8), datetime(2020, 1, 2), datetime(2020, 1, 2, 1), None, None]),
}


def test_a_top_leaves_numbers_and_dates_what_they_are(engine):
    draft = drafted(engine, LIMITS)
    age = TopCode("age", 90).apply(draft, RESOURCES)
    assert (age.kind("age"), column(age, "age")) == (Kind.INTEGER, [17, 89, 90, 90, None])
    bmi = TopCode("bmi", 30).apply(draft, RESOURCES)
    assert column(bmi, "bmi")[:3] == [17.5, 30.0, 30.0]
    assert bmi.kind("bmi") is Kind.REAL
    born = BottomCode("born", "1931-01-01").apply(draft, RESOURCES)
    assert column(born, "born") == [date(1931, 1, 1)] * 3 + [date(1950, 1, 1), None]
    seen = TopCode("seen", "2020-01-02").apply(draft, RESOURCES)
    assert column(seen, "seen") == [datetime(2020, 1, 1, 8), datetime(2020, 1, 2), datetime(2020, 1, 2), None, None]


def test_a_label_holds_the_limit_and_all_beyond(engine):
    draft = drafted(engine, LIMITS)
    assert column(TopCode("age", 90, label="90+").apply(draft, RESOURCES), "age") == ["17", "89", "90+", "90+", None]
    bottom = BottomCode("bmi", 17.5, label="17.5 or less").apply(draft, RESOURCES)
    assert column(bottom, "bmi")[:3] == ["17.5 or less", "30.0", "30.5"]


@pytest.mark.parametrize(
    ("how", "whole", "tenths"),
    [
        ("nearest", [-10, 10, 15, 20, None], [0.3, 0.3, 0.3, -0.2, None]),
        ("down", [-15, 10, 10, 15, None], [0.3, 0.2, 0.2, -0.3, None]),
        ("up", [-10, 15, 15, 20, None], [0.3, 0.3, 0.3, -0.2, None]),
    ],
)
def test_rounding_goes_to_multiples_of_the_base(engine, how, whole, tenths):
    numbers = {
        "n": pa.array([-12, 12, 13, 18, None], pa.int16()),
        "x": pa.array([0.3, 0.25, 0.29, -0.25, None]),
    }
    draft = drafted(engine, numbers)
    rounded = RoundTo("n", 5, how=how).apply(draft, RESOURCES)
    assert (rounded.kind("n"), column(rounded, "n")) == (Kind.INTEGER, whole)
    assert column(RoundTo("x", 0.1, how=how).apply(draft, RESOURCES), "x") == tenths


def test_a_multiple_of_the_base_stays_as_it_is_however_it_is_rounded(duck):
    numbers = [i / 10 for i in range(-300, 300)]
    draft = drafted(duck, {"x": numbers})
    for how in ("nearest", "down", "up"):
        assert column(RoundTo("x", 0.1, how=how).apply(draft, RESOURCES), "x") == numbers


def test_the_examples_of_rounding_are_what_the_step_does(engine):
    for how in ("nearest", "down", "up"):
        step = RoundTo("x", 5, how=how)
        before, after = zip(*step.examples(), strict=True)
        found = column(step.apply(drafted(engine, {"x": [float(text) for text in before]}), RESOURCES), "x")
        assert found == [float(text) for text in after]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Recode("a", {}), "old: new"),
        (lambda: Recode("a", {None: 1}), "missing"),
        (lambda: Recode("a", {1: [2]}), "one new value"),
        (lambda: MergeRare("a", 1), "2 or more"),
        (lambda: MergeRare("a", 2.5), "whole number"),
        (lambda: MergeRare("a", 0), "share"),
        (lambda: TopCode("a", "old"), "number, or a day"),
        (lambda: TopCode("a", True), "number, or a day"),
        (lambda: RoundTo("a", 0), "above 0"),
        (lambda: RoundTo("a", 5, how="off"), "nearest, down, up"),
    ],
)
def test_parameters_that_cannot_be_are_refused_before_any_data(make, message):
    with pytest.raises(PlanError, match=message):
        make()


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (TopCode("born", 90), "dates"),
        (TopCode("age", 89.5), "whole numbers"),
        (TopCode("end", 90), "holds text"),
        (TopCode("age", "2020-01-01"), "whole numbers"),
        (RoundTo("age", 0.5), "whole numbers"),
        (RoundTo("born", 5), "numbers are needed"),
        (Recode("end", {5: "x"}), "put the value in quotes"),
        (Recode("age", {1: 2, "1": 3}, otherwise="keep"), "twice"),
    ],
)
def test_a_column_of_the_wrong_kind_is_an_error(duck, step, message):
    with pytest.raises(PlanError, match=message):
        step.apply(drafted(duck, LIMITS | {"end": ["a"] * 5}), RESOURCES)
