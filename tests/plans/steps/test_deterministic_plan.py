"""Plans of deterministic steps: what is written can be read again, and each step explains itself."""

from __future__ import annotations

import json

import pytest

from sfumato.plans.plan_file import parse_plan

STEPS = """
- drop: {columns: name}
- keep: {columns: [sex], only: true}
- mask: {columns: [zip], keep_left: 3, character: "#"}
- suppress_values: {columns: [ill], where: {any: [{column: age, above: 90}, {column: sex, missing: true}]}}
- suppress_values: {columns: ill, rarer_than: 5, placeholder: "?"}
- suppress_records: {where: {column: site, in: [A, B]}}
- suppress_records: {class_size: 5, columns: [age, sex]}
- keep_first: {by: admission, per: patient}
- generalise: {column: age, level: 2, hierarchy: {kind: ages}, unknown: top}
- generalise: {column: days, level: 1, hierarchy: {kind: quantiles}}
- generalise: {column: ill, level: top, hierarchy: ill.csv}
- generalise_locally:
    rules: [{where: {column: age, below: 18}, levels: {age: 2, ill: top}}, {levels: {age: 1}}]
    hierarchies: {age: {kind: ages}, ill: ill.csv}
- recode: {column: code, mapping: {1: a, 2: b}, otherwise: keep}
- recode: {column: end, mapping: {home: recovered}, otherwise: null, missing: unknown}
- merge_rare: {column: ill, fewer_than: 0.01, into: Other pathologies}
- top_code: {column: age, at: 90, label: 90+}
- bottom_code: {column: born, at: 1930-01-01}
- truncate_dates: {columns: [seen], to: month, written_as: text, format: "%d/%m/%Y"}
- date_periods: {columns: seen, days: 5, origin: 2020-03-01}
- duration: {start: admission, end: discharge, into: days, unit: hours, drop: false, negative: error}
- age: {birth: born, at: 2024-06-30, top: 90, label: 90+}
- age: {birth: born, at: seen, into: years, top: null}
- round_to: {column: weight, base: 2.5, how: down}
"""


def test_a_plan_that_is_written_down_can_be_read_again_and_is_the_same():
    plan = parse_plan(f"steps:\n{STEPS}")
    steps = [{name: value for name, value in step.items() if name != "id"} for step in plan.document()["steps"]]
    again = parse_plan(json.dumps({"steps": steps}))
    assert again.document() == plan.document()
    assert again.fingerprint() == plan.fingerprint()


@pytest.mark.parametrize("step", parse_plan(f"steps:\n{STEPS}").steps, ids=lambda step: step.name)
def test_a_step_explains_itself_in_one_sentence_with_made_up_values(step):
    said = step.transformation.explained()
    assert said[0].isupper()
    assert said.endswith(".")
    assert "\n" not in said
    assert "None" not in said
    assert all(isinstance(text, str) for pair in step.transformation.examples() for text in pair)


def test_a_plan_may_use_the_names_of_the_phuse_rules():
    plan = parse_plan("steps: [remove: {columns: name}, derive_age: {birth: born, at: seen}, redact: {columns: note}]")
    assert [step.name for step in plan.steps] == ["drop", "age", "mask"]
