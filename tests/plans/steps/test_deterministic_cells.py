"""Dropping, masking and suppression."""

from __future__ import annotations

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import RESOURCES, column, drafted

from sfumato.errors import PlanError, SfumatoError
from sfumato.plans.catalogue import transformations
from sfumato.plans.steps.drop import Drop
from sfumato.plans.steps.keep import Keep
from sfumato.plans.steps.mask import Mask
from sfumato.plans.steps.suppress_records import SuppressRecords
from sfumato.plans.steps.suppress_values import SuppressValues
from sfumato.schema import Role
from sfumato.tables.engine import Kind

TABLE = {
    "name": ["Ann", "Bob", "Åse", "", None],
    "age": pa.array([30, 30, 41, 41, None], pa.int32()),
    "sex": ["f", "m", "f", "f", None],
}


def test_a_dropped_column_is_gone_and_the_others_are_untouched(duck):
    draft = drafted(duck, TABLE)
    found = Drop("name").apply(draft, RESOURCES)
    assert found.names == ("age", "sex")
    assert [column(found, name) for name in found.names] == [column(draft, name) for name in found.names]
    assert draft.names == ("name", "age", "sex")


def test_dropping_the_subject_is_noted_and_what_follows_counts_records(duck):
    found = Drop("name").apply(drafted(duck, TABLE, subject="name"), RESOURCES)
    assert found.subject is None
    assert "later steps" in found.notes[-1]


def test_a_column_that_is_kept_is_required(duck):
    draft = drafted(duck, TABLE)
    assert Keep("age").apply(draft, RESOURCES) == draft
    assert Keep("age", only=True).apply(draft, RESOURCES).names == ("age",)
    with pytest.raises(SfumatoError, match="Did you mean 'age'"):
        Keep("agee").apply(draft, RESOURCES)
    with pytest.raises(PlanError, match="keep it"):
        Keep("age", only=True).apply(drafted(duck, TABLE, subject="name"), RESOURCES)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["***", "***", "***", "", None]),
        ({"placeholder": "xxxx"}, ["xxxx", "xxxx", "xxxx", "xxxx", None]),
        ({"keep_left": 1}, ["A**", "B**", "Å**", "", None]),
        ({"keep_right": 1, "character": "#"}, ["##n", "##b", "##e", "", None]),
        ({"keep_left": 1, "keep_right": 1, "placeholder": "..."}, ["A...n", "B...b", "Å...e", "...", None]),
        ({"keep_left": 3}, ["***", "***", "***", "", None]),
    ],
)
def test_masking_hides_all_but_what_is_kept(engine, given, expected):
    mask = Mask("name", **given)
    assert column(mask.apply(drafted(engine, TABLE), RESOURCES), "name") == expected
    assert [None if text is None else mask.masked(text) for text in TABLE["name"]] == expected


def test_a_masked_number_is_text(duck):
    assert column(Mask("age", keep_left=1).apply(drafted(duck, TABLE), RESOURCES), "age") == [
        "3*",
        "3*",
        "4*",
        "4*",
        None,
    ]


def test_suppressed_values_are_missing_and_the_type_stays(engine):
    draft = drafted(engine, TABLE)
    found = SuppressValues(("age", "sex"), where={"column": "age", "above": 40}).apply(draft, RESOURCES)
    assert column(found, "age") == [30, 30, None, None, None]
    assert column(found, "sex") == ["f", "m", None, None, None]
    assert found.kind("age") is Kind.INTEGER
    assert found.notes[-1] == "Values suppressed: 2 of age, 2 of sex."


def test_a_placeholder_makes_a_number_text_and_leaves_the_missing_ones(engine):
    found = SuppressValues("age", where={"column": "sex", "equals": "m"}, placeholder="?").apply(
        drafted(engine, TABLE), RESOURCES
    )
    assert column(found, "age") == ["30", "?", "41", "41", None]


def test_rare_values_are_counted_in_people(engine):
    visits = {"who": ["a", "a", "a", "b", "c", None, None], "ill": ["gout", "gout", "gout", "flu", "flu", "x", "x"]}
    draft = drafted(engine, visits)
    step = SuppressValues("ill", rarer_than=2)
    assert column(step.apply(draft, RESOURCES), "ill") == ["gout", "gout", "gout", "flu", "flu", "x", "x"]
    by_person = step.apply(drafted(engine, visits, subject="who"), RESOURCES)
    assert column(by_person, "ill") == [None, None, None, "flu", "flu", "x", "x"]


def test_without_a_condition_every_value_is_suppressed(duck):
    assert column(SuppressValues("name").apply(drafted(duck, TABLE), RESOURCES), "name") == [None] * 5


def test_many_different_values_are_joined_and_the_result_is_the_same(duck):
    values = [str(i // 2) for i in range(3000)] + ["alone"]
    found = SuppressValues("v", rarer_than=2).apply(drafted(duck, {"v": values}), RESOURCES)
    assert not found.ordered
    assert column(found, "v") == [*values[:-1], None]


def test_records_of_a_condition_are_left_out_and_unknown_ones_stay(engine):
    found = SuppressRecords(where={"column": "age", "below": 40}).apply(drafted(engine, TABLE), RESOURCES)
    assert column(found, "age") == [41, 41, None]
    assert found.notes == ("Records suppressed: 2 of 5.",)


def test_records_in_small_classes_are_left_out(engine):
    draft = drafted(engine, TABLE, roles={"age": Role.QUASI, "sex": Role.QUASI})
    assert column(SuppressRecords(class_size=2).apply(draft, RESOURCES), "name") == ["Åse", ""]
    assert column(SuppressRecords(class_size=2, columns="age").apply(draft, RESOURCES), "name") == [
        "Ann",
        "Bob",
        "Åse",
        "",
    ]


def test_a_class_of_one_person_with_many_records_is_small(engine):
    visits = {"who": ["a", "a", "a", "b", "c", None, None], "age": pa.array([1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0])}
    draft = drafted(engine, visits, subject="who")
    assert column(SuppressRecords(class_size=2, columns="age").apply(draft, RESOURCES), "age") == [2.0, 2.0, 3.0, 3.0]


def test_not_a_number_is_a_missing_value_and_zero_is_one_value(duck):
    numbers = {"x": pa.array([float("nan"), None, 0.0, -0.0, 1.0])}
    found = SuppressRecords(class_size=2, columns="x").apply(drafted(duck, numbers), RESOURCES)
    assert found.count() == 4


def test_many_records_are_left_out_by_a_join(duck):
    draft = drafted(duck, {"v": [*range(3000), 7, 7]})
    found = SuppressRecords(class_size=2, columns="v").apply(draft, RESOURCES)
    assert not found.ordered
    assert column(found, "v") == [7, 7, 7]


def test_no_record_left_is_an_error_and_so_are_classes_without_columns(duck):
    draft = drafted(duck, TABLE)
    with pytest.raises(PlanError, match="no record would be left"):
        SuppressRecords(class_size=50, columns="age").apply(draft, RESOURCES)
    with pytest.raises(PlanError, match="role quasi"):
        SuppressRecords(class_size=2).apply(draft, RESOURCES)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Drop(()), "name a column"),
        (lambda: Drop(("a", "a")), "named twice"),
        (lambda: Mask("a", keep_left=-1), "keep_left"),
        (lambda: Mask("a", character="ab"), "one character"),
        (lambda: Mask("a", placeholder=5), "quotes"),
        (lambda: SuppressValues("a", where={"column": "a", "equals": 1}, rarer_than=3), "not both"),
        (lambda: SuppressValues("a", rarer_than=1), "2 or more"),
        (lambda: SuppressRecords(), "give one of"),
        (lambda: SuppressRecords(where={"column": "a", "equals": 1}, columns="a"), "belong to class_size"),
        (lambda: SuppressRecords(class_size=True), "whole number"),
    ],
)
def test_parameters_that_cannot_be_are_refused_before_any_data(make, message):
    with pytest.raises(PlanError, match=message):
        make()


def test_the_catalogue_knows_the_steps_and_their_phuse_names():
    known = transformations()
    mine = {
        "age", "bottom_code", "date_periods", "drop", "duration", "generalise", "generalise_locally", "keep", "mask",
        "keep_first", "merge_rare", "recode", "round_to", "suppress_records", "suppress_values", "top_code",
        "truncate_dates",
    }  # fmt: skip
    assert mine <= set(known)
    names = {"remove": "drop", "redact": "mask", "generalize": "generalise", "derive_age": "age"}
    assert {alias: known[alias].name() for alias in names} == names
    assert known["low_frequency"].name() == "merge_rare"
