"""Scenarios against counting by hand; subsets in both modes; what cannot be asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attackers.by_hand import DUCKDB, all_sets, crowds, dataset, persons, tables

import sfumato as sf
from sfumato.attackers.scenario import Mode, ScenarioRisk, Subset
from sfumato.attackers.scenario_risks import scenario_risks
from sfumato.errors import EmptyTable, PlanError, PolicyError, UnknownColumn
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.plans.condition import Condition
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.policy import Scenario
from sfumato.privacy.sizes import Sizes
from sfumato.schema import Missing, Role
from sfumato.studies.printed_tables import inpatients

READINGS = [Missing.OWN_VALUE, Missing.NEVER_MATCHES, Missing.WILDCARD]


def every_scenario(names):
    return [Scenario(f"s{i}", [names[p] for p in places]) for i, places in enumerate(all_sets(len(names), 4))]


def check(risk, rows, subjects, places, missing):
    found = [len(crowd) for crowd in crowds(rows, subjects, places, missing)]
    assert risk.records == len(rows)
    assert risk.persons == len(set(persons(rows, subjects)))
    assert risk.singled_out == found.count(1)
    assert risk.percent == pytest.approx(100 * found.count(1) / len(rows))
    assert risk.k == min(found)
    assert risk.highest_risk == 1 / min(found)
    assert risk.below == {size: sum(f < size for f in found) for size in (3, 5, 11, 20)}


@pytest.mark.parametrize("missing", READINGS)
@given(drawn=tables(most=3))
@settings(max_examples=30)
def test_every_scenario_is_what_counting_by_hand_gives(missing, drawn):
    rows, names, subjects = drawn
    risks = scenario_risks(dataset(rows, names, subjects, missing), every_scenario(names))
    for risk, places in zip(risks, all_sets(len(names), 4), strict=True):
        assert risk.quasi_identifiers == tuple(names[p] for p in places)
        check(risk, rows, subjects, places, missing)


@given(drawn=tables(most=3))
@settings(max_examples=30)
def test_the_average_risk_is_classes_by_members(drawn):
    rows, names, subjects = drawn
    (risk,) = scenario_risks(dataset(rows, names, subjects), [Scenario("all", names)])
    people = persons(rows, subjects)
    members = {(row, person) for row, person in zip(rows, people, strict=True)}
    assert risk.average_risk == pytest.approx(len(set(rows)) / len(members))


@pytest.mark.parametrize("missing", READINGS)
@given(drawn=tables(least=2, most=3), value=st.integers(0, 2))
@settings(max_examples=40)
def test_a_subset_is_filtered_first_and_divided_by_its_own_records(missing, drawn, value):
    rows, names, subjects = drawn
    condition = Condition.of({"column": names[0], "equals": value})
    inside = [i for i, row in enumerate(rows) if row[0] == value]
    known = [Subset("few", condition, names[1:], Mode.SUBSET), Scenario("everybody", names)]
    table = dataset(rows, names, subjects, missing)
    if not inside:
        with pytest.raises(PolicyError, match="No record satisfies"):
            scenario_risks(table, known)
        return
    risk, whole = scenario_risks(table, known)
    few, about = [rows[i] for i in inside], subjects and [subjects[i] for i in inside]
    check(risk, few, about, range(1, len(names)), missing)
    assert (risk.condition.records, risk.condition.singled_out) == (len(few), risk.singled_out)
    check(whole, rows, subjects, range(len(names)), missing)


@pytest.mark.parametrize("missing", READINGS)
@given(drawn=tables(least=2, most=3), value=st.integers(0, 1))
@settings(max_examples=40)
def test_a_condition_as_quasi_identifier_is_one_more_key_of_all_records(missing, drawn, value):
    rows, names, subjects = drawn
    keyed = [(*row[1:], int(row[0] == value)) for row in rows]
    if not any(row[-1] for row in keyed):
        return
    subset = Subset("known", Condition.of({"column": names[0], "equals": value}), names[1:], Mode.AS_QI)
    risk, plain = scenario_risks(dataset(rows, names, subjects, missing), [subset, Scenario("plain", names[1:])])
    check(risk, keyed, subjects, range(len(names)), missing)
    found = crowds(keyed, subjects, range(len(names)), missing)
    assert risk.condition.records == sum(row[-1] for row in keyed)
    assert risk.condition.singled_out == sum(len(c) == 1 and row[-1] for c, row in zip(found, keyed, strict=True))
    assert risk.singled_out >= plain.singled_out


@given(drawn=tables(most=4))
@settings(max_examples=30)
def test_who_is_singled_out_by_some_columns_is_by_more(drawn):
    rows, names, subjects = drawn
    risks = {frozenset(r.quasi_identifiers): r.singled_out
             for r in scenario_risks(dataset(rows, names, subjects), every_scenario(names))}  # fmt: skip
    for smaller, few in risks.items():
        assert all(few <= many for larger, many in risks.items() if smaller <= larger)


@pytest.mark.parametrize(
    ("records", "singled_out", "printed"),
    [(1716, 32, 1.86), (1716, 137, 7.98), (1716, 1111, 64.74), (1716, 1358, 79.14), (1716, 1653, 96.33),
     (1716, 1671, 97.38), (1716, 1712, 99.77), (1685, 32, 1.9), (1685, 1683, 99.88), (368, 28, 7.61), (41, 29, 70.73),
     (529, 30, 5.67), (12, 5, 41.67), (1685, 72, 4.27), (1685, 53, 3.15), (1685, 15, 0.89)],
)  # fmt: skip
def test_the_percentages_of_the_paper_are_records_singled_out_by_records(records, singled_out, printed):
    rest = records - singled_out
    sizes = Sizes(((1, singled_out, singled_out), (rest, 1, rest)))
    assert round(ScenarioRisk("S3", ("Age",), sizes, records).percent, 2) == printed


def test_columns_are_read_in_bins_and_at_levels_and_a_condition_looks_at_raw_values():
    table = DUCKDB.load(pa.table({"age": [1, 2, 51, 52, 53], "town": ["a", "b", "a", "b", "c"]}))
    towns = Hierarchy((("a", "north", "*"), ("b", "north", "*"), ("c", "south", "*")))
    found = Dataset.of(table, {"age": "quasi", "town": "quasi"})
    schema = found.schema.with_attribute("age", bins=(0.0, 50.0, 100.0)).with_attribute("town", level=1)
    old = Condition.of({"column": "age", "at_least": 52})
    risks = scenario_risks(
        replace(found, schema=schema, hierarchies={"town": towns}),
        [Scenario("age", ["age"]), Scenario("both", ["town", "age"]), Subset("old", old, ["town"])],
    )
    assert [(risk.records, risk.singled_out, risk.k) for risk in risks] == [(5, 0, 2), (5, 1, 1), (2, 2, 1)]
    assert risks[1].quasi_identifiers == ("town", "age")


def test_a_scenario_may_name_columns_of_any_role_and_says_nothing_of_others():
    table = inpatients()
    alone, beside = scenario_risks(table, [Scenario("ill", ["condition"]), Scenario("more", ["condition", "zip"])])
    assert (alone.k, alone.singled_out) == (3, 0)
    assert beside.singled_out == 6
    assert table.schema["condition"].role is Role.SENSITIVE


def test_names_of_columns_are_no_sql_and_may_be_those_used_inside():
    names = ['a "b" c', "k1", "n", "person", "Condition 1"]
    rows = [(1, 2, 3, 4, 5), (1, 2, 3, 4, 6), (2, 2, 3, 4, 6)]
    table = DUCKDB.load(pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)}))
    known = Subset("six", Condition.of({"column": "Condition 1", "equals": 6}), names[:4], "as_qi")
    quoted, six = scenario_risks(Dataset.of(table, subject="person"), [Scenario("all", names), known])
    assert (quoted.records, quoted.persons, quoted.singled_out) == (3, 1, 3)
    said = six.content()
    assert (said.condition, said.mode) == ("Condition 1 is …", "as_qi")
    assert (said.satisfying, said.singled_out_satisfying) == (2, 2)


def test_ordered_categories_compare_in_their_order():
    table = DUCKDB.load(pa.table({"grade": ["low", "high", "middle", "low"], "age": [1, 2, 3, 4]}))
    found = Dataset.of(table, {"age": "quasi"})
    schema = found.schema.with_attribute("grade", order=("low", "middle", "high"))
    condition = Condition.of({"column": "grade", "at_least": "middle"})
    (risk,) = scenario_risks(replace(found, schema=schema), [Subset("worse", condition, ["age"])])
    assert risk.records == 2


def test_a_document_holds_plain_values():
    known = [Scenario("neighbour", ["zip", "age"])]
    assert scenario_risks(inpatients(), known)[0].content().plain() == {
        "name": "neighbour", "quasi_identifiers": ["zip", "age"], "records": 12, "persons": 12, "singled_out": 12,
        "percent": 100.0, "k": 1, "average_risk": 1.0, "highest_risk": 1.0,
        "below": {"3": 12, "5": 12, "11": 12, "20": 12},
    }  # fmt: skip


def test_a_column_that_is_not_there_is_an_error_that_names_the_nearest():
    with pytest.raises(UnknownColumn, match=r"no column 'agee'. Did you mean 'age'\?"):
        scenario_risks(inpatients(), [Scenario("wrong", ["zip", "agee"])])
    with pytest.raises(UnknownColumn, match=r"Did you mean 'condition'\?"):
        scenario_risks(inpatients(), [Subset("s", Condition.of({"column": "conditions", "equals": "x"}), ["zip"])])


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("missing", READINGS)
def test_a_condition_that_no_record_satisfies_is_an_error_without_the_value(mode, missing):
    subset = Subset("misspelt", Condition.of({"column": "condition", "equals": "cancer"}), ["zip"], mode)
    with pytest.raises(PolicyError, match="No record satisfies the condition of the scenario 'misspelt'") as raised:
        scenario_risks(replace(inpatients(), missing=missing), [subset])
    assert "cancer" not in str(raised.value)


def test_a_value_of_the_wrong_kind_is_an_error_of_the_condition():
    with pytest.raises(PlanError, match="'condition' holds text"):
        scenario_risks(inpatients(), [Subset("s", Condition.of({"column": "condition", "equals": 1}), ["zip"])])


def test_a_scenario_needs_columns_a_known_mode_and_a_name_of_its_own():
    with pytest.raises(PolicyError, match="'nothing' names no column"):
        Scenario("nothing", [])
    with pytest.raises(PolicyError, match="needs a list of columns"):
        Scenario("letters", "age")
    with pytest.raises(PolicyError, match="the mode is one of subset, as_qi"):
        Subset("s", Condition.of({"column": "age", "equals": "1"}), ["zip"], "filter")
    with pytest.raises(PolicyError, match="the same name"):
        scenario_risks(inpatients(), [Scenario("a", ["zip"]), Scenario("a", ["age"])])
    assert Scenario("twice", ["age", "zip", "age"]).quasi_identifiers == ("age", "zip")
    assert scenario_risks(inpatients(), []) == ()


@pytest.mark.parametrize("missing", READINGS)
def test_a_table_without_records_is_an_error(missing):
    empty = DUCKDB.load(pa.table({"age": pa.array([], pa.int64())}))
    with pytest.raises(EmptyTable):
        scenario_risks(replace(Dataset.of(empty), missing=missing), [Scenario("a", ["age"])])


def test_nothing_is_left_behind_in_the_engine():
    table = inpatients()
    before = table.table.engine.fetch("SELECT count(*) FROM duckdb_tables()")[0][0]
    scenario_risks(table, [Scenario("a", ["zip"]), Scenario("b", ["age"])])
    assert table.table.engine.fetch("SELECT count(*) FROM duckdb_tables()")[0][0] == before


def test_engines_agree_on_scenarios(engine):
    rows = [(1, None), (1, 2), (1, 2), (None, 2), (None, None), (3, 3)]
    table = dataset(rows, ["a", "b"], [1, 1, 2, None, None, 3], engine=engine)
    known = [
        Scenario("both", ["a", "b"]),
        Subset("few", Condition.of({"column": "b", "missing": False}), ["a"]),
        Subset("known", Condition.of({"column": "b", "equals": 2}), ["a"], Mode.AS_QI),
    ]
    both, few, keyed = scenario_risks(table, known)
    check(both, rows, [1, 1, 2, None, None, 3], (0, 1), Missing.OWN_VALUE)
    assert (few.records, few.persons, few.singled_out, few.k) == (4, 4, 2, 1)
    assert (keyed.records, keyed.singled_out, keyed.condition.singled_out) == (6, 4, 1)
    assert Counter(r.k for r in (both, few, keyed)) == {1: 3}


@pytest.mark.parametrize(
    ("where", "among"),
    [
        ({"column": "age", "below": 35}, 2),  # the release holds ages from 20 to 39
        ({"column": "age", "equals": 20}, 2),
        ({"column": "ward", "equals": "a"}, 4),  # the release lacks it: anybody may be meant
        ({"column": "sex", "equals": "f"}, 2),  # no record of the release has it
    ],
)
def test_a_subset_that_the_release_cannot_answer_is_looked_for_among_those_who_look_so(where, among):
    original = pa.table({"age": [20, 30, 40, 50], "sex": ["f", "f", "m", "m"], "ward": ["a", "b", "a", "b"]})
    released = pa.table({"age": ["20-39", "20-39", "40-59", "40-59"], "sex": ["*", "*", "m", "m"]})
    subset = {"name": "some", "columns": ["age"], "where": where}
    (some,) = sf.risk(
        original, released, quasi=["age", "sex"], subsets=[subset], attacks=False, by_position=True
    ).subsets
    assert some.before.singled_out == some.before.records > 0
    assert (some.after.records, some.after.singled_out) == (among, 0)
    (known,) = sf.risk(
        original, released, quasi=["age", "sex"], subsets=[{**subset, "mode": "as_qi"}], attacks=False, by_position=True
    ).subsets
    assert "after" not in known.content().plain()
