"""Generalisation of columns and of records."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import RESOURCES, column, drafted

from sfumato.errors import PlanError, SfumatoError
from sfumato.hierarchies.builders.icd10 import Icd10
from sfumato.plans.blocks.level_labels import Generalisation
from sfumato.plans.draft import Draft
from sfumato.plans.steps.generalise import Generalise
from sfumato.plans.steps.generalise_locally import GeneraliseLocally
from sfumato.tables.engine import Kind

PEOPLE = {
    "age": pa.array([25, 32, 36, 45, 23, 93, None], pa.int32()),
    "bmi": pa.array([19.5, 24.9, 25.0, 31.0, 40.0, None, float("nan")], pa.float32()),
    "ill": ["flu", "cold", "flu", "gout", "flu", "lupus", None],
    "seen": pa.array([date(2020, 3, 1), date(2020, 3, 31), date(2020, 4, 1), None, None, None, None]),
}
ILLNESSES = {"kind": "tree", "mapping": {"flu": "airways", "cold": "airways", "gout": "joints", "lupus": "joints"}}


@pytest.mark.parametrize(
    ("name", "hierarchy", "level", "expected"),
    [
        ("age", {"kind": "ages"}, 2, ["20-29", "30-39", "30-39", "40-49", "20-29", "90+", None]),
        ("age", {"kind": "intervals", "width": 5, "levels": 2}, 1,
         ["[25, 30)", "[30, 35)", "[35, 40)", "[45, 50)", "[20, 25)", "[90, 95)", None]),
        ("bmi", {"kind": "intervals", "edges": [18.5, 25, 30]}, 1,
         ["[18.5, 25)", "[18.5, 25)", "[25, 30)", ">=30", ">=30", None, None]),
        ("ill", ILLNESSES, 1, ["airways", "airways", "airways", "joints", "airways", "joints", None]),
        ("ill", ILLNESSES, "top", ["*"] * 7),
        ("seen", {"kind": "dates", "levels": ["month", "year"]}, 1, ["2020-03", "2020-03", "2020-04"] + [None] * 4),
        ("age", {"kind": "quantiles", "groups": 2}, 1, ["<36", "<36", ">=36", ">=36", "<36", ">=36", None]),
    ],
)  # fmt: skip
def test_a_column_is_replaced_by_its_ancestors(engine, name, hierarchy, level, expected):
    found = Generalise(name, level, hierarchy).apply(drafted(engine, PEOPLE), RESOURCES)
    assert column(found, name) == expected
    assert found.kind(name) is Kind.TEXT


@pytest.mark.parametrize("few", [0, 100])
@pytest.mark.parametrize("odd", ["A00X1", "a00x\u00df"])  # Python's capital of the latter would be a code
def test_labels_that_are_found_here_are_those_that_the_engine_finds(engine, monkeypatch, few, odd):
    monkeypatch.setattr("sfumato.plans.blocks.level_labels.FEW", few)
    codes = ["E11.9", "I10", None, "e119 ", "flu", odd, "C4A"]
    released = Generalise("code", 2, {"kind": "icd10"}, unknown="top").apply(
        drafted(engine, {"code": codes}), RESOURCES
    )
    blocks = ["E10-E14", "I10-I15", None, "E10-E14", "*", "A00-A09" if odd.isascii() else "*", "C43-C44"]
    assert column(released, "code") == blocks


def test_a_long_list_is_read_once_for_each_different_value_and_joined(engine):
    codes = ["E11.9", "I10", None, "e119 ", "flu", "I10", "", None, "C4A"]
    draft = drafted(engine, {"code": codes, "n": list(range(9))})
    placed = Generalisation.of(draft, "code", {"kind": "icd10"}, RESOURCES.folder).at(2)
    assert placed.join.startswith("LEFT JOIN")
    assert "WHEN" not in placed.sql + placed.join
    released = Generalise("code", 2, {"kind": "icd10"}, unknown="top").apply(draft, RESOURCES)
    assert column(released, "code") == [Icd10().label(code, 2) for code in codes]
    assert column(released, "n") == list(range(9))
    with pytest.raises(PlanError, match=r"2 different values of 2 records are no ICD-10 codes .*row 5, 7"):
        Generalise("code", 2, {"kind": "icd10"}).apply(draft, RESOURCES)


def test_level_0_leaves_the_column_what_it_is(duck):
    draft = drafted(duck, PEOPLE)
    assert Generalise("age", 0, {"kind": "ages"}).apply(draft, RESOURCES) == draft


def test_ranges_have_an_order_and_an_ordered_category_keeps_its_own(duck):
    draft = drafted(duck, PEOPLE)
    ages = Generalise("age", 3, {"kind": "ages", "widths": [10, 30, 60]}).apply(draft, RESOURCES)
    assert ages["age"].order == ("<0", "0-59", "60-89", "90+")
    order = ("cold", "flu", "gout", "lupus")
    ordered = replace(draft, columns=tuple(replace(c, order=order) if c.name == "ill" else c for c in draft.columns))
    assert Generalise("ill", 1, ILLNESSES).apply(ordered, RESOURCES)["ill"].order == ("airways", "joints")


def written(folder, *lines):
    (folder / "ill.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return replace(RESOURCES, folder=folder)


def test_a_file_lies_beside_the_plan_and_may_have_a_label_for_what_is_missing(engine, tmp_path):
    means = written(tmp_path, "flu;airways;*", "cold;airways;*", "gout;joints;*", "lupus;joints;*", ";unknown;*")
    found = Generalise("ill", 1, "ill.csv").apply(drafted(engine, PEOPLE), means)
    assert column(found, "ill") == ["airways", "airways", "airways", "joints", "airways", "joints", "unknown"]


def test_a_value_that_the_file_lacks_is_an_error_or_goes_to_the_top(engine, tmp_path):
    means, draft = written(tmp_path, "flu;airways;*", "cold;airways;*"), drafted(engine, PEOPLE)
    with pytest.raises(PlanError) as caught:
        Generalise("ill", 1, "ill.csv").apply(draft, means)
    assert "Column 'ill': 2 different values of 2 records are lacking in its hierarchy (row 4, 6)" in str(caught.value)
    assert "lupus" not in str(caught.value)
    found = Generalise("ill", 1, "ill.csv", unknown="top").apply(draft, means)
    assert column(found, "ill") == ["airways", "airways", "airways", "*", "airways", "*", None]


def test_a_long_list_is_joined_and_says_the_same(engine):
    mapping = {f"code {i}": f"group {i % 7}" for i in range(300)}
    values = [f"code {i}" for i in (299, 3, 10, 3)] + [None, "unheard of"]
    step = Generalise("code", 1, {"kind": "tree", "mapping": mapping}, unknown="top")
    found = step.apply(drafted(engine, {"code": values}), RESOURCES)
    assert not found.ordered
    assert column(found, "code") == ["group 5", "group 3", "group 3", "group 3", None, "*"]
    with pytest.raises(PlanError, match=r"1 different value of 1 record are lacking in its hierarchy \(row 6\)"):
        replace(step, unknown="error").apply(drafted(engine, {"code": values}), RESOURCES)


@pytest.mark.parametrize(
    ("name", "hierarchy", "settled"),
    [
        ("age", {"kind": "quantiles", "groups": 2}, {"kind": "intervals", "cuts": [[36]]}),
        ("ill", {"kind": "priority", "at_least": 3}, {"kind": "priority", "at_least": 3, "kept": [["flu"]]}),
        ("age", {"kind": "intervals", "width": 50}, {"kind": "intervals", "width": 50, "levels": 1}),
    ],
)
def test_what_was_found_in_the_data_can_be_written_down_and_applied_to_others(duck, name, hierarchy, settled):
    draft, step = drafted(duck, PEOPLE), Generalise(name, 1, hierarchy)
    fixed = step.settled(draft, RESOURCES)
    assert {key: fixed.hierarchy[key] for key in settled} == settled
    assert column(fixed.apply(draft, RESOURCES), name) == column(step.apply(draft, RESOURCES), name)
    few = drafted(duck, {key: values[3:5] for key, values in PEOPLE.items()})
    assert column(fixed.apply(few, RESOURCES), name) == column(step.apply(draft, RESOURCES), name)[3:5]


def test_a_settled_step_does_not_look_at_the_data(duck, monkeypatch):
    draft = drafted(duck, PEOPLE)
    step = Generalise("age", 1, {"kind": "quantiles"}).settled(draft, RESOURCES)
    monkeypatch.setattr("sfumato.plans.blocks.level_labels.counts", lambda *_: pytest.fail("looked at the data"))
    step.apply(draft, RESOURCES)
    Generalise("seen", 1, {"kind": "dates", "levels": ["month"]}).apply(draft, RESOURCES)


LOCAL = GeneraliseLocally(
    rules=(
        {"where": {"column": "age", "at_least": 90}, "levels": {"age": "top", "ill": "top"}},
        {"where": {"column": "age", "below": 30}, "levels": {"age": 1, "ill": 0}},
        {"levels": {"age": 2, "ill": 1}},
    ),
    hierarchies={"age": {"kind": "ages"}, "ill": ILLNESSES},
)


def test_identical_values_may_become_different_labels_in_different_records(engine):
    found = LOCAL.apply(drafted(engine, PEOPLE), RESOURCES)
    assert column(found, "age") == ["25-29", "30-39", "30-39", "40-49", "20-24", "*", None]
    assert column(found, "ill") == ["flu", "airways", "airways", "joints", "flu", "*", None]
    assert column(found, "bmi")[:5] == pytest.approx([19.5, 24.9, 25.0, 31.0, 40.0])


def test_a_record_that_no_rule_means_stays_as_it_is(duck):
    step = replace(LOCAL, rules=LOCAL.rules[:1], hierarchies={"ill": ILLNESSES, "age": {"kind": "ages"}})
    found = step.apply(drafted(duck, PEOPLE), RESOURCES)
    assert column(found, "ill") == ["flu", "cold", "flu", "gout", "flu", "*", None]
    assert column(found, "age") == ["25", "32", "36", "45", "23", "*", None]


def test_only_the_records_that_are_generalised_need_a_place_in_the_hierarchy(duck):
    airways = {"kind": "tree", "mapping": {"flu": "airways", "cold": "airways", "x": "other"}}
    rule = {"where": {"column": "age", "below": 40}, "levels": {"ill": 1}}
    draft = drafted(duck, PEOPLE)
    found = GeneraliseLocally(rules=(rule,), hierarchies={"ill": airways}).apply(draft, RESOURCES)
    assert column(found, "ill") == ["airways", "airways", "airways", "gout", "airways", "lupus", None]
    with pytest.raises(PlanError, match=r"2 different values of 2 records are lacking in its hierarchy \(row 4, 6\)"):
        GeneraliseLocally(rules=({"levels": {"ill": 1}},), hierarchies={"ill": airways}).apply(draft, RESOURCES)


def test_long_lists_are_joined_once_for_each_level(duck):
    mapping = {f"c{i}": f"g{i % 7}" for i in range(300)} | {f"g{i}": f"h{i % 2}" for i in range(7)}
    step = GeneraliseLocally(
        rules=({"where": {"column": "n", "equals": 1}, "levels": {"code": 1}}, {"levels": {"code": 2}}),
        hierarchies={"code": {"kind": "tree", "mapping": mapping}},
    )
    draft = drafted(duck, {"code": ["c10", "c10", None], "n": [1, 2, 1]})
    assert column(step.apply(draft, RESOURCES), "code") == ["g3", "h1", None]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Generalise("a", -1, {"kind": "ages"}), "0 or more"),
        (lambda: Generalise("a", 1, {"kind": "agse"}), "Did you mean 'ages'"),
        (lambda: Generalise("a", 1, {"kind": "intervals", "edges": [3, 2]}), "increasing order"),
        (lambda: Generalise("a", 1, {"kind": "intervals", "widht": 5}), "Did you mean 'width'"),
        (lambda: Generalise("a", 1, 5), "a file, or a kind"),
        (lambda: Generalise("a", 1, {"kind": "ages"}, unknown="drop"), "error, top"),
        (lambda: GeneraliseLocally(rules=(), hierarchies={}), "list of"),
        (lambda: GeneraliseLocally(rules=({"levels": {"b": 1}},), hierarchies={}), "hierarchies has none"),
        (lambda: GeneraliseLocally(rules=({"level": {"b": 1}},), hierarchies={}), "and nothing else"),
    ],
)
def test_parameters_that_cannot_be_are_refused_before_any_data(make, message):
    with pytest.raises(PlanError, match=message):
        make()


def test_a_level_above_the_top_and_a_file_that_is_not_there_are_errors(duck):
    draft = drafted(duck, PEOPLE)
    with pytest.raises(SfumatoError, match="levels 0 to 4, and no level 5"):
        Generalise("age", 5, {"kind": "ages"}).apply(draft, RESOURCES)
    with pytest.raises(SfumatoError, match="cannot be read"):
        Generalise("age", 1, "nowhere.csv").apply(draft, RESOURCES)


def test_every_value_of_the_census_has_its_ancestors(duck, shared):
    from sfumato.hierarchies.build import hierarchies_in, read_hierarchy
    from sfumato.tables.load import load

    files = hierarchies_in(shared / "data" / "adult")
    extract = load(shared / "data" / "adult" / "adult.csv", engine=duck)
    draft = Draft.of(extract)
    for name in ("marital-status", "native-country", "age"):
        stored = read_hierarchy(files[name])
        for level in range(1, stored.height + 1):
            means = replace(RESOURCES, folder=files[name].parent)
            found = Generalise(name, level, files[name].name).apply(draft, means)
            before, after = column(draft, name), column(found, name)
            assert set(zip(before, after, strict=True)) == {(v, stored.label(str(v), level)) for v in set(before)}
